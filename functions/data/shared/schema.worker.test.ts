import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { unstable_splitSqlQuery } from "wrangler";
import { repositories } from "#functions/data/shared/repositories";
import { nameKey } from "~/domain/shared/text";
import { migrate, splitStatements } from "../../../scripts/lib/local/local-product";
import { fromRoot } from "../../../scripts/lib/paths";
import { startStores } from "../../../tests/support/app/test-bindings";

/** An account with a model, a space that shows it, an event of the space, and the model as a media item of the event. */
const RECORDS = [
  `INSERT INTO users (id, email, email_key, password_hash, first_name, last_name, company_name, search_key, role, status,
     space_license, storage_limit, language, time_zone, created_at, updated_at)
   VALUES ('u', 'a@b.example', 'a@b.example', 'x', 'A', 'B', 'C', 'a b', 'user', 'ACTIVATED', 5, 1000, 'ja', 'Asia/Tokyo', 't', 't')`,
  "INSERT INTO folders (id, owner_id, folder_type, name, created_at, updated_at) VALUES ('f', 'u', 'media', '', 't', 't'), ('s', 'u', 'space', '', 't', 't')",
  `INSERT INTO library_items (id, folder_id, owner_id, kind, title, search_key, file_name, mime_type, byte_size, file_key, created_at, updated_at)
   VALUES ('i', 'f', 'u', 'model', 'T', 't', 'a.glb', 'model/gltf-binary', 100, 'library/i', 't', 't')`,
  `INSERT INTO spaces (id, folder_id, owner_id, name, search_key, sid, source, poster_media_id, created_at, updated_at)
   VALUES ('p', 's', 'u', 'P', 'p', '12345678901', '{"kind":"model","mediaId":"i"}', 'i', 't', 't')`,
  `INSERT INTO events (id, space_id, event_name, name_en, name_key_en, access_token, preview_access_token, created_at, updated_at)
   VALUES ('e', 'p', 'E', 'E', 'e', '${"a".repeat(43)}', '${"b".repeat(43)}', 't', 't')`,
  "INSERT INTO event_media (id, event_id, library_item_id, created_on, updated_at) VALUES ('m', 'e', 'i', 't', 't')",
];

let stores: Awaited<
  ReturnType<typeof startStores<"LIBRARY" | "CONTENT" | "OLDER" | "VISITED" | "RESTORED" | "NAMES">>
>;
beforeAll(async () => {
  stores = await startStores(["LIBRARY", "CONTENT", "OLDER", "VISITED", "RESTORED", "NAMES"]);
});
afterAll(() => stores.dispose());

it("an event's content has defaults for missing values, and items with invalid stored positions are unplaced", async () => {
  const db = stores.database("CONTENT");
  await migrate(db);
  const all = async (sql: string) => (await db.prepare(sql).all()).results;
  await db.batch(
    [
      ...RECORDS,
      `INSERT INTO event_tags (id, event_id, color, icon, keywords, position, stem, sort_order, created_at, updated_at)
       VALUES ('t', 'e', '#000000', 'info', '[]', '[1,2,3]', '[0,1,0]', 1, 't', 't')`,
      `UPDATE event_media SET placement = '{"position":[1,2,3],"normal":[0,0,1],"width":2}'`,
      "INSERT INTO tag_media (tag_id, media_id, sort_order) VALUES ('t', 'm', 0)",
    ].map((statement) => db.prepare(statement)),
  );
  const data = repositories(db);
  // `reach` is the distance in metres within which a sound is heard.
  expect(await data.content.load("e")).toMatchObject({
    tags: [{ id: "t", hidden: false, product: null, position: [1, 2, 3], mediaIds: ["m"] }],
    media: [{ id: "m", hidden: false, placement: { width: 2, rotation: 0, play: "click", reach: 8 } }],
    scene: { startView: null, tour: [], plan: null, products: [], version: 0 },
    seq: 0,
  });
  // Items with invalid stored numbers are unplaced for their owner and for visitors.
  await db.batch([
    db.prepare(
      `UPDATE event_tags SET position = '[1e999,null,0]', stem = '{}', viewpoint = '{"mode":"fly"}'`,
    ),
    db.prepare(`UPDATE event_media SET placement = json_set(placement, '$.position', json('[null,0,0]'))`),
  ]);
  const withoutInvalidPositions = {
    tags: [{ id: "t", position: null, stem: [0, 0.25, 0], viewpoint: null }],
    media: [{ id: "m", placement: null }],
  };
  expect(await data.content.load("e")).toMatchObject(withoutInvalidPositions);
  expect(await data.visitors.load("e")).toMatchObject(withoutInvalidPositions);
  await expect(db.prepare("UPDATE event_tags SET hidden = 2").run()).rejects.toThrow("CHECK");
  await expect(db.prepare("UPDATE event_tags SET product = '{'").run()).rejects.toThrow("CHECK");
  expect(await all("PRAGMA foreign_key_check")).toEqual([]);
});

