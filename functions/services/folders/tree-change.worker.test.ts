import { randomUUID } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import { type TestUser, useTestApp } from "../../../tests/support/app/test-app";
import { type ChangeItemInput, changeItem } from "./tree-change";

const testApp = useTestApp();
let owner: TestUser;
let folderId: string;
let spaceId: string;

beforeEach(async () => {
  owner = await testApp.addUser();
  folderId = (await testApp.services.tree.createFolder({ ...owner, folderType: "space", name: "館" })).id;
  spaceId = (await testApp.addSpace(owner, "本館")).space.id;
});

/** Runs the use case with a concurrent save after each of its first `times` reads of the space. */
function changeWhile(times: number, input: Omit<ChangeItemInput, "actor">) {
  let savesLeft = times;
  const save = async () => {
    if (savesLeft-- > 0)
      await testApp.binding
        .prepare("UPDATE spaces SET name = name || '+', version = version + 1 WHERE id = ?")
        .bind(spaceId)
        .run();
  };
  const { tree, spaces } = testApp.data;
  const deps = {
    ...testApp.data,
    // The concurrent save comes after the last read and before the write.
    spaces: {
      ...spaces,
      find: async (id: string) => {
        const space = await spaces.find(id);
        await save();
        return space;
      },
    },
    tree,
    clock: { now: () => testApp.time.now },
    ids: { uuid: randomUUID, token: randomUUID, sid: () => "abcdefghijk" },
    isFisheye: async () => false,
    publishWebhookEvents: () => {},
  };
  return changeItem(deps, { ...owner, ...input });
}

const readSpace = async () => {
  const {
    name,
    folderId: savedFolderId,
    version,
    source,
    posterMediaId,
  } = await testApp.services.spaces.getSpace({
    ...owner,
    spaceId,
  });
  return { name, isMoved: savedFolderId === folderId, version, source, posterMediaId };
};
const readAuditActions = async () =>
  (
    await testApp.binding
      .prepare("SELECT action FROM audit WHERE resource_id = ? AND action <> 'space_created' ORDER BY action")
      .bind(spaceId)
      .all<{ action: string }>()
  ).results.map(({ action }) => action);

it("a change is written completely, or not at all if another user saved after the item was read", async () => {
  const poster = await testApp.addItem(owner);
  const allChanges = {
    kind: "space",
    id: spaceId,
    folderId,
    name: "別館",
    posterMediaId: poster.id,
  } as const;
  for (const changes of [{ kind: "space", id: spaceId, folderId } as const, allChanges]) {
    const spaceBefore = await readSpace();
    expect(await changeWhile(1, { ...changes, version: spaceBefore.version })).toMatchObject({
      status: "conflict",
      saved: { id: spaceId, version: spaceBefore.version + 1 },
    });
    expect(await readSpace()).toMatchObject({
      name: `${spaceBefore.name}+`,
      isMoved: false,
      posterMediaId: null,
    });
    expect(await readAuditActions()).toEqual([]);
  }
  expect(await changeWhile(0, { ...allChanges, version: 3 })).toEqual({ status: "done" });
  expect(await readSpace()).toMatchObject({
    name: "別館",
    isMoved: true,
    version: 4,
    posterMediaId: poster.id,
  });
  expect(await readAuditActions()).toEqual(["space_moved", "space_picture_changed", "space_renamed"]);
  // A value that is already saved is not written again.
  expect(await changeWhile(0, { ...allChanges, version: 4 })).toEqual({ status: "done" });
  expect((await readSpace()).version).toBe(4);
});

it("moving a folder into itself, or setting a deleted poster, changes nothing", async () => {
  const { id: inner } = await testApp.services.tree.createFolder({
    ...owner,
    folderType: "space",
    parentId: folderId,
    name: "中",
  });
  const moveFolder = (id: string, to: string) =>
    changeWhile(0, { kind: "folder", id, folderId: to, version: null, name: "x" });
  expect(await moveFolder(folderId, inner)).toEqual({ status: "rejected", rejection: "into_itself" });
  const folder = await testApp.services.tree.getTreeItem({ ...owner, kind: "folder", id: folderId });
  expect(folder.name).toBe("館");
  const spaceBefore = await readSpace();
  const deletedItem = await testApp.addItem(owner);
  await testApp.services.tree.deleteItems({ ...owner, selection: { media: [deletedItem.id] } });
  const change = {
    kind: "space",
    id: spaceId,
    folderId,
    version: null,
    posterMediaId: deletedItem.id,
  } as const;
  await expect(changeWhile(0, change)).rejects.toMatchObject({ code: "picture_media" });
  expect(await readSpace()).toEqual(spaceBefore);
});
