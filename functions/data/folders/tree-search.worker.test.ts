import { beforeAll, expect, it } from "vitest";
import type { SearchScope } from "#functions/services/folders/tree-ports";
import type { Cursor } from "~/domain/shared/cursor";
import { createTestApp, type TestApp, type TestUser } from "../../../tests/support/app/test-app";
import { startBindings, type TestBindings } from "../../../tests/support/app/test-bindings";
import { openDb } from "../shared/db";
import { treeMatchReader } from "./tree-search";

const SIZE = 20;
const FEW = 2000;
const MANY = 12_000;

let bindings: TestBindings;
let testApp: TestApp;
let owner: TestUser;
let member: TestUser;
let groupId: string;

beforeAll(async () => {
  bindings = await startBindings();
  testApp = createTestApp(bindings);
  owner = await testApp.addUser({ spaceLicense: 10_000 });
  member = await testApp.addUser();
  groupId = (await testApp.addGroup(member)).id;
});

/** Creates folders and media of an owner. Every second one is called 展示, one in a thousand has a rare name, and some are shared. */
async function addItems(from: number, to: number) {
  for (const [folderType, table] of [
    ["space", "folders"],
    ["media", "library_items"],
  ] as const) {
    const parent = await testApp.readRootFolderId(owner, folderType);
    const numbers = `WITH RECURSIVE n(i) AS (VALUES (${from}) UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${to})`;
    const name = "iif(i % 1000 = 999, 'めずらしい' || i, iif(i % 2, '展示 ', '部屋 ') || i)";
    const id = `printf('00000000-0000-4000-8000-%012d', i + ${table === "folders" ? 0 : 1_000_000})`;
    const group = `iif(i % 500 = 0, '${groupId}', NULL)`;
    await bindings.db
      .prepare(
        table === "folders"
          ? `${numbers} INSERT INTO folders (id, parent_id, owner_id, folder_type, name, search_key, group_id, created_at, updated_at)
              SELECT ${id}, ?1, ?2, 'space', ${name}, ${name}, ${group}, '', '' FROM n`
          : `${numbers} INSERT INTO library_items (id, folder_id, owner_id, kind, title, search_key, file_name, mime_type, byte_size, file_key, group_id, created_at, updated_at)
              SELECT ${id}, ?1, ?2, iif(i % 3, 'image', 'video'), ${name}, ${name}, '', '', 1, ${id}, ${group}, '', '' FROM n`,
      )
      .bind(parent, owner.user.id)
      .run();
  }
}

/** The number of rows that D1 reads for a page and its total, and the number of items on the page. */
async function rowsRead(q: string, scope: SearchScope, overrides: object, cursor: Cursor) {
  let rows = 0;
  const counting = {
    prepare: (sql: string) => bindings.db.prepare(sql),
    async batch(statements: D1PreparedStatement[]) {
      const results = await bindings.db.batch(statements);
      rows += results.reduce((sum, { meta }) => sum + meta.rows_read, 0);
      return results;
    },
  };
  const query = {
    scope,
    folderType: "space",
    q,
    kinds: null,
    mimeTypes: null,
    cursor,
    ...overrides,
  } as const;
  const result = await treeMatchReader(openDb(counting as unknown as D1Database))(query, SIZE);
  return { rows, count: result.items.length };
}

it("a page of a search in 12,000 items reads fewer than 1,200 rows", async () => {
  const ownScope = { ownerId: owner.user.id, groupIds: [], sees: "own" } as const;
  const shared = { ownerId: member.user.id, groupIds: [groupId], sees: "own_and_shared" } as const;
  const cursor = { position: "first" } as const;
  const after = { position: "after", id: "00000000-0000-4000-8000-000000001000" } as const;
  const searches = [
    ["展示", ownScope, {}, cursor],
    ["展示", ownScope, {}, after],
    ["展", ownScope, {}, { position: "last" }],
    ["", ownScope, {}, cursor],
    ["めずらしい 1999", ownScope, {}, cursor],
    ["ありません", ownScope, {}, cursor],
    ["展示", ownScope, { folderType: "media", kinds: ["video"] }, cursor],
    ["", ownScope, { folderType: "media", kinds: ["image"] }, cursor],
    ["部屋 1500", shared, {}, cursor],
  ] as readonly Parameters<typeof rowsRead>[];
  const measure = () => Promise.all(searches.map((search) => rowsRead(...search)));
  await addItems(0, FEW);
  expect((await measure()).map(({ count }) => count)).toEqual([20, 20, 20, 20, 1, 0, 20, 20, 1]);
  await addItems(FEW, MANY);
  // The limit is a thousand counted matches, and some rows for each item of the page.
  for (const [i, { rows }] of (await measure()).entries())
    expect(rows, JSON.stringify(searches[i])).toBeLessThan(1200);
}, 60_000);
