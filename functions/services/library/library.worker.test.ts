import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { MEDIA_KINDS } from "~/domain/library/media-kinds";
import { readCursor } from "~/domain/shared/cursor";
import type { MediaKind } from "~/domain/shared/model";
import {
  catchErrorCode,
  panoramaSpaceSource,
  type TestUser,
  useTestApp,
} from "../../../tests/support/app/test-app";
import { audit, folders, libraryItems, spaces } from "../../data/schema";
import type { TreeSelection } from "../folders/tree-access";

const testApp = useTestApp();
let owner: TestUser;
let other: TestUser;

beforeEach(async () => {
  owner = await testApp.addUser({ email: "owner@demo.example" });
  other = await testApp.addUser({ email: "other@demo.example" });
});

const details = (itemId: string, { actor } = owner) =>
  testApp.services.library.getItemDetails({ actor, itemId });
const remove = async (selection: TreeSelection, { actor } = owner) =>
  (await testApp.services.tree.deleteItems({ actor, selection })).map(({ rejection }) => rejection);
const restore = (selection: TreeSelection) =>
  testApp.services.tree.restoreItems({ actor: owner.actor, selection });
const makeFolder = (name: string, parentId?: string) =>
  testApp.services.tree.createFolder({
    actor: owner.actor,
    folderType: "media",
    name,
    ...(parentId && { parentId }),
  });
const setSource = (spaceId: string, ...mediaIds: string[]) =>
  testApp.db
    .update(spaces)
    .set({ source: panoramaSpaceSource(...mediaIds) })
    .where(eq(spaces.id, spaceId));

describe("the details of an item", () => {
  it("contain its folder, and the events, tags and spaces that use it", async () => {
    const folder = await makeFolder("作品");
    const item = await testApp.addItem(owner, { folderId: folder.id });
    const { space, eventId } = await testApp.addSpace(owner, "渋谷");
    const mediaId = await testApp.addMediaItem(eventId, item.id);
    const tag = await testApp.addTag(eventId, [mediaId]);
    await testApp.db.update(spaces).set({ posterMediaId: item.id }).where(eq(spaces.id, space.id));
    const created = await testApp.addSpace(owner, "大手町");
    await setSource(created.space.id, item.id);
    const itemDetails = await details(item.id);
    expect(itemDetails.path.map(({ name }) => name)).toEqual(["", "作品"]);
    expect(itemDetails.owner.id).toBe(owner.user.id);
    const event = (await testApp.data.events.find(eventId))?.event.eventName;
    expect(itemDetails.uses).toEqual({
      events: [
        {
          id: eventId,
          name: event,
          spaceName: "渋谷",
          tags: [{ id: tag, title: { ja: "受付", en: "Reception" } }],
        },
      ],
      spaces: expect.arrayContaining([
        { id: space.id, name: "渋谷", isSource: false, isThumbnail: true },
        { id: created.space.id, name: "大手町", isSource: true, isThumbnail: false },
      ]) as unknown,
      unnamedCount: 0,
      hiddenCount: 0,
    });
  });

  it("list only uses that the reader may see, and count the others", async () => {
    const { id: groupId, actors } = await testApp.addGroup(other);
    const member = { ...other, actor: actors[0] ?? other.actor };
    const item = await testApp.addItem(owner, { groupId });
    const otherSpace = await testApp.addSpace(owner, "渋谷");
    const hidden = await testApp.addSpace(owner, "非公開");
    for (const { eventId } of [otherSpace, hidden]) await testApp.addMediaItem(eventId, item.id);
    await testApp.db.update(spaces).set({ groupId }).where(eq(spaces.id, otherSpace.space.id));
    const { uses, path } = await details(item.id, member);
    expect(uses).toMatchObject({
      events: [{ id: otherSpace.eventId }],
      spaces: [],
      unnamedCount: 0,
      hiddenCount: 1,
    });
    expect(path).toEqual([]);
    expect((await details(item.id, { ...owner, actor: testApp.admin })).uses.events).toHaveLength(2);
    expect((await details(item.id)).uses.hiddenCount).toBe(0);
  });

  it("contain the beginning of subtitles, up to the end of a line", async () => {
    const line = "00:00:01.000 --> 00:00:02.000\nこんにちは\n";
    const text = `WEBVTT\n\n${line.repeat(40)}`;
    const byteSize = new TextEncoder().encode(text).length;
    const item = await testApp.addItem(owner, { kind: "subtitle", mimeType: "text/vtt", byteSize });
    await testApp.files.put(item.fileKey, text);
    const { excerpt } = await details(item.id);
    expect(text.startsWith(excerpt ?? "x")).toBe(true);
    expect(excerpt?.endsWith("こんにちは") || excerpt?.endsWith("00:00:02.000")).toBe(true);
    const short = await testApp.addItem(owner, { kind: "subtitle", mimeType: "text/vtt", byteSize: 6 });
    await testApp.files.put(short.fileKey, "WEBVTT");
    expect((await details(short.id)).excerpt).toBe("WEBVTT");
    expect((await details((await testApp.addItem(owner)).id)).excerpt).toBeNull();
  });

  it("do not count uses in the trash", async () => {
    const item = await testApp.addItem(owner);
    const { space, eventId } = await testApp.addSpace(owner);
    await testApp.addMediaItem(eventId, item.id);
    await remove({ space: [space.id] });
    expect((await details(item.id)).uses).toMatchObject({ events: [], spaces: [], hiddenCount: 0 });
  });

  it("are hidden from others, and not available while the item is in the trash", async () => {
    const item = await testApp.addItem(owner);
    expect(await catchErrorCode(details(item.id, other))).toBe("not_found");
    expect(await catchErrorCode(details(randomUUID()))).toBe("not_found");
    await remove({ media: [item.id] });
    expect(await catchErrorCode(details(item.id))).toBe("not_found");
  });
});