it("data of another layout is rejected with a message, and not changed", async () => {
  const db = stores.database("OLDER");
  const all = async (sql: string) => (await db.prepare(sql).all()).results;
  const markAsApplied = (name: string) =>
    db.prepare("INSERT INTO d1_migrations (name) VALUES (?)").bind(name).run();
  expect(await migrate(db)).toEqual(
    readdirSync(fromRoot("migrations"))
      .filter((name) => name.endsWith(".sql"))
      .sort(),
  );
  expect(await migrate(db)).toEqual([]);
  await db.batch(RECORDS.map((statement) => db.prepare(statement)));
  const before = await all("SELECT * FROM sqlite_master");
  await markAsApplied("9999_future.sql");
  await expect(migrate(db)).rejects.toThrow(/the layout of a newer version.* `npm start -- --fresh`/);
  await markAsApplied("0001_triggers.sql");
  await expect(migrate(db)).rejects.toThrow(/has an older layout.* `npm start -- --fresh`/);
  expect(await all("SELECT * FROM sqlite_master")).toEqual(before);
  expect(await all("SELECT id FROM events")).toEqual([{ id: "e" }]);
});

it("data of the first layout is migrated to the current one", async () => {
  const db = stores.database("NAMES");
  const initial = "0000_initial.sql";
  const all = async (sql: string) => (await db.prepare(sql).all()).results;
  const insertOlderEvent = (id: string, name: string, detail: string, deletedAt: string | null = null) =>
    db
      .prepare(
        `INSERT INTO events (id, space_id, event_name, name_key, event_detail, access_token, preview_access_token, created_at, updated_at, deleted_at)
         VALUES (?1, 'p', ?2, ?3, ?4, '${"a".repeat(43)}', '${"b".repeat(43)}', 't', 't', ?5)`,
      )
      .bind(id, name, nameKey(name), detail, deletedAt);
  const change = { eventName: "Spring", eventDetail: "ようこそ", statusId: 1, urlParams: "{}" };
  await db.batch([
    db.prepare("CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY, name TEXT UNIQUE, applied_at TIMESTAMP)"),
    ...splitStatements(readFileSync(fromRoot("migrations", initial), "utf8")).map((sql) => db.prepare(sql)),
    db.prepare("INSERT INTO d1_migrations (name) VALUES (?)").bind(initial),
    ...RECORDS.slice(0, 4).map((statement) => db.prepare(statement)),
    db.prepare("UPDATE spaces SET search_key = 'hall 12-3'"),
    insertOlderEvent("e", "Spring 展", "Welcome"),
    insertOlderEvent("f", "Ｓｕｍｍｅｒ", "ようこそ"),
    insertOlderEvent("gone", "Spring 展", "", "t"),
    db
      .prepare(
        "INSERT INTO event_changes (event_id, at, act, part, item_type, item_id, before) VALUES ('e', 't', 'a', 0, 'event', 'e', ?)",
      )
      .bind(JSON.stringify(change)),
  ]);
  const bytes = await all("SELECT content_used FROM users");
  expect(await migrate(db)).toEqual([
    "0001_event_checks.sql",
    "0002_event_languages.sql",
    "0003_first_steps.sql",
    "0004_visit_rooms.sql",
    "0005_drop_visit_batches.sql",
    "0006_list_indexes.sql",
    "0007_natural_order.sql",
  ]);
  const sortKeys = [{ sort_key: "hall 0000000000000012-0000000000000003" }];
  expect(await all("SELECT sort_key FROM spaces")).toEqual(sortKeys);
  await db.batch(["", "hall 12-3"].map((key) => db.prepare("UPDATE spaces SET search_key = ?").bind(key)));
  expect(await all("SELECT sort_key FROM spaces")).toEqual(sortKeys);
  // An account with a space has taken its first steps.
  expect(await all("SELECT first_steps_closed FROM users")).toEqual([{ first_steps_closed: 1 }]);
  const columns = "event_name, name_ja, name_en, name_key_ja, name_key_en, detail_ja, detail_en";
  expect(await all(`SELECT ${columns} FROM events WHERE deleted_at IS NULL ORDER BY id`)).toEqual([
    {
      event_name: "Spring 展",
      name_ja: "Spring 展",
      name_en: "",
      name_key_ja: "spring 展",
      name_key_en: "",
      detail_ja: "",
      detail_en: "Welcome",
    },
    {
      event_name: "Ｓｕｍｍｅｒ",
      name_ja: "",
      name_en: "Ｓｕｍｍｅｒ",
      name_key_ja: "",
      name_key_en: "summer",
      detail_ja: "ようこそ",
      detail_en: "",
    },
  ]);
  expect(await all("SELECT name_key, event_id FROM event_names ORDER BY event_id")).toEqual([
    { name_key: "spring 展", event_id: "e" },
    { name_key: "summer", event_id: "f" },
  ]);
  const [storedChange] = (await all("SELECT before, after FROM event_changes")) as {
    before: string;
    after: null;
  }[];
  expect([JSON.parse(storedChange?.before ?? ""), storedChange?.after]).toEqual([
    { ...change, eventName: { ja: "", en: "Spring" }, eventDetail: { ja: "ようこそ", en: "" } },
    null,
  ]);
  expect(await all("PRAGMA foreign_key_check")).toEqual([]);
  // In the stored change, two texts became objects: each grew by an empty object of two languages, less two quotation marks.
  const growth = JSON.stringify({ ja: "", en: "" }).length * 2 - 4;
  expect(await all("SELECT content_used FROM users")).toEqual([
    { content_used: (bytes[0]?.content_used as number) + growth },
  ]);
  await db.prepare("UPDATE events SET detail_en = detail_en || '!!!' WHERE id = 'f'").run();
  expect(await all("SELECT content_used FROM users")).toEqual([
    { content_used: (bytes[0]?.content_used as number) + growth + 3 },
  ]);
  await expect(db.prepare("UPDATE events SET deleted_at = NULL WHERE id = 'gone'").run()).rejects.toThrow(
    "UNIQUE constraint failed: event_names",
  );
});

