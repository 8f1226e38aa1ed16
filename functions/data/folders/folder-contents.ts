/** The contents of a folder, folders first, at constant cost (decision 013). */
import { type SQL, sql } from "drizzle-orm";
import type {
  Contents,
  ContentsQuery,
  FolderEntry,
  SameNamedItem,
} from "#functions/services/folders/tree-ports";
import type { Total } from "#functions/services/shared/ports";
import { LEAF_OF } from "~/domain/folders/tree";
import type { Cursor } from "~/domain/shared/cursor";
import type { MediaKind, Uuid } from "~/domain/shared/model";
import { folders, GREATEST, LIVE, libraryItems, spaces, TREE_ORDERS } from "../schema";
import { folderColumns, libraryColumns, spaceColumns } from "../shared/columns";
import { sortDirection, toSlice } from "../shared/cursor-page";
import { type Db, rawSql, sqlListFromJson } from "../shared/db";
import { prepareRead, prepareSql, readsByShape } from "../shared/prepared-read";

/** Maximum number of items of a folder that are counted; there may be more. */
export const COUNTED_MAX = 1000;

/** Returns the total for a number of rows that were counted up to COUNTED_MAX + 1. */
export const toTotal = (count: number): Total => ({
  count: Math.min(count, COUNTED_MAX),
  hasMore: count > COUNTED_MAX,
});

/** A sort key before every row. */
const BEFORE_ALL = "";

/** The properties of a query that change the SQL text of its reads. A leaf is an item that is not a folder: a space or a media item. */
interface Shape extends Pick<ContentsQuery, "folderType" | "sort" | "direction"> {
  readonly at: ContentsQuery["cursor"]["position"];
  /** Whether the reader sees only items that are shared with some groups. */
  readonly isShared: boolean;
  /** Whether only some kinds of media are listed. */
  readonly hasKinds: boolean;
}

/** SQL of the id of the requested folder: the given id, or that of the owner's root folder. */
export const requestedFolderId = sql`coalesce(${sql.placeholder("folderId")}, (SELECT root.id FROM folders root
  WHERE root.owner_id = ${sql.placeholder("ownerId")} AND root.folder_type = ${sql.placeholder("folderType")}
    AND root.parent_id IS NULL AND root.deleted_at IS NULL))`;

/** SQL of the oldest other row of a table that has the name of a listed row, is in the same folder, and is visible to the reader. */
const sameNamedItem = (table: SQL, parent: SQL, isShared: boolean) => {
  const groupCondition = isShared
    ? sql` AND other.group_id IN ${sqlListFromJson(sql.placeholder("groupIds"))}`
    : sql``;
  // Equal names have equal sort_keys, which are a range of the index of the order by name: TREE_ORDERS.
  return sql<SameNamedItem | null>`(SELECT json_object('id', other.id, 'createdAt', other.created_at) FROM ${table} other
    WHERE other.${parent} = ${table}.${parent} AND other.deleted_at IS NULL AND other.id <> ${table}.id${groupCondition}
      AND other.search_key = ${table}.search_key
      AND other.sort_key || char(1) || other.id BETWEEN ${table}.sort_key || char(1) AND ${table}.sort_key || char(2)
    ORDER BY other.created_at, other.id LIMIT 1)`
    .mapWith((value: string) => JSON.parse(value) as SameNamedItem)
    .as("sameNamed");
};

/**
 * Prepares the reads of a page. Folders and other items are two streams, each in its own order. The cursor's row is in one of them; the rows of the
 * other stream are either all before or all after the cursor.
 */
