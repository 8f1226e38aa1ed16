import { randomUUID } from "node:crypto";
import { and, asc, eq, inArray, isNull } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { nameColumns } from "#functions/data/events/event-names";
import { newText } from "~/domain/events/event-texts";
import { statusAt } from "~/domain/events/status";
import { FOLDER_DEPTH_MAX, FOLDERS_MAX } from "~/domain/shared/limits";
import type { Localized } from "~/domain/shared/model";
import {
  catchErrorCode,
  panoramaSpaceSource,
  type TestUser,
  useTestApp,
} from "../../../tests/support/app/test-app";
import {
  audit,
  eventMedia,
  events,
  eventTags,
  folders,
  libraryItems,
  spaceFiles,
  spaces,
  tagMedia,
  users,
} from "../../data/schema";
import type { CopyEventInput } from "./copy";
import type { TreeSelection } from "./tree-access";

const testApp = useTestApp();
let owner: TestUser;
let other: TestUser;
let root: string;

beforeEach(async () => {
  owner = await testApp.addUser({ email: "owner@demo.example", spaceLicense: 500 });
  other = await testApp.addUser({ email: "other@demo.example" });
  root = await testApp.readRootFolderId(owner, "space");
});

const tree = () => testApp.services.tree;
const makeFolder = (name: string, parentId = root, { actor } = owner) =>
  tree().createFolder({ actor, folderType: "space", name, parentId });
const copy = (selection: TreeSelection, folderId = root, { actor } = owner, lang: "ja" | "en" = "ja") =>
  testApp.services.copies.copyItems({ actor, selection, folderId, lang });
const copyOne = async (...input: Parameters<typeof copy>) => {
  const [result] = await copy(...input);
  expect(result?.rejection).toBeNull();
  return result?.copyId ?? "";
};
const listRejections = async (results: ReturnType<typeof copy>) =>
  (await results).map(({ rejection }) => rejection);
const addSpace = async (name: string, folderId = root, fields: Partial<typeof spaces.$inferInsert> = {}) => {
  const created = await testApp.addSpace(owner, name);
  await testApp.db
    .update(spaces)
    .set({ folderId, ...fields })
    .where(eq(spaces.id, created.space.id));
  return { id: created.space.id, eventId: created.eventId };
};
const spaceOf = async (id: string) => (await testApp.db.select().from(spaces).where(eq(spaces.id, id)))[0];
const eventsOf = (spaceId: string) =>
  testApp.db
    .select()
    .from(events)
    .where(and(eq(events.spaceId, spaceId), isNull(events.deletedAt)))
    .orderBy(asc(events.createdAt));
const tagsOf = (eventId: string) =>
  testApp.db.select().from(eventTags).where(eq(eventTags.eventId, eventId)).orderBy(asc(eventTags.sortOrder));
const mediaOf = (eventId: string) =>
  testApp.db
    .select()
    .from(eventMedia)
    .where(eq(eventMedia.eventId, eventId))
    .orderBy(asc(eventMedia.createdOn));
/** Names of all items in a folder, at any depth. */
async function outline(folderId: string): Promise<string[]> {
  const inner = await testApp.db
    .select()
    .from(folders)
    .where(and(eq(folders.parentId, folderId), isNull(folders.deletedAt)))
    .orderBy(asc(folders.name));
  const leaves = await testApp.db
    .select()
    .from(spaces)
    .where(and(eq(spaces.folderId, folderId), isNull(spaces.deletedAt)))
    .orderBy(asc(spaces.name));
  const below = await Promise.all(
    inner.map(async ({ id, name }) => [`${name}/`, ...(await outline(id)).map((line) => `${name}/${line}`)]),
  );
  return [...below.flat(), ...leaves.map(({ name }) => name)];
}

