import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { audit, type events, spaces } from "#functions/data/schema";
import type { EventFormValue } from "~/domain/events/event-form";
import { newText } from "~/domain/events/event-texts";
import type { Event, Localized } from "~/domain/shared/model";
import { catchErrorCode, type TestUser, useTestApp } from "../../../tests/support/app/test-app";
import { HASH_PREFIX } from "../../../tests/support/app/test-doubles";
import type { InvalidError } from "../shared/errors";

const testApp = useTestApp();
let owner: TestUser;
let stranger: TestUser;
let spaceId: string;
let eventId: string;

beforeEach(async () => {
  owner = await testApp.addUser();
  stranger = await testApp.addUser();
  const created = await testApp.addSpace(owner, "展示室");
  spaceId = created.space.id;
  eventId = created.eventId;
});

const create = (eventName: string, actor = owner.actor) =>
  testApp.services.events.createEvent({ actor, spaceId, eventName: newText(eventName) });
const readEvent = async (id = eventId): Promise<Event> => {
  const eventInSpace = await testApp.data.events.find(id);
  if (!eventInSpace) throw new Error("gone");
  return eventInSpace.event;
};

const form = (fields: Partial<EventFormValue> = {}): EventFormValue => ({
  version: 1,
  eventName: newText("春の展示"),
  startDate: "2026-05-01T00:00:00.000Z",
  endDate: null,
  statusId: 2,
  enableAutoChangeStatus: false,
  eventDetail: newText("詳細\n二行目"),
  spStoreUrl: "https://store.example.com",
  spAccessToken: "store-token",
  publishPassword: { action: "keep" },
  showBeforePassword: false,
  urlParams: { wts: 2, lang: "ja" },
  ...fields,
});
const update = (fields: Partial<EventFormValue> = {}, id = eventId, actor = owner.actor) =>
  testApp.services.events.updateEvent({ actor, eventId: id, values: form(fields) });

describe("creating an event", () => {
  it("creates it as Unpublished, with two different link tokens of 256 bits", async () => {
    const event = await create("新しいイベント");
    expect(event).toMatchObject({
      statusId: 1,
      currentStatus: 1,
      enableAutoChangeStatus: true,
      version: 1,
      urlParams: {},
    });
    for (const token of [event.accessToken, event.previewAccessToken])
      expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(event.accessToken).not.toBe(event.previewAccessToken);
    const { currentStatus: _status, ...stored } = event;
    expect(await readEvent(event.id)).toEqual(stored);
  });

  it("takes two round trips and leaves an audit entry without the link tokens", async () => {
    let event: Event | undefined;
    expect(
      await testApp.countRoundTrips(async () => {
        event = await create("a");
      }),
      // One more round trip is made after the response, for webhooks.
    ).toBe(2 + 1);
    const entries = await testApp.db
      .select()
      .from(audit)
      .where(eq(audit.resourceId, event?.id ?? ""));
    expect(entries.map((entry) => [entry.action, entry.actorId])).toEqual([["event_created", owner.user.id]]);
    for (const secret of [event?.accessToken, event?.previewAccessToken])
      expect(JSON.stringify(entries)).not.toContain(secret);
  });

  it("rejects a name that another event of the space has, in any width or case", async () => {
    await create("Opening ２０２６");
    for (const name of ["Opening ２０２６", "opening 2026", "ＯＰＥＮＩＮＧ　2026"]) {
      const error = (await create(name).catch((e: unknown) => e)) as InvalidError;
      expect(error.fields).toEqual({ "eventName.en": [{ key: "events:errors.eventName.taken" }] });
    }
    const other = await testApp.addSpace(owner, "別室");
    await testApp.services.events.createEvent({
      actor: owner.actor,
      spaceId: other.space.id,
      eventName: newText("opening 2026"),
    });
  });

  it("gives a name to only one of several simultaneous events", async () => {
    const results = await Promise.all([1, 2, 3, 4].map(() => catchErrorCode(create("同時"))));
    expect(results.sort()).toEqual(["event_name_taken", "event_name_taken", "event_name_taken", null]);
    expect(await testApp.db.select().from(audit).where(eq(audit.action, "event_created"))).toHaveLength(1);
    expect((await testApp.data.spaces.find(spaceId))?.eventCount).toBe(2);
  });

  it("frees a name when its event is in the trash", async () => {
    const event = await create("再利用");
    await testApp.setEvent(event.id, { deletedAt: testApp.currentInstant() });
    await create("再利用");
  });

  it("stores markup, SQL, emoji and Arabic as typed", async () => {
    for (const name of [
      "'; DROP TABLE events; --",
      "👩‍👩‍👧‍👦",
      "اسم الحدث",
      "<script>alert(1)</script>",
      "100% _ \\ ?1",
    ]) {
      expect((await readEvent((await create(name)).id)).eventName).toEqual(newText(name));
    }
  });

  it("accepts a whole form at once", async () => {
    const values = form({ publishPassword: { action: "set", password: "hidden-password" } });
    const event = await testApp.services.events.createEvent({
      actor: owner.actor,
      spaceId,
      values,
      eventName: values.eventName,
    });
    expect(event).toMatchObject({
      eventName: newText("春の展示"),
      statusId: 2,
      urlParams: { wts: 2, lang: "ja" },
      hasPublishPassword: true,
      showBeforePassword: false,
    });
    const { currentStatus: _status, ...stored } = event;
    expect(await readEvent(event.id)).toEqual(stored);
    expect((await testApp.data.visitors.load(event.id))?.publishPasswordHash).toBe(
      `${HASH_PREFIX}hidden-password`,
    );
  });

  it("returns not found for a space of another user, a space in the trash, and an unknown space", async () => {
    expect(await catchErrorCode(create("x", stranger.actor))).toBe("not_found");
    await testApp.db
      .update(spaces)
      .set({ deletedAt: testApp.currentInstant() })
      .where(eq(spaces.id, spaceId));
    expect(await catchErrorCode(create("x"))).toBe("not_found");
    spaceId = randomUUID();
    expect(await catchErrorCode(create("x"))).toBe("not_found");
  });
});