function prepareContents(
  db: Db,
  { folderType, sort, direction: order, at: position, isShared, hasKinds }: Shape,
) {
  const isDescending = order === "desc";
  const isBackwards = position === "before" || position === "last";
  const cursorId = sql.placeholder("cursorId");
  const direction = sortDirection({ position } as Cursor, isDescending);
  const isAscending = isDescending === isBackwards;
  const sortKey = rawSql(TREE_ORDERS[sort]);
  const leaf = LEAF_OF[folderType];
  const leafTable = rawSql(leaf === "space" ? "spaces" : "library_items");
  /** Condition for rows beyond the cursor. A stream that comes after the cursor's stream is read from its beginning. */
  const afterCursor = (table: SQL, comesLater: boolean): SQL => {
    if (position !== "after" && position !== "before") return sql``;
    const cursorValue = sql`(SELECT ${sortKey} FROM ${table} WHERE id = ${cursorId})`;
    // If the cursor's row was deleted permanently, no rows are found.
    const isInOtherStream = sql`EXISTS (SELECT 1 FROM ${isBackwards ? leafTable : rawSql("folders")} WHERE id = ${cursorId})`;
    const startValue = comesLater
      ? sql`coalesce(${cursorValue}, iif(${isInOtherStream}, ${isAscending ? BEFORE_ALL : GREATEST}, NULL))`
      : cursorValue;
    return sql` AND ${sortKey} ${rawSql(isAscending ? ">" : "<")} ${startValue}`;
  };
  const orderBy = sql`${sortKey} ${direction}`;
  const limit = sql.placeholder("limit");
  /**
   * A page of the folder's rows of a table. If it is limited to some groups or kinds, it is merged from one query for each of them, in the order
   * of an index, so that other rows cost nothing.
   */
  const pageQuery = (table: SQL, parent: SQL, comesLater: boolean, isOfKinds = false) => {
    const inFolder = sql`${parent} = ${requestedFolderId} AND ${rawSql(LIVE)}${afterCursor(table, comesLater)}`;
    if (!isShared && !isOfKinds) return { where: inFolder, order: orderBy };
    const groupCondition = isShared ? sql` AND group_id = json_each.value ->> 0` : sql``;
    const kindCondition = isOfKinds ? sql` AND kind = json_each.value ->> 1` : sql``;
    const where = sql`id IN (SELECT found.id FROM json_each(${sql.placeholder(isOfKinds ? "groupKindPairs" : "groupPairs")}) CROSS JOIN ${table} found
      ON found.id IN (SELECT ${table}.id FROM ${table} WHERE ${inFolder}${groupCondition}${kindCondition} ORDER BY ${orderBy} LIMIT ${limit}))`;
    // The unary plus prevents SQLite from choosing another index for the order.
    return { where, order: sql`+(${sortKey}) ${direction}` };
  };
  const sharedCondition = isShared
    ? sql` AND group_id IN ${sqlListFromJson(sql.placeholder("groupIds"))}`
    : sql``;
  const isVisible = sql`${rawSql(LIVE)}${sharedCondition}`;
  const countLimit = sql`LIMIT ${rawSql(String(COUNTED_MAX + 1))}`;
  /**
   * The number of items directly in a folder that the reader sees, from indexes. The LIMIT is for the union, because SQLite would compute a nested
   * query with a LIMIT only once for all rows.
   */
  const itemCount = (folderId: SQL) => sql`(SELECT count(*) FROM (
    SELECT 1 FROM folders inner_folder WHERE parent_id = ${folderId} AND ${isVisible}
    UNION ALL SELECT 1 FROM ${leafTable} WHERE folder_id = ${folderId} AND ${isVisible} ${countLimit}))`;

  const readFolders = prepareRead(db, () => {
    const page = pageQuery(rawSql("folders"), rawSql("parent_id"), isBackwards);
    const sameNamed = sameNamedItem(rawSql("folders"), rawSql("parent_id"), isShared);
    return db
      .select({
        ...folderColumns,
        sameNamed,
        itemCount: sql<Total>`${itemCount(rawSql("folders.id"))}`.mapWith(toTotal).as("item_count"),
      })
      .from(folders)
      .where(page.where)
      .orderBy(page.order)
      .limit(limit);
  });
  const readSpaces = prepareRead(db, () => {
    const page = pageQuery(rawSql("spaces"), rawSql("folder_id"), !isBackwards);
    const sameNamed = sameNamedItem(rawSql("spaces"), rawSql("folder_id"), isShared);
    return db
      .select({ ...spaceColumns, sameNamed })
      .from(spaces)
      .where(page.where)
      .orderBy(page.order)
      .limit(limit);
  });
  const readMedia = prepareRead(db, () => {
    // A filter by kind excludes folders.
    const page = pageQuery(rawSql("library_items"), rawSql("folder_id"), !hasKinds && !isBackwards, hasKinds);
    return db.select(libraryColumns).from(libraryItems).where(page.where).orderBy(page.order).limit(limit);
  });
  const readTotal = prepareSql<ContentsValues, { readonly matches: number | null; readonly all: number }>(
    db,
    () =>
      sql`SELECT ${
        hasKinds
          ? sql`(SELECT count(*) FROM (SELECT 1 FROM library_items WHERE folder_id = ${requestedFolderId}
            AND kind IN ${sqlListFromJson(sql.placeholder("kinds"))} AND ${isVisible} ${countLimit}))`
          : sql`NULL`
      } AS matches, ${itemCount(requestedFolderId)} AS "all"`,
  );

  return async (values: ContentsValues) => {
    const [folderRows, leafSpaces, media, [count]] = await Promise.all([
      hasKinds ? [] : readFolders(values),
      leaf === "space" ? readSpaces(values) : [],
      leaf === "media" ? readMedia(values) : [],
      readTotal(values),
    ]);
    const leaves: FolderEntry[] = [
      ...leafSpaces.map(({ sameNamed, ...space }) => ({ kind: "space" as const, space, sameNamed })),
      ...media.map((item) => ({ kind: "media" as const, item })),
    ];
    const innerEntries: FolderEntry[] = folderRows.map(({ sameNamed, itemCount, ...folder }) => ({
      kind: "folder" as const,
      folder,
      sameNamed,
      itemCount,
    }));
    return {
      rows: isBackwards ? [...leaves, ...innerEntries] : [...innerEntries, ...leaves],
      total: toTotal(count?.matches ?? count?.all ?? 0),
      unfiltered: toTotal(count?.all ?? 0),
    };
  };
}

/** The values of the placeholders. */
interface ContentsValues extends Readonly<Record<string, unknown>> {
  readonly folderId: Uuid | null;
}

/** Reads pages of folders' contents, each in one round trip. */
export function folderContentsReader(db: Db) {
  const readsOf = readsByShape((shape: Shape) => prepareContents(db, shape));
  return async (query: ContentsQuery, size: number): Promise<Contents> => {
    const { cursor, folderType, groupIds, kinds, sort, direction } = query;
    const isShared = groupIds !== null;
    const read = readsOf({
      folderType,
      sort,
      direction,
      at: cursor.position,
      isShared,
      hasKinds: folderType === "media" && kinds.length > 0,
    });
    // Pairs of a group and a kind; null for all of them.
    const pairsJson = (pairKinds: readonly (MediaKind | null)[]) =>
      JSON.stringify((groupIds ?? [null]).flatMap((group) => pairKinds.map((kind) => [group, kind])));
    const { rows, ...totals } = await read({
      folderId: query.folderId,
      ownerId: query.ownerId,
      folderType,
      cursorId: "id" in cursor ? cursor.id : null,
      limit: size + 1,
      groupIds: JSON.stringify(groupIds ?? []),
      kinds: JSON.stringify(kinds),
      groupPairs: pairsJson([null]),
      groupKindPairs: pairsJson(kinds),
    });
    return {
      ...toSlice(rows.slice(0, size + 1), size, cursor),
      ...totals,
    };
  };
}