describe("a media item that events use", () => {
  it("may be deleted; the events continue without it, and show it again after it is restored", async () => {
    const item = await testApp.addItem(owner);
    const { space, eventId } = await testApp.addSpace(owner);
    const mediaId = await testApp.addMediaItem(eventId, item.id);
    await testApp.addTag(eventId, [mediaId]);
    await testApp.db.update(spaces).set({ posterMediaId: item.id });
    const readItems = async () => {
      const record = await testApp.data.visitors.load(eventId);
      return {
        media: record?.media.map(({ id }) => id),
        inTags: record?.tags[0]?.mediaIds,
        files: Object.keys(record?.files ?? {}),
        image: record?.space.posterMediaId,
        listed: (await testApp.data.spaces.find(space.id))?.posterMediaId,
      };
    };
    const before = await readItems();
    expect(before).toEqual({
      media: [mediaId],
      inTags: [mediaId],
      files: [item.id],
      image: item.id,
      listed: item.id,
    });
    const revision = await testApp.readRevision(eventId);
    expect(await remove({ media: [item.id] })).toEqual([null]);
    expect(await readItems()).toEqual({ media: [], inTags: [], files: [], image: null, listed: null });
    expect(await testApp.readRevision(eventId)).toBeGreaterThan(revision);
    await restore({ media: [item.id] });
    expect(await readItems()).toEqual(before);
  });

  it("is reported with its uses before the deletion, with names that the reader may see", async () => {
    const folder = await makeFolder("作品");
    const [inside, source, unused] = [
      await testApp.addItem(owner, { folderId: folder.id }),
      await testApp.addItem(owner),
      await testApp.addItem(owner),
    ];
    const { space, eventId } = await testApp.addSpace(owner, "渋谷");
    await testApp.addMediaItem(eventId, inside.id);
    await setSource(space.id, source.id);
    const name = (await testApp.data.events.find(eventId))?.event.eventName ?? "";
    const findUses = (selection: TreeSelection, { actor } = owner) =>
      testApp.services.tree.findUses({ actor, selection });
    expect(await findUses({ folder: [folder.id], media: [source.id, unused.id] })).toEqual({
      usedCount: 2,
      sourceCount: 1,
      names: [name, "渋谷"],
      unnamedCount: 0,
    });
    expect(await findUses({ media: [unused.id] })).toEqual({
      usedCount: 0,
      sourceCount: 0,
      names: [],
      unnamedCount: 0,
    });
    expect(await findUses({ media: [source.id] }, other)).toMatchObject({ usedCount: 0 });
  });
});

