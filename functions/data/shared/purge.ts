/** Deletes expired records from the trash. They are found by an index, up to a limit. */

import { type SQL, sql } from "drizzle-orm";
import type { ExpiredFile } from "#functions/services/library/stored-file-ports";
import type { Instant, Uuid } from "~/domain/shared/model";
import { mediaItemJson, tagJson } from "../content/content-json";
import { IS_SOURCE } from "../library/uses";
import { GROUP_ORDERS, IN_TRASH, USER_ORDERS } from "../schema";
import { type Db, rawSql, run, runTogether, sqlList } from "./db";

/** Maximum number of records of a kind that one run deletes for their own expiry, and again for that of their owner or space. */
const RECORDS_AT_ONCE = 100;
/** Maximum number of dependent rows that are deleted at once. Their total number has no limit. */
const ROWS_AT_ONCE = 1000;

/** Condition: the trash time of an item or of its owner has ended. */
const isExpired = (before: string) => sql`(deleted_at < ${before}
  OR owner_id IN (SELECT id FROM users WHERE ${rawSql(IN_TRASH)} AND ${rawSql(USER_ORDERS.trash)} < ${before}))`;

/** SQL of the ids of expired items: those whose own time has ended, and those of expired owners. Each is read from an index, up to the limit. */
function selectExpired(table: string, before: string, condition: string, limit: number): SQL {
  const upTo = rawSql(String(limit));
  return sql`SELECT id FROM (SELECT id FROM ${rawSql(table)}
      WHERE ${rawSql(IN_TRASH)} AND deleted_at < ${before} AND ${rawSql(condition)} LIMIT ${upTo})
    UNION SELECT id FROM (SELECT ${rawSql(table)}.id FROM users u JOIN ${rawSql(table)} ON owner_id = u.id
      WHERE u.deleted_at IS NOT NULL AND u.deleted_at || u.id < ${before} AND ${rawSql(condition)} LIMIT ${upTo})`;
}

/**
 * Deletes media items of events. The history keeps the state of those that were not in the trash, and of tags that showed one.
 * @param media a SELECT of their ids
 */
function forgetMedia(media: SQL, now: string): SQL[] {
  const insertChange = (type: "media" | "tag", x: string) =>
    sql`INSERT INTO event_changes (event_id, at, act, part, item_type, item_id, before, after)
      SELECT ${rawSql(x)}.event_id, ${now}, lower(hex(randomblob(16))), 0, ${type}, ${rawSql(x)}.id`;
  return [
    sql`${insertChange("media", "m")}, ${mediaItemJson("m")}, NULL FROM event_media m WHERE m.id IN (${media}) AND m.deleted_at IS NULL`,
    sql`${insertChange("tag", "t")}, ${tagJson("t")}, ${tagJson("t", sql`m.id NOT IN (${media})`)} FROM event_tags t
      WHERE t.deleted_at IS NULL AND t.id IN (SELECT tag_id FROM tag_media WHERE media_id IN (${media}))`,
    sql`DELETE FROM event_media WHERE id IN (${media}) RETURNING id`,
  ];
}

