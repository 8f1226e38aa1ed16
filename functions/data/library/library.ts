import { and, eq, inArray, sql } from "drizzle-orm";
import type { ItemUses, UseReader } from "#functions/services/library/item-uses-ports";
import type { LibraryItem } from "~/domain/library/library-item";
import type { Uuid } from "~/domain/shared/model";
import { LIVE, libraryItems, MAY_NEED_CONVERSION } from "../schema";
import { libraryColumns } from "../shared/columns";
import { type Db, first, rawSql, run, sqlList, sqlListFromJson } from "../shared/db";
import { prepareRead } from "../shared/prepared-read";
import { readUses } from "./uses";

/** Items of libraries. Those in the trash are not found. */
export function libraryRepository(db: Db) {
  const findByIds = prepareRead<{ readonly ids: string }, LibraryItem>(db, () =>
    db
      .select(libraryColumns)
      .from(libraryItems)
      .where(and(inArray(libraryItems.id, sqlListFromJson(sql.placeholder("ids"))), rawSql(LIVE))),
  );
  const readOfEvent = prepareRead<{ readonly eventId: Uuid }, LibraryItem>(db, () => {
    const eventId = sql.placeholder("eventId");
    return db
      .select(libraryColumns)
      .from(libraryItems)
      .where(
        sql`${libraryItems.id} IN (
          SELECT library_item_id FROM event_media WHERE event_id = ${eventId} AND deleted_at IS NULL
          UNION SELECT library_item_id FROM space_files WHERE space_id = (SELECT space_id FROM events WHERE id = ${eventId}))
          AND ${rawSql(LIVE)}`,
      );
  });
  const readConvertible = prepareRead<{ readonly ownerId: Uuid; readonly limit: number }, LibraryItem>(
    db,
    () => {
      const isDecided = sql`EXISTS (SELECT 1 FROM preparations p
        WHERE p.item_id = library_items.id AND p.file_key = library_items.file_key AND p.state <> 'waiting')`;
      return db
        .select(libraryColumns)
        .from(libraryItems)
        .where(
          and(
            eq(libraryItems.ownerId, sql.placeholder("ownerId")),
            rawSql(MAY_NEED_CONVERSION),
            sql`NOT ${isDecided}`,
          ),
        )
        .orderBy(libraryItems.createdAt)
        .limit(sql.placeholder("limit"));
    },
  );
  return {
    async find(id: Uuid): Promise<LibraryItem | null> {
      return first(
        await run(
          db
            .select(libraryColumns)
            .from(libraryItems)
            .where(and(eq(libraryItems.id, id), rawSql(LIVE))),
        ),
      );
    },

    /** The existing items of a list of ids, in any order. */
    findAll: (ids: readonly Uuid[]): Promise<readonly LibraryItem[]> =>
      findByIds({ ids: JSON.stringify(ids) }),

    /** The existing items that an event or its space uses, in any order. */
    listOfEvent: (eventId: Uuid): Promise<readonly LibraryItem[]> => readOfEvent({ eventId }),

    /**
     * Returns the owner's items that may need a conversion (MAY_NEED_CONVERSION) and whose conversion waits or was never started, oldest first. The
     * rules of the domain decide about each of them.
     */
    listConvertible: (ownerId: Uuid, limit: number): Promise<readonly LibraryItem[]> =>
      readConvertible({ ownerId, limit }),

    /** The uses of an item. Null as reader: all of them are visible. */
    findUses: (id: Uuid, reader: UseReader | null): Promise<ItemUses> => readUses(db, id, reader),

    /** Whether a space of these groups, or an event of such a space, uses the item. */
    async isUsedByGroups(id: Uuid, groupIds: readonly Uuid[]) {
      const rows = await run(
        db.all<{ used: number }>(sql`SELECT
          EXISTS (SELECT 1 FROM space_files f JOIN spaces s ON s.id = f.space_id
            WHERE f.library_item_id = ${id} AND s.deleted_at IS NULL AND s.group_id IN ${sqlList(groupIds)})
          OR EXISTS (SELECT 1 FROM event_media m JOIN events e ON e.id = m.event_id JOIN spaces s ON s.id = e.space_id
            WHERE m.library_item_id = ${id} AND m.deleted_at IS NULL AND e.deleted_at IS NULL AND s.deleted_at IS NULL
              AND s.group_id IN ${sqlList(groupIds)}) AS used`),
      );
      return rows[0]?.used === 1;
    },
  };
}