it("a library's items are counted in bytes, and stay as long as something shows them", async () => {
  const db = stores.database("LIBRARY");
  await migrate(db);
  await db.batch(RECORDS.map((statement) => db.prepare(statement)));
  const all = async (sql: string) => (await db.prepare(sql).all()).results;
  expect(await all("SELECT id, kind, byte_size, file_key, thumb_key FROM library_items")).toEqual([
    { id: "i", kind: "model", byte_size: 100, file_key: "library/i", thumb_key: null },
  ]);
  expect(await all("SELECT id FROM event_media WHERE library_item_id = 'i'")).toEqual([{ id: "m" }]);
  expect(await all("SELECT space_id FROM space_files WHERE library_item_id = 'i'")).toEqual([
    { space_id: "p" },
  ]);
  expect(await all("PRAGMA foreign_key_check")).toEqual([]);
  // This includes 200 bytes for the row of the event's media item.
  const used = () => all("SELECT storage_used FROM users");
  expect(await used()).toEqual([{ storage_used: 300 }]);
  await db.prepare("UPDATE library_items SET byte_size = 70, kind = 'splat' WHERE id = 'i'").run();
  expect(await used()).toEqual([{ storage_used: 270 }]);
  await expect(db.prepare("DELETE FROM library_items").run()).rejects.toThrow("FOREIGN KEY");
});

