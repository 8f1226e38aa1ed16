import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { audit, eventChanges, libraryItems, spaces } from "#functions/data/schema";
import { newText } from "~/domain/events/event-texts";
import { TAG_BODY_MAX, TAG_MEDIA_MAX } from "~/domain/shared/limits";
import type { EventStatusId } from "~/domain/shared/model";
import { catchErrorCode, type TestUser, useTestApp } from "../../../tests/support/app/test-app";
import { newMediaItem, newTag, title, uuid } from "../../../tests/support/content-commands";

const testApp = useTestApp();
let owner: TestUser;
let eventId: string;

beforeEach(async () => {
  // Content counts towards the storage, and some tests write much content.
  owner = await testApp.addUser({ storageLimit: 100_000_000 });
  ({ eventId } = await testApp.addSpace(owner));
});

const advanceMinutes = (count: number) => {
  testApp.time.now += count * 60_000;
};
const edit = async (commands: readonly unknown[], actor = owner.actor) => {
  const response = await testApp.services.content.editContent({ actor, eventId, commands });
  expect(response.results.filter(({ ok }) => !ok)).toEqual([]);
  return response;
};
const history = (before?: number) =>
  testApp.services.history.listHistory({
    actor: owner.actor,
    eventId,
    ...(before !== undefined && { before }),
  });
const readPastEvent = (seq: number, comparison: "now" | "published" | "before" = "now", since?: number) =>
  testApp.services.history.readPastEvent({ actor: owner.actor, eventId, seq, comparison, since });
const restore = (seq: number) => testApp.services.history.restoreState({ actor: owner.actor, eventId, seq });
/** The data that editors see, without version numbers and sort orders. */
const content = async () => {
  const { tags, media, scene } = await testApp.services.content.getContent({ actor: owner.actor, eventId });
  const plain = <T extends { version: number }>({ version: _, ...rest }: T) => rest;
  return {
    tags: tags.map(({ sortOrder: _, ...tag }) => plain(tag)),
    media: media.map(plain),
    scene: plain(scene),
  };
};

async function setStatus(statusId: EventStatusId, dates: object = {}) {
  const { event } = await testApp.services.events.getEvent({ actor: owner.actor, eventId });
  const { id: _id, spAccessToken: _token, ...values } = event;
  const saved = await testApp.services.events.updateEvent({
    actor: owner.actor,
    eventId,
    values: { ...values, ...dates, spAccessToken: null, statusId, publishPassword: { action: "keep" } },
  });
  expect(saved.status).toBe("updated");
}

