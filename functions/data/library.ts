import { and, eq, inArray, sql } from "drizzle-orm";
import type { LibraryRepository } from "#functions/services/ports";
import { libraryColumns } from "./columns";
import { type Db, first, listOf, plain, run } from "./db";
import { LIVE, libraryItems } from "./schema";
import { readUses } from "./uses";

export function libraryRepository(db: Db): LibraryRepository {
  return {
    async find(id) {
      return first(
        await run(
          db
            .select(libraryColumns)
            .from(libraryItems)
            .where(and(eq(libraryItems.id, id), plain(LIVE))),
        ),
      );
    },

    async findAll(ids) {
      return run(
        db
          .select(libraryColumns)
          .from(libraryItems)
          .where(and(inArray(libraryItems.id, listOf(ids)), plain(LIVE))),
      );
    },

    findUses: (id, reader) => readUses(db, id, reader),

    async isUsedByGroups(id, groupIds) {
      const rows = await run(
        db.all<{ used: number }>(sql`SELECT
          EXISTS (SELECT 1 FROM space_files f JOIN spaces s ON s.id = f.space_id
            WHERE f.library_item_id = ${id} AND s.deleted_at IS NULL AND s.group_id IN ${listOf(groupIds)})
          OR EXISTS (SELECT 1 FROM event_media m JOIN events e ON e.id = m.event_id JOIN spaces s ON s.id = e.space_id
            WHERE m.library_item_id = ${id} AND m.deleted_at IS NULL AND e.deleted_at IS NULL AND s.deleted_at IS NULL
              AND s.group_id IN ${listOf(groupIds)}) AS used`),
      );
      return rows[0]?.used === 1;
    },
  };
}
