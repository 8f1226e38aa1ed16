/** The contents of a folder, folders first, at constant cost (decision 013). */
import { type SQL, sql } from "drizzle-orm";
import type { Contents, ContentsQuery, FolderEntry } from "#functions/services/folders/tree-ports";
import { LEAF_OF } from "~/domain/folders/tree";
import type { MediaKind } from "~/domain/shared/model";
import { folders, GREATEST, LIVE, libraryItems, spaces, TREE_ORDERS } from "../schema";
import { folderColumns, libraryColumns, spaceColumns } from "../shared/columns";
import { type Db, listOf, plain, run } from "../shared/db";
import { sortDirection, toSlice } from "../users/user-list";

/** Maximum number of items of a folder that are counted; there may be more. */
export const COUNTED_MAX = 1000;

/** A position before every row of an order. */
const LEAST = "";

/**
 * A page of a folder's content in one round trip. Folders and other items are two streams, each in its own order. The cursor's row is in
 * one of them; of the other stream, either everything or nothing comes after it.
 */
export async function listContents(db: Db, query: ContentsQuery, size: number): Promise<Contents> {
  const { cursor, folderId, groupIds } = query;
  const descends = query.direction === "desc";
  const backwards = cursor.at === "before" || cursor.at === "last";
  const direction = sortDirection(cursor, descends);
  const ascending = descends === backwards;
  const sortKey = plain(TREE_ORDERS[query.sort]);
  const leaf = LEAF_OF[query.folderType];
  const other = plain(leaf === "space" ? "spaces" : "library_items");
  /** Condition for rows after the cursor. A stream that comes after the cursor's stream is read from its beginning. */
  const beyond = (table: SQL, comesLater: boolean): SQL => {
    if (cursor.at !== "after" && cursor.at !== "before") return sql``;
    const own = sql`(SELECT ${sortKey} FROM ${table} WHERE id = ${cursor.id})`;
    // A cursor row that was deleted or moved elsewhere has no rows after it.
    const isElsewhere = sql`EXISTS (SELECT 1 FROM ${backwards ? other : plain("folders")} WHERE id = ${cursor.id})`;
    const from = comesLater
      ? sql`coalesce(${own}, iif(${isElsewhere}, ${ascending ? LEAST : GREATEST}, NULL))`
      : own;
    return sql` AND ${sortKey} ${plain(ascending ? ">" : "<")} ${from}`;
  };
  const order = sql`${sortKey} ${direction}`;
  const limit = plain(String(size + 1));
  /**
   * A page of the folder's rows of a table. If the reader may not see all of them, the page is merged from one query for each group and
   * kind, each in the order of an index, so that invisible rows cost nothing.
   */
  const pageOf = (table: SQL, parent: SQL, comesLater: boolean, kinds: readonly MediaKind[] = []) => {
    const inFolder = sql`${parent} = ${folderId} AND ${plain(LIVE)}${beyond(table, comesLater)}`;
    if (groupIds === null && kinds.length === 0) return { where: inFolder, order };
    const parts = (groupIds ?? [null]).flatMap((group) =>
      (kinds.length === 0 ? [null] : kinds).map((kind) => [group, kind]),
    );
    const ofGroup = groupIds === null ? sql`` : sql` AND group_id = json_each.value ->> 0`;
    const ofKind = kinds.length === 0 ? sql`` : sql` AND kind = json_each.value ->> 1`;
    const where = sql`id IN (SELECT found.id FROM json_each(${JSON.stringify(parts)}) CROSS JOIN ${table} found
      ON found.id IN (SELECT ${table}.id FROM ${table} WHERE ${inFolder}${ofGroup}${ofKind} ORDER BY ${order} LIMIT ${limit}))`;
    // The unary plus prevents SQLite from choosing another index for the order.
    return { where, order: sql`+(${sortKey}) ${direction}` };
  };
  const shared = groupIds === null ? sql`` : sql` AND group_id IN ${listOf(groupIds)}`;
  const counted = (table: SQL, parent: SQL, only = sql``) =>
    sql`SELECT 1 FROM (SELECT 1 FROM ${table} WHERE ${parent} = ${folderId} AND ${plain(LIVE)}${shared}${only} LIMIT ${plain(String(COUNTED_MAX + 1))})`;

  const folderPage = pageOf(plain("folders"), plain("parent_id"), backwards);
  const folderRows = db
    .select(folderColumns)
    .from(folders)
    .where(folderPage.where)
    .orderBy(folderPage.order)
    .limit(size + 1);
  const spacePage = pageOf(plain("spaces"), plain("folder_id"), !backwards);
  const spaceRows = db
    .select(spaceColumns)
    .from(spaces)
    .where(spacePage.where)
    .orderBy(spacePage.order)
    .limit(size + 1);
  // A filter by kind excludes folders.
  const { kinds } = query;
  const mediaPage = pageOf(
    plain("library_items"),
    plain("folder_id"),
    kinds.length === 0 && !backwards,
    kinds,
  );
  const mediaRows = db
    .select(libraryColumns)
    .from(libraryItems)
    .where(mediaPage.where)
    .orderBy(mediaPage.order)
    .limit(size + 1);
  const total = (table: SQL) =>
    db
      .select({ total: sql<number>`count(*)`.as("total") })
      .from(
        sql`(${counted(plain("folders"), plain("parent_id"))} UNION ALL ${counted(table, plain("folder_id"))})`,
      );
  const toFolders = (rows: Awaited<typeof folderRows>): FolderEntry[] =>
    rows.map((folder) => ({ kind: "folder", folder }));
  const toMedia = (rows: Awaited<typeof mediaRows>): FolderEntry[] =>
    rows.map((item) => ({ kind: "media", item }));
  const read = async (): Promise<readonly [FolderEntry[], FolderEntry[], number]> => {
    if (leaf === "space") {
      const [inner, leaves, count] = await run(db.batch([folderRows, spaceRows, total(plain("spaces"))]));
      return [toFolders(inner), leaves.map((space) => ({ kind: "space", space })), count[0]?.total ?? 0];
    }
    if (kinds.length > 0) {
      const isOfKinds = sql` AND kind IN ${listOf(kinds)}`;
      const count = db
        .select({ total: sql<number>`count(*)`.as("total") })
        .from(sql`(${counted(plain("library_items"), plain("folder_id"), isOfKinds)})`);
      const [leaves, [counts]] = await run(db.batch([mediaRows, count]));
      return [[], toMedia(leaves), counts?.total ?? 0];
    }
    const [inner, leaves, count] = await run(
      db.batch([folderRows, mediaRows, total(plain("library_items"))]),
    );
    return [toFolders(inner), toMedia(leaves), count[0]?.total ?? 0];
  };
  const [inner, leaves, count] = await read();
  const rows = backwards ? [...leaves, ...inner] : [...inner, ...leaves];
  return {
    ...toSlice(rows.slice(0, size + 1), size, cursor),
    total: { count: Math.min(count, COUNTED_MAX), isMore: count > COUNTED_MAX },
  };
}