describe("the copy of a space", () => {
  it("shows the same files, and has copied events with tags, media and settings", async () => {
    const item = await testApp.addItem(owner);
    const source = panoramaSpaceSource(item.id);
    const original = await addSpace("渋谷", root, { source, posterMediaId: item.id, sid: "abcdefghijk" });
    testApp.time.now += 1000;
    const laterEvent = await testApp.services.events.createEvent({
      actor: owner.actor,
      spaceId: original.id,
      eventName: newText("秋の展示"),
    });
    const media = [
      await testApp.addMediaItem(original.eventId, item.id, {
        createdOn: "2026-01-02T00:00:00.000Z",
        titleJa: "二",
      }),
      await testApp.addMediaItem(original.eventId, item.id, {
        createdOn: "2026-01-01T00:00:00.000Z",
        titleJa: "一",
      }),
    ];
    await testApp.addMediaItem(original.eventId, item.id, { deletedAt: testApp.currentInstant() });
    await testApp.addTag(original.eventId, media);
    await testApp.addTag(original.eventId, [], { titleJa: "消した", deletedAt: testApp.currentInstant() });
    await testApp.setEvent(original.eventId, {
      statusId: 3,
      enableAutoChangeStatus: false,
      spStoreUrl: "https://store.example",
      spAccessToken: "token",
      detailJa: "説明",
      detailEn: "Details",
      urlParams: '{"qs":"1"}',
      publishPasswordHash: "hash",
    });
    const id = await copyOne({ space: [original.id] });
    const created = await spaceOf(id);
    expect(created).toMatchObject({
      name: "渋谷のコピー",
      searchKey: "渋谷のコピー",
      folderId: root,
      ownerId: owner.user.id,
      source,
      posterMediaId: item.id,
      eventCount: 2,
      version: 1,
    });
    expect(created?.sid).toMatch(/^[1-9A-HJ-NP-Za-km-z]{11}$/);
    expect(created?.sid).not.toBe("abcdefghijk");
    expect(await testApp.db.select().from(spaceFiles).where(eq(spaceFiles.spaceId, id))).toHaveLength(1);
    const [first, second] = await eventsOf(id);
    const [originalEvent] = await eventsOf(original.id);
    const { accessToken, previewAccessToken } = originalEvent ?? {};
    expect(first).toMatchObject({
      eventName: originalEvent?.eventName,
      nameJa: originalEvent?.nameJa,
      nameKeyJa: originalEvent?.nameKeyJa,
      statusId: 1,
      enableAutoChangeStatus: false,
      spStoreUrl: "https://store.example",
      spAccessToken: "token",
      detailJa: "説明",
      detailEn: "Details",
      urlParams: '{"qs":"1"}',
      publishPasswordHash: "hash",
    });
    expect(second?.nameJa).toBe(laterEvent.eventName.ja);
    const tokens = [first, second].flatMap((event) => [event?.accessToken, event?.previewAccessToken]);
    expect(new Set([...tokens, accessToken, previewAccessToken]).size).toBe(6);
    const copiedMedia = await mediaOf(first?.id ?? "");
    expect(copiedMedia.map(({ titleJa, libraryItemId }) => [titleJa, libraryItemId])).toEqual([
      ["一", item.id],
      ["二", item.id],
    ]);
    const [tag, ...otherTags] = await tagsOf(first?.id ?? "");
    expect(otherTags).toEqual([]);
    expect(tag).toMatchObject({
      titleJa: "受付",
      keywords: ["受付", "desk"],
      position: [1, 2, 3],
      stem: [0, 0.3, 0],
    });
    const rows = await testApp.db
      .select()
      .from(tagMedia)
      .where(eq(tagMedia.tagId, tag?.id ?? ""))
      .orderBy(asc(tagMedia.sortOrder));
    expect(rows.map(({ mediaId }) => mediaId)).toEqual([copiedMedia[1]?.id, copiedMedia[0]?.id]);
    // The original is unchanged.
    expect(await spaceOf(original.id)).toMatchObject({ name: "渋谷", eventCount: 2, version: 1 });
    const entries = await testApp.db.select().from(audit).where(eq(audit.resourceId, id));
    expect(entries).toMatchObject([
      { action: "space_copied", actorId: owner.user.id, detail: { copyOf: original.id } },
    ]);
  });

  it("keeps the sid (public id) of a showcase, and its name in another folder", async () => {
    const { id } = await addSpace("渋谷");
    const folder = await makeFolder("別");
    expect(await spaceOf(await copyOne({ space: [id] }, folder.id))).toMatchObject({
      name: "渋谷",
      sid: "SxQL3iGyoDo",
    });
    expect((await spaceOf(await copyOne({ space: [id] }, root, owner, "en")))?.name).toBe("渋谷 – copy");
  });

  it("is not published by a past date", async () => {
    const { id, eventId } = await addSpace("渋谷");
    const [earlier, future] = [-1000, 86_400_000].map((ms) => new Date(testApp.time.now + ms).toISOString());
    await testApp.setEvent(eventId, { startDate: earlier, endDate: future, statusId: 3 });
    const [event] = await eventsOf(await copyOne({ space: [id] }));
    expect(event).toMatchObject({
      startDate: null,
      endDate: future,
      statusId: 1,
      enableAutoChangeStatus: true,
    });
    if (event) expect(statusAt(event, testApp.time.now)).toBe(1);
  });

  it("counts towards the licence, and only one of two simultaneous copies gets the last place", async () => {
    const { id } = await addSpace("渋谷");
    await testApp.db.update(users).set({ spaceLicense: 2 }).where(eq(users.id, owner.user.id));
    const results = await Promise.all([copy({ space: [id] }), copy({ space: [id] })]);
    expect(
      results
        .flat()
        .map(({ rejection }) => rejection)
        .sort(),
    ).toEqual(["space_license", null].sort());
    expect(await outline(root)).toEqual(["渋谷", "渋谷のコピー"]);
    expect((await testApp.readAccount(owner.user.id))?.spaceCount).toBe(2);
    expect(await listRejections(copy({ space: [id] }))).toEqual(["space_license"]);
    expect(await testApp.db.select().from(audit).where(eq(audit.action, "space_copied"))).toHaveLength(1);
  });

  it("is numbered beside earlier copies, in either language, and not in another folder", async () => {
    const { id } = await addSpace("渋谷");
    await testApp.db.update(users).set({ spaceLicense: 20 }).where(eq(users.id, owner.user.id));
    const first = await copyOne({ space: [id] });
    await copyOne({ space: [id] });
    // The copy of a copy continues the original's numbers.
    await copyOne({ space: [first] });
    const english = { actor: owner.actor, selection: { space: [id] }, folderId: root, lang: "en" } as const;
    for (let i = 0; i < 2; i++) await testApp.services.copies.copyItems(english);
    expect(await outline(root)).toEqual([
      "渋谷",
      "渋谷 – copy",
      "渋谷 – copy 2",
      "渋谷のコピー",
      "渋谷のコピー2",
      "渋谷のコピー3",
    ]);
    const a = await makeFolder("展示");
    for (let i = 0; i < 3; i++) expect(await listRejections(copy({ folder: [a.id] }))).toEqual([null]);
    const names = (await outline(root)).filter((name) => name.endsWith("/"));
    expect(names).toEqual(["展示/", "展示のコピー/", "展示のコピー2/", "展示のコピー3/"]);
    for (let i = 0; i < 2; i++) expect(await listRejections(copy({ space: [id] }, a.id))).toEqual([null]);
    expect(await outline(a.id)).toEqual(["渋谷", "渋谷"]);
    // Finding the name takes no separate round trip.
    expect(await testApp.countRoundTrips(() => copy({ space: [id] }))).toBe(
      await testApp.countRoundTrips(() => copy({ space: [id] }, a.id)),
    );
  });

  it("always has an event, even if the original changes meanwhile", async () => {
    const { id, eventId } = await addSpace("渋谷");
    const plan = testApp.data.copies.plan;
    let reads = 0;
    // Between reading and writing, the event is deleted and another one is created.
    testApp.data.copies.plan = async (...input) => {
      const copyPlan = await plan(...input);
      if (reads++ === 0) {
        await testApp.services.events.createEvent({
          actor: owner.actor,
          spaceId: id,
          eventName: newText("新しい"),
        });
        await testApp.setEvent(eventId, { deletedAt: testApp.currentInstant() });
      }
      return copyPlan;
    };
    const created = await copyOne({ space: [id] });
    expect(reads).toBe(2);
    expect((await eventsOf(created)).map(({ eventName }) => eventName)).toEqual(["新しい"]);
    // An original that changes during every attempt is not copied.
    testApp.data.copies.plan = async (...input) => {
      const copyPlan = await plan(...input);
      await testApp.db
        .update(spaces)
        .set({ version: 100 + reads++ })
        .where(eq(spaces.id, id));
      return copyPlan;
    };
    expect(await listRejections(copy({ space: [id] }))).toEqual(["changed"]);
    expect(await outline(root)).toEqual(["渋谷", "渋谷のコピー"]);
  });
});

