import { beforeAll, describe, expect, it } from "vitest";
import type { ContentsQuery } from "#functions/services/folders/tree-ports";
import { MEDIA_KINDS } from "~/domain/library/media-kinds";
import { createTestApp, type TestApp, type TestUser } from "../../../tests/support/app/test-app";
import { startBindings, type TestBindings } from "../../../tests/support/app/test-bindings";
import { TREE_ORDERS } from "../schema";
import { openDb } from "../shared/db";
import { folderContentsReader } from "./folder-contents";

const SIZE = 20;
const FEW = 1000;
const MANY = 8000;
const ORDERS = Object.keys(TREE_ORDERS) as (keyof typeof TREE_ORDERS)[];

let bindings: TestBindings;
let testApp: TestApp;
let owner: TestUser;
let groups: string[];

beforeAll(async () => {
  bindings = await startBindings();
  testApp = createTestApp(bindings);
  owner = await testApp.addUser();
  const member = await testApp.addUser();
  groups = [(await testApp.addGroup(member)).id, (await testApp.addGroup(member)).id];
});

const idOf = (i: number, isFolder: boolean) =>
  `00000000-0000-4000-8000-${String(i + (isFolder ? 0 : 1_000_000)).padStart(12, "0")}`;

/** Creates folders and media in one folder. Of the first thousand, every twentieth is shared with one of two groups. The others are not shared. */
async function addItems(from: number, to: number) {
  const parent = await testApp.readRootFolderId(owner, "media");
  const numbers = `WITH RECURSIVE n(i) AS (VALUES (${from}) UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${to})`;
  const group = `CASE WHEN i >= ${FEW} OR i % 20 THEN NULL WHEN i % 40 THEN '${groups[0]}' ELSE '${groups[1]}' END`;
  const id = (offset: number) => `printf('00000000-0000-4000-8000-%012d', i + ${offset})`;
  for (const statement of [
    `${numbers} INSERT INTO folders (id, parent_id, owner_id, folder_type, name, search_key, group_id, created_at, updated_at)
      SELECT ${id(0)}, ?1, ?2, 'media', i, i, ${group}, i, -i FROM n`,
    `${numbers} INSERT INTO library_items (id, folder_id, owner_id, kind, title, search_key, file_name, mime_type, byte_size, file_key, group_id, created_at, updated_at)
      SELECT ${id(1_000_000)}, ?1, ?2, iif(i % 3, 'image', 'video'), i, i, '', '', 1, 'file ' || i, ${group}, i, -i FROM n`,
  ])
    await bindings.db.prepare(statement).bind(parent, owner.user.id).run();
}

/** The rows that D1 reads for a page and its total, and the items on the page. */
async function read(query: Partial<ContentsQuery>) {
  let rows = 0;
  const counting = {
    prepare: (sql: string) => bindings.db.prepare(sql),
    async batch(statements: D1PreparedStatement[]) {
      const results = await bindings.db.batch(statements);
      rows += results.reduce((sum, { meta }) => sum + meta.rows_read, 0);
      return results;
    },
  };
  const list = folderContentsReader(openDb(counting as unknown as D1Database));
  const page = await list(
    {
      folderId: await testApp.readRootFolderId(owner, "media"),
      ownerId: owner.user.id,
      folderType: "media",
      groupIds: groups,
      kinds: [],
      sort: "name",
      direction: "asc",
      cursor: { position: "first" },
      ...query,
    },
    SIZE,
  );
  const ids = page.items.map((item) =>
    item.kind === "folder" ? item.folder.id : item.kind === "media" ? item.item.id : item.space.id,
  );
  return { rows, page, ids };
}

const lists = (): readonly Partial<ContentsQuery>[] => [
  ...ORDERS.map((sort) => ({ sort })),
  ...ORDERS.map((sort) => ({ sort, direction: "desc" as const, kinds: ["video"] as const })),
  { cursor: { position: "after", id: idOf(20, true) } },
  { cursor: { position: "after", id: idOf(20, false) } },
  { cursor: { position: "before", id: idOf(20, false) } },
  { cursor: { position: "last" } },
  { kinds: MEDIA_KINDS, cursor: { position: "after", id: idOf(500, false) } },
  { groupIds: groups.slice(0, 1) },
  { groupIds: [] },
];

it("7,000 more unshared folders and as many media add fewer than ten row reads to a member's page", async () => {
  const queries = lists();
  await addItems(0, FEW);
  const measure = async () => {
    const results = [];
    for (const query of queries) results.push(await read(query));
    return results;
  };
  const before = await measure();
  await addItems(FEW, MANY);
  const after = await measure();
  for (const [i, { rows, ids }] of after.entries()) {
    expect(ids, JSON.stringify(queries[i])).toEqual(before[i]?.ids);
    // The first index lookup of a statement may read one more row.
    expect(rows, JSON.stringify(queries[i])).toBeLessThan((before[i]?.rows ?? 0) + 10);
    expect(rows, JSON.stringify(queries[i])).toBeLessThan(1000);
  }
}, 60_000);