describe("a history", () => {
  it("lists changes with their users in groups, with the times at which visitors could see the event", async () => {
    expect(await history()).toMatchObject({ changeGroups: [], latest: 0, earlier: null, published: [] });
    const [a, b] = [uuid(), uuid()];
    await edit([newTag(a), newTag(b)]);
    advanceMinutes(2);
    await edit([{ op: "update_tag", id: a, version: 1, values: { title: title("新") } }]);
    advanceMinutes(20);
    await setStatus(3);
    const opened = testApp.currentInstant();
    advanceMinutes(5);
    await edit([{ op: "delete", type: "tag", id: b, version: 1 }]);
    advanceMinutes(30);
    await setStatus(2);
    const closed = testApp.currentInstant();
    const { changeGroups, latest, published, eventName } = await history();
    expect(eventName).not.toBe("");
    expect(published).toEqual([{ from: opened, to: closed }]);
    expect(changeGroups[0]?.seq).toBe(latest);
    expect(
      changeGroups.map(({ actorName, counts, changed, published: seen }) => [
        actorName,
        counts.tag,
        changed,
        seen?.to,
      ]),
    ).toEqual([
      ["山田 花子", { added: 0, changed: 0, removed: 0 }, ["event"], undefined],
      ["山田 花子", { added: 0, changed: 0, removed: 1 }, ["event"], closed],
      ["山田 花子", { added: 2, changed: 0, removed: 0 }, [], undefined],
    ]);
    expect(changeGroups[1]?.steps).toHaveLength(2);
  });

  it("contains changes by the clock without a person", async () => {
    await setStatus(2, {
      startDate: new Date(testApp.time.now + 3_600_000).toISOString(),
      enableAutoChangeStatus: true,
    });
    advanceMinutes(90);
    await testApp.services.events.persistDueStatuses();
    const { changeGroups, published } = await history();
    expect(changeGroups[0]).toMatchObject({ actorId: null, actorName: "", changed: ["event"] });
    expect(published).toEqual([{ from: new Date(testApp.time.now - 30 * 60_000).toISOString(), to: null }]);
  });

  it("of an event that is older than the history states when the history begins", async () => {
    const begun = testApp.currentInstant();
    await testApp.setStatus(eventId, 3);
    advanceMinutes(60);
    await testApp.setEvent(eventId, { historyFrom: testApp.currentInstant() });
    const from = testApp.currentInstant();
    expect(await history()).toMatchObject({
      changeGroups: [],
      createdAt: begun,
      historyFrom: from,
      published: [{ from, to: null }],
    });
    advanceMinutes(60);
    await setStatus(2);
    expect((await history()).published).toEqual([{ from, to: testApp.currentInstant() }]);
    expect(await readPastEvent(0)).toMatchObject({ published: { seq: 0 } });
  });

  it("never keeps a secret: neither tokens nor passwords nor their hashes", async () => {
    const { event } = await testApp.services.events.getEvent({ actor: owner.actor, eventId });
    const { id: _id, ...values } = event;
    await testApp.services.events.updateEvent({
      actor: owner.actor,
      eventId,
      values: {
        ...values,
        spStoreUrl: "https://shop.example.com",
        spAccessToken: "storefront-secret-token",
        publishPassword: { action: "set", password: "open sesame now" },
      },
    });
    const rows = await testApp.db.select().from(eventChanges);
    expect(JSON.stringify(rows)).not.toMatch(
      new RegExp(`secret|sesame|${event.accessToken}|${event.previewAccessToken}`),
    );
    const pastEvent = await readPastEvent(0);
    expect(pastEvent.difference?.fields).toEqual([
      { field: "hasStore", before: false, after: true },
      { field: "hasPassword", before: false, after: true },
    ]);
  });

  it("lists a change of the setting that shows the event before its password is entered", async () => {
    await setStatus(1, { showBeforePassword: true });
    expect((await readPastEvent(0)).difference?.fields).toEqual([
      { field: "showBeforePassword", before: false, after: true },
    ]);
  });

  it("is read in pages that do not split groups", async () => {
    const ids = Array.from({ length: 100 }, uuid);
    await edit(ids.map((id) => newTag(id)));
    for (let i = 1; i <= 11; i++) {
      if (i % 3 === 0) advanceMinutes(15);
      await edit(ids.map((id) => ({ op: "update_tag", id, version: i, values: { position: [i, 0, 0] } })));
    }
    const firstRead = await history();
    expect(firstRead.changeGroups.map(({ steps }) => steps.length)).toEqual([3, 3, 3]);
    const second = await history(firstRead.earlier ?? -1);
    expect(second.changeGroups.map(({ steps }) => steps.length)).toEqual([3]);
    expect(second.earlier).toBeNull();
    expect(second.changeGroups[0]?.counts.tag.added).toBe(100);
    expect(second.latest).toBe(firstRead.latest);
  });

  it("is not available to users who may not see the event, or for changes that do not exist", async () => {
    const { actor } = await testApp.addUser();
    const input = { actor, eventId };
    const { history: service } = testApp.services;
    expect(await catchErrorCode(service.listHistory(input))).toBe("not_found");
    expect(await catchErrorCode(service.readPastEvent({ ...input, seq: 0, comparison: "now" }))).toBe(
      "not_found",
    );
    expect(await catchErrorCode(service.restoreState({ ...input, seq: 0 }))).toBe("not_found");
    expect(await catchErrorCode(readPastEvent(1))).toBe("not_found");
    expect(await catchErrorCode(restore(1))).toBe("not_found");
  });
});