describe("counted visits", () => {
  // In `parts`: the numbers of visitors by language, device and the like.
  const baseColumns = "visits, visitors, seconds, tags, media, products, carts, checkouts";
  const furtherColumns = "tag_visitors, product_visitors, cart_visitors, checkout_visitors, parts";
  const insertTotal = (event: string, grain: string, period: string, visits: number) =>
    `INSERT INTO visit_totals (event_id, grain, period, ${baseColumns}, ${furtherColumns})
     VALUES ('${event}', '${grain}', '${period}', ${visits}, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, '{"lang:ja":1}')`;
  const insertEvent = (id: string, deletedAt: string, space = "p") =>
    `INSERT INTO events (id, space_id, event_name, name_en, name_key_en, access_token, preview_access_token, created_at, updated_at, deleted_at)
     VALUES ('${id}', '${space}', '${id}', '${id}', '${id}', '${"a".repeat(43)}', '${"b".repeat(43)}', 't', 't', ${deletedAt})`;
  const insertVisits = (id: string, visits: number) => [
    insertTotal(id, "year", "2026", visits),
    insertTotal(id, "month", "2026-04", visits),
    insertTotal(id, "hour", "2026-04-01T09", visits),
    `INSERT INTO visit_live (minute, event_id, visitors) VALUES (100, '${id}', ${visits})`,
  ];
  const range = { grain: "year", from: "2026", to: "2026" } as const;
  const read = (db: unknown, kind: "space" | "account") => {
    const { reports } = repositories(db as D1Database);
    const scope = { kind, id: kind === "space" ? "p" : "u" };
    return reports.read({ scope, totals: [range], parts: range, events: 20, live: { first: 98, last: 102 } });
  };
  const expectedReport = {
    totals: [{ numbers: { visits: 5, visitors: 2 } }],
    parts: [{ name: "lang:ja", count: 2 }],
    events: [
      { id: "f", visits: 3 },
      { id: "e", visits: 2 },
    ],
    live: 5,
  };

  it("are in the reports of their space and account, except those of events in the trash", async () => {
    const db = stores.database("VISITED");
    await migrate(db);
    const created = [insertEvent("f", "NULL"), insertEvent("gone", "'t'")];
    const visitStatements = ["e", "f", "gone"].flatMap((id, index) => insertVisits(id, index + 2));
    await db.batch([...RECORDS, ...created, ...visitStatements].map((statement) => db.prepare(statement)));
    for (const kind of ["space", "account"] as const)
      expect(await read(db, kind)).toMatchObject(expectedReport);
  });

  it("leave the reports with their event or space and return with it, while the stored totals stay unchanged", async () => {
    const db = stores.database("RESTORED");
    await migrate(db);
    const trashed = `INSERT INTO spaces (id, folder_id, owner_id, name, search_key, sid, source, created_at, updated_at, deleted_at)
      VALUES ('q', 's', 'u', 'Q', 'q', '12345678902', '{"kind":"showcase"}', 't', 't', 't')`;
    const created = [insertEvent("f", "NULL"), insertEvent("gone", "NULL"), insertEvent("away", "NULL", "q")];
    const visitStatements = ["e", "f", "gone", "away"].flatMap((id, index) => insertVisits(id, index + 2));
    const trashEvent = "UPDATE events SET deleted_at = 't' WHERE id = 'gone'";
    await db.batch(
      [...RECORDS, trashed, ...created, ...visitStatements, trashEvent].map((statement) =>
        db.prepare(statement),
      ),
    );
    const readTotals = () => db.prepare("SELECT rowid, * FROM visit_totals ORDER BY rowid").all();
    const { results } = await readTotals();
    for (const kind of ["space", "account"] as const)
      expect(await read(db, kind)).toMatchObject(expectedReport);
    expect((await readTotals()).results).toEqual(results);
    await db.prepare("UPDATE events SET deleted_at = NULL WHERE id = 'gone'").run();
    await db.prepare("UPDATE spaces SET deleted_at = NULL WHERE id = 'q'").run();
    expect(await read(db, "space")).toMatchObject({ events: [{ id: "gone" }, { id: "f" }, { id: "e" }] });
    expect(await read(db, "account")).toMatchObject({
      totals: [{ numbers: { visits: 14 } }],
      events: [{ id: "away", visits: 5 }, { id: "gone", visits: 4 }, { id: "f" }, { id: "e" }],
      live: 14,
    });
    expect((await readTotals()).results).toEqual(results);
  });
});

it("the migrations have the snapshot of the newest one and no older one", () => {
  const sql = readdirSync(fromRoot("migrations")).filter((name) => name.endsWith(".sql"));
  const newest = sql.sort().at(-1)?.slice(0, 4);
  expect(readdirSync(fromRoot("migrations", "meta")).sort()).toEqual([
    `${newest}_snapshot.json`,
    "_journal.json",
  ]);
});

it("splitStatements returns as many statements of each file as wrangler, which applies them on Cloudflare", () => {
  for (const name of readdirSync(fromRoot("migrations")).filter((fileName) => fileName.endsWith(".sql"))) {
    const sql = readFileSync(fromRoot("migrations", name), "utf8");
    expect(splitStatements(sql).length, name).toBe(unstable_splitSqlQuery(sql).length);
  }
});