describe("saving an event", () => {
  it("saves every field, increases the version, notifies this isolate, and writes an audit entry", async () => {
    const eventBefore = await readEvent();
    testApp.time.now += 5000;
    const changes = { endDate: "2026-06-01T00:00:00.000Z", showBeforePassword: true };
    const result = await update(changes);
    expect(result.status).toBe("updated");
    const { version, publishPassword: _password, ...values } = form(changes);
    expect(await readEvent()).toEqual({
      ...eventBefore,
      ...values,
      updatedAt: testApp.currentInstant(),
      version: version + 1,
      revision: expect.any(Number) as number,
    });
    expect((await readEvent()).revision).toBeGreaterThan(eventBefore.revision);
    expect(testApp.changedEventIds).toEqual([eventId]);
    const entries = await testApp.db.select().from(audit).where(eq(audit.action, "event_updated"));
    expect(entries.map((entry) => entry.detail)).toEqual([
      {
        fields: expect.arrayContaining(["eventName", "spAccessToken", "urlParams"]) as string[],
        status: [1, 2],
      },
    ]);
    expect(JSON.stringify(entries)).not.toContain("store-token");
  });

  it("takes two round trips, and one after the response for webhooks", async () => {
    expect(await testApp.countRoundTrips(() => update())).toBe(2 + 1);
  });

  it("keeps the store's token when the form does not contain it", async () => {
    await update();
    const result = await update({ version: 2, eventName: newText("夏の展示"), spAccessToken: undefined });
    expect(result).toMatchObject({ status: "updated", event: { spAccessToken: "store-token" } });
    expect(await readEvent()).toMatchObject({ eventName: newText("夏の展示"), spAccessToken: "store-token" });
  });

  it("never uses a token for another store than the one for which it was entered", async () => {
    await update();
    const eventBefore = await readEvent();
    for (const spStoreUrl of ["https://other.example.com", null]) {
      const work = update({ version: 2, spStoreUrl, spAccessToken: undefined });
      const error = (await work.catch((e: unknown) => e)) as InvalidError;
      expect(error.fields).toEqual({ spAccessToken: [{ key: "store:errors.spAccessToken.missing" }] });
    }
    expect(await readEvent()).toEqual(eventBefore);
    const values = form({ eventName: newText("新規"), spAccessToken: undefined });
    const created = testApp.services.events.createEvent({
      actor: owner.actor,
      spaceId,
      eventName: newText(""),
      values,
    });
    expect(await catchErrorCode(created)).toBe("invalid");
  });

  it("writes nothing when nothing has changed", async () => {
    await update();
    const eventBefore = await readEvent();
    testApp.changedEventIds.length = 0;
    testApp.time.now += 5000;
    for (const spAccessToken of ["store-token", undefined]) {
      const result = await update({ version: 2, spAccessToken });
      expect(result).toMatchObject({ status: "unchanged", event: { ...eventBefore, currentStatus: 2 } });
    }
    // An older form that equals the saved values causes no conflict.
    expect(await update({ version: 1 })).toMatchObject({ status: "unchanged", event: { version: 2 } });
    expect(await readEvent()).toEqual(eventBefore);
    expect(await testApp.db.select().from(audit).where(eq(audit.action, "event_updated"))).toHaveLength(1);
    expect(testApp.changedEventIds).toEqual([]);
  });

  it("sets, keeps and removes the publish password, and does not return its hash", async () => {
    const result = await update({ publishPassword: { action: "set", password: "let-me-in-please" } });
    expect(result).toMatchObject({ status: "updated", event: { hasPublishPassword: true } });
    expect(JSON.stringify(result)).not.toContain("let-me-in");
    await update({ version: 2, eventName: newText("改名"), publishPassword: { action: "keep" } });
    expect(await readEvent()).toMatchObject({ hasPublishPassword: true, version: 3 });
    await update({ version: 3, eventName: newText("改名"), publishPassword: { action: "remove" } });
    expect(await readEvent()).toMatchObject({ hasPublishPassword: false, version: 4 });
  });

  it("does not overwrite a newer save, and returns both versions", async () => {
    await update({ eventName: newText("彼女の版") });
    const result = await update({ eventName: newText("私の版") });
    expect(result).toMatchObject({
      status: "conflict",
      saved: { eventName: newText("彼女の版"), version: 2 },
      submitted: { eventName: newText("私の版"), version: 1 },
    });
    expect((await readEvent()).eventName).toEqual(newText("彼女の版"));
    expect(await testApp.db.select().from(audit).where(eq(audit.action, "event_updated"))).toHaveLength(1);
  });

  it("accepts exactly one of several simultaneous saves", async () => {
    const results = await Promise.all([1, 2, 3, 4, 5].map((i) => update({ eventName: newText(`版${i}`) })));
    expect(results.map(({ status }) => status).sort()).toEqual([
      "conflict",
      "conflict",
      "conflict",
      "conflict",
      "updated",
    ]);
    const winner = results.find((result) => result.status === "updated");
    expect(winner?.status === "updated" && winner.event.eventName).toEqual((await readEvent()).eventName);
    expect((await readEvent()).version).toBe(2);
    expect(await testApp.db.select().from(audit).where(eq(audit.action, "event_updated"))).toHaveLength(1);
  });

  it("writes nothing when the name is taken, not even the audit entry", async () => {
    await create("既存");
    const eventBefore = await readEvent();
    expect(await catchErrorCode(update({ eventName: newText("既存") }))).toBe("event_name_taken");
    expect(await readEvent()).toEqual(eventBefore);
    expect(await testApp.db.select().from(audit).where(eq(audit.action, "event_updated"))).toEqual([]);
    expect(testApp.changedEventIds).toEqual([]);
  });

  it("gives a name to only one of two events at the same time", async () => {
    const second = await create("二つ目");
    const results = await Promise.all([
      catchErrorCode(update({ eventName: newText("共通") })),
      catchErrorCode(update({ eventName: newText("共通") }, second.id)),
    ]);
    expect(results.sort()).toEqual(["event_name_taken", null]);
  });

  it("returns not found to other users, and for an unknown or deleted event", async () => {
    expect(await catchErrorCode(update({}, eventId, stranger.actor))).toBe("not_found");
    expect(await catchErrorCode(update({ version: 99 }, eventId, stranger.actor))).toBe("not_found");
    expect(await catchErrorCode(update({}, randomUUID()))).toBe("not_found");
    await testApp.setEvent(eventId, { deletedAt: testApp.currentInstant() });
    expect(await catchErrorCode(update())).toBe("not_found");
  });

  it("is permitted to administrators and to the group of the space, but not to other groups", async () => {
    const { id, actors } = await testApp.addGroup(stranger);
    const member = actors[0] ?? testApp.admin;
    expect(await catchErrorCode(update({}, eventId, member))).toBe("not_found");
    await testApp.db.update(spaces).set({ groupId: id });
    expect(await update({}, eventId, member)).toMatchObject({ status: "updated" });
    expect(await update({ version: 2, eventName: newText("改名") }, eventId, testApp.admin)).toMatchObject({
      status: "updated",
    });
  });
});

