import { eq, inArray, sql } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import { NO_VISITS } from "~/domain/analytics/visit-tally";
import { newText } from "~/domain/events/event-texts";
import { DAY_MS } from "~/domain/shared/day";
import { panoramaSpaceSource, type TestUser, useTestApp } from "../../../tests/support/app/test-app";
import { newMediaItem, newTag, title, uuid } from "../../../tests/support/content-commands";
import {
  eventMedia,
  events,
  eventTags,
  folders,
  groups,
  libraryItems,
  spaces,
  users,
  visitTotals,
} from "../../data/schema";

const testApp = useTestApp();
let owner: TestUser;

beforeEach(async () => {
  await testApp.files.delete(await listStoredKeys());
  owner = await testApp.addUser({ email: "owner@demo.example" });
});

const purge = async () => {
  let total = 0;
  for (let purgedCount = 1; purgedCount > 0; total += purgedCount)
    purgedCount = await testApp.services.purge.purgeTrash();
  return total;
};
const listStoredKeys = async () => (await testApp.files.list()).objects.map(({ key }) => key);
const addFile = async (person = owner, fields = {}) => {
  const item = await testApp.addItem(person, fields);
  await testApp.files.put(item.fileKey, "x");
  return item;
};
const remove = (
  selection: Parameters<typeof testApp.services.tree.deleteItems>[0]["selection"],
  { actor } = owner,
) => testApp.services.tree.deleteItems({ actor, selection });
/** Moves library items to the trash with a direct write, even if they are the source of a space. */
const moveToTrash = (...ids: readonly string[]) =>
  testApp.db
    .update(libraryItems)
    .set({ deletedAt: testApp.currentInstant(), deletedBy: owner.user.id, deletedWith: sql`id` })
    .where(inArray(libraryItems.id, ids));

it("keeps items in the trash for 30 days, and then deletes them with their files", async () => {
  const folder = await testApp.services.tree.createFolder({
    actor: owner.actor,
    folderType: "media",
    name: "a",
  });
  const inner = await testApp.services.tree.createFolder({
    actor: owner.actor,
    folderType: "media",
    name: "b",
    parentId: folder.id,
  });
  const expired = await addFile(owner, { folderId: inner.id });
  const remaining = await addFile();
  const { space, eventId } = await testApp.addSpace(owner);
  const remainingSpace = await testApp.addSpace(owner);
  await testApp.addMediaItem(remainingSpace.eventId, expired.id);
  await remove({ folder: [folder.id], space: [space.id] });
  testApp.time.now += 30 * DAY_MS - 1;
  expect(await purge()).toBe(0);
  expect(await listStoredKeys()).toHaveLength(2);
  testApp.time.now += 3_600_000 + 2;
  // The trash contains a file, two folders, a space and its event.
  expect(await purge()).toBe(5);
  expect(await listStoredKeys()).toEqual([remaining.fileKey]);
  expect(await testApp.db.select().from(spaces).where(eq(spaces.id, space.id))).toEqual([]);
  expect(await testApp.db.select().from(events).where(eq(events.id, eventId))).toEqual([]);
  expect(await testApp.db.select().from(eventMedia)).toEqual([]);
  expect(await testApp.db.select().from(folders).where(eq(folders.id, folder.id))).toEqual([]);
  expect(await testApp.db.select().from(libraryItems)).toHaveLength(1);
});

it("keeps a file while it is a space's source, and removes a purged thumbnail from its space", async () => {
  const [source, poster] = [await addFile(), await addFile()];
  const { space } = await testApp.addSpace(owner);
  await testApp.db
    .update(spaces)
    .set({ source: panoramaSpaceSource(source.id), posterMediaId: poster.id })
    .where(eq(spaces.id, space.id));
  await moveToTrash(source.id, poster.id);
  testApp.time.now += 31 * DAY_MS;
  expect(await purge()).toBe(1);
  expect(await listStoredKeys()).toEqual([source.fileKey]);
  expect(
    (await testApp.services.spaces.getSpace({ actor: owner.actor, spaceId: space.id })).posterMediaId,
  ).toBeNull();
  await remove({ space: [space.id] });
  testApp.time.now += 31 * DAY_MS;
  await purge();
  expect(await listStoredKeys()).toEqual([]);
});