describe("the copy of a folder", () => {
  it("contains all its items except those in the trash", async () => {
    const a = await makeFolder("a");
    const b = await makeFolder("b", a.id);
    const deleted = await makeFolder("gone", a.id);
    await addSpace("一", a.id);
    await addSpace("二", b.id);
    await addSpace("三", deleted.id);
    await tree().deleteItems({ actor: owner.actor, selection: { folder: [deleted.id] } });
    const id = await copyOne({ folder: [a.id] });
    expect(await outline(root)).toEqual([
      "a/",
      "a/b/",
      "a/b/二",
      "a/一",
      "aのコピー/",
      "aのコピー/b/",
      "aのコピー/b/二",
      "aのコピー/一",
    ]);
    expect((await testApp.readAccount(owner.user.id))?.spaceCount).toBe(4);
    expect(await tree().searchTree({ actor: owner.actor, folderType: "space", q: "二" })).toMatchObject({
      total: { count: 2 },
    });
    const entries = await testApp.db.select().from(audit).where(eq(audit.resourceId, id));
    expect(entries).toMatchObject([{ action: "folder_copied" }]);
  });

  it("into itself contains only the items that existed before the copy", async () => {
    const a = await makeFolder("a");
    const b = await makeFolder("b", a.id);
    await addSpace("一", b.id);
    await copyOne({ folder: [a.id] }, b.id);
    expect(await outline(root)).toEqual(["a/", "a/b/", "a/b/a/", "a/b/a/b/", "a/b/a/b/一", "a/b/一"]);
    await copyOne({ folder: [b.id] }, b.id);
    expect(await outline(a.id)).toContain("b/b/a/b/一");
  });

  it("is not created at all when the licence does not suffice for all its spaces", async () => {
    const a = await makeFolder("a");
    for (const name of ["一", "二"]) await addSpace(name, a.id);
    await testApp.db.update(users).set({ spaceLicense: 3 }).where(eq(users.id, owner.user.id));
    const single = await addSpace("三");
    // Each copy is checked separately: neither the folder nor the space fits.
    expect(await listRejections(copy({ folder: [a.id], space: [single.id] }))).toEqual([
      "space_license",
      "space_license",
    ]);
    expect(await outline(root)).toEqual(["a/", "a/一", "a/二", "三"]);
    expect(await testApp.db.select().from(events)).toHaveLength(3);
    await testApp.db.update(users).set({ spaceLicense: 4 }).where(eq(users.id, owner.user.id));
    expect(await listRejections(copy({ folder: [a.id], space: [single.id] }))).toEqual([
      "space_license",
      null,
    ]);
    expect(await outline(root)).toEqual(["a/", "a/一", "a/二", "三", "三のコピー"]);
  });

  it("omits items that the user does not see, and is shared like the folder that contains it", async () => {
    const { id: groupId, actors } = await testApp.addGroup(other);
    const member = { ...other, actor: actors[0] ?? other.actor };
    const a = await makeFolder("a");
    const hidden = await makeFolder("hidden", a.id);
    await addSpace("見える", a.id, { groupId });
    await addSpace("見えない", a.id);
    await addSpace("下", hidden.id, { groupId });
    const target = await makeFolder("shared");
    for (const id of [a.id, target.id])
      await testApp.db.update(folders).set({ groupId }).where(eq(folders.id, id));
    await copyOne({ folder: [a.id] }, target.id, member);
    expect(await outline(target.id)).toEqual(["a/", "a/見える"]);
    const created = await testApp.db.select().from(spaces).where(eq(spaces.name, "見える"));
    expect(created.map((space) => [space.groupId, space.ownerId])).toEqual([
      [groupId, owner.user.id],
      [groupId, owner.user.id],
    ]);
    // In a folder without a group, the copy has no group either.
    const copyId = await copyOne({ folder: [a.id] });
    const [folder] = await testApp.db.select().from(folders).where(eq(folders.id, copyId));
    expect(folder?.groupId).toBeNull();
    expect(await outline(copyId)).toHaveLength(4);
  });

  it("with too many records is rejected, and nothing is written", async () => {
    const a = await makeFolder("a");
    // The content counts towards the storage.
    await testApp.db.update(users).set({ storageLimit: 10_000_000 }).where(eq(users.id, owner.user.id));
    const { eventId } = await addSpace("一", a.id);
    const ids = Array.from({ length: 5000 }, () => randomUUID());
    await testApp.binding
      .prepare(
        `INSERT INTO event_tags (id, event_id, color, icon, keywords, stem, sort_order, created_at, updated_at)
          SELECT value, ?1, '#223a70', 'info', '[]', '[0,1,0]', 0, '', '' FROM json_each(?2)`,
      )
      .bind(eventId, JSON.stringify(ids))
      .run();
    expect(await listRejections(copy({ folder: [a.id] }))).toEqual(["too_large"]);
    expect(await outline(root)).toEqual(["a/", "a/一"]);
    await testApp.db.delete(eventTags).where(inArray(eventTags.id, ids.slice(0, 3)));
    expect(await listRejections(copy({ folder: [a.id] }))).toEqual([null]);
  });
});

