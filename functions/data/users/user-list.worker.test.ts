import { beforeAll, describe, expect, it } from "vitest";
import type { ListedUser, UserSlice } from "#functions/services/users/user-ports";
import type { Cursor } from "~/domain/shared/cursor";
import { ALL_USERS, USER_SHOWS, USER_SORTS, type UserListQuery } from "~/domain/users/user-list.schema";
import { addBulkUsers } from "../../../tests/support/app/bulk-data";
import { startBindings, type TestBindings } from "../../../tests/support/app/test-bindings";
import { openDb } from "../shared/db";
import { selectUsers } from "./user-list";

const SIZE = 20;
const FEW = 200;
/** Enough users to fill every page. */
const SOME = 4500;
const MANY = 9000;

let bindings: TestBindings;

beforeAll(async () => {
  bindings = await startBindings();
  await addBulkUsers(bindings.db, 1, FEW);
});

const list = (query: Partial<UserListQuery> = {}, size = SIZE): Promise<UserSlice> =>
  selectUsers(openDb(bindings.db), { ...ALL_USERS, ...query }, size);

/** Rows that D1 reads for a page and its total. */
async function rowsRead(query: Partial<UserListQuery>): Promise<number> {
  let rows = 0;
  const counting = {
    prepare: (sql: string) => bindings.db.prepare(sql),
    async batch(statements: D1PreparedStatement[]) {
      const results = await bindings.db.batch(statements);
      rows += results.reduce((sum, { meta }) => sum + meta.rows_read, 0);
      return results;
    },
  };
  await selectUsers(openDb(counting as unknown as D1Database), { ...ALL_USERS, ...query }, SIZE);
  return rows;
}

/** Pages through a whole list from its beginning. */
async function readAllPages(query: Partial<UserListQuery>): Promise<ListedUser[]> {
  const users: ListedUser[] = [];
  for (let cursor: Cursor = { position: "first" }; ; ) {
    const page = await list({ ...query, cursor });
    users.push(...page.items);
    const last = page.items.at(-1);
    if (!page.hasNext || !last) return users;
    cursor = { position: "after", id: last.id };
  }
}

describe("the list of users", () => {
  it.each(USER_SORTS.flatMap((sort) => (["asc", "desc"] as const).map((direction) => ({ sort, direction }))))(
    "shows every user once, sorted by $sort $direction, and has the same last pages backwards",
    async ({ sort, direction }) => {
      const all = await readAllPages({ sort, direction });
      expect(all.length).toBe(FEW);
      expect(new Set(all.map(({ id }) => id)).size).toBe(FEW);
      const key = (user: ListedUser) =>
        ({
          created: user.createdAt,
          name: `${user.lastName}${user.firstName}`,
          company: user.companyName.toLowerCase(),
          email: user.email,
        })[sort];
      const keys = all.map(key);
      const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0) * (direction === "asc" ? 1 : -1);
      expect(keys).toEqual([...keys].sort(order));

      const last = await list({ sort, direction, cursor: { position: "last" } });
      expect(last.items.map(({ id }) => id)).toEqual(all.slice(-SIZE).map(({ id }) => id));
      expect([last.hasPrevious, last.hasNext]).toEqual([true, false]);
      const pageBefore = await list({
        sort,
        direction,
        cursor: { position: "before", id: last.items[0]?.id ?? "" },
      });
      expect(pageBefore.items.map(({ id }) => id)).toEqual(all.slice(-2 * SIZE, -SIZE).map(({ id }) => id));
      expect([pageBefore.hasPrevious, pageBefore.hasNext]).toEqual([true, true]);
    },
  );

  it("filters by role and status, and counts exactly", async () => {
    const all = await readAllPages({});
    for (const show of USER_SHOWS.filter((filter) => filter !== "asked" && filter !== "trash"))
      for (const role of [null, "admin", "user"] as const) {
        const expectedUsers = all.filter(
          (user) => (show === "all" || user.status === show) && (role === null || user.role === role),
        );
        const users = await readAllPages({ show, role });
        expect(users.map(({ id }) => id)).toEqual(expectedUsers.map(({ id }) => id));
        expect((await list({ show, role })).total).toEqual({ count: expectedUsers.length, hasMore: false });
      }
  });

  it("is empty at the cursor of an unknown row", async () => {
    const unknownCursor = { position: "after", id: "00000000-0000-4000-8000-00000000dead" } as const;
    expect((await list({ cursor: unknownCursor })).items).toEqual([]);
    expect((await list({ q: "山田", cursor: unknownCursor })).items).toEqual([]);
  });
});

