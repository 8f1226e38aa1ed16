/** Emptying the trash. Every statement reads an index of what is in the trash, and takes a bounded part of it. */
import { type SQL, sql } from "drizzle-orm";
import type { ExpiredFile, PurgeRepository } from "#functions/services/purge";
import { type Db, listOf, plain, run, runTogether } from "./db";
import { GROUP_ORDERS, IN_TRASH, USER_ORDERS } from "./schema";
import { IS_SOURCE } from "./uses";

/** Records of a kind that one run deletes at most. */
const RECORDS_AT_ONCE = 100;

/** Whether the time of a thing is over, or that of its owner. */
const isOver = (before: string) => sql`(deleted_at < ${before}
  OR owner_id IN (SELECT id FROM users WHERE ${plain(IN_TRASH)} AND ${plain(USER_ORDERS.trash)} < ${before}))`;

/** Ids of things whose own time is over, or their owner's: two streams, each read from an index and no further than needed. */
function expired(table: string, before: string, condition: string, limit: number): SQL {
  const upTo = plain(String(limit));
  return sql`SELECT id FROM (SELECT id FROM ${plain(table)}
      WHERE ${plain(IN_TRASH)} AND deleted_at < ${before} AND ${plain(condition)} LIMIT ${upTo})
    UNION SELECT id FROM (SELECT ${plain(table)}.id FROM users u JOIN ${plain(table)} ON owner_id = u.id
      WHERE u.deleted_at IS NOT NULL AND u.deleted_at || u.id < ${before} AND ${plain(condition)} LIMIT ${upTo})`;
}

export function purgeRepository(db: Db): PurgeRepository {
  return {
    async expiredFiles(before, limit) {
      return run(
        db.all<ExpiredFile>(sql`SELECT id, file_key AS fileKey, thumb_key AS thumbKey FROM library_items
          WHERE id IN (${expired("library_items", before, `NOT ${IS_SOURCE}`, limit)}) LIMIT ${limit}`),
      );
    },

    async deleteItems(ids, before) {
      // Whatever came back, or became a space's source, since it was looked for stays.
      const listed = sql`(SELECT id FROM library_items WHERE id IN ${listOf(ids)} AND ${isOver(before)}
        AND NOT ${plain(IS_SOURCE)})`;
      await runTogether(db, [
        sql`UPDATE spaces SET poster_media_id = NULL WHERE poster_media_id IN ${listed}`,
        sql`DELETE FROM event_media WHERE library_item_id IN ${listed}`,
        sql`DELETE FROM library_items WHERE id IN ${listed}`,
      ]);
    },

    async deleteRecords(before) {
      const isEmpty = `NOT EXISTS (SELECT 1 FROM folders inner_folder WHERE inner_folder.parent_id = folders.id)
        AND NOT EXISTS (SELECT 1 FROM spaces WHERE spaces.folder_id = folders.id)
        AND NOT EXISTS (SELECT 1 FROM library_items WHERE library_items.folder_id = folders.id)`;
      const ownsNothing = plain(`NOT EXISTS (SELECT 1 FROM folders WHERE folders.owner_id = users.id)
        AND NOT EXISTS (SELECT 1 FROM spaces WHERE spaces.owner_id = users.id)
        AND NOT EXISTS (SELECT 1 FROM library_items WHERE library_items.owner_id = users.id)`);
      const answers = await runTogether(db, [
        sql`DELETE FROM events WHERE id IN (SELECT id FROM events WHERE ${plain(IN_TRASH)} AND deleted_at < ${before}
          LIMIT ${plain(String(RECORDS_AT_ONCE))}) RETURNING id`,
        sql`DELETE FROM spaces WHERE id IN (${expired("spaces", before, "1", RECORDS_AT_ONCE)}) RETURNING id`,
        sql`DELETE FROM folders WHERE id IN (${expired("folders", before, isEmpty, RECORDS_AT_ONCE)}) RETURNING id`,
        sql`DELETE FROM groups WHERE id IN (SELECT id FROM groups WHERE ${plain(IN_TRASH)}
          AND ${plain(GROUP_ORDERS.trash)} < ${before} LIMIT ${plain(String(RECORDS_AT_ONCE))}) RETURNING id`,
        sql`DELETE FROM users WHERE id IN (SELECT id FROM users WHERE ${plain(IN_TRASH)}
          AND ${plain(USER_ORDERS.trash)} < ${before} AND ${ownsNothing} LIMIT ${plain(String(RECORDS_AT_ONCE))}) RETURNING id`,
      ]);
      return answers.flat().length;
    },
  };
}
