import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import { type TestUser, useTestApp } from "../../../tests/support/app/test-app";
import { folders } from "../../data/schema";

const testApp = useTestApp();
let owner: TestUser;

beforeEach(async () => {
  owner = await testApp.addUser({ spaceLicense: 500 });
});

const makeFolder = async (name: string, parentId?: string) => {
  testApp.time.now += 60_000;
  const input = { actor: owner.actor, folderType: "space", name, ...(parentId && { parentId }) } as const;
  return (await testApp.services.tree.createFolder(input)).id;
};
const sameNames = async (selection: { folder?: string[]; space?: string[] }, { actor } = owner) =>
  (await testApp.services.tree.findSameNames({ actor, selection })).map(({ kind, id, name, otherItems }) => [
    kind,
    id,
    name,
    otherItems.map((other) => other.id),
  ]);

it("finds folders and spaces with a name that others in the same folder have, and lists the others, oldest first", async () => {
  const first = await makeFolder("展示");
  const second = await makeFolder("展示");
  const third = await makeFolder("展示");
  const inner = await makeFolder("展示", first);
  const longer = await makeFolder("展示2");
  expect(await sameNames({ folder: [third, inner, longer] })).toEqual([
    ["folder", third, "展示", [first, second]],
  ]);
  // Names that differ in case or width are equal, and a space does not conflict with a folder.
  const { space: large } = await testApp.addSpace(owner, "HALL");
  const { space: small } = await testApp.addSpace(owner, "ｈａｌｌ");
  const { space: sameAsFolder } = await testApp.addSpace(owner, "展示");
  const both = await sameNames({ space: [large.id, small.id, sameAsFolder.id], folder: [longer] });
  expect(both).toHaveLength(2);
  expect(both).toEqual(
    expect.arrayContaining([
      ["space", large.id, "HALL", [small.id]],
      ["space", small.id, "ｈａｌｌ", [large.id]],
    ]),
  );
});

it("ignores the trash, items that do not exist and others that the actor may not see", async () => {
  const first = await makeFolder("展示");
  const second = await makeFolder("展示");
  expect(await sameNames({ folder: [first, randomUUID()] })).toEqual([["folder", first, "展示", [second]]]);
  const { id: groupId, actors } = await testApp.addGroup(await testApp.addUser());
  await testApp.db.update(folders).set({ groupId }).where(eq(folders.id, first));
  const member = { ...owner, actor: actors[0] ?? owner.actor };
  expect(await sameNames({ folder: [first] }, member)).toEqual([]);
  await testApp.services.tree.deleteItems({ actor: owner.actor, selection: { folder: [second] } });
  expect(await sameNames({ folder: [first] })).toEqual([]);
  expect(await sameNames({ folder: [second] })).toEqual([]);
});