describe("nested folders", () => {
  /** Creates a chain of nested folders. Returns the ids of the first and the last. */
  async function chain(length: number, parentId = root) {
    const ids: string[] = [];
    for (let i = 0; i < length; i++) ids.push((await makeFolder(`${i}`, ids.at(-1) ?? parentId)).id);
    return [ids[0] ?? "", ids.at(-1) ?? ""] as const;
  }

  it("have a maximum depth for creating, moving and copying", async () => {
    const [, deepestId] = await chain(FOLDER_DEPTH_MAX - 2);
    const [chainOfTwo, inner] = await chain(2);
    const [chainOfThree] = await chain(3);
    const move = async (id: string, folderId: string) =>
      (await tree().moveItems({ actor: owner.actor, selection: { folder: [id] }, folderId })).map(
        ({ rejection }) => rejection,
      );
    expect(await move(chainOfThree, deepestId)).toEqual(["too_deep"]);
    expect(await listRejections(copy({ folder: [chainOfThree] }, deepestId))).toEqual(["too_deep"]);
    expect(await listRejections(copy({ folder: [chainOfTwo] }, deepestId))).toEqual([null]);
    expect(await move(chainOfTwo, deepestId)).toEqual([null]);
    expect(await catchErrorCode(makeFolder("x", inner))).toBe("too_deep");
    expect(await move(chainOfThree, root)).toEqual([null]);
    expect(await testApp.db.select().from(audit).where(eq(audit.action, "folder_moved"))).toHaveLength(1);
  });

  it("are also limited in depth when one is restored from the trash into a folder that has moved", async () => {
    const { actor } = owner;
    const [, deepestId] = await chain(FOLDER_DEPTH_MAX - 2);
    const outerId = (await chain(1))[0];
    const folder = await makeFolder("x", outerId);
    await makeFolder("y", folder.id);
    const selection = { folder: [folder.id] };
    await tree().deleteItems({ actor, selection });
    await tree().moveItems({ actor, selection: { folder: [outerId] }, folderId: deepestId });
    const restore = async () =>
      (await tree().restoreItems({ actor, selection })).map(({ rejection }) => rejection);
    expect(await restore()).toEqual(["too_deep"]);
    const find = async () => (await tree().getItems({ actor, selection })).map(({ parentId }) => parentId);
    expect(await find()).toEqual([]);
    expect(await testApp.db.select().from(audit).where(eq(audit.action, "folder_restored"))).toEqual([]);
    // It is restored as soon as it fits, and to the root folder when its own folder does not exist.
    await tree().moveItems({ actor, selection: { folder: [outerId] }, folderId: root });
    expect(await restore()).toEqual([null]);
    expect(await find()).toEqual([outerId]);
    await tree().deleteItems({ actor, selection });
    await tree().deleteItems({ actor, selection: { folder: [outerId] } });
    expect(await restore()).toEqual([null]);
    expect(await find()).toEqual([root]);
  });

  it("have a maximum number for creating, copying and restoring", async () => {
    const a = await makeFolder("a");
    await makeFolder("b", a.id);
    await testApp.binding
      .prepare(
        `WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ?3)
          INSERT INTO folders (id, parent_id, owner_id, folder_type, name, created_at, updated_at)
          SELECT 'folder ' || i, ?1, ?2, 'space', i, '', '' FROM n`,
      )
      .bind(root, owner.user.id, FOLDERS_MAX - 4)
      .run();
    expect(await listRejections(copy({ folder: [a.id] }))).toEqual(["too_many_folders"]);
    const c = await makeFolder("c");
    expect(await catchErrorCode(makeFolder("d"))).toBe("too_many_folders");
    const { actor } = owner;
    const selection = { folder: [a.id] };
    await tree().deleteItems({ actor, selection });
    const extraFolder = await makeFolder("e");
    expect(await tree().restoreItems({ actor, selection })).toMatchObject([
      { rejection: "too_many_folders" },
    ]);
    await tree().deleteItems({ actor, selection: { folder: [extraFolder.id] } });
    expect(await tree().restoreItems({ actor, selection })).toMatchObject([{ rejection: null }]);
    expect(await catchErrorCode(makeFolder("d", c.id))).toBe("too_many_folders");
    const { id } = await addSpace("渋谷");
    expect(await listRejections(copy({ space: [id] }))).toEqual([null]);
  });
});