describe("a file that a space uses", () => {
  it("cannot be deleted while it is the source of a space, nor can the folder that contains it", async () => {
    const [outer, emptyFolder] = [await makeFolder("外"), await makeFolder("別")];
    const inner = await makeFolder("中", outer.id);
    const [source, unusedItem] = [
      await testApp.addItem(owner, { folderId: inner.id }),
      await testApp.addItem(owner, { folderId: inner.id }),
    ];
    const { space } = await testApp.addSpace(owner);
    await setSource(space.id, source.id);
    expect(await remove({ media: [source.id, unusedItem.id], folder: [outer.id, emptyFolder.id] })).toEqual([
      "in_use",
      null,
      "in_use",
      null,
    ]);
    const existingItems = async () =>
      (await testApp.db.select().from(libraryItems)).filter(({ deletedAt }) => deletedAt === null);
    expect((await existingItems()).map(({ id }) => id)).toEqual([source.id]);
    const remainingFolders = (await testApp.db.select().from(folders)).filter(
      ({ deletedAt, name }) => name !== "" && deletedAt === null,
    );
    expect(remainingFolders.map(({ name }) => name).sort()).toEqual(["中", "外"]);
    const deletionEntries = (await testApp.db.select().from(audit)).filter(({ action }) =>
      action.endsWith("_deleted"),
    );
    expect(deletionEntries.map(({ resourceId }) => resourceId).sort()).toEqual(
      [emptyFolder.id, unusedItem.id].sort(),
    );

    // It can be deleted together with the space, or after it.
    expect(await remove({ space: [space.id], media: [source.id] })).toEqual([null, null]);
    expect(await existingItems()).toEqual([]);
    expect(await remove({ folder: [outer.id] })).toEqual([null]);
  });

  it("may be deleted if it is only the space's poster", async () => {
    const item = await testApp.addItem(owner);
    await testApp.addSpace(owner);
    await testApp.db.update(spaces).set({ posterMediaId: item.id });
    expect(await remove({ media: [item.id] })).toEqual([null]);
  });
});

describe("a folder's media of some kinds", () => {
  const listMedia = async (kinds: readonly MediaKind[], overrides: object = {}) => {
    const { contents } = await testApp.services.tree.listFolder({
      actor: owner.actor,
      folderType: "media",
      kinds,
      ...overrides,
    });
    return {
      titles: contents.items.map((entry) => (entry.kind === "media" ? entry.item.title : entry.kind)),
      ids: contents.items.map((entry) => (entry.kind === "media" ? entry.item.id : "")),
      ...contents,
    };
  };

  it("are listed across its pages, by title or by creation, without folders, and counted", async () => {
    await makeFolder("箱");
    const created: string[] = [];
    for (const [index, kind] of MEDIA_KINDS.entries())
      for (let copy = 0; copy < 4; copy++) {
        const title = `${String.fromCharCode(97 + ((index * 3 + copy * 5) % 26))}${index}${copy}`;
        created.push(title);
        testApp.time.now += 1000;
        const web = kind === "web" && { fileKey: null, webUrl: "https://example.com/x" };
        await testApp.addItem(owner, { kind, title, searchKey: title, ...web });
      }
    const all = [...created].sort();
    const first = await listMedia(MEDIA_KINDS);
    expect(first.titles).toEqual(all.slice(0, 20));
    expect([first.hasNext, first.total.count]).toEqual([true, 32]);
    const second = await listMedia(MEDIA_KINDS, { cursor: readCursor(`after~${first.ids.at(-1)}`) });
    expect(second.titles).toEqual(all.slice(20));
    const previousPage = await listMedia(MEDIA_KINDS, { cursor: readCursor(`before~${second.ids[0]}`) });
    expect(previousPage.titles).toEqual(first.titles);
    const newest = await listMedia(["video", "image"], { sort: "created", direction: "desc" });
    expect(newest.titles).toEqual([...created.slice(0, 8)].reverse());
    expect(newest.total.count).toBe(8);
    expect((await listMedia([])).titles[0]).toBe("folder");
  });

  it("are limited to shared items for readers who see only those", async () => {
    const { id: groupId, actors } = await testApp.addGroup(other);
    const folder = await makeFolder("作品");
    await testApp.db.update(folders).set({ groupId }).where(eq(folders.id, folder.id));
    await testApp.addItem(owner, { folderId: folder.id, title: "共有", searchKey: "共有", groupId });
    await testApp.addItem(owner, { folderId: folder.id, title: "非共有", searchKey: "非共有" });
    const sharedMedia = await listMedia(["image"], { actor: actors[0], folderId: folder.id });
    expect(sharedMedia.titles).toEqual(["共有"]);
    expect((await listMedia(["image"], { folderId: folder.id })).titles).toHaveLength(2);
  });
});
