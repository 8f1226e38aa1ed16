import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { nameColumns } from "#functions/data/events/event-names";
import { newText } from "~/domain/events/event-texts";
import { FIRST_PAGE, readCursor } from "~/domain/shared/cursor";
import { nameKey } from "~/domain/shared/text";
import { catchErrorCode, type TestUser, useTestApp } from "../../../tests/support/app/test-app";
import { audit, folders, libraryItems, spaces, users } from "../../data/schema";
import type { TreeSelection } from "./tree-access";

const testApp = useTestApp();
let owner: TestUser;
let other: TestUser;

beforeEach(async () => {
  owner = await testApp.addUser({ email: "owner@demo.example", spaceLicense: 500 });
  other = await testApp.addUser({ email: "other@demo.example" });
});

const tree = () => testApp.services.tree;
const makeFolder = (
  name: string,
  parentId?: string,
  { actor } = owner,
  folderType: "space" | "media" = "space",
) => tree().createFolder({ actor, folderType, name, ...(parentId && { parentId }) });
const move = (selection: TreeSelection, folderId: string, { actor } = owner) =>
  tree().moveItems({ actor, selection, folderId });
const deleteItems = (selection: TreeSelection, { actor } = owner) => tree().deleteItems({ actor, selection });
const restore = (selection: TreeSelection, { actor } = owner) => tree().restoreItems({ actor, selection });
const listRejections = async (results: ReturnType<typeof move>) =>
  (await results).map(({ rejection }) => rejection);
const listTrash = async (folderType: "space" | "media" = "space") =>
  (await tree().listTrash({ actor: owner.actor, folderType })).items;
const listFolder = (
  folderId?: string,
  overrides: Partial<Parameters<ReturnType<typeof tree>["listFolder"]>[0]> = {},
) =>
  tree().listFolder({ actor: owner.actor, folderType: "space", ...(folderId && { folderId }), ...overrides });
const nameOf = (content: Awaited<ReturnType<typeof listFolder>>["contents"]["items"][number]) =>
  content.kind === "folder"
    ? `${content.folder.name}/`
    : content.kind === "space"
      ? content.space.name
      : content.item.title;
const names = async (...input: Parameters<typeof listFolder>) =>
  (await listFolder(...input)).contents.items.map(nameOf);
const parentOf = async (id: string) => {
  const [row] = await testApp.db.select().from(folders).where(eq(folders.id, id));
  return row?.parentId;
};

describe("a folder", () => {
  it("is created in the root folder or in another one, and lists its items, folders first", async () => {
    const a = await makeFolder("展示");
    const b = await makeFolder("2026", a.id);
    await testApp.addSpace(owner, "渋谷");
    expect(await names()).toEqual(["展示/", "渋谷"]);
    expect(await names(a.id)).toEqual(["2026/"]);
    const { path } = await listFolder(b.id);
    expect(path.map(({ name }) => name)).toEqual(["", "展示", "2026"]);
  });

  it("is created by the owner, by administrators and by members of the group", async () => {
    const { id, actors } = await testApp.addGroup(other);
    const folder = await makeFolder("展示");
    const member = { ...other, actor: actors[0] ?? other.actor };
    expect(await catchErrorCode(makeFolder("x", folder.id, other))).toBe("not_found");
    await testApp.db.update(folders).set({ groupId: id }).where(eq(folders.id, folder.id));
    const inner = await makeFolder("x", folder.id, member);
    expect(inner).toMatchObject({ ownerId: owner.user.id, groupId: id });
    const byAdministrator = await tree().createFolder({
      actor: testApp.admin,
      folderType: "media",
      ownerId: owner.user.id,
      name: "y",
    });
    expect(byAdministrator.ownerId).toBe(owner.user.id);
    expect(
      await catchErrorCode(
        tree().createFolder({ actor: other.actor, folderType: "media", ownerId: owner.user.id, name: "z" }),
      ),
    ).toBe("not_found");
  });

  it("is renamed by a user who has its latest version", async () => {
    const { id } = await makeFolder("展示");
    const rename = (version: number, name: string, { actor } = owner) =>
      tree().renameItem({ actor, kind: "folder", id, version, name });
    expect(await rename(1, "展示")).toEqual({ status: "unchanged" });
    expect(await rename(1, "Exhibition")).toEqual({ status: "renamed" });
    expect(await rename(1, "別名")).toMatchObject({ status: "conflict", saved: { name: "Exhibition" } });
    expect(await catchErrorCode(rename(2, "x", other))).toBe("not_found");
    const root = (await listFolder()).folder;
    expect(
      await catchErrorCode(
        tree().renameItem({ actor: owner.actor, kind: "folder", id: root.id, version: 1, name: "x" }),
      ),
    ).toBe("forbidden");
    expect((await testApp.db.select().from(folders).where(eq(folders.id, id)))[0]?.searchKey).toBe(
      "exhibition",
    );
  });

  it("is renamed in the same way as spaces and media", async () => {
    const { space } = await testApp.addSpace(owner);
    const item = await testApp.addItem(owner);
    for (const [kind, id] of [
      ["space", space.id],
      ["media", item.id],
    ] as const)
      expect(
        await tree().renameItem({ actor: owner.actor, kind, id, version: 1, name: "新しい名前" }),
      ).toEqual({ status: "renamed" });
    const auditedActions = (await testApp.db.select().from(audit)).map(({ action }) => action);
    expect(auditedActions).toEqual(expect.arrayContaining(["space_renamed", "media_renamed"]));
  });
});