describe("copying", () => {
  it("returns a reason for each item that cannot be copied", async () => {
    const { id: groupId, actors } = await testApp.addGroup(other);
    const { id } = await addSpace("渋谷");
    const item = await testApp.addItem(owner);
    const folder = await makeFolder("a");
    expect(
      (await copy({ folder: [root, folder.id], space: [id, randomUUID()], media: [item.id] })).map(
        ({ name, rejection, copyId }) => [name, rejection, copyId !== null],
      ),
    ).toEqual([
      ["", "root", false],
      ["a", null, true],
      ["渋谷", null, true],
      ["", "gone", false],
      ["入口", "other_type", false],
    ]);
    await testApp.db.update(spaces).set({ groupId }).where(eq(spaces.id, id));
    const member = { ...other, actor: actors[0] ?? other.actor };
    // Its files are in the owner's library.
    expect(
      await listRejections(copy({ space: [id] }, await testApp.readRootFolderId(other, "space"), member)),
    ).toEqual(["other_owner"]);
    expect(
      await listRejections(copy({ folder: [folder.id] }, await testApp.readRootFolderId(owner, "media"))),
    ).toEqual(["other_type"]);
    expect(await catchErrorCode(copy({ space: [id] }, root, member))).toBe("not_found");
    expect(await catchErrorCode(copy({ space: [id] }, randomUUID()))).toBe("not_found");
    const many = Array.from({ length: 51 }, () => randomUUID());
    expect(await catchErrorCode(copy({ space: many }))).toBe("too_many");
    expect(await testApp.db.select().from(audit).where(eq(audit.action, "space_copied"))).toHaveLength(1);
  });

  it("takes four round trips for a folder with three spaces", async () => {
    const a = await makeFolder("a");
    for (const name of ["一", "二", "三"]) await addSpace(name, a.id);
    expect(await testApp.countRoundTrips(() => copy({ folder: [a.id] }))).toBe(4);
  });
});