describe("a search of users", () => {
  const emails = async (q: string, overrides: Partial<UserListQuery> = {}) =>
    (await list({ q, ...overrides })).items.map(({ email }) => email);

  it.each([
    ["two characters of a name", "山田"],
    ["one character", "藤"],
    ["a part of an address", "rowd.ex"],
    ["a part across names", "木花"],
    ["several words in any order", "company 花子 高橋"],
    ["capital letters and full width", "ＣＲＯＷＤ"],
    ["the last character of a key", "e"],
    ["a sign", "@"],
    ["a quotation mark", '"'],
    ["words of the query language", "NOT OR AND NEAR"],
    ["a text that no user has", "zzz"],
  ])("finds the same as a plain comparison: %s", async (_what, q) => {
    const all = await readAllPages({});
    const words = q.normalize("NFKC").toLowerCase().split(" ");
    const expectedUsers = all.filter((user) => {
      const key =
        `${user.lastName}${user.firstName} ${user.firstName} ${user.lastName} ${user.companyName} ${user.email}`.toLowerCase();
      return words.every((word) => key.includes(word));
    });
    const users = await readAllPages({ q });
    expect(users.map(({ email }) => email)).toEqual(expectedUsers.map(({ email }) => email));
    expect((await list({ q })).total).toEqual({
      count: Math.min(expectedUsers.length, 200),
      hasMore: expectedUsers.length > 200,
    });
  });

  it("filters by role and status, and keeps the order", async () => {
    const admins = await readAllPages({ q: "花子", role: "admin" });
    expect(admins.length).toBe(40);
    expect(await emails("花子", { show: "BLOCKED", role: "user", sort: "email", direction: "asc" })).toEqual(
      (await readAllPages({ show: "BLOCKED", role: "user", sort: "email", direction: "asc" }))
        .slice(0, SIZE)
        .map(({ email }) => email),
    );
    const byName = await readAllPages({ q: "佐藤", sort: "name", direction: "asc" });
    expect(byName.map(({ email }) => email).sort()).toEqual(
      (await readAllPages({ q: "佐藤" })).map(({ email }) => email).sort(),
    );
  });

  it("reflects a user's changed text and status, deletion and restoration", async () => {
    const run = (sql: string, ...params: unknown[]) =>
      bindings.db
        .prepare(sql)
        .bind(...params)
        .run();
    const email = "person7@crowd.example";
    const find = async () => [
      (await emails("person7@")).length,
      (await emails("渋谷")).length,
      (await emails("person7@", { show: "BLOCKED" })).length,
      (await list({})).total.count,
    ];
    expect(await find()).toEqual([1, 0, 0, FEW]);
    await run(
      "UPDATE users SET search_key = '渋谷' || search_key, status = 'BLOCKED' WHERE email = ?",
      email,
    );
    expect(await find()).toEqual([1, 1, 1, FEW]);
    await run("UPDATE users SET deleted_at = '2026-01-01T00:00:00.000Z' WHERE email = ?", email);
    expect(await find()).toEqual([0, 0, 0, FEW - 1]);
    expect((await list({ show: "trash" })).items.map((user) => user.email)).toEqual([email]);
    expect((await list({ show: "trash" })).total).toEqual({ count: 1, hasMore: false });
    await run(
      "UPDATE users SET deleted_at = NULL, deletion_requested_at = updated_at WHERE email = ?",
      email,
    );
    expect(await find()).toEqual([1, 1, 1, FEW]);
    expect((await list({ show: "asked" })).items.map((user) => user.email)).toEqual([email]);
    await run("DELETE FROM users WHERE email = ?", email);
    expect(await find()).toEqual([0, 0, 0, FEW - 1]);
    await addBulkUsers(bindings.db, 7, 7);
  });
});

