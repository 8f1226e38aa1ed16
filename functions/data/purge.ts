/** Emptying the trash. Every statement reads an index of what is in the trash, and takes a bounded part of it. */
import { sql } from "drizzle-orm";
import type { ExpiredFile, PurgeRepository } from "#functions/services/purge";
import { type Db, listOf, plain, run, runTogether } from "./db";
import { GROUP_ORDERS, IN_TRASH, USER_ORDERS } from "./schema";

/** Records of a kind that one run deletes at most. */
const RECORDS_AT_ONCE = plain("100");

/** Ids of things whose own time is over, or their owner's: two streams, each read from an index. */
const expired = (table: string, before: string) => sql`SELECT id FROM ${plain(table)}
    WHERE ${plain(IN_TRASH)} AND deleted_at < ${before}
  UNION SELECT t.id FROM users u JOIN ${plain(table)} t ON t.owner_id = u.id
    WHERE u.deleted_at IS NOT NULL AND ${plain(`u.${USER_ORDERS.trash.replace("|| id", "|| u.id")}`)} < ${before}`;

export function purgeRepository(db: Db): PurgeRepository {
  return {
    async expiredFiles(before, limit) {
      return run(
        db.all<ExpiredFile>(sql`SELECT id, file_key AS fileKey FROM library_items WHERE id IN (${expired("library_items", before)})
          AND NOT EXISTS (SELECT 1 FROM space_files f WHERE f.library_item_id = library_items.id
            AND f.library_item_id IS NOT (SELECT poster_media_id FROM spaces WHERE spaces.id = f.space_id))
          LIMIT ${limit}`),
      );
    },

    async deleteItems(ids) {
      const listed = listOf(ids);
      await runTogether(db, [
        sql`DELETE FROM event_media WHERE library_item_id IN ${listed}`,
        sql`UPDATE spaces SET poster_media_id = NULL WHERE poster_media_id IN ${listed}`,
        sql`DELETE FROM library_items WHERE id IN ${listed}`,
      ]);
    },

    async deleteRecords(before) {
      const isEmpty =
        plain(`NOT EXISTS (SELECT 1 FROM folders inner_folder WHERE inner_folder.parent_id = folders.id)
        AND NOT EXISTS (SELECT 1 FROM spaces WHERE spaces.folder_id = folders.id)
        AND NOT EXISTS (SELECT 1 FROM library_items WHERE library_items.folder_id = folders.id)`);
      const ownsNothing = plain(`NOT EXISTS (SELECT 1 FROM folders WHERE folders.owner_id = users.id)
        AND NOT EXISTS (SELECT 1 FROM spaces WHERE spaces.owner_id = users.id)
        AND NOT EXISTS (SELECT 1 FROM library_items WHERE library_items.owner_id = users.id)`);
      const answers = await runTogether(db, [
        sql`DELETE FROM spaces WHERE id IN (SELECT id FROM (${expired("spaces", before)}) LIMIT ${RECORDS_AT_ONCE}) RETURNING id`,
        sql`DELETE FROM folders WHERE id IN (SELECT id FROM folders WHERE id IN (${expired("folders", before)})
          AND ${isEmpty} LIMIT ${RECORDS_AT_ONCE}) RETURNING id`,
        sql`DELETE FROM groups WHERE id IN (SELECT id FROM groups WHERE ${plain(IN_TRASH)}
          AND ${plain(GROUP_ORDERS.trash)} < ${before} LIMIT ${RECORDS_AT_ONCE}) RETURNING id`,
        sql`DELETE FROM users WHERE id IN (SELECT id FROM users WHERE ${plain(IN_TRASH)}
          AND ${plain(USER_ORDERS.trash)} < ${before} AND ${ownsNothing} LIMIT ${RECORDS_AT_ONCE}) RETURNING id`,
      ]);
      return answers.flat().length;
    },
  };
}