describe("the copy of an event", () => {
  const copyEvent = (eventId: string, overrides: Partial<CopyEventInput> = {}) =>
    testApp.services.copies.copyEvent({ actor: owner.actor, eventId, ...overrides });

  it("has a name in each language of the original, with that language's copy suffix", async () => {
    const { space, eventId } = await testApp.addSpace(owner);
    await testApp.setEvent(eventId, nameColumns({ ja: "春", en: "Spring" }));
    const copyNamed = (eventName?: Localized) =>
      testApp.services.copies.copyEvent({ actor: owner.actor, eventId, eventName });
    expect((await copyNamed()).eventName).toEqual({ ja: "春のコピー", en: "Spring – copy" });
    expect((await copyNamed()).eventName).toEqual({ ja: "春のコピー2", en: "Spring – copy 2" });
    expect((await copyNamed({ ja: "夏", en: "" })).eventName).toEqual({ ja: "夏", en: "" });
    expect(await catchErrorCode(copyNamed({ ja: "秋", en: "SPRING" }))).toBe("event_name_taken");
    expect((await eventsOf(space.id)).length).toBe(4);
  });

  it("is created in its space with a free name, as Unpublished, and with new links", async () => {
    const { id, eventId } = await addSpace("渋谷");
    const item = await testApp.addItem(owner);
    await testApp.addTag(eventId, [await testApp.addMediaItem(eventId, item.id)]);
    await testApp.setStatus(eventId, 3);
    const { event } = await testApp.services.events.getEvent({ actor: owner.actor, eventId });
    const created = await copyEvent(eventId);
    expect(created).toMatchObject({
      spaceId: id,
      eventName: { ja: `${event.eventName.ja}のコピー`, en: "" },
      statusId: 1,
      version: 1,
    });
    expect(created.accessToken).not.toBe(event.accessToken);
    expect(created.previewAccessToken).not.toBe(event.previewAccessToken);
    const read = await testApp.services.events.getEvent({ actor: owner.actor, eventId: created.id });
    expect(read.tags).toMatchObject([{ position: [1, 2, 3], mediaIds: [read.media[0]?.id] }]);
    expect((await spaceOf(id))?.eventCount).toBe(2);
    // It is numbered after earlier copies, also as a copy of a copy. A freed name is used again.
    const name = async (of: string) => (await copyEvent(of)).eventName.ja;
    expect(await name(eventId)).toBe(`${event.eventName.ja}のコピー2`);
    expect(await name(created.id)).toBe(`${event.eventName.ja}のコピー3`);
    await testApp.services.events.deleteEvent({ actor: owner.actor, eventId: created.id });
    const eventRef = { actor: owner.actor, eventId };
    expect(await testApp.services.copies.nameEventCopy(eventRef)).toEqual(created.eventName);
    expect((await Promise.all([name(eventId), name(eventId)])).sort()).toEqual([
      `${event.eventName.ja}のコピー`,
      `${event.eventName.ja}のコピー4`,
    ]);
    expect(await catchErrorCode(copyEvent(eventId, { eventName: newText(` ${event.eventName.ja}`) }))).toBe(
      "event_name_taken",
    );
    const entries = await testApp.db.select().from(audit).where(eq(audit.resourceId, created.id));
    expect(entries).toMatchObject([
      { action: "event_copied", detail: { copyOf: eventId, spaceId: id } },
      { action: "event_deleted" },
    ]);
  });

  it("keeps its positions only if the other space has the same coordinate system", async () => {
    const item = await testApp.addItem(owner);
    const [originalSpace, same, different] = [
      await addSpace("一"),
      await addSpace("二"),
      await addSpace("三", root, { sid: "Zo5L3iGyoDo" }),
    ];
    const placement = { position: [0, 1, 2], normal: [0, 0, 1], width: 2 } as const;
    await testApp.addTag(originalSpace.eventId, [
      await testApp.addMediaItem(originalSpace.eventId, item.id, { placement }),
    ]);
    const copies = async (spaceId: string, overrides: Partial<CopyEventInput> = {}) => {
      const created = await copyEvent(originalSpace.eventId, {
        spaceId,
        eventName: newText("写し"),
        ...overrides,
      });
      const [[tag], [mediaId]] = [await tagsOf(created.id), await mediaOf(created.id)];
      return [tag?.position, mediaId?.placement];
    };
    expect(await copies(same.id)).toEqual([[1, 2, 3], placement]);
    expect(await copies(different.id)).toEqual([null, null]);
    const nodes = panoramaSpaceSource(item.id);
    await testApp.db.update(spaces).set({ source: nodes }).where(eq(spaces.id, originalSpace.id));
    const withStartView = {
      ...nodes,
      start: { position: [0, 1.6, 0], yaw: 1, pitch: 0, mode: "walk" },
    } as typeof nodes;
    await testApp.db.update(spaces).set({ source: withStartView }).where(eq(spaces.id, same.id));
    expect(await copies(same.id, { eventName: newText("写し2") })).toEqual([[1, 2, 3], placement]);
    expect(await copies(different.id, { eventName: newText("写し2") })).toEqual([null, null]);
  });

  it("includes the scene, hidden items and products; in a space with another source, without positions", async () => {
    const item = await testApp.addItem(owner);
    const [originalSpace, different] = [
      await addSpace("一"),
      await addSpace("二", root, { sid: "Zo5L3iGyoDo" }),
    ];
    const { eventId } = originalSpace;
    const [mediaId, tag] = [randomUUID(), randomUUID()];
    const view = { position: [1, 1.6, 0], yaw: 0, pitch: 0, mode: "walk" };
    const title = { ja: "一", en: "" };
    const product = { id: "gid://shopify/Product/1", title: "布" };
    const { results } = await testApp.services.content.editContent({
      actor: owner.actor,
      eventId,
      commands: [
        { op: "create_media", id: mediaId, values: { libraryItemId: item.id, title, hidden: true } },
        {
          op: "create_tag",
          id: tag,
          values: {
            title,
            position: [1, 2, 3],
            stem: [0, 0, 1],
            viewpoint: view,
            product,
            hidden: true,
          },
        },
        {
          op: "update_scene",
          version: 0,
          values: {
            startView: view,
            tour: [
              { id: randomUUID(), tagId: tag, viewpoint: view, title, text: title },
              { id: randomUUID(), tagId: null, viewpoint: view, title, text: title },
            ],
            plan: { mediaId: mediaId, center: [0, 0], width: 9 },
            products: [product],
          },
        },
      ],
    });
    expect(results.every(({ ok }) => ok)).toBe(true);
    const contentOf = (id: string) =>
      testApp.services.content.getContent({ actor: owner.actor, eventId: id });
    const original = await contentOf(eventId);
    const copyInSameSpace = await contentOf((await copyEvent(eventId)).id);
    expect(copyInSameSpace.tags).toMatchObject([
      { hidden: true, product, position: [1, 2, 3], viewpoint: view },
    ]);
    expect(copyInSameSpace.media).toMatchObject([{ hidden: true }]);
    expect(copyInSameSpace.scene).toMatchObject({
      version: 1,
      startView: view,
      plan: { mediaId: copyInSameSpace.media[0]?.id, width: 9 },
      products: [product],
      tour: [
        { tagId: copyInSameSpace.tags[0]?.id, viewpoint: view, title },
        { tagId: null, viewpoint: view },
      ],
    });
    const stopIds = [...original.scene.tour, ...copyInSameSpace.scene.tour].map(({ id }) => id);
    expect(new Set(stopIds).size).toBe(4);
    const copyInOtherSpace = await contentOf((await copyEvent(eventId, { spaceId: different.id })).id);
    expect(copyInOtherSpace.tags).toMatchObject([
      { position: null, viewpoint: null, stem: [0, 0.25, 0], product },
    ]);
    expect(copyInOtherSpace.scene).toMatchObject({
      startView: null,
      plan: null,
      tour: [{ viewpoint: null }],
      products: [product],
    });
    // A space is copied with the scenes of its events.
    const [copied] = await copy({ space: [originalSpace.id] });
    const { events } = await testApp.services.events.listEvents({
      actor: owner.actor,
      spaceId: copied?.copyId ?? "",
    });
    const copiedContents = await Promise.all(events.items.map(({ id }) => contentOf(id)));
    expect(copiedContents).toHaveLength(2);
    for (const { scene, tags, media } of copiedContents)
      expect(scene).toMatchObject({
        startView: view,
        tour: [{ tagId: tags[0]?.id }, {}],
        plan: { mediaId: media[0]?.id },
        products: [product],
      });
  });

  it("requires access to the event and the space, and in another owner's space to the event's files", async () => {
    const { id, eventId } = await addSpace("渋谷");
    const ownSpace = await testApp.addSpace(other, "自分");
    expect(await catchErrorCode(copyEvent(eventId, { actor: other.actor }))).toBe("not_found");
    expect(await catchErrorCode(copyEvent(ownSpace.eventId, { actor: other.actor, spaceId: id }))).toBe(
      "not_found",
    );
    expect(await catchErrorCode(copyEvent(eventId, { fromSpaceId: ownSpace.space.id }))).toBe("not_found");
    expect(await catchErrorCode(copyEvent(randomUUID()))).toBe("not_found");
    const { id: groupId, actors } = await testApp.addGroup(other);
    await testApp.db.update(spaces).set({ groupId }).where(eq(spaces.id, id));
    expect(
      await catchErrorCode(
        copyEvent(eventId, { actor: actors[0] ?? other.actor, spaceId: ownSpace.space.id, fromSpaceId: id }),
      ),
    ).toBeNull();
    // A copy would keep files that the user may not see after the sharing of the space has ended.
    const item = await testApp.addItem(owner);
    const mediaId = await testApp.addMediaItem(eventId, item.id);
    const copyInput = (spaceId: string) => ({
      actor: actors[0] ?? other.actor,
      spaceId,
      eventName: newText(randomUUID().slice(0, 8)),
    });
    const rejected = copyEvent(eventId, copyInput(ownSpace.space.id));
    await expect(rejected).rejects.toMatchObject({
      code: "other_owner",
      fields: { spaceId: [{ key: "events:errors.event.filesOfOthers" }] },
    });
    expect(await catchErrorCode(copyEvent(eventId, copyInput(id)))).toBeNull();
    await testApp.db.update(libraryItems).set({ groupId }).where(eq(libraryItems.id, item.id));
    expect(await catchErrorCode(copyEvent(eventId, copyInput(ownSpace.space.id)))).toBeNull();
    await testApp.db.update(libraryItems).set({ groupId: null }).where(eq(libraryItems.id, item.id));
    await testApp.db
      .update(eventMedia)
      .set({ deletedAt: testApp.currentInstant() })
      .where(eq(eventMedia.id, mediaId));
    expect(await catchErrorCode(copyEvent(eventId, copyInput(ownSpace.space.id)))).toBeNull();
    await tree().deleteItems({ actor: owner.actor, selection: { space: [id] } });
    expect(await catchErrorCode(copyEvent(eventId))).toBe("not_found");
  });

  it("is created once if two copies with the same name are made at the same time", async () => {
    const { id, eventId } = await addSpace("渋谷");
    const codes = await Promise.all(
      [1, 2].map(() => catchErrorCode(copyEvent(eventId, { eventName: newText("写し") }))),
    );
    expect(codes.sort()).toEqual(["event_name_taken", null]);
    expect((await spaceOf(id))?.eventCount).toBe(2);
  });
});