const runSql = (sql: string) => bindings.db.prepare(sql).run();

describe("users who requested their deletion, and users in the trash", () => {
  it.each([
    ["asked", "deletion_requested_at"],
    ["trash", "deleted_at"],
  ] as const)("are searched and filtered: %s", async (show, column) => {
    await runSql(`UPDATE users SET ${column} = '2026-01-01T00:00:00.000Z' WHERE rowid % 3 = 0`);
    try {
      const all = await readAllPages({ show });
      expect(all.length).toBeGreaterThan(2 * SIZE);
      for (const q of ["", "佐藤", "花子 ROWD.ex", "zzz", "100%_"])
        for (const role of [null, "admin", "user"] as const) {
          const expectedUsers = all.filter(
            (user) =>
              (role === null || user.role === role) &&
              q
                .toLowerCase()
                .split(" ")
                .every((word) => `${user.lastName}${user.firstName} ${user.email}`.includes(word)),
          );
          const users = await readAllPages({ show, q, role });
          expect(users.map(({ id }) => id)).toEqual(expectedUsers.map(({ id }) => id));
          expect(await list({ show, q, role })).toMatchObject({
            total: { count: expectedUsers.length, hasMore: false },
            hasUnsearched: false,
          });
          const last = await list({ show, q, role, cursor: { position: "last" } });
          expect(last.items.map(({ id }) => id)).toEqual(expectedUsers.slice(-SIZE).map(({ id }) => id));
        }
    } finally {
      await runSql(`UPDATE users SET ${column} = NULL`);
    }
  });
});

describe("the cost of a page", () => {
  const QUERIES: Record<string, Partial<UserListQuery>> = {
    "all users, newest first": {},
    "all users by name": { sort: "name", direction: "asc" },
    "all users by company, from its end": { sort: "company", direction: "asc", cursor: { position: "last" } },
    "all users by address, from the middle": {
      sort: "email",
      direction: "asc",
      cursor: { position: "after", id: "" },
    },
    "the activated": { show: "ACTIVATED" },
    "users alone, by company": { role: "user", sort: "company", direction: "asc" },
    "a search": { q: "山田" },
    "a search for a part of an address": { q: "rowd.exa" },
    "a search among the activated": { q: "山田", show: "ACTIVATED" },
    "a search from the middle": { q: "花子", cursor: { position: "after", id: "" } },
    "a search by name": { q: "花子1", sort: "name", direction: "asc" },
    "a search for nothing": { q: "zzz" },
  };

  it("does not grow with the number of users", async () => {
    const middle = (await list({ q: "person100@" })).items[0]?.id ?? "";
    const queries = Object.entries(QUERIES).map(
      ([name, query]) =>
        [
          name,
          query.cursor?.position === "after" ? { ...query, cursor: { ...query.cursor, id: middle } } : query,
        ] as const,
    );
    const costs = async () => {
      const counts: Record<string, number> = {};
      for (const [name, query] of queries) counts[name] = await rowsRead(query);
      return counts;
    };
    await addBulkUsers(bindings.db, FEW + 1, SOME);
    const costsOfSomeUsers = await costs();
    await addBulkUsers(bindings.db, SOME + 1, MANY);
    expect(await costs()).toEqual(costsOfSomeUsers);
    // Only a fixed number of waiting users is examined, however many there are.
    await runSql("UPDATE users SET deletion_requested_at = updated_at");
    const waiting = { show: "asked", q: "zzz" } as const;
    expect((await list(waiting)).hasUnsearched).toBe(true);
    expect(await rowsRead(waiting)).toBeLessThan(6000);
    // 21 rows of up to five streams are found by index and then read. A search counts 201 rows, and one by name sorts 200.
    for (const [name] of queries)
      expect(costsOfSomeUsers[name], name).toBeLessThan(name === "a search by name" ? 1500 : 400);
  });
});
