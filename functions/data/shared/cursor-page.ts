/** SQL and results of a list's page that begins or ends at a cursor. */
import { type SQL, sql } from "drizzle-orm";
import type { Slice } from "#functions/services/shared/ports";
import type { Cursor } from "~/domain/shared/cursor";
import { rawSql } from "./db";

const isBackwards = (cursor: Cursor) => cursor.position === "before" || cursor.position === "last";

/** DESC or ASC. A page that ends at its cursor is read backwards from the cursor. */
export const sortDirection = (cursor: Cursor, isDescending: boolean): SQL =>
  rawSql(isDescending !== isBackwards(cursor) ? "DESC" : "ASC");

/**
 * SQL that restricts rows to those beyond the cursor: " AND …".
 * @param sortKey expression that is unique for each row
 * @param sortKeyOf returns an expression for the sort key of the row with an id
 */
export function createCursorCondition(
  cursor: Cursor,
  isDescending: boolean,
  sortKey: SQL,
  sortKeyOf: (id: string) => SQL,
): SQL {
  if (cursor.position !== "after" && cursor.position !== "before") return sql``;
  return sql` AND ${sortKey} ${rawSql(isDescending !== isBackwards(cursor) ? "<" : ">")} ${sortKeyOf(cursor.id)}`;
}

/** Returns a page of the rows that were read. One row more than a page has means that the list continues. */
export function toSlice<T>(rows: readonly T[], size: number, cursor: Cursor): Slice<T> {
  const hasMore = rows.length > size;
  const items = rows.slice(0, size);
  const hasCursorRow = cursor.position === "after" || cursor.position === "before";
  return isBackwards(cursor)
    ? { items: items.reverse(), hasPrevious: hasMore, hasNext: hasCursorRow }
    : { items, hasPrevious: hasCursorRow, hasNext: hasMore };
}
