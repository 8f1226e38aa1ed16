import { eq } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import { spaces } from "#functions/data/schema";
import { newText } from "~/domain/events/event-texts";
import { type TestUser, useTestApp } from "../../../tests/support/app/test-app";

const testApp = useTestApp();
let owner: TestUser;

beforeEach(async () => {
  owner = await testApp.addUser({ spaceLicense: 5 });
});

const read = (person = owner) => testApp.services.users.readFirstSteps({ actor: person.actor });
const listSteps = async (person?: TestUser) =>
  (await read(person))?.steps.map(
    ({ name, isDone, isCurrent }) => `${name}${isDone ? "+" : ""}${isCurrent ? "!" : ""}`,
  );
const createEvent = (spaceId: string) => {
  testApp.time.now += 1000;
  return testApp.services.events.createEvent({
    actor: owner.actor,
    spaceId,
    eventName: newText("Spring"),
    template: { name: "shop", lang: "en" },
  });
};
const tryLink = (eventId: string) =>
  testApp.services.events.tryLink({ actor: owner.actor, eventId, mode: "preview" });

it("the first steps (a new user's tasks) are done with a space, an event that the user created, and an opened link, and are then never shown again", async () => {
  expect(await listSteps()).toEqual(["space!", "event", "link"]);
  const { space, eventId: firstEventId } = await testApp.addSpace(owner, "展示室");
  // The first event of a space is created with it.
  expect(await listSteps()).toEqual(["space+", "event!", "link"]);
  const event = await createEvent(space.id);
  expect(await listSteps()).toEqual(["space+", "event+", "link!"]);
  expect(await read()).toMatchObject({ spaceId: space.id, eventId: event.id, sampleEventId: null });
  await testApp.setStatus(event.id, 2);
  await tryLink(event.id);
  expect(await read()).toBeNull();
  await testApp.services.events.deleteEvent({ actor: owner.actor, eventId: event.id });
  await testApp.services.events.deleteEvent({ actor: owner.actor, eventId: firstEventId }).catch(() => null);
  await testApp.db.update(spaces).set({ deletedAt: testApp.currentInstant() }).where(eq(spaces.id, space.id));
  expect(await read()).toBeNull();
});

it("the first steps count the first event of a space once it has content", async () => {
  const { eventId } = await testApp.addSpace(owner, "展示室");
  await testApp.addTag(eventId);
  expect(await listSteps()).toEqual(["space+", "event+", "link!"]);
});

for (const way of ["mailed", "copied"] as const)
  it(`the first steps count a link that was ${way}`, async () => {
    const { eventId } = await testApp.addSpace(owner, "展示室");
    await testApp.setStatus(eventId, 2);
    await testApp.services.events.recordSharedLink({ actor: owner.actor, eventId, mode: "preview", by: way });
    expect(await listSteps()).toEqual(["space+", "event!", "link+"]);
  });

it("the first steps do not count the sample, but events that its owner creates in it", async () => {
  const { services } = testApp;
  const { space, eventId } = await services.spaces.createSampleSpace({
    actor: owner.actor,
    name: "Sample gallery",
    exhibitionLang: "en",
  });
  expect(await listSteps()).toEqual(["space!", "event", "link"]);
  expect(await read()).toMatchObject({ spaceId: null, eventId: null, sampleEventId: eventId });
  await tryLink(eventId);
  expect(await listSteps()).toEqual(["space!", "event", "link"]);
  const sample = () => services.users.findSampleEvent({ actor: owner.actor });
  expect(await sample()).toBe(eventId);
  await createEvent(space.id);
  expect(await listSteps()).toEqual(["space+", "event+", "link!"]);
  // Another tab may still show the steps.
  await services.users.dismissFirstSteps({ actor: owner.actor });
  expect(await sample()).toBe(eventId);
});

it("the first steps are dismissed for the account alone", async () => {
  const other = await testApp.addUser();
  await testApp.services.users.dismissFirstSteps({ actor: owner.actor });
  expect(await read()).toBeNull();
  expect(await listSteps(other)).toEqual(["space!", "event", "link"]);
});

it("the first steps count spaces that are shared with the account", async () => {
  const group = await testApp.services.groups.createGroup({
    actor: (await testApp.addUser({ role: "admin" })).actor,
    name: "Team",
  });
  const { space } = await testApp.addSpace(owner, "展示室");
  await testApp.db.update(spaces).set({ groupId: group.id }).where(eq(spaces.id, space.id));
  const member = await testApp.addUser();
  const actor = { ...member.actor, groupIds: [group.id] };
  expect(await listSteps({ ...member, actor })).toEqual(["space+", "event!", "link"]);
});
