import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { readCursor } from "~/domain/shared/cursor";
import { nameKey, searchKey } from "~/domain/shared/text";
import { catchErrorCode, type TestUser, useTestApp } from "../../../tests/support/app/test-app";
import { folders, libraryItems, spaces, users } from "../../data/schema";
import type { FoundItem } from "./tree";

const testApp = useTestApp();
let owner: TestUser;
let other: TestUser;

beforeEach(async () => {
  owner = await testApp.addUser({ email: "owner@demo.example", spaceLicense: 500 });
  other = await testApp.addUser({ email: "other@demo.example" });
});

const tree = () => testApp.services.tree;
const search = (q: string, overrides: Partial<Parameters<ReturnType<typeof tree>["searchTree"]>[0]> = {}) =>
  tree().searchTree({ actor: owner.actor, folderType: "space", q, ...overrides });
const nameOf = (item: FoundItem) =>
  item.kind === "folder" ? `${item.folder.name}/` : item.kind === "space" ? item.space.name : item.item.title;
const names = async (...input: Parameters<typeof search>) => (await search(...input)).items.map(nameOf);
const makeFolder = (name: string, parentId?: string, folderType: "space" | "media" = "space") =>
  tree().createFolder({ actor: owner.actor, folderType, name, ...(parentId && { parentId }) });

