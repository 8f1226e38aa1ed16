import { randomUUID } from "node:crypto";
import { eq, getTableColumns, getTableName, type SQL } from "drizzle-orm";
import { getTableConfig, SQLiteColumn, SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import { beforeEach, describe, expect, it } from "vitest";
import { newText } from "~/domain/events/event-texts";
import { panoramaSpaceSource, type TestUser, useTestApp } from "../../../tests/support/app/test-app";
import { nameColumns } from "../events/event-names";
import {
  eventMedia,
  eventScenes,
  events,
  eventTags,
  libraryItems,
  spaceFiles,
  spaces,
  tables,
  tagMedia,
} from "./index";

const testApp = useTestApp();
let owner: TestUser;

beforeEach(async () => {
  owner = await testApp.addUser();
});

const rows = async <T>(sql: string): Promise<T[]> => (await testApp.binding.prepare(sql).all<T>()).results;
const sqlOf = (part: SQL | SQLiteColumn) =>
  part instanceof SQLiteColumn ? part.name : new SQLiteSyncDialect().sqlToQuery(part).sql;
const withoutQuotesAndBreaks = (sql: string) => sql.replace(/[`"]/g, "").replace(/\s+/g, " ");

describe("the migrated database", () => {
  it("has the tables of the schema, and no others except for full-text searches", async () => {
    const tableRows = await rows<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE '\\_cf%' ESCAPE '\\' AND name <> 'd1_migrations' AND name NOT LIKE '%\\_search%' ESCAPE '\\'",
    );
    expect(tableRows.map(({ name }) => name).sort()).toEqual(Object.values(tables).map(getTableName).sort());
  });

  it.each(Object.values(tables).map((table) => [getTableName(table), table] as const))(
    "has %s as in the schema",
    async (name, table) => {
      const config = getTableConfig(table);
      const columnRows = await rows<{
        name: string;
        type: string;
        notnull: number;
        dflt_value: string | null;
        pk: number;
      }>(`PRAGMA table_info(${name})`);
      const keys = config.primaryKeys[0]?.columns.map((column) => column.name) ?? [];
      expect(
        columnRows.map(({ dflt_value, ...column }) => ({ ...column, hasDefault: dflt_value !== null })),
      ).toEqual(
        Object.values(getTableColumns(table)).map((column, cid) => ({
          cid,
          name: column.name,
          type: column.getSQLType().toUpperCase(),
          notnull: Number(column.notNull),
          hasDefault: column.default !== undefined,
          pk: column.primary ? 1 : keys.indexOf(column.name) + 1,
        })),
      );

      const indexes = await rows<{ name: string; sql: string }>(
        `SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = '${name}' AND sql IS NOT NULL`,
      );
      const expectedIndexes = config.indexes.map(({ config: index }) => {
        const unique = index.unique ? "UNIQUE " : "";
        const where = index.where ? ` WHERE ${sqlOf(index.where)}` : "";
        return `CREATE ${unique}INDEX ${index.name} ON ${name} (${index.columns.map((c) => sqlOf(c as SQLiteColumn)).join(",")})${where}`;
      });
      expect(indexes.map(({ sql }) => withoutQuotesAndBreaks(sql)).sort()).toEqual(
        expectedIndexes.map(withoutQuotesAndBreaks).sort(),
      );

      const references = await rows<{ from: string; table: string; to: string; on_delete: string }>(
        `PRAGMA foreign_key_list(${name})`,
      );
      expect(
        references.map((key) => `${key.from} → ${key.table}.${key.to} ${key.on_delete}`.toLowerCase()).sort(),
      ).toEqual(
        config.foreignKeys
          .map((key) => {
            const { columns, foreignColumns, foreignTable } = key.reference();
            return `${columns[0]?.name} → ${getTableName(foreignTable)}.${foreignColumns[0]?.name} ${key.onDelete ?? "no action"}`;
          })
          .sort(),
      );

      const [tableDefinition] = await rows<{ sql: string }>(
        `SELECT sql FROM sqlite_master WHERE name = '${name}'`,
      );
      for (const check of config.checks) {
        expect(withoutQuotesAndBreaks(tableDefinition?.sql ?? "")).toContain(
          withoutQuotesAndBreaks(`CONSTRAINT ${check.name} CHECK(${sqlOf(check.value)})`),
        );
      }
    },
  );

  it("enforces references", async () => {
    const { space } = await testApp.addSpace(owner);
    await expect(
      testApp.db.update(spaces).set({ folderId: randomUUID() }).where(eq(spaces.id, space.id)),
    ).rejects.toThrow();
    expect(await rows("PRAGMA foreign_key_check")).toEqual([]);
  });

  it("rejects invalid events", async () => {
    const { eventId } = await testApp.addSpace(owner);
    const wrong: Partial<typeof events.$inferInsert>[] = [
      { statusId: 5 as never },
      { statusId: 0 as never },
      nameColumns({ ja: "", en: "" }),
      nameColumns({ ja: "あ".repeat(33), en: "" }),
      nameColumns({ ja: "あ", en: "x".repeat(33) }),
      // The single name must equal one of the names.
      { eventName: "別の名" },
      { detailJa: "あ".repeat(1001) },
      { detailEn: "x".repeat(1001) },
      { accessToken: "short" },
      { urlParams: "{not json" },
    ];
    for (const fields of wrong) await expect(testApp.setEvent(eventId, fields)).rejects.toThrow();
    await testApp.setEvent(eventId, {
      ...nameColumns({ ja: "😀".repeat(32), en: "x".repeat(32) }),
      detailJa: "あ".repeat(1000),
      detailEn: "x".repeat(1000),
    });
  });
});

describe("stored counters", () => {
  it("count the events of a space that are not in the trash", async () => {
    const { space, eventId } = await testApp.addSpace(owner);
    const count = async () => (await testApp.data.spaces.find(space.id))?.eventCount;
    expect(await count()).toBe(1);
    const secondEvent = await testApp.services.events.createEvent({
      actor: owner.actor,
      spaceId: space.id,
      eventName: newText("二つ目"),
    });
    expect(await count()).toBe(2);
    await testApp.setEvent(secondEvent.id, { deletedAt: testApp.currentInstant() });
    expect(await count()).toBe(1);
    await testApp.setEvent(secondEvent.id, { deletedAt: testApp.currentInstant(), deletedBy: "again" });
    expect(await count()).toBe(1);
    await testApp.setEvent(secondEvent.id, { deletedAt: null });
    expect(await count()).toBe(2);
    const other = await testApp.addSpace(owner, "別の場所");
    await testApp.setEvent(secondEvent.id, { spaceId: other.space.id });
    expect([await count(), (await testApp.data.spaces.find(other.space.id))?.eventCount]).toEqual([1, 2]);
    await testApp.db.delete(events).where(eq(events.id, eventId));
    expect(await count()).toBe(0);
  });

  it("count the spaces of an account through trash, restoring, a new owner and removal", async () => {
    const other = await testApp.addUser();
    const { space } = await testApp.addSpace(owner);
    const counts = async () => [
      (await testApp.readAccount(owner.user.id))?.spaceCount,
      (await testApp.readAccount(other.user.id))?.spaceCount,
    ];
    expect(await counts()).toEqual([1, 0]);
    const set = (fields: Partial<typeof spaces.$inferInsert>) =>
      testApp.db.update(spaces).set(fields).where(eq(spaces.id, space.id));
    await set({ deletedAt: testApp.currentInstant() });
    expect(await counts()).toEqual([0, 0]);
    await set({ deletedAt: null, ownerId: other.user.id });
    expect(await counts()).toEqual([0, 1]);
    await testApp.db.delete(spaces).where(eq(spaces.id, space.id));
    expect(await counts()).toEqual([0, 0]);
    expect(await testApp.db.select().from(events)).toEqual([]);
  });

  it("add up the bytes of a library", async () => {
    const other = await testApp.addUser();
    const item = await testApp.addItem(owner, { byteSize: 700 });
    await testApp.addItem(owner, { byteSize: 50 });
    const used = async () => [
      (await testApp.readAccount(owner.user.id))?.storageUsed,
      (await testApp.readAccount(other.user.id))?.storageUsed,
    ];
    const set = (fields: Partial<typeof libraryItems.$inferInsert>) =>
      testApp.db.update(libraryItems).set(fields).where(eq(libraryItems.id, item.id));
    expect(await used()).toEqual([750, 0]);
    await set({ byteSize: 900 });
    expect(await used()).toEqual([950, 0]);
    await set({ title: "新" });
    expect(await used()).toEqual([950, 0]);
    await set({ deletedAt: testApp.currentInstant() });
    expect(await used()).toEqual([50, 0]);
    await set({ deletedAt: null, ownerId: other.user.id });
    expect(await used()).toEqual([50, 900]);
    await testApp.db.delete(libraryItems).where(eq(libraryItems.id, item.id));
    expect(await used()).toEqual([50, 0]);
  });
});

describe("an event's revision", () => {
  it("increases when the event, its content, its space or one of their files changes in the database", async () => {
    const { space, eventId } = await testApp.addSpace(owner);
    const item = await testApp.addItem(owner);
    const poster = await testApp.addItem(owner);
    let tagId = "";
    let mediaId = "";
    const setSpace = (fields: Partial<typeof spaces.$inferInsert>) =>
      testApp.db.update(spaces).set(fields).where(eq(spaces.id, space.id));
    const setItem = (id: string) =>
      testApp.db.update(libraryItems).set({ fileKey: randomUUID() }).where(eq(libraryItems.id, id));
    const changes: Record<string, () => PromiseLike<unknown>> = {
      "the event": () => testApp.setEvent(eventId, { detailEn: "Details" }),
      "its trash": () => testApp.setEvent(eventId, { deletedAt: testApp.currentInstant() }),
      "its restoring": () => testApp.setEvent(eventId, { deletedAt: null }),
      "a new media item": async () => {
        mediaId = await testApp.addMediaItem(eventId, item.id);
      },
      "a changed media item": () =>
        testApp.db.update(eventMedia).set({ titleEn: "x" }).where(eq(eventMedia.id, mediaId)),
      "the media item's file": () => setItem(item.id),
      "a new tag": async () => {
        tagId = await testApp.addTag(eventId);
      },
      "a changed tag": () => testApp.db.update(eventTags).set({ bodyEn: "x" }).where(eq(eventTags.id, tagId)),
      "a media item in a tag": () =>
        testApp.db.insert(tagMedia).values({ tagId, mediaId: mediaId, sortOrder: 0 }),
      "its order": () => testApp.db.update(tagMedia).set({ sortOrder: 3 }),
      "the media item out of the tag": () => testApp.db.delete(tagMedia),
      "a tag that is hidden": () =>
        testApp.db.update(eventTags).set({ hidden: true }).where(eq(eventTags.id, tagId)),
      "its first scene": () =>
        testApp.db.insert(eventScenes).values({ eventId, updatedAt: testApp.currentInstant() }),
      "its scene": () => testApp.db.update(eventScenes).set({ tour: [] }),
      "its scene removed": () => testApp.db.delete(eventScenes),
      "a tag removed": () => testApp.db.delete(eventTags).where(eq(eventTags.id, tagId)),
      "a media item removed": () => testApp.db.delete(eventMedia).where(eq(eventMedia.id, mediaId)),
      "the space's name": () => setSpace({ name: "新しい名" }),
      "the space's poster": () => setSpace({ posterMediaId: poster.id }),
      "the poster's file": () => setItem(poster.id),
      "the space's source": () => setSpace({ source: panoramaSpaceSource(item.id) }),
      "the source's file": () => setItem(item.id),
      "the space's trash": () => setSpace({ deletedAt: testApp.currentInstant() }),
    };
    for (const [name, change] of Object.entries(changes)) {
      const revisionBefore = await testApp.readRevision(eventId);
      await change();
      expect(await testApp.readRevision(eventId), name).toBeGreaterThan(revisionBefore);
    }
  });

  it("does not increase with a change elsewhere", async () => {
    const { space, eventId } = await testApp.addSpace(owner);
    const other = await testApp.services.events.createEvent({
      actor: owner.actor,
      spaceId: space.id,
      eventName: newText("隣"),
    });
    const revisionBefore = await testApp.readRevision(eventId);
    await testApp.addTag(other.id);
    await testApp.setStatus(other.id, 3);
    await testApp.addItem(owner);
    expect(await testApp.readRevision(eventId)).toBe(revisionBefore);
  });

  it("does not count as a save", async () => {
    const { eventId } = await testApp.addSpace(owner);
    await testApp.addTag(eventId);
    expect((await testApp.data.events.find(eventId))?.event.version).toBe(1);
  });
});

describe("the files of a space", () => {
  it("follow its source and its thumbnail", async () => {
    const { space } = await testApp.addSpace(owner);
    const [a, b, poster] = [
      await testApp.addItem(owner),
      await testApp.addItem(owner),
      await testApp.addItem(owner),
    ];
    const files = async () =>
      (await testApp.db.select().from(spaceFiles)).map((row) => row.libraryItemId).sort();
    const set = (fields: Partial<typeof spaces.$inferInsert>) =>
      testApp.db.update(spaces).set(fields).where(eq(spaces.id, space.id));
    expect(await files()).toEqual([]);
    await set({ source: panoramaSpaceSource(a.id, b.id, a.id), posterMediaId: poster.id });
    expect(await files()).toEqual([a.id, b.id, poster.id].sort());
    await set({ source: panoramaSpaceSource(b.id), posterMediaId: b.id });
    expect(await files()).toEqual([b.id]);
    await expect(set({ source: panoramaSpaceSource(randomUUID()) })).rejects.toThrow();
    await expect(testApp.db.delete(libraryItems).where(eq(libraryItems.id, b.id))).rejects.toThrow();
  });
});

it("a tag shows media of its own event only", async () => {
  const one = await testApp.addSpace(owner);
  const two = await testApp.addSpace(owner);
  const item = await testApp.addItem(owner);
  const foreignMediaId = await testApp.addMediaItem(two.eventId, item.id);
  await expect(testApp.addTag(one.eventId, [foreignMediaId])).rejects.toThrow();
});