describe("reading events", () => {
  it("returns event, space, tags and media to the editor in one round trip", async () => {
    const item = await testApp.addItem(owner, { width: 640, height: 480 });
    const laterMediaId = await testApp.addMediaItem(eventId, item.id, {
      createdOn: "2026-04-03T00:00:00.000Z",
    });
    const earlierMediaId = await testApp.addMediaItem(eventId, item.id, {
      createdOn: "2026-04-02T00:00:00.000Z",
    });
    const trashedMediaId = await testApp.addMediaItem(eventId, item.id, {
      deletedAt: testApp.currentInstant(),
    });
    const second = await testApp.addTag(eventId, [], { sortOrder: 2 });
    const first = await testApp.addTag(eventId, [laterMediaId, earlierMediaId, trashedMediaId], {
      sortOrder: 1,
    });
    await testApp.addTag(eventId, [], { deletedAt: testApp.currentInstant() });

    let editor: Awaited<ReturnType<typeof testApp.services.events.getEvent>> | undefined;
    const roundTrips = await testApp.countRoundTrips(async () => {
      editor = await testApp.services.events.getEvent({ actor: owner.actor, eventId });
    });
    expect(roundTrips).toBe(1);
    expect(editor?.space.name).toBe("展示室");
    expect(editor?.media.map(({ id }) => id)).toEqual([earlierMediaId, laterMediaId]);
    expect(editor?.tags.map(({ id }) => id)).toEqual([first, second]);
    expect(editor?.tags[0]).toEqual({
      id: first,
      hidden: false,
      product: null,
      eventId,
      title: { ja: "受付", en: "Reception" },
      body: { ja: "", en: "" },
      color: "#223a70",
      icon: "info",
      keywords: ["受付", "desk"],
      linkUrl: null,
      position: [1, 2, 3],
      stem: [0, 0.3, 0],
      viewpoint: null,
      mediaIds: [laterMediaId, earlierMediaId],
      sortOrder: 1,
      version: 1,
    });
    expect(editor?.media[0]).toEqual({
      id: earlierMediaId,
      hidden: false,
      eventId,
      libraryItemId: item.id,
      kind: "image",
      title: { ja: "絵", en: "" },
      description: { ja: "", en: "" },
      mimeType: "image/png",
      byteSize: 100,
      width: 640,
      height: 480,
      duration: null,
      hasThumbnail: false,
      placement: null,
      createdOn: "2026-04-02T00:00:00.000Z",
      version: 1,
      web: null,
    });
  });

  it("returns the current status and the saved one", async () => {
    await testApp.setEvent(eventId, { startDate: "2026-04-02T00:00:00.000Z", statusId: 1 });
    const readNow = () => testApp.services.events.getEvent({ actor: owner.actor, eventId });
    testApp.time.now = Date.parse("2026-04-02T00:00:00.000Z") - 1;
    expect((await readNow()).currentStatus).toBe(1);
    testApp.time.now += 1;
    expect(await readNow()).toMatchObject({ currentStatus: 3, event: { statusId: 1 } });
  });

  it("lists a space's events newest first, twenty a page, and returns the first page for an invalid page number", async () => {
    for (let i = 0; i < 24; i++) {
      testApp.time.now += 1000;
      await create(`event ${i}`);
    }
    const list = (page?: number) => testApp.services.events.listEvents({ actor: owner.actor, spaceId, page });
    const [firstPage, secondPage, thirdPage] = [await list(), await list(2), await list(3)];
    expect(firstPage.events).toMatchObject({ page: 1, pageSize: 20, total: 25 });
    expect([
      firstPage.events.items.length,
      secondPage.events.items.length,
      thirdPage.events.items.length,
    ]).toEqual([20, 5, 0]);
    expect(firstPage.events.items[0]?.eventName).toEqual(newText("event 23"));
    expect(secondPage.events.items.at(-1)?.id).toBe(eventId);
    for (const page of [0, -1, 1.5, Number.NaN, 1e12]) expect((await list(page)).events.page).toBe(1);
  });

  it("hides events that a user may not see", async () => {
    expect(await catchErrorCode(testApp.services.events.getEvent({ actor: stranger.actor, eventId }))).toBe(
      "not_found",
    );
    expect(await catchErrorCode(testApp.services.events.listEvents({ actor: stranger.actor, spaceId }))).toBe(
      "not_found",
    );
    expect((await testApp.services.events.listOwnEvents({ actor: stranger.actor })).items).toEqual([]);
    expect(
      (await testApp.services.events.listOwnEvents({ actor: owner.actor })).items.map(({ id }) => id),
    ).toEqual([eventId]);
  });

  it("finds nothing with an unknown or invalid id", async () => {
    for (const id of ["", "x", "' OR 1=1", randomUUID(), "\u0000"]) {
      expect(
        await catchErrorCode(testApp.services.events.getEvent({ actor: owner.actor, eventId: id })),
      ).toBe("not_found");
    }
  });
});

