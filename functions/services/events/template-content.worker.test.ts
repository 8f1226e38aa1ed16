import { eq } from "drizzle-orm";
import { beforeEach, expect, it, vi } from "vitest";
import { audit, eventChanges, events, eventTags, users } from "#functions/data/schema";
import { EVENT_TEMPLATES } from "~/domain/events/templates/event-template";
import { EVENT_TEMPLATE_NAMES, type EventTemplateName } from "~/domain/events/templates/template-names";
import { CONTENT_MAX_BYTES } from "~/domain/shared/limits";
import type { Localized } from "~/domain/shared/model";
import { catchErrorCode, type TestUser, useTestApp } from "../../../tests/support/app/test-app";

const testApp = useTestApp();
let owner: TestUser;
let spaceId: string;

beforeEach(async () => {
  owner = await testApp.addUser();
  spaceId = (await testApp.addSpace(owner, "展示室")).space.id;
});

const create = (
  name: EventTemplateName,
  eventName: Localized = EVENT_TEMPLATES[name].name,
  targetSpaceId = spaceId,
) =>
  testApp.services.events.createEvent({
    actor: owner.actor,
    spaceId: targetSpaceId,
    eventName,
    template: { name, lang: "en" },
  });
const contentOf = (eventId: string) => testApp.services.content.getContent({ actor: owner.actor, eventId });

it.each(EVENT_TEMPLATE_NAMES)(
  "creates an event from the template %s with its tags, tour and texts",
  async (name) => {
    const template = EVENT_TEMPLATES[name];
    const event = await create(name);
    expect(event).toMatchObject({ eventName: template.name, eventDetail: template.detail, statusId: 1 });
    const { tags, media, scene } = await contentOf(event.id);
    expect(media).toEqual([]);
    expect(tags.map(({ title, position, hidden }) => ({ title, position, hidden }))).toEqual(
      template.tags.map(({ title }) => ({ title, position: null, hidden: false })),
    );
    expect(tags.map(({ keywords }) => keywords)).toEqual(
      template.tags.map(({ keywords }) => keywords.map(({ en }) => en)),
    );
    expect(scene.tour.map(({ tagId, title, text }) => ({ tagId, title, text }))).toEqual(
      template.tags.map(({ stop }, index) => ({ ...stop, tagId: tags[index]?.id })),
    );
    // A showcase has its own start position.
    expect(scene.startView).toBeNull();
    expect(await testApp.readRevision(event.id)).toBe(event.revision);
    expect((await testApp.readAccount(owner.user.id))?.contentUsed).toBeGreaterThan(1000);
  },
);

it("leaves out the suggested name of another language if it is taken, and rejects a typed name that is taken", async () => {
  const { name } = EVENT_TEMPLATES.shop;
  await testApp.services.events.createEvent({
    actor: owner.actor,
    spaceId,
    eventName: { ja: "", en: name.en },
  });
  expect((await create("shop", { ja: name.ja, en: "" })).eventName).toEqual({ ja: name.ja, en: "" });
  expect(await catchErrorCode(create("shop", { ja: "", en: name.en }))).toBe("event_name_taken");
});

const begin = (eventName: Localized = EVENT_TEMPLATES.shop.name) =>
  testApp.services.events.beginEvent({
    actor: owner.actor,
    spaceId,
    eventName,
    template: { name: "shop", lang: "en" },
  });
const eventIds = async () =>
  (await testApp.services.events.listEvents({ actor: owner.actor, spaceId })).events.items.map(
    ({ id }) => id,
  );

it("fills the first event of a space if no user has changed it, and records this in its history", async () => {
  const [firstEventId = ""] = await eventIds();
  testApp.time.now += 1000;
  // The space has the name that its owner also chooses for the event.
  const { id } = await begin({ ja: "展示室", en: "" });
  expect(await eventIds()).toEqual([firstEventId]);
  expect(id).toBe(firstEventId);
  const { event } = await testApp.services.events.getEvent({ actor: owner.actor, eventId: firstEventId });
  expect(event).toMatchObject({
    eventName: { ja: "展示室", en: "" },
    eventDetail: EVENT_TEMPLATES.shop.detail,
    statusId: 1,
  });
  const { tags, scene } = await contentOf(firstEventId);
  expect(tags.map(({ title }) => title)).toEqual(EVENT_TEMPLATES.shop.tags.map(({ title }) => title));
  expect(scene.tour.map(({ tagId }) => tagId)).toEqual(tags.map((tag) => tag.id));
  const history = await testApp.services.history.listHistory({ actor: owner.actor, eventId: firstEventId });
  expect(history.changeGroups.length).toBeGreaterThan(0);
  // The next template gets an event of its own.
  testApp.time.now += 1000;
  expect((await begin()).id).not.toBe(firstEventId);
  expect(await eventIds()).toHaveLength(2);
});