describe("moving", () => {
  it("moves folders and spaces into a folder, each with its own result", async () => {
    const a = await makeFolder("a");
    const b = await makeFolder("b");
    const { space } = await testApp.addSpace(owner);
    const theirs = await testApp.addSpace(other);
    const item = await testApp.addItem(owner);
    const unknownId = randomUUID();
    const results = await move(
      { folder: [b.id, a.id], space: [space.id, theirs.space.id, unknownId], media: [item.id] },
      a.id,
    );
    expect(results.map(({ kind, rejection }) => `${kind} ${rejection}`)).toEqual([
      "folder null",
      "folder into_itself",
      "space null",
      "space gone",
      "space gone",
      "media other_type",
    ]);
    expect(await names(a.id)).toEqual(["b/", space.name]);
    // A repetition succeeds without a change.
    const before = await testApp.db.select().from(audit);
    expect(await listRejections(move({ folder: [b.id] }, a.id))).toEqual([null]);
    expect(await testApp.db.select().from(audit)).toHaveLength(before.length);
  });

  it("does not make a folder contain itself when two folders are moved into each other at the same time", async () => {
    const [a, b, c] = [await makeFolder("a"), await makeFolder("b"), await makeFolder("c")];
    await move({ folder: [b.id] }, a.id);
    await move({ folder: [c.id] }, b.id);
    expect(await listRejections(move({ folder: [a.id] }, c.id))).toEqual(["into_itself"]);
    for (let round = 0; round < 10; round++) {
      const [x, y] = [await makeFolder(`x${round}`), await makeFolder(`y${round}`)];
      const results = await Promise.all([move({ folder: [x.id] }, y.id), move({ folder: [y.id] }, x.id)]);
      expect(results.flat().filter(({ rejection }) => rejection === null)).toHaveLength(1);
      const parents = [await parentOf(x.id), await parentOf(y.id)];
      expect(parents).not.toEqual([y.id, x.id]);
    }
  });

  it("does not move root folders, nor folders into those of other users or of the other type", async () => {
    const a = await makeFolder("a");
    const root = (await listFolder()).folder;
    const theirs = await makeFolder("b", undefined, other);
    const media = await makeFolder("m", undefined, owner, "media");
    expect(await listRejections(move({ folder: [root.id] }, a.id))).toEqual(["root"]);
    expect(await listRejections(move({ folder: [media.id] }, a.id))).toEqual(["other_type"]);
    expect(await catchErrorCode(move({ folder: [a.id] }, theirs.id))).toBe("not_found");
    expect(
      await listRejections(move({ folder: [a.id] }, theirs.id, { ...owner, actor: testApp.admin })),
    ).toEqual(["other_owner"]);
  });

  it("moves 500 items in three round trips, and deletes them in two", async () => {
    const target = await makeFolder("target");
    const root = (await listFolder()).folder;
    const ids = Array.from({ length: 500 }, () => randomUUID());
    await testApp.db.insert(folders).values(
      ids.slice(0, 10).map((id, i) => ({
        id,
        parentId: root.id,
        ownerId: owner.user.id,
        folderType: "space" as const,
        name: `f${i}`,
        searchKey: `f${i}`,
        createdAt: testApp.currentInstant(),
        updatedAt: testApp.currentInstant(),
      })),
    );
    for (let index = 10; index < 500; index += 7)
      await testApp.db.insert(folders).values(
        ids.slice(index, index + 7).map((id, i) => ({
          id,
          parentId: root.id,
          ownerId: owner.user.id,
          folderType: "space" as const,
          name: `f${index + i}`,
          searchKey: `f${index + i}`,
          createdAt: testApp.currentInstant(),
          updatedAt: testApp.currentInstant(),
        })),
      );
    expect(await testApp.countRoundTrips(() => move({ folder: ids }, target.id))).toBe(3);
    expect((await listFolder(target.id)).contents.total).toEqual({ count: 500, hasMore: false });
    // One more round trip is made after the response, for webhooks.
    expect(await testApp.countRoundTrips(() => deleteItems({ folder: ids }))).toBe(2 + 1);
    expect((await listFolder(target.id)).contents.total.count).toBe(0);
  });
});