describe("persisting due statuses", () => {
  const day = (n: number) => new Date(testApp.time.now + n * 86_400_000).toISOString();

  it("stores each change by the clock once, and no other changes", async () => {
    const names = ["started", "ended", "manual", "later", "archived", "both"] as const;
    const ids = Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, (await create(name)).id] as const)),
    );
    const setEvent = (name: string, fields: Partial<typeof events.$inferInsert>) =>
      testApp.setEvent(ids[name] ?? "", fields);
    await setEvent("started", { startDate: day(-2), statusId: 2, updatedAt: day(-3) });
    await setEvent("ended", { endDate: day(-1), statusId: 3, updatedAt: day(-3) });
    await setEvent("manual", { startDate: day(-1), enableAutoChangeStatus: false });
    await setEvent("later", { startDate: day(1), endDate: day(2) });
    await setEvent("archived", { startDate: day(-2), endDate: day(-1), statusId: 4 });
    await setEvent("both", { startDate: day(-2), endDate: day(-1) });

    expect(await testApp.services.events.persistDueStatuses()).toBe(3);
    const status = async (name: string) => (await readEvent(ids[name])).statusId;
    expect(await Promise.all(names.map(status))).toEqual([3, 4, 1, 1, 4, 4]);
    expect(testApp.changedEventIds.sort()).toEqual([ids.started, ids.ended, ids.both].sort());
    expect((await readEvent(ids.started)).version).toBe(1);
    // The time of the change does not depend on when it is stored.
    expect([(await readEvent(ids.started)).updatedAt, (await readEvent(ids.ended)).updatedAt]).toEqual([
      day(-2),
      day(-1),
    ]);
    const entries = await testApp.db.select().from(audit).where(eq(audit.action, "event_status_settled"));
    expect(entries.map(({ actorId }) => actorId)).toEqual([null, null, null]);
    expect(await testApp.services.events.persistDueStatuses()).toBe(0);
  });

  it("is done once by two simultaneous runs", async () => {
    await testApp.setEvent(eventId, { startDate: day(-1) });
    const counts = await Promise.all([
      testApp.services.events.persistDueStatuses(),
      testApp.services.events.persistDueStatuses(),
    ]);
    expect(counts.reduce((a, b) => a + b)).toBe(1);
    expect(
      await testApp.db.select().from(audit).where(eq(audit.action, "event_status_settled")),
    ).toHaveLength(1);
  });
});