describe("an earlier state", () => {
  it("contains the content of that time, and its differences from now, from the last published state, and from the previous state", async () => {
    const item = await testApp.addItem(owner);
    const [a, b, m] = [uuid(), uuid(), uuid()];
    const firstEdit = await edit([newTag(a, { mediaIds: [] }), newMediaItem(m, item.id)]);
    advanceMinutes(60);
    await setStatus(3);
    advanceMinutes(60);
    await setStatus(2);
    const second = await edit([
      { op: "update_tag", id: a, version: 1, values: { title: title("新", "New"), position: [1, 2, 3] } },
      newTag(b),
      { op: "delete", type: "media", id: m, version: 1 },
      { op: "move_tags", ids: [b], before: a },
    ]);
    const earlierState = await readPastEvent(firstEdit.seq);
    expect(earlierState).toMatchObject({
      isLatest: false,
      tags: [{ id: a, title: title("受付"), position: [0, 0, 0] }],
      media: [{ id: m, metadata: { kind: "image" }, loss: null }],
      published: { seq: firstEdit.seq + 1 },
    });
    expect(earlierState.difference?.items.map(({ id, kinds }) => [id, ...kinds])).toEqual([
      [b, "added"],
      [a, "moved", "reworded"],
      [m, "removed"],
    ]);
    const currentState = await readPastEvent(second.seq, "published");
    expect(currentState).toMatchObject({ isLatest: true, tags: [{ id: b }, { id: a }], media: [] });
    expect(currentState.difference?.items).toEqual(earlierState.difference?.items);
    expect(currentState.difference?.fields.map(({ field }) => field)).toEqual(["statusId"]);
    const step = await readPastEvent(second.seq, "before", second.seq - 1);
    expect(step.difference).toMatchObject({ items: [], reordered: true });
    // The state at its creation.
    expect(await readPastEvent(0)).toMatchObject({
      tags: [],
      media: [],
      published: { seq: firstEdit.seq + 1 },
    });
  });

  it("is undone after it was restored, only if nothing else has changed since", async () => {
    const [a, b] = [uuid(), uuid()];
    const { seq } = await edit([newTag(a)]);
    await edit([{ op: "update_tag", id: a, version: 1, values: { color: "#000000" } }]);
    const { from, seq: to } = await restore(seq);
    const undo = (expected: number) =>
      testApp.services.history.restoreState({ actor: owner.actor, eventId, seq: from, expected });
    await edit([newTag(b)]);
    expect(await catchErrorCode(undo(to))).toBe("stale_version");
    expect((await content()).tags.map(({ id }) => id)).toEqual([a, b]);
    const { latest } = await history();
    expect(await undo(latest)).toMatchObject({ changed: 2 });
    // A repetition has no effect.
    expect(await undo(latest)).toMatchObject({ changed: 0, notRestored: [] });
  });

  it("has its tags in the order of that time, after moves, deletions and restores", async () => {
    const ids = [uuid(), uuid(), uuid(), uuid(), uuid()] as const;
    const [a, b, c, d, e] = ids;
    const order = async (seq: number) => (await readPastEvent(seq)).tags.map(({ id }) => ids.indexOf(id));
    const created = await edit(ids.map((id) => newTag(id)));
    const moved = await edit([{ op: "move_tags", ids: [e, a], before: c }]);
    const deletion = await edit([
      { op: "delete", type: "tag", id: c, version: 1 },
      { op: "delete", type: "tag", id: a, version: 1 },
    ]);
    const secondResult = await edit([{ op: "move_tags", ids: [d], before: b }]);
    const restored = await edit([{ op: "restore", type: "tag", id: a }]);
    await edit([{ op: "move_tags", ids: [b], before: null }]);
    const orders = [
      [created, [0, 1, 2, 3, 4]],
      [moved, [1, 4, 0, 2, 3]],
      [deletion, [1, 4, 3]],
      [secondResult, [3, 1, 4]],
      [restored, [3, 1, 4, 0]],
    ] as const;
    for (const [{ seq }, expected] of orders) expect(await order(seq)).toEqual(expected);
    await restore(moved.seq);
    expect((await content()).tags.map(({ id }) => ids.indexOf(id))).toEqual([1, 4, 0, 2, 3]);
  });

  it("is stored for a move only as the positions of existing tags, even with 30,000 deleted tags", async () => {
    const ids = [uuid(), uuid()] as const;
    await edit(ids.map((id) => newTag(id)));
    await testApp.binding
      .prepare(
        `INSERT INTO event_tags (id, event_id, color, icon, keywords, stem, sort_order, created_at, updated_at, deleted_at)
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000)
         SELECT 'gone-' || printf('%031d', i), ?1, '#000000', 'info', '[]', '[0,1,0]', 10 + i, ?2, ?2, ?2 FROM n`,
      )
      .bind(eventId, testApp.currentInstant())
      .run();
    const { seq } = await edit([{ op: "move_tags", ids: [ids[1]], before: ids[0] }]);
    const [change] = await testApp.db.select().from(eventChanges).where(eq(eventChanges.seq, seq));
    expect(change?.itemType).toBe("order");
    expect((change?.before ?? "").length + (change?.after ?? "").length).toBeLessThan(300);
    expect((await content()).tags.map(({ id }) => id)).toEqual([ids[1], ids[0]]);
  });

  it("is also read from orders that were stored as the ids of all tags, including those in the trash", async () => {
    const [a, b] = [uuid(), uuid()];
    const { seq } = await edit([newTag(a), newTag(b)]);
    const moved = await edit([{ op: "move_tags", ids: [b], before: a }]);
    await testApp.db
      .update(eventChanges)
      .set({ before: JSON.stringify([a, uuid(), b]), after: JSON.stringify([b, a]) })
      .where(eq(eventChanges.seq, moved.seq));
    expect((await readPastEvent(seq)).tags.map(({ id }) => id)).toEqual([a, b]);
    const { changes } = await testApp.services.content.readChanges({
      actor: owner.actor,
      eventId,
      after: seq,
    });
    const after = new Map([b, a].map((id, place) => [id, place]));
    expect(changes).toMatchObject([{ itemType: "order", after }]);
  });

  it("is not compared with a published state before the event's first publication", async () => {
    const { seq } = await edit([newTag(uuid())]);
    expect(await readPastEvent(seq, "published")).toMatchObject({ published: null, difference: null });
    await setStatus(3);
    expect(await readPastEvent(seq, "published")).toMatchObject({ published: { seq: seq + 1, to: null } });
  });

  it("includes media whose file is in the trash, and media whose file is permanently deleted", async () => {
    const item = await testApp.addItem(owner);
    const m = uuid();
    const { seq } = await edit([newMediaItem(m, item.id)]);
    await edit([{ op: "delete", type: "media", id: m, version: 1 }]);
    await testApp.db
      .update(libraryItems)
      .set({ deletedAt: testApp.currentInstant() })
      .where(eq(libraryItems.id, item.id));
    expect((await readPastEvent(seq)).media).toMatchObject([
      { metadata: { kind: "image" }, loss: "not_found" },
    ]);
    advanceMinutes(32 * 24 * 60);
    await testApp.services.purge.purgeTrash();
    expect((await readPastEvent(seq)).media).toMatchObject([{ id: m, metadata: null, loss: "not_found" }]);
    const result = await restore(seq);
    expect(result).toMatchObject({
      changed: 0,
      notRestored: [{ type: "media", title: title("絵"), reason: "not_found" }],
    });
  });
});