it("adds the texts to the first event of a space although another user saves it meanwhile", async () => {
  const [eventId = ""] = await eventIds();
  const { update } = testApp.data.events;
  vi.spyOn(testApp.data.events, "update").mockImplementationOnce(async (...input) => {
    await testApp.setEvent(eventId, { version: 2, detailEn: "Bring a ticket.", showBeforePassword: true });
    return update(...input);
  });
  await begin();
  const { event } = await testApp.services.events.getEvent({ actor: owner.actor, eventId });
  expect(event).toMatchObject({
    eventName: EVENT_TEMPLATES.shop.name,
    eventDetail: { ja: EVENT_TEMPLATES.shop.detail.ja, en: "Bring a ticket." },
    showBeforePassword: true,
  });
});

it("keeps the name with which another user saves the first event of a space meanwhile", async () => {
  const [eventId = ""] = await eventIds();
  const { update } = testApp.data.events;
  vi.spyOn(testApp.data.events, "update").mockImplementationOnce(async (...input) => {
    await testApp.setEvent(eventId, {
      version: 2,
      eventName: "別の名前",
      nameJa: "別の名前",
      nameEn: "Other name",
    });
    return update(...input);
  });
  await begin();
  const { event } = await testApp.services.events.getEvent({ actor: owner.actor, eventId });
  expect(event).toMatchObject({
    eventName: { ja: "別の名前", en: "Other name" },
    eventDetail: EVENT_TEMPLATES.shop.detail,
  });
});

it("leaves the first event of a space if a user has changed it", async () => {
  const [firstEventId = ""] = await eventIds();
  await testApp.addTag(firstEventId);
  expect((await begin()).id).not.toBe(firstEventId);
  expect((await contentOf(firstEventId)).tags).toHaveLength(1);
});

it("uses the start view of the space, if there is one, for the event and the tour", async () => {
  const { space } = await testApp.services.spaces.createSampleSpace({ actor: owner.actor, name: "Room" });
  const start = space.source.kind === "model" ? space.source.start : null;
  const { scene } = await contentOf((await create("museum", undefined, space.id)).id);
  expect(scene.startView).toEqual(start);
  expect(scene.tour.map(({ viewpoint }) => viewpoint)).toEqual([
    start,
    ...scene.tour.slice(1).map(() => null),
  ]);
});

it("keeps the owner's name, and adds the other language only to the suggested one", async () => {
  const created = await create("shop", { ja: "", en: "Summer sale" });
  expect(created.eventName).toEqual({ ja: "", en: "Summer sale" });
  const suggested = await create("shop", { ja: "", en: EVENT_TEMPLATES.shop.name.en });
  expect(suggested.eventName).toEqual(EVENT_TEMPLATES.shop.name);
});

it("writes nothing when the name is taken, or when the storage limit does not permit the content", async () => {
  await create("exhibition");
  const before = await testApp.db.select().from(eventTags);
  expect(await catchErrorCode(create("exhibition"))).toBe("event_name_taken");
  await testApp.db
    .update(users)
    .set({ contentUsed: CONTENT_MAX_BYTES - 100 })
    .where(eq(users.id, owner.user.id));
  expect(await catchErrorCode(create("museum"))).toBe("content_full");
  expect(await testApp.db.select().from(eventTags)).toEqual(before);
  expect(await testApp.db.select({ id: events.id }).from(events)).toHaveLength(2);
  expect(await testApp.db.select().from(audit).where(eq(audit.action, "event_created"))).toHaveLength(1);
});

it("creates content whose changes by its owner are recorded for the history", async () => {
  const event = await create("exhibition");
  const { tags } = await contentOf(event.id);
  const [tag] = tags;
  if (!tag) throw new Error("no tag");
  const { results } = await testApp.services.content.editContent({
    actor: owner.actor,
    eventId: event.id,
    commands: [{ op: "update_tag", id: tag.id, version: tag.version, values: { position: [1, 2, 3] } }],
  });
  expect(results).toMatchObject([{ ok: true, version: tag.version + 1 }]);
  expect(await testApp.db.select().from(eventChanges)).toHaveLength(1);
  expect((await contentOf(event.id)).tags[0]?.position).toEqual([1, 2, 3]);
});