describe("the name in two languages", () => {
  const createNamed = (eventName: Localized) =>
    testApp.services.events.createEvent({ actor: owner.actor, spaceId, eventName });

  it("is taken when another event of the space has it in either language, with an error for the language in which it was typed", async () => {
    await createNamed({ ja: "夏の展示", en: "Summer" });
    for (const [name, field] of [
      [{ ja: "ｓｕｍｍｅｒ", en: "" }, "eventName.ja"],
      [{ ja: "別の展示", en: "夏の展示" }, "eventName.en"],
    ] as const) {
      const error = await createNamed(name).catch((thrown: InvalidError) => thrown);
      expect(error).toMatchObject({
        code: "event_name_taken",
        fields: { [field]: [{ key: "events:errors.eventName.taken" }] },
      });
    }
    // An event may have the same name in both languages.
    const eventWithSameNames = await createNamed({ ja: "Expo", en: "EXPO" });
    expect(
      await update({ version: 1, eventName: { ja: "", en: "expo" } }, eventWithSameNames.id),
    ).toMatchObject({
      status: "updated",
      event: { eventName: { ja: "", en: "expo" } },
    });
    // A name is free again when its event is renamed or deleted.
    const renamedEvent = await createNamed({ ja: "", en: "Summer 2" });
    await update({ version: 1, eventName: { ja: "", en: "Summer 3" } }, renamedEvent.id);
    await createNamed({ ja: "", en: "Summer 2" });
    await testApp.services.events.deleteEvent({ actor: owner.actor, eventId: eventWithSameNames.id });
    await createNamed({ ja: "Expo", en: "" });
    expect(
      await catchErrorCode(
        testApp.services.events.restoreEvent({ actor: owner.actor, eventId: eventWithSameNames.id, spaceId }),
      ),
    ).toBe("event_name_taken");
  });

  it("is checked during typing, for users who may see the event", async () => {
    await createNamed({ ja: "秋", en: "Autumn" });
    const check = (name: Localized, { actor } = owner) =>
      testApp.services.events.checkEventName({ actor, eventId, name });
    const savedEvent = await readEvent();
    expect(await check(savedEvent.eventName)).toEqual([]);
    expect(await check({ ja: "AUTUMN", en: "秋" })).toEqual(["ja", "en"]);
    expect(await check({ ja: "", en: "秋" })).toEqual(["en"]);
    expect(await catchErrorCode(check(savedEvent.eventName, await testApp.addUser()))).toBe("not_found");
  });
});
