import { and, count, desc, eq, inArray, or, type SQL, sql } from "drizzle-orm";
import type { LibraryQuery, LibraryRepository } from "#functions/services/ports";
import { nameKey } from "~/domain/text";
import { libraryColumns } from "./columns";
import { type Db, first, listOf, offsetOf, pageOf, plain, run } from "./db";
import { LIVE, libraryItems } from "./schema";

function scope({ ownerId, groupIds, onlyGroups, folderId, q }: LibraryQuery): SQL | undefined {
  const key = nameKey(q);
  const shared = groupIds.length > 0 ? inArray(libraryItems.groupId, listOf(groupIds)) : undefined;
  const owned =
    folderId === null
      ? or(eq(libraryItems.ownerId, ownerId), shared)
      : and(eq(libraryItems.folderId, folderId), onlyGroups ? (shared ?? sql`0`) : undefined);
  return and(owned, plain(LIVE), key === "" ? undefined : sql`instr(${libraryItems.searchKey}, ${key}) > 0`);
}

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

    async list(query) {
      const where = scope(query);
      const [total, items] = await run(
        db.batch([
          db.select({ total: count() }).from(libraryItems).where(where),
          db
            .select(libraryColumns)
            .from(libraryItems)
            .where(where)
            .orderBy(desc(libraryItems.createdAt), desc(libraryItems.id))
            .limit(query.page.pageSize)
            .offset(offsetOf(query.page)),
        ]),
      );
      return pageOf(query.page, items, total[0]?.total ?? 0);
    },

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