describe("the trash", () => {
  it("deletes and restores a folder with all its items", async () => {
    const [a, b] = [await makeFolder("a"), await makeFolder("b")];
    await move({ folder: [b.id] }, a.id);
    const { space, eventId } = await testApp.addSpace(owner);
    await move({ space: [space.id] }, b.id);
    expect(await listRejections(deleteItems({ folder: [a.id] }))).toEqual([null]);
    expect(await names()).toEqual([]);
    expect((await testApp.readAccount(owner.user.id))?.spaceCount).toBe(0);
    expect(await catchErrorCode(testApp.services.events.getEvent({ actor: owner.actor, eventId }))).toBe(
      "not_found",
    );
    expect(await catchErrorCode(listFolder(b.id))).toBe("not_found");
    expect((await listTrash()).map(({ name, containedCount }) => [name, containedCount])).toEqual([["a", 2]]);
    expect(await listRejections(restore({ folder: [a.id] }))).toEqual([null]);
    expect(await names(b.id)).toEqual([space.name]);
    expect((await testApp.readAccount(owner.user.id))?.spaceCount).toBe(1);
    expect(await listTrash()).toEqual([]);
    const auditedActions = (await testApp.db.select().from(audit)).map(({ action }) => action);
    expect(auditedActions.filter((action) => action.startsWith("folder_"))).toEqual(
      expect.arrayContaining(["folder_created", "folder_moved", "folder_deleted", "folder_restored"]),
    );
  });

  it("does not restore with a folder the items that were deleted before it", async () => {
    const a = await makeFolder("a");
    const { space } = await testApp.addSpace(owner);
    await move({ space: [space.id] }, a.id);
    await deleteItems({ space: [space.id] });
    testApp.time.now += 1000;
    await deleteItems({ folder: [a.id] });
    expect((await listTrash()).map(({ name }) => name)).toEqual(["a", space.name]);
    await restore({ folder: [a.id] });
    expect(await names(a.id)).toEqual([]);
    await restore({ space: [space.id] });
    expect(await names(a.id)).toEqual([space.name]);
  });

  it("restores an item to the root folder when its own folder is in the trash", async () => {
    const a = await makeFolder("a");
    const { space } = await testApp.addSpace(owner);
    await move({ space: [space.id] }, a.id);
    await deleteItems({ space: [space.id] });
    await deleteItems({ folder: [a.id] });
    await restore({ space: [space.id] });
    expect(await names()).toEqual([space.name]);
  });

  it("does not restore a space whose file is in the trash until the file is restored", async () => {
    const file = await testApp.addItem(owner, { kind: "model", mimeType: "model/gltf-binary" });
    const { space } = await testApp.services.spaces.createSpace({
      actor: owner.actor,
      name: "展示室",
      source: { kind: "model", mediaId: file.id, start: null, eyeHeight: 1.6 },
    });
    await deleteItems({ space: [space.id] });
    expect(await listRejections(deleteItems({ media: [file.id] }))).toEqual([null]);
    expect(await listRejections(restore({ space: [space.id] }))).toEqual(["source_in_trash"]);
    expect(await names()).toEqual([]);
    expect(await listRejections(restore({ media: [file.id] }))).toEqual([null]);
    expect(await listRejections(restore({ space: [space.id] }))).toEqual([null]);
    expect(await names()).toEqual([space.name]);
  });

  it("does not restore items that exceed the account's limits", async () => {
    const a = await makeFolder("a");
    for (const name of ["s1", "s2"])
      await move({ space: [(await testApp.addSpace(owner, name)).space.id] }, a.id);
    const media = await makeFolder("m", undefined, owner, "media");
    const item = await testApp.addItem(owner, { folderId: media.id, byteSize: 800_000 });
    await deleteItems({ folder: [a.id, media.id] });
    await testApp.db
      .update(users)
      .set({ spaceLicense: 1, storageLimit: 700_000 })
      .where(eq(users.id, owner.user.id));
    expect(await listRejections(restore({ folder: [a.id, media.id] }))).toEqual([
      "space_license",
      "library_capacity",
    ]);
    expect(await names()).toEqual([]);
    expect((await testApp.readAccount(owner.user.id))?.storageUsed).toBe(0);
    await testApp.db
      .update(users)
      .set({ spaceLicense: 2, storageLimit: 800_000 })
      .where(eq(users.id, owner.user.id));
    expect(await listRejections(restore({ folder: [a.id, media.id] }))).toEqual([null, null]);
    const [row] = await testApp.db.select().from(libraryItems).where(eq(libraryItems.id, item.id));
    expect(row?.deletedAt).toBeNull();
  });

  it("belongs to its owner: members of the group neither delete nor restore", async () => {
    const { id, actors } = await testApp.addGroup(other);
    const member = { ...other, actor: actors[0] ?? other.actor };
    const { space } = await testApp.addSpace(owner);
    await testApp.db.update(spaces).set({ groupId: id }).where(eq(spaces.id, space.id));
    expect(await listRejections(deleteItems({ space: [space.id] }, member))).toEqual(["forbidden"]);
    await deleteItems({ space: [space.id] });
    expect(await listRejections(restore({ space: [space.id] }, member))).toEqual(["gone"]);
    expect(
      await catchErrorCode(
        tree().listTrash({
          actor: other.actor,
          ownerId: owner.user.id,
          folderType: "space",
          cursor: FIRST_PAGE,
        }),
      ),
    ).toBe("not_found");
  });

  it("has an owner, and is not found for an unknown one", async () => {
    expect((await tree().listTrash({ actor: owner.actor, folderType: "space" })).owner.id).toBe(
      owner.user.id,
    );
    const unknownOwner = { actor: testApp.admin, folderType: "space", ownerId: randomUUID() } as const;
    expect(await catchErrorCode(tree().listTrash(unknownOwner))).toBe("not_found");
  });

  it("keeps items for 30 days, and never contains root folders", async () => {
    const a = await makeFolder("a");
    await deleteItems({ folder: [a.id, (await listFolder()).folder.id] });
    expect(await listRejections(deleteItems({ folder: [(await listFolder()).folder.id] }))).toEqual(["root"]);
    testApp.time.now += 30 * 86_400_000;
    expect(await listTrash()).toHaveLength(1);
    testApp.time.now += 1;
    expect(await listTrash()).toEqual([]);
    expect(await listRejections(restore({ folder: [a.id] }))).toEqual(["gone"]);
  });
});