it("keeps a space's thumbnail that is also its source", async () => {
  const sourceAndPoster = await addFile();
  const expired = await addFile();
  const { space } = await testApp.addSpace(owner);
  await testApp.db
    .update(spaces)
    .set({ source: panoramaSpaceSource(sourceAndPoster.id), posterMediaId: sourceAndPoster.id })
    .where(eq(spaces.id, space.id));
  await moveToTrash(sourceAndPoster.id, expired.id);
  testApp.time.now += 31 * DAY_MS;
  expect(await purge()).toBe(1);
  expect(await listStoredKeys()).toEqual([sourceAndPoster.fileKey]);
});

it("deletes accounts with their files and spaces, and groups", async () => {
  const other = await testApp.addUser();
  const group = await testApp.addGroup(owner, other);
  await addFile();
  await testApp.addSpace(owner);
  const theirs = await testApp.addSpace(other);
  await testApp.db.update(spaces).set({ groupId: group.id }).where(eq(spaces.id, theirs.space.id));
  const trashed = { deletedAt: testApp.currentInstant(), deletedBy: "x" };
  await testApp.db.update(users).set(trashed).where(eq(users.id, owner.user.id));
  await testApp.db.update(groups).set(trashed).where(eq(groups.id, group.id));
  testApp.time.now += 31 * DAY_MS;
  await purge();
  expect(await listStoredKeys()).toEqual([]);
  expect((await testApp.db.select().from(users)).map(({ id }) => id)).toEqual([other.user.id]);
  expect(await testApp.db.select().from(groups)).toEqual([]);
  expect((await testApp.db.select().from(spaces)).map(({ id }) => id)).toEqual([theirs.space.id]);
  expect(
    (await testApp.services.spaces.getSpace({ actor: other.actor, spaceId: theirs.space.id })).groupId,
  ).toBeNull();
  expect((await testApp.readAccount(other.user.id))?.spaceCount).toBe(1);
});

it("deletes the records of files that an interrupted purge has already deleted", async () => {
  const item = await addFile();
  await remove({ media: [item.id] });
  testApp.time.now += 31 * DAY_MS;
  await testApp.files.delete(item.fileKey);
  expect(await purge()).toBe(1);
  expect(await testApp.db.select().from(libraryItems)).toEqual([]);
});

it("deletes expired events with their tags and media, and keeps the files", async () => {
  const { space, eventId } = await testApp.addSpace(owner);
  const item = await addFile();
  await testApp.addTag(eventId, [await testApp.addMediaItem(eventId, item.id)]);
  await testApp.services.events.createEvent({
    actor: owner.actor,
    spaceId: space.id,
    eventName: newText("x"),
  });
  await testApp.services.events.deleteEvent({ actor: owner.actor, eventId });
  testApp.time.now += 30 * DAY_MS;
  expect(await purge()).toBe(0);
  testApp.time.now += 3_600_001;
  expect(await purge()).toBe(1);
  expect(await testApp.db.select().from(events)).toHaveLength(1);
  expect(await testApp.db.select().from(eventMedia)).toEqual([]);
  expect(await testApp.db.select().from(eventTags)).toEqual([]);
  expect(await listStoredKeys()).toEqual([item.fileKey]);
});

it("permanently deletes tags and media after 30 days, while the history of them stays readable", async () => {
  const { eventId } = await testApp.addSpace(owner);
  const { content, history } = testApp.services;
  const { actor } = owner;
  const edit = async (...commands: object[]) => {
    const response = await content.editContent({ actor, eventId, commands });
    expect(response.results.filter(({ ok }) => !ok)).toEqual([]);
    return response.seq;
  };
  const item = await addFile();
  const [remainingTag, tag, mediaId] = [uuid(), uuid(), uuid()];
  const firstSeq = await edit(
    newMediaItem(mediaId, item.id),
    newTag(tag, { mediaIds: [mediaId] }),
    newTag(remainingTag, { mediaIds: [mediaId] }),
  );
  const stop = { id: uuid(), tagId: tag, title: title("一"), text: title("") };
  const plan = { mediaId: mediaId, center: [0, 0], width: 1 };
  await edit({ op: "update_scene", version: 0, values: { tour: [stop], plan } });
  await edit(
    { op: "delete", type: "tag", id: tag, version: 1 },
    { op: "delete", type: "media", id: mediaId, version: 1 },
  );
  const ids = async (table: typeof eventTags | typeof eventMedia) =>
    (await testApp.db.select({ id: table.id }).from(table)).map(({ id }) => id);
  testApp.time.now += 30 * DAY_MS;
  expect(await purge()).toBe(0);
  testApp.time.now += 3_600_001;
  expect(await purge()).toBe(2);
  expect(await ids(eventTags)).toEqual([remainingTag]);
  expect(await ids(eventMedia)).toEqual([]);
  const pastEvent = await history.readPastEvent({ actor, eventId, seq: firstSeq, comparison: "now" });
  expect(pastEvent.tags.map(({ id, mediaIds }) => [id, mediaIds])).toEqual([
    [tag, [mediaId]],
    [remainingTag, [mediaId]],
  ]);
  expect(pastEvent.media).toMatchObject([{ id: mediaId, loss: null }]);
  // A scene that still refers to them can be saved, and an earlier state restores them.
  await edit({ op: "update_scene", version: 1, values: { tour: [stop, { ...stop, id: uuid() }], plan } });
  const unknown = [{ ...stop, tagId: uuid() }];
  const { results } = await content.editContent({
    actor,
    eventId,
    commands: [{ op: "update_scene", version: 2, values: { tour: unknown } }],
  });
  expect(results).toMatchObject([{ ok: false, errors: { "tour.0.tagId": ["content:errors.tour.tag"] } }]);
  expect(await history.restoreState({ actor, eventId, seq: firstSeq })).toMatchObject({ notRestored: [] });
  expect(
    (await content.getContent({ actor, eventId })).tags.map(({ id, mediaIds }) => [id, mediaIds]),
  ).toEqual([
    [tag, [mediaId]],
    [remainingTag, [mediaId]],
  ]);
});