/** Deletes records that were moved to the trash before an instant, and records of accounts that were. Each call deletes a limited number. */
export function purgeRepository(db: Db) {
  return {
    /** Expired media that are not the source of a space. */
    async expiredFiles(before: Instant, limit: number): Promise<readonly ExpiredFile[]> {
      return run(
        db.all<ExpiredFile>(sql`SELECT id, file_key AS fileKey, thumb_key AS thumbKey FROM library_items
          WHERE id IN (${selectExpired("library_items", before, `NOT ${IS_SOURCE}`, limit)}) LIMIT ${limit}`),
      );
    },

    /** Keys of the converted files of media. */
    async preparedKeys(itemIds: readonly Uuid[]): Promise<readonly string[]> {
      const rows = await run(
        db.all<{ fileKey: string }>(
          sql`SELECT file_key AS fileKey FROM prepared_files WHERE item_id IN ${sqlList(itemIds)}`,
        ),
      );
      return rows.map(({ fileKey }) => fileKey);
    },

    /**
     * Deletes the media that are still expired, with their uses in events and as thumbnails of spaces.
     * @param now time of the deletion for the events' histories
     */
    async deleteItems(ids: readonly Uuid[], before: Instant, now: Instant) {
      // Items that were restored or became a space's source after they were found are kept.
      const expiredItems = sql`(SELECT id FROM library_items WHERE id IN ${sqlList(ids)} AND ${isExpired(before)}
        AND NOT ${rawSql(IS_SOURCE)})`;
      await runTogether(db, [
        sql`UPDATE spaces SET poster_media_id = NULL WHERE poster_media_id IN ${expiredItems}`,
        ...forgetMedia(sql`SELECT id FROM event_media WHERE library_item_id IN ${expiredItems}`, now),
        sql`DELETE FROM library_items WHERE id IN ${expiredItems}`,
      ]);
    },

    /**
     * Deletes tags and media of events, events with their histories and visits, spaces without events, then empty folders, groups, and accounts without
     * content. Returns the number of deleted rows, including those of histories and visits.
     */
    async deleteRecords(before: Instant, now: Instant) {
      const isEmpty = `NOT EXISTS (SELECT 1 FROM folders inner_folder WHERE inner_folder.parent_id = folders.id)
        AND NOT EXISTS (SELECT 1 FROM spaces WHERE spaces.folder_id = folders.id)
        AND NOT EXISTS (SELECT 1 FROM library_items WHERE library_items.folder_id = folders.id)`;
      const ownsNothing = rawSql(`NOT EXISTS (SELECT 1 FROM folders WHERE folders.owner_id = users.id)
        AND NOT EXISTS (SELECT 1 FROM spaces WHERE spaces.owner_id = users.id)
        AND NOT EXISTS (SELECT 1 FROM library_items WHERE library_items.owner_id = users.id)`);
      const upTo = rawSql(String(RECORDS_AT_ONCE));
      // Events are deleted with their spaces. Their changes and visits are deleted first, in parts, because their number has no limit.
      const expiredEvents = sql`(SELECT id FROM (SELECT id FROM events WHERE ${rawSql(IN_TRASH)} AND deleted_at < ${before} LIMIT ${upTo})
        UNION SELECT id FROM (SELECT events.id FROM (${selectExpired("spaces", before, "1", RECORDS_AT_ONCE)}) going
          CROSS JOIN events ON events.space_id = going.id LIMIT ${upTo}))`;
      const deleteRows = (table: "event_changes" | "visit_totals", key: "seq" | "rowid") =>
        sql`DELETE FROM ${rawSql(table)} WHERE ${rawSql(key)} IN (SELECT ${rawSql(`${table}.${key}`)} FROM ${expiredEvents} going_event
          CROSS JOIN ${rawSql(table)} ON ${rawSql(table)}.event_id = going_event.id LIMIT ${rawSql(String(ROWS_AT_ONCE))}) RETURNING ${rawSql(key)}`;
      const selectTrashed = (table: "event_tags" | "event_media") =>
        sql`SELECT id FROM ${rawSql(table)} WHERE ${rawSql(IN_TRASH)} AND deleted_at < ${before} ORDER BY deleted_at LIMIT ${upTo}`;
      const results = await runTogether(db, [
        sql`DELETE FROM event_tags WHERE id IN (${selectTrashed("event_tags")}) RETURNING id`,
        ...forgetMedia(selectTrashed("event_media"), now),
        deleteRows("event_changes", "seq"),
        deleteRows("visit_totals", "rowid"),
        sql`DELETE FROM events WHERE id IN ${expiredEvents}
          AND NOT EXISTS (SELECT 1 FROM event_changes WHERE event_changes.event_id = events.id)
          AND NOT EXISTS (SELECT 1 FROM visit_totals WHERE visit_totals.event_id = events.id) RETURNING id`,
        sql`DELETE FROM spaces WHERE id IN (${selectExpired("spaces", before, "1", RECORDS_AT_ONCE)})
          AND NOT EXISTS (SELECT 1 FROM events WHERE events.space_id = spaces.id) RETURNING id`,
        sql`DELETE FROM folders WHERE id IN (${selectExpired("folders", before, isEmpty, RECORDS_AT_ONCE)}) RETURNING id`,
        sql`DELETE FROM groups WHERE id IN (SELECT id FROM groups WHERE ${rawSql(IN_TRASH)}
          AND ${rawSql(GROUP_ORDERS.trash)} < ${before} LIMIT ${upTo}) RETURNING id`,
        sql`DELETE FROM users WHERE id IN (SELECT id FROM users WHERE ${rawSql(IN_TRASH)}
          AND ${rawSql(USER_ORDERS.trash)} < ${before} AND ${ownsNothing} LIMIT ${upTo}) RETURNING id`,
      ]);
      return results.flat().length;
    },
  };
}