describe("a page of a folder", () => {
  const SORTS = ["name", "created", "updated"] as const;

  it("follows the previous one without gaps and repetitions, forwards and backwards, in each sort order", async () => {
    const root = (await listFolder()).folder;
    const rows = Array.from({ length: 26 }, (_, i) => `${"abcdefghijklmnopqrstuvwxyz"[(i * 7) % 26]}`);
    for (const [i, name] of rows.entries()) {
      testApp.time.now += 1000;
      const times = {
        createdAt: testApp.currentInstant(),
        updatedAt: new Date(testApp.time.now + ((i * 5) % 26) * 60_000).toISOString(),
      };
      await testApp.db.insert(folders).values({
        id: randomUUID(),
        parentId: root.id,
        ownerId: owner.user.id,
        folderType: "space",
        name,
        searchKey: nameKey(name),
        ...times,
      });
      const { space } = await testApp.addSpace(owner, name.toUpperCase());
      await testApp.db.update(spaces).set(times).where(eq(spaces.id, space.id));
    }
    for (const sort of SORTS)
      for (const direction of ["asc", "desc"] as const) {
        const forwards: string[] = [];
        let page = await listFolder(undefined, { sort, direction });
        for (;;) {
          forwards.push(...page.contents.items.map(nameOf));
          const last = page.contents.items.at(-1);
          if (!page.contents.hasNext || !last) break;
          const id = last.kind === "folder" ? last.folder.id : last.kind === "space" ? last.space.id : "";
          page = await listFolder(undefined, { sort, direction, cursor: readCursor(`after~${id}`) });
          expect(page.contents.hasPrevious).toBe(true);
        }
        expect(forwards).toHaveLength(52);
        expect(forwards.slice(0, 26).every((name) => name.endsWith("/"))).toBe(true);
        expect(new Set(forwards).size).toBe(52);
        if (sort === "name") {
          const sorted = forwards.slice(0, 26);
          expect(sorted).toEqual(direction === "asc" ? [...sorted].sort() : [...sorted].sort().reverse());
        }
        const backwards: string[] = [];
        page = await listFolder(undefined, { sort, direction, cursor: { position: "last" } });
        for (;;) {
          backwards.unshift(...page.contents.items.map(nameOf));
          const first = page.contents.items[0];
          if (!page.contents.hasPrevious || !first) break;
          const id = first.kind === "folder" ? first.folder.id : first.kind === "space" ? first.space.id : "";
          page = await listFolder(undefined, { sort, direction, cursor: readCursor(`before~${id}`) });
        }
        expect(backwards).toEqual(forwards);
      }
  });

  it("is empty at the cursor of an unknown row", async () => {
    await makeFolder("a");
    await testApp.addSpace(owner);
    for (const side of ["after", "before"] as const)
      expect(await names(undefined, { cursor: { position: side, id: randomUUID() } })).toEqual([]);
  });

  it("does not exist for an unknown account", async () => {
    const unknownOwner = { actor: testApp.admin, folderType: "space" as const, ownerId: randomUUID() };
    expect(await catchErrorCode(tree().createFolder({ ...unknownOwner, name: "x" }))).toBe("not_found");
    expect(await catchErrorCode(tree().listFolder(unknownOwner))).toBe("not_found");
    expect(await catchErrorCode(tree().listFolders(unknownOwner))).toBe("not_found");
  });

  it("is read in one round trip", async () => {
    const { folder } = await listFolder();
    expect(await testApp.countRoundTrips(() => listFolder(folder.id))).toBe(1);
  });

  it("shows other users only the items of a shared folder that are shared with them", async () => {
    const { id, actors } = await testApp.addGroup(other);
    const a = await makeFolder("a");
    const { space } = await testApp.addSpace(owner, "秘密");
    const shared = await testApp.addSpace(owner, "共有");
    await move({ space: [space.id, shared.space.id] }, a.id);
    await testApp.db.update(folders).set({ groupId: id }).where(eq(folders.id, a.id));
    await testApp.db.update(spaces).set({ groupId: id }).where(eq(spaces.id, shared.space.id));
    const actor = actors[0] ?? other.actor;
    const view = await tree().listFolder({ actor, folderType: "space", folderId: a.id });
    expect(view.contents.items.map(nameOf)).toEqual(["共有"]);
    expect(view.path.map(({ name }) => name)).toEqual(["a"]);
  });
});