describe("restoring an earlier state", () => {
  it("restores the content with changes that can be undone, and does not change the event's status", async () => {
    const item = await testApp.addItem(owner);
    const [a, b, c, m, n] = [uuid(), uuid(), uuid(), uuid(), uuid()];
    const view = { position: [0, 1.6, 0], yaw: 0, pitch: 0, mode: "walk" };
    const placement = { position: [1, 1, 1], normal: [0, 0, 1], width: 2 };
    const firstEdit = await edit([
      newMediaItem(m, item.id, { placement }),
      newMediaItem(n, item.id, { title: title("写真") }),
      newTag(a, { mediaIds: [n, m] }),
      newTag(b),
      {
        op: "update_scene",
        version: 0,
        values: {
          startView: view,
          tour: [{ id: uuid(), tagId: b, title: title("一"), text: title("") }],
          plan: { mediaId: m, center: [0, 0], width: 10 },
        },
      },
    ]);
    const earlierState = await content();
    advanceMinutes(60);
    await setStatus(2);
    const second = await edit([
      { op: "delete", type: "media", id: m, version: 1 },
      { op: "update_media", id: n, version: 1, values: { title: title("改"), hidden: true } },
      { op: "update_tag", id: a, version: 1, values: { mediaIds: [], position: null, keywords: "新" } },
      { op: "delete", type: "tag", id: b, version: 1 },
      newTag(c),
      { op: "move_tags", ids: [c], before: a },
      { op: "update_scene", version: 1, values: { startView: null, tour: [], plan: null } },
    ]);
    const currentState = await content();
    const { seq, changed, notRestored: rejected } = await restore(firstEdit.seq);
    expect(rejected).toEqual([]);
    expect(changed).toBe(6);
    expect(await content()).toEqual(earlierState);
    expect((await testApp.data.events.find(eventId))?.event.statusId).toBe(2);
    expect(testApp.changedEventIds.at(-1)).toBe(eventId);
    const entries = await testApp.db.select().from(audit).where(eq(audit.action, "event_content_restored"));
    expect(entries).toMatchObject([{ resourceId: eventId, actorId: owner.user.id }]);
    // A restore can itself be reverted.
    await restore(second.seq);
    expect(await content()).toEqual(currentState);
    await restore(seq);
    expect(await content()).toEqual(earlierState);
    expect(await restore(firstEdit.seq)).toMatchObject({ changed: 0, notRestored: [] });
    await restore(0);
    expect(await content()).toMatchObject({
      tags: [],
      media: [],
      scene: { startView: null, tour: [], plan: null, products: [] },
    });
  });

  it("does not overwrite a concurrent save", async () => {
    const ids = Array.from({ length: 5 }, uuid);
    const { seq } = await edit(ids.map((id) => newTag(id)));
    await edit(ids.map((id) => ({ op: "update_tag", id, version: 1, values: { position: [9, 9, 9] } })));
    const save = testApp.services.content.editContent({
      actor: owner.actor,
      eventId,
      commands: [{ op: "update_tag", id: ids[0], version: 2, values: { title: title("急") } }],
    });
    const [restored, saved] = await Promise.all([restore(seq), save]);
    const { tags } = await content();
    const contested = tags.find(({ id }) => id === ids[0]);
    // If one of the two is rejected, the result of the other stays. Otherwise the restore came after the save.
    if (saved.results[0]?.ok && restored.notRestored.length > 0)
      expect(contested).toMatchObject({ title: title("急"), position: [9, 9, 9] });
    else if (restored.notRestored.length === 0 && !saved.results[0]?.ok)
      expect(contested).toMatchObject({ title: title("受付"), position: [0, 0, 0] });
    else expect(contested).toMatchObject({ position: [0, 0, 0] });
    expect(tags.filter(({ position }) => position?.[0] === 0).length).toBeGreaterThanOrEqual(4);
  });

  it("takes the same number of round trips to remove 500 tags as to remove one", async () => {
    const few = await edit([newTag(uuid()), newTag(uuid())]);
    const trips = () => testApp.countRoundTrips(() => restore(few.seq));
    await edit([newTag(uuid())]);
    const small = await trips();
    for (let i = 0; i < 5; i++) await edit(Array.from({ length: 100 }, () => newTag(uuid())));
    expect(await trips()).toBe(small);
    expect((await content()).tags).toHaveLength(2);
  });

  it("restores tags and the scene without permanently deleted media, and lists those", async () => {
    const [item, other] = [await testApp.addItem(owner), await testApp.addItem(owner)];
    const [tag, deletedMediaId, remainingMediaId] = [uuid(), uuid(), uuid()];
    const stop = (tagId: string | null, viewpoint: object | null = null) => ({
      id: uuid(),
      tagId,
      viewpoint,
      title: title("一"),
      text: title(""),
      seconds: 8,
    });
    const view = { position: [0, 1.6, 0], yaw: 0, pitch: 0, mode: "walk" };
    const deletedTagId = uuid();
    await edit([newTag(deletedTagId)]);
    const tour = [stop(tag), stop(deletedTagId), stop(deletedTagId, view)];
    const plan = { mediaId: deletedMediaId, center: [0, 0], width: 1 };
    await edit([
      newMediaItem(deletedMediaId, item.id, { title: title("消えた絵") }),
      newMediaItem(remainingMediaId, other.id),
      newTag(tag, { mediaIds: [deletedMediaId, remainingMediaId] }),
      { op: "update_scene", version: 0, values: { tour, plan } },
    ]);
    const { seq } = await edit([{ op: "delete", type: "tag", id: deletedTagId, version: 1 }]);
    await edit([
      { op: "delete", type: "tag", id: tag, version: 1 },
      { op: "delete", type: "media", id: deletedMediaId, version: 1 },
      { op: "delete", type: "media", id: remainingMediaId, version: 1 },
      { op: "update_scene", version: 1, values: { tour: [], plan: null } },
    ]);
    await testApp.db
      .update(libraryItems)
      .set({ deletedAt: testApp.currentInstant() })
      .where(eq(libraryItems.id, item.id));
    advanceMinutes(32 * 24 * 60);
    for (let purgedCount = 1; purgedCount > 0; ) purgedCount = await testApp.services.purge.purgeTrash();
    const result = await restore(seq);
    expect(result).toMatchObject({
      changed: 3,
      notRestored: [{ type: "media", title: title("消えた絵"), reason: "not_found" }],
    });
    const { tags, media, scene } = await content();
    expect(tags.map(({ id, mediaIds }) => [id, mediaIds])).toEqual([[tag, [remainingMediaId]]]);
    expect(media.map(({ id }) => id)).toEqual([remainingMediaId]);
    expect(scene).toMatchObject({ plan: null, tour: [{ tagId: tag }, { tagId: null, viewpoint: view }] });
  });

  it("does not restore media whose library item is no longer shared with the user", async () => {
    const other = await testApp.addUser();
    const { actors, id: groupId } = await testApp.addGroup(owner, other);
    const { space } = await testApp.services.events.getEvent({ actor: owner.actor, eventId });
    await testApp.db.update(spaces).set({ groupId }).where(eq(spaces.id, space.id));
    const theirs = await testApp.addItem(other, { groupId });
    const [member, sharer] = [actors[0] ?? owner.actor, actors[1] ?? other.actor];
    const m = uuid();
    const { seq } = await edit([newMediaItem(m, theirs.id, { title: title("借りた絵") })], member);
    advanceMinutes(1);
    const runCommand = async (command: object, actor = member) =>
      (await testApp.services.content.editContent({ actor, eventId, commands: [command] })).results[0];
    const restoreCommand = { op: "restore", type: "media", id: m };
    // A user can restore an item that they deleted by mistake.
    await edit([{ op: "delete", type: "media", id: m, version: 1 }], member);
    expect(await runCommand(restoreCommand)).toMatchObject({ ok: true });
    await edit([{ op: "delete", type: "media", id: m, version: 3 }], sharer);
    advanceMinutes(1);
    const sharedSource = { actor: sharer, kind: "media", id: theirs.id, groupId: null } as const;
    await testApp.services.groups.changeGroup(sharedSource);
    const rejected = {
      ok: false,
      reason: "invalid",
      errors: { libraryItemId: ["content:errors.media.notInLibrary"] },
    };
    expect(await runCommand(restoreCommand)).toMatchObject(rejected);
    expect(await testApp.services.history.restoreState({ actor: member, eventId, seq })).toMatchObject({
      changed: 0,
      notRestored: [{ type: "media", title: title("借りた絵"), reason: "forbidden" }],
    });
    expect((await content()).media).toEqual([]);
    expect(await runCommand(restoreCommand, sharer)).toMatchObject({ ok: true });
    // An item that the event shows now can be shown in its earlier state.
    expect(await testApp.services.history.restoreState({ actor: member, eventId, seq })).toMatchObject({
      notRestored: [],
    });
  });

  it("works with 150 tags, 100 media and texts of the maximum length, and so does copying them", async () => {
    const item = await testApp.addItem(owner);
    const body = title("🏮".repeat(TAG_BODY_MAX), "語".repeat(TAG_BODY_MAX));
    const media = Array.from({ length: 100 }, uuid);
    await edit(media.map((id) => newMediaItem(id, item.id, { description: body })));
    // The texts exceed the maximum size of one parameter.
    const ids = Array.from({ length: 150 }, uuid);
    for (let i = 0; i < ids.length; i += 50)
      await edit(
        ids.slice(i, i + 50).map((id) => newTag(id, { body, mediaIds: media.slice(0, TAG_MEDIA_MAX) })),
      );
    const stops = Array.from({ length: 100 }, (_, i) => ({
      id: uuid(),
      tagId: ids[i],
      title: title("🏮".repeat(100), "🏮".repeat(100)),
      text: title("🏮".repeat(1000), "🏮".repeat(1000)),
    }));
    const { seq } = await edit([{ op: "update_scene", version: 0, values: { tour: stops } }]);
    const earlierState = await content();
    await edit([{ op: "update_scene", version: 1, values: { tour: stops.slice().reverse() } }]);
    await edit(media.map((id) => ({ op: "delete", type: "media", id, version: 1 })));
    for (let i = 0; i < ids.length; i += 100)
      await edit(ids.slice(i, i + 100).map((id) => ({ op: "delete", type: "tag", id, version: 1 })));
    const statements = testApp.spy.statements.length;
    expect(await restore(seq)).toMatchObject({ changed: 251, notRestored: [] });
    const sizes = testApp.spy.statements.slice(statements).map(({ sql, params }) => ({
      sql: sql.length,
      count: params.length,
      largest: Math.max(0, ...params.map((param) => new TextEncoder().encode(String(param)).length)),
    }));
    expect(Math.max(...sizes.map(({ sql }) => sql))).toBeLessThan(100_000);
    expect(Math.max(...sizes.map(({ count }) => count))).toBeLessThanOrEqual(100);
    expect(Math.max(...sizes.map(({ largest }) => largest))).toBeLessThan(2_000_000);
    expect(await content()).toEqual(earlierState);
    const { changeGroups } = await history();
    expect(changeGroups[0]?.steps.at(-1)?.seq).toBe(changeGroups[0]?.seq);
    const entries = await testApp.db.select().from(audit).where(eq(audit.action, "event_content_restored"));
    expect(entries).toHaveLength(1);
    const { space } = await testApp.services.events.getEvent({ actor: owner.actor, eventId });
    const other = await testApp.services.events.createEvent({
      actor: owner.actor,
      spaceId: space.id,
      eventName: newText("隣"),
    });
    const copied = await testApp.services.content.copyContent({
      actor: owner.actor,
      eventId,
      targetEventId: other.id,
      items: { tags: ids, media },
    });
    expect(copied.results.every(({ ok }) => ok)).toBe(true);
    expect(copied).toMatchObject({ incomplete: [] });
    expect(copied.results).toHaveLength(250);
  });

  it("is permitted to members of the space's group, even if they may not see the media in the library", async () => {
    const { actors, id: groupId } = await testApp.addGroup(await testApp.addUser());
    const { space } = await testApp.services.events.getEvent({ actor: owner.actor, eventId });
    await testApp.db.update(spaces).set({ groupId }).where(eq(spaces.id, space.id));
    const item = await testApp.addItem(owner);
    const m = uuid();
    const { seq } = await edit([newMediaItem(m, item.id)]);
    const [actor = owner.actor] = actors;
    await edit([{ op: "delete", type: "media", id: m, version: 1 }], actor);
    expect(await testApp.services.history.restoreState({ actor, eventId, seq })).toMatchObject({
      changed: 1,
    });
    expect((await content()).media).toMatchObject([{ id: m }]);
  });
});