describe("a search of the whole tree", () => {
  it("finds folders and spaces at any depth, newest first, with the folder of each", async () => {
    const outer = await makeFolder("展示会");
    const inner = await makeFolder("春の展示", outer.id);
    const { space } = await testApp.addSpace(owner, "展示室");
    await testApp.addSpace(owner, "受付");
    await tree().moveItems({ actor: owner.actor, selection: { space: [space.id] }, folderId: inner.id });
    const { items, total } = await search("展示");
    expect(items.map((item) => [nameOf(item), item.place?.name])).toEqual([
      ["展示室", "春の展示"],
      ["春の展示/", "展示会"],
      ["展示会/", ""],
    ]);
    expect(total).toEqual({ count: 3, hasMore: false });
    expect(await names("展示", { kinds: ["space"] })).toEqual(["展示室"]);
    expect(await names("", { kinds: ["space"] })).toEqual(["受付", "展示室"]);
    // A search in a folder's page covers the whole tree, too.
    expect(await names("受付", { folderId: inner.id })).toEqual(["受付"]);
  });

  it.each([
    ["hiragana by katakana", "さくらホール", "サクラほーる"],
    ["katakana by hiragana", "ショールーム", "しょーるーむ"],
    ["half-width kana by hiragana", "ﾊﾟﾉﾗﾏ室", "ぱのらま"],
    ["voiced marks", "ヴィラ", "ゔぃら"],
    ["iteration marks", "いすヾ", "イスゞ"],
    ["full-width letters by half-width ones", "ＡＢＣビル", "abc"],
    ["capitals by small letters", "Tokyo Tower", "tOWER tok"],
    ["one character", "桜", "桜"],
    ["one kana", "アトリエ", "あ"],
    ["a surrogate pair", "𠮷野家🏠", "野家🏠"],
    ["words in any order", "渋谷 ショールーム 2026", "2026 渋谷"],
  ])("finds %s", async (_, name, q) => {
    await testApp.addSpace(owner, "ほかのもの");
    const { space } = await testApp.addSpace(owner, name);
    expect(await names(q)).toEqual([name]);
    // The new name is found, and the previous one is not.
    await tree().renameItem({ actor: owner.actor, kind: "space", id: space.id, version: 1, name: "zz" });
    expect(await names(q)).toEqual([]);
    expect(await names("ＺＺ")).toEqual(["zz"]);
  });

  it("converts every kana of a stored name in the same way as searchKey converts the query", async () => {
    const kana = Array.from({ length: 0x30ff - 0x3041 + 1 }, (_, i) => String.fromCharCode(0x3041 + i));
    const folder = await makeFolder("x");
    for (let i = 0; i < kana.length; i += 10) {
      const name = kana.slice(i, i + 10).join("");
      await testApp.db
        .update(folders)
        .set({ searchKey: nameKey(name) })
        .where(eq(folders.id, folder.id));
      expect(await names(searchKey(name)), name).toEqual(["x/"]);
    }
  });

  it("searches names literally, without operators of the search table", async () => {
    await testApp.addSpace(owner, 'a"b* OR (c)');
    for (const q of ['a"b*', "OR", "(c)", '"', "*"]) expect(await names(q), q).toHaveLength(1);
    for (const q of ["NEAR", "a AND c", "grams : a", "-"]) expect(await names(q), q).toHaveLength(0);
  });

  it("omits items in the trash and their content until they are restored", async () => {
    const folder = await makeFolder("部屋");
    const { space } = await testApp.addSpace(owner, "部屋の中");
    await tree().moveItems({ actor: owner.actor, selection: { space: [space.id] }, folderId: folder.id });
    await tree().deleteItems({ actor: owner.actor, selection: { folder: [folder.id] } });
    expect(await names("部屋")).toEqual([]);
    await tree().restoreItems({ actor: owner.actor, selection: { folder: [folder.id] } });
    expect(await names("部屋")).toEqual(["部屋の中", "部屋/"]);
  });

  it("includes shared items in the reader's own tree, and hides items that the reader may not see", async () => {
    const { id, actors } = await testApp.addGroup(other);
    const actor = actors[0] ?? other.actor;
    const folder = await makeFolder("共有");
    const { space } = await testApp.addSpace(owner, "見せる部屋");
    await testApp.addSpace(owner, "見せない部屋");
    await testApp.addSpace(other, "自分の部屋");
    await tree().moveItems({ actor: owner.actor, selection: { space: [space.id] }, folderId: folder.id });
    await testApp.db.update(spaces).set({ groupId: id }).where(eq(spaces.id, space.id));
    const searchView = await search("部屋", { actor });
    expect(searchView.items.map(nameOf)).toEqual(["自分の部屋", "見せる部屋"]);
    // Its folder is not shared, so its name is not returned.
    expect(searchView.items.map(({ place }) => place?.name)).toEqual(["", undefined]);
    await testApp.db.update(folders).set({ groupId: id }).where(eq(folders.id, folder.id));
    expect((await search("部屋", { actor, folderId: folder.id })).items.map(nameOf)).toEqual(["見せる部屋"]);
    expect((await search("見せる", { actor })).items[0]?.place?.name).toBe("共有");
    expect(await catchErrorCode(search("部屋", { actor, ownerId: owner.user.id }))).toBe("not_found");
    expect(await catchErrorCode(search("部屋", { actor: other.actor, folderId: folder.id }))).toBe(
      "not_found",
    );
    // An administrator searches the whole tree of the owner.
    expect(await names("部屋", { actor: testApp.admin, ownerId: owner.user.id })).toEqual([
      "見せない部屋",
      "見せる部屋",
    ]);
    await testApp.db.update(spaces).set({ groupId: null }).where(eq(spaces.id, space.id));
    expect(await names("部屋", { actor })).toEqual(["自分の部屋"]);
  });

  it("separates spaces from media, and filters media by kind and MIME type", async () => {
    await makeFolder("入口", undefined, "media");
    await testApp.addItem(owner);
    const video = await testApp.addItem(owner, { kind: "video", mimeType: "video/mp4" });
    expect(await names("入口")).toEqual([]);
    const media = { folderType: "media" } as const;
    expect(await names("入口", media)).toEqual(["入口", "入口", "入口/"]);
    expect(await names("", { ...media, kinds: ["video", "folder"] })).toEqual(["入口", "入口/"]);
    const ofType = (...mimeTypes: string[]) => search("", { ...media, mimeTypes });
    expect((await ofType("video/mp4", "image/x-exr")).items).toMatchObject([{ item: { id: video.id } }]);
    expect(await ofType("image/x-exr")).toMatchObject({ items: [], total: { count: 0 } });
    await testApp.db.delete(libraryItems).where(eq(libraryItems.id, video.id));
    expect(await names("入口", { ...media, kinds: ["video"] })).toEqual([]);
    expect(await names("入口", { ...media, kinds: [] })).toEqual([]);
  });

  it("requires an existing account", async () => {
    await testApp.db
      .update(users)
      .set({ deletedAt: testApp.currentInstant() })
      .where(eq(users.id, other.user.id));
    expect(await catchErrorCode(search("", { actor: testApp.admin, ownerId: other.user.id }))).toBe(
      "not_found",
    );
  });

  it("is paged forwards and backwards", async () => {
    for (let i = 0; i < 45; i++) await (i % 2 ? makeFolder(`部屋${i}`) : testApp.addSpace(owner, `部屋${i}`));
    const idOf = (item: FoundItem | undefined) =>
      item?.kind === "folder" ? item.folder.id : item?.kind === "space" ? item.space.id : "";
    const first = await search("部屋");
    const second = await search("部屋", { cursor: readCursor(`after~${idOf(first.items.at(-1))}`) });
    const third = await search("部屋", { cursor: readCursor(`after~${idOf(second.items.at(-1))}`) });
    const all = [...first.items, ...second.items, ...third.items].map(nameOf);
    expect(all.map((name) => Number.parseInt(name.slice(2), 10))).toEqual(
      Array.from({ length: 45 }, (_, i) => 44 - i),
    );
    expect([first.hasPrevious, first.hasNext, third.hasPrevious, third.hasNext]).toEqual([
      false,
      true,
      true,
      false,
    ]);
    const previousPage = await search("部屋", { cursor: readCursor(`before~${idOf(third.items[0])}`) });
    expect(previousPage.items.map(nameOf)).toEqual(second.items.map(nameOf));
    const lastPage = await search("部屋", { cursor: { position: "last" } });
    expect(lastPage.items.map(nameOf)).toEqual(all.slice(-20));
  });
});