describe("the targets of a move", () => {
  it("are all folders of the owner, as a tree", async () => {
    const [b, a] = [await makeFolder("b"), await makeFolder("a")];
    await makeFolder("inner", b.id);
    const targets = await tree().listTargets({
      actor: owner.actor,
      ownerId: owner.user.id,
      folderType: "space",
    });
    expect(targets.map(({ folder, depth }) => `${depth} ${folder.name}`)).toEqual([
      "0 ",
      "1 a",
      "1 b",
      "2 inner",
    ]);
    expect(a.parentId).toBe(b.parentId);
    expect(
      await tree().listTargets({ actor: other.actor, ownerId: owner.user.id, folderType: "space" }),
    ).toEqual([]);
  });
});

describe("the items of a dialog", () => {
  it("are those that exist and that the user may see", async () => {
    const folder = await makeFolder("展示");
    const selection = { folder: [folder.id, randomUUID()], space: [randomUUID()] };
    expect(await tree().getItems({ actor: owner.actor, selection })).toMatchObject([
      { id: folder.id, kind: "folder", name: "展示", version: 1 },
    ]);
    expect(await tree().getItems({ actor: other.actor, selection })).toEqual([]);
    await deleteItems(selection);
    expect(await tree().getItems({ actor: owner.actor, selection })).toEqual([]);
  });

  it("have the number of items that are deleted with them at any depth, without items in the trash", async () => {
    const outer = await makeFolder("外");
    const inner = await makeFolder("内", outer.id);
    const deleted = await makeFolder("前", outer.id);
    const { id: inside } = (await testApp.addSpace(owner, "渋谷")).space;
    await move({ space: [inside] }, inner.id);
    await deleteItems({ folder: [deleted.id] });
    const count = (ids: string[], { actor } = owner) =>
      tree().countContents({ actor, selection: { folder: ids } });
    expect(await count([outer.id])).toEqual({ folder: 1, space: 1, media: 0 });
    // A folder that is itself selected is not counted.
    expect(await count([outer.id, inner.id])).toEqual({ folder: 0, space: 1, media: 0 });
    expect(await count([outer.id], other)).toEqual({ folder: 0, space: 0, media: 0 });
    expect(await count([])).toEqual({ folder: 0, space: 0, media: 0 });
  });

  it("list the currently public events of their spaces at any depth, for users who may delete them", async () => {
    const folder = await makeFolder("外");
    const [alone, inside] = [await testApp.addSpace(owner), await testApp.addSpace(owner)];
    await move({ space: [inside.space.id] }, (await makeFolder("内", folder.id)).id);
    const selection = { folder: [folder.id], space: [alone.space.id] };
    const find = ({ actor } = owner) => tree().findPublicEvents({ actor, selection });
    expect(await find()).toEqual({ names: [], unnamedCount: 0 });
    const instantAfter = (ms: number) => new Date(testApp.time.now + ms).toISOString();
    await testApp.setEvent(alone.eventId, { statusId: 3, ...nameColumns(newText("今")) });
    await testApp.setEvent(inside.eventId, {
      startDate: instantAfter(1000),
      endDate: instantAfter(2000),
      ...nameColumns(newText("次")),
    });
    expect(await find()).toEqual({ names: [newText("今")], unnamedCount: 0 });
    testApp.time.now += 1000;
    expect(await find()).toEqual({ names: [newText("今"), newText("次")], unnamedCount: 0 });
    expect(await find(other)).toEqual({ names: [], unnamedCount: 0 });
    testApp.time.now += 1000;
    expect((await find()).names).toEqual([newText("今")]);
    await deleteItems(selection);
    expect(await find()).toEqual({ names: [], unnamedCount: 0 });
  });

  it("have the part of their path that the reader may see", async () => {
    const { id, actors } = await testApp.addGroup(other);
    const outer = await makeFolder("外");
    const inner = await makeFolder("内", outer.id);
    await testApp.db.update(folders).set({ groupId: id }).where(eq(folders.id, inner.id));
    const path = async (actor = owner.actor) =>
      (await tree().getPath({ actor, folderId: inner.id })).path.map(({ name }) => name);
    expect(await path()).toEqual(["", "外", "内"]);
    expect(await path(actors[0])).toEqual(["内"]);
    expect(await catchErrorCode(tree().getPath({ actor: other.actor, folderId: outer.id }))).toBe(
      "not_found",
    );
  });
});
