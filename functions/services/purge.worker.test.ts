import { eq, inArray, sql } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import { houseForEachTest, type Person, panoramaSource } from "../../tests/support/house";
import { eventMedia, events, folders, groups, libraryItems, spaces, users } from "../data/schema";

const house = houseForEachTest();
let owner: Person;
const DAY = 86_400_000;

beforeEach(async () => {
  await house.files.delete(await stored());
  owner = await house.addUser({ email: "owner@demo.example" });
});

const purge = async () => {
  let all = 0;
  for (let more = 1; more > 0; all += more) more = await house.services.purge.purgeTrash();
  return all;
};
const stored = async () => (await house.files.list()).objects.map(({ key }) => key);
const addFile = async (person = owner, fields = {}) => {
  const item = await house.addItem(person, fields);
  await house.files.put(item.fileKey, "x");
  return item;
};
const remove = (
  selection: Parameters<typeof house.services.tree.deleteItems>[0]["selection"],
  { actor } = owner,
) => house.services.tree.deleteItems({ actor, selection });
/** What is in the trash however it came there: a space may have been made of it since. */
const trash = (...ids: readonly string[]) =>
  house.db
    .update(libraryItems)
    .set({ deletedAt: house.at(), deletedBy: owner.user.id, deletedWith: sql`id` })
    .where(inArray(libraryItems.id, ids));

it("keeps what lies in the trash for 30 days, and then deletes it with its files", async () => {
  const folder = await house.services.tree.createFolder({
    actor: owner.actor,
    folderType: "media",
    name: "a",
  });
  const inner = await house.services.tree.createFolder({
    actor: owner.actor,
    folderType: "media",
    name: "b",
    parentId: folder.id,
  });
  const gone = await addFile(owner, { folderId: inner.id });
  const kept = await addFile();
  const { space, eventId } = await house.addSpace(owner);
  const live = await house.addSpace(owner);
  await house.addMedium(live.eventId, gone.id);
  await remove({ folder: [folder.id], space: [space.id] });
  house.time.now += 30 * DAY - 1;
  expect(await purge()).toBe(0);
  expect(await stored()).toHaveLength(2);
  house.time.now += 3_600_000 + 2;
  expect(await purge()).toBe(4);
  expect(await stored()).toEqual([kept.fileKey]);
  expect(await house.db.select().from(spaces).where(eq(spaces.id, space.id))).toEqual([]);
  expect(await house.db.select().from(events).where(eq(events.id, eventId))).toEqual([]);
  expect(await house.db.select().from(eventMedia)).toEqual([]);
  expect(await house.db.select().from(folders).where(eq(folders.id, folder.id))).toEqual([]);
  expect(await house.db.select().from(libraryItems)).toHaveLength(1);
});

it("keeps a file of which a space is still made, and takes pictures off spaces", async () => {
  const [source, poster] = [await addFile(), await addFile()];
  const { space } = await house.addSpace(owner);
  await house.db
    .update(spaces)
    .set({ source: panoramaSource(source.id), posterMediaId: poster.id })
    .where(eq(spaces.id, space.id));
  await trash(source.id, poster.id);
  house.time.now += 31 * DAY;
  expect(await purge()).toBe(1);
  expect(await stored()).toEqual([source.fileKey]);
  expect(
    (await house.services.spaces.getSpace({ actor: owner.actor, spaceId: space.id })).posterMediaId,
  ).toBeNull();
  await remove({ space: [space.id] });
  house.time.now += 31 * DAY;
  await purge();
  expect(await stored()).toEqual([]);
});

it("keeps a picture of which its space is made as well", async () => {
  const only = await addFile();
  const gone = await addFile();
  const { space } = await house.addSpace(owner);
  await house.db
    .update(spaces)
    .set({ source: panoramaSource(only.id), posterMediaId: only.id })
    .where(eq(spaces.id, space.id));
  await trash(only.id, gone.id);
  house.time.now += 31 * DAY;
  expect(await purge()).toBe(1);
  expect(await stored()).toEqual([only.fileKey]);
});

it("deletes accounts with everything that was theirs, and groups", async () => {
  const other = await house.addUser();
  const group = await house.addGroup(owner, other);
  await addFile();
  await house.addSpace(owner);
  const theirs = await house.addSpace(other);
  await house.db.update(spaces).set({ groupId: group.id }).where(eq(spaces.id, theirs.space.id));
  const trashed = { deletedAt: house.at(), deletedBy: "x" };
  await house.db.update(users).set(trashed).where(eq(users.id, owner.user.id));
  await house.db.update(groups).set(trashed).where(eq(groups.id, group.id));
  house.time.now += 31 * DAY;
  await purge();
  expect(await stored()).toEqual([]);
  expect((await house.db.select().from(users)).map(({ id }) => id)).toEqual([other.user.id]);
  expect(await house.db.select().from(groups)).toEqual([]);
  expect(
    (await house.services.spaces.getSpace({ actor: other.actor, spaceId: theirs.space.id })).groupId,
  ).toBeNull();
  expect((await house.account(other.user.id))?.spaceCount).toBe(1);
});

it("is repeated when it was cut off between the files and their records", async () => {
  const item = await addFile();
  await remove({ media: [item.id] });
  house.time.now += 31 * DAY;
  await house.files.delete(item.fileKey);
  expect(await purge()).toBe(1);
  expect(await house.db.select().from(libraryItems)).toEqual([]);
});

it("deletes events whose time is over, with all that they had", async () => {
  const { space, eventId } = await house.addSpace(owner);
  const item = await addFile();
  await house.addTag(eventId, [await house.addMedium(eventId, item.id)]);
  await house.services.events.createEvent({ actor: owner.actor, spaceId: space.id, eventName: "x" });
  await house.services.events.deleteEvent({ actor: owner.actor, eventId });
  house.time.now += 30 * DAY;
  expect(await purge()).toBe(0);
  house.time.now += 3_600_001;
  expect(await purge()).toBe(1);
  expect(await house.db.select().from(events)).toHaveLength(1);
  expect(await house.db.select().from(eventMedia)).toEqual([]);
  expect(await stored()).toEqual([item.fileKey]);
});