it("members page through all items that are shared with their groups, in order, and no others", async () => {
  for (const sort of ORDERS)
    for (const direction of ["asc", "desc"] as const) {
      const visitedIds: string[] = [];
      let { page, ids } = await read({ sort, direction });
      for (;;) {
        expect(page.total).toEqual({ count: 100, hasMore: false });
        visitedIds.push(...ids);
        const last = ids.at(-1);
        if (!page.hasNext || !last) break;
        ({ page, ids } = await read({ sort, direction, cursor: { position: "after", id: last } }));
      }
      const numbers = Array.from({ length: 50 }, (_, i) => i * 20);
      const texts = {
        name: (i: number) => String(i).padStart(16, "0"),
        created: String,
        updated: (i: number) => String(-i),
      }[sort];
      const separator = sort === "name" ? "\u0001" : "";
      const ordered = (isFolder: boolean) =>
        numbers
          .map((i) => ({ id: idOf(i, isFolder), key: `${texts(i)}${separator}${idOf(i, isFolder)}` }))
          .sort((a, b) => (a.key < b.key ? -1 : 1) * (direction === "asc" ? 1 : -1))
          .map(({ id }) => id);
      expect(visitedIds).toEqual([...ordered(true), ...ordered(false)]);
    }
}, 60_000);

describe("with a folder of 300 spaces and one of ten folders", () => {
  const NAMES = [
    "Hall 2",
    "hall １",
    "Hall 10",
    "Hall",
    "Hall 2b",
    "1 Hall",
    "会場12",
    "会場３",
    "Hall 2 100",
    "Hall 2 20",
  ];
  const ORDERED = [
    "1 Hall",
    "Hall",
    "hall １",
    "Hall 2",
    "Hall 2 20",
    "Hall 2 100",
    "Hall 2b",
    "Hall 10",
    "会場３",
    "会場12",
  ];
  let places: TestBindings;
  let placesApp: TestApp;
  let person: TestUser;
  let groupId: string;
  let halls: string;

  const addFolder = async (name: string, parentId?: string) =>
    (await placesApp.services.tree.createFolder({ actor: person.actor, folderType: "space", name, parentId }))
      .id;

  beforeAll(async () => {
    places = await startBindings();
    placesApp = createTestApp(places);
    person = await placesApp.addUser();
    groupId = (await placesApp.addGroup(await placesApp.addUser())).id;
    const outer = await addFolder("A");
    const shared = await addFolder("B", outer);
    const deleted = await addFolder("C", outer);
    halls = await addFolder("D");
    for (const name of NAMES) await addFolder(name, halls);
    const change = (sql: string, ...values: string[]) =>
      places.db
        .prepare(sql)
        .bind(...values)
        .run();
    await change("UPDATE folders SET deleted_at = 't' WHERE id = ?", deleted);
    await change("UPDATE folders SET group_id = ? WHERE id IN (?, ?)", groupId, outer, shared);
    await change(
      `WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 300)
        INSERT INTO spaces (id, folder_id, owner_id, group_id, name, search_key, sid, source, created_at, updated_at)
        SELECT printf('00000000-0000-4000-8000-%012d', i), ?, ?, iif(i % 3, NULL, ?), 'x', 'x', printf('%011d', i), '{}', i, i FROM n`,
      outer,
      person.user.id,
      groupId,
    );
  });

  async function readPlaces(query: Partial<ContentsQuery>, size = SIZE) {
    let rows = 0;
    const counting = {
      prepare: (sql: string) => places.db.prepare(sql),
      async batch(statements: D1PreparedStatement[]) {
        const results = await places.db.batch(statements);
        rows += results.reduce((sum, { meta }) => sum + meta.rows_read, 0);
        return results;
      },
    };
    const page = await folderContentsReader(openDb(counting as unknown as D1Database))(
      {
        folderId: await placesApp.readRootFolderId(person, "space"),
        ownerId: person.user.id,
        folderType: "space",
        groupIds: null,
        kinds: [],
        sort: "name",
        direction: "asc",
        cursor: { position: "first" },
        ...query,
      },
      size,
    );
    return { rows, page, folders: page.items.flatMap((item) => (item.kind === "folder" ? [item] : [])) };
  }

  it("a folder shows how many items its reader sees in it, for fewer than 1,000 row reads", async () => {
    const own = await readPlaces({});
    expect(own.folders.map(({ itemCount }) => itemCount?.count)).toEqual([301, NAMES.length]);
    expect(own.rows).toBeLessThan(1000);
    const member = await readPlaces({ groupIds: [groupId] });
    expect(member.folders.map(({ itemCount }) => itemCount)).toEqual([{ count: 101, hasMore: false }]);
    expect(member.rows).toBeLessThan(300);
  });

  it("numbers in names are in numerical order, on every page in both directions", async () => {
    for (const direction of ["asc", "desc"] as const) {
      const visited: string[] = [];
      let cursor: ContentsQuery["cursor"] = { position: "first" };
      for (;;) {
        const { page, folders } = await readPlaces({ folderId: halls, direction, cursor }, 3);
        visited.push(...folders.map(({ folder }) => folder.name));
        const last = folders.at(-1);
        if (!page.hasNext || !last) break;
        cursor = { position: "after", id: last.folder.id };
      }
      expect(visited).toEqual(direction === "asc" ? ORDERED : ORDERED.toReversed());
    }
  });

  it("a renamed folder moves to its new place", async () => {
    const { folders } = await readPlaces({ folderId: halls });
    const last = folders.at(-1)?.folder;
    if (!last) throw new Error("No folder");
    const rename = (name: string, version: number) =>
      placesApp.services.tree.renameItem({ actor: person.actor, kind: "folder", id: last.id, version, name });
    await rename("Hall 3", last.version);
    const renamed = await readPlaces({ folderId: halls });
    expect(renamed.folders.map(({ folder }) => folder.name).indexOf("Hall 3")).toBe(
      ORDERED.indexOf("Hall 10"),
    );
    await rename(last.name, last.version + 1);
  });
});