it("keeps in the history a media item whose file was deleted, and the tags that showed it", async () => {
  const { eventId } = await testApp.addSpace(owner);
  const { actor } = owner;
  const item = await addFile();
  const [tag, mediaId] = [uuid(), uuid()];
  const { content, history } = testApp.services;
  const { seq } = await content.editContent({
    actor,
    eventId,
    commands: [newMediaItem(mediaId, item.id), newTag(tag, { mediaIds: [mediaId] })],
  });
  await remove({ media: [item.id] });
  testApp.time.now += 31 * DAY_MS;
  await purge();
  expect(await listStoredKeys()).toEqual([]);
  const pastEvent = await history.readPastEvent({ actor, eventId, seq, comparison: "now" });
  expect(pastEvent.media).toMatchObject([
    { id: mediaId, title: title("絵"), metadata: null, loss: "not_found" },
  ]);
  expect(pastEvent.tags).toMatchObject([{ id: tag, mediaIds: [mediaId] }]);
  expect(pastEvent.difference?.items.map(({ id, kinds }) => [id, ...kinds])).toContainEqual([
    mediaId,
    "removed",
  ]);
  const { changeGroups } = await history.listHistory({ actor, eventId });
  expect(changeGroups[0]).toMatchObject({
    actorId: null,
    counts: { tag: { changed: 0 }, media: { removed: 1 } },
  });
});

it("deletes the history and the visits of an event in parts, and then the event", async () => {
  const { space, eventId } = await testApp.addSpace(owner);
  const other = await testApp.addSpace(owner);
  const fill = (event: string) =>
    testApp.binding.batch(
      [
        `INSERT INTO event_changes (event_id, at, act, part, item_type, item_id, before)
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000)
          SELECT ?1, ?2, ?1, i, 'tag', 'x', '{}' FROM n`,
      ].map((statement) => testApp.binding.prepare(statement).bind(event, testApp.currentInstant())),
    );
  for (const id of [eventId, other.eventId]) {
    await fill(id);
    await testApp.db
      .insert(visitTotals)
      .values({ ...NO_VISITS, eventId: id, grain: "year", period: "2026", parts: "{}" });
  }
  await testApp.setEvent(other.eventId, { deletedAt: testApp.currentInstant() });
  await remove({ space: [space.id] });
  testApp.time.now += 31 * DAY_MS;
  const runs: number[] = [];
  for (let purgedCount = 1; purgedCount > 0; runs.push(purgedCount))
    purgedCount = await testApp.services.purge.purgeTrash();
  // The runs delete 8000 changes, the sums of visits, two events, a space, and finally nothing.
  expect(runs.reduce((all, part) => all + part)).toBe(8005);
  expect(Math.max(...runs)).toBeLessThanOrEqual(2006);
  expect(runs.length).toBeGreaterThanOrEqual(6);
  expect(await testApp.db.select().from(events)).toEqual([]);
  expect(await testApp.db.select({ id: spaces.id }).from(spaces)).toEqual([{ id: other.space.id }]);
});
