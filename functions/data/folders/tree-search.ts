/** The search of folders and their content, at a cost that does not depend on their size (decision 014). */
import { eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { TreeFound, TreeFoundItem, TreeSearchQuery } from "#functions/services/folders/tree-ports";
import { LEAF_OF } from "~/domain/folders/tree";
import { searchKey } from "~/domain/shared/text";
import { folders, libraryItems, spaces, treeDocs } from "../schema";
import { folderColumns, libraryColumns, spaceColumns } from "../shared/columns";
import { type Db, plain, run } from "../shared/db";
import { beyond, sortDirection, toSlice } from "../users/user-list";
import { keyWords, phrase } from "../users/user-search";

/** Maximum number of matches that are counted; there may be more. */
export const FOUND_COUNTED_MAX = 1000;

const idToken = (name: "owner" | "group", id: string) => `"${name}${id.replaceAll("-", "")}"`;

/**
 * The tree_search query. The result contains only hexadecimal digits and fixed words, because ids and kinds are validated before. Null when the
 * reader sees nothing.
 */
export function treeMatch(query: Omit<TreeSearchQuery, "cursor" | "mimeTypes">): string | null {
  const { scope, folderType, q, kinds } = query;
  const own = idToken("owner", scope.ownerId);
  const groups = scope.groupIds.map((id) => idToken("group", id)).join(" OR ");
  if (scope.sees === "shared" && groups === "") return null;
  const visible = {
    own: `facets : ${own}`,
    own_and_shared: `facets : (${[own, groups].filter((part) => part !== "").join(" OR ")})`,
    shared: `facets : ${own} AND facets : (${groups})`,
  }[scope.sees];
  return [
    ...keyWords(searchKey(q)).map((word) => `grams : ${phrase(word)}`),
    visible,
    `facets : "tree${folderType}"`,
    ...(kinds === null ? [] : [`facets : (${kinds.map((kind) => `"kind${kind}"`).join(" OR ")})`]),
  ]
    .map((term) => `(${term})`)
    .join(" AND ");
}

/** The folder of each match, with distinct column names, because a D1 batch merges columns of the same name. */
const around = alias(folders, "around");
const aroundColumns = {
  aroundName: sql<string>`around.name`.as("around_name"),
  aroundParent: sql<string | null>`around.parent_id`.as("around_parent"),
  aroundOwner: sql<string>`around.owner_id`.as("around_owner"),
  aroundGroup: sql<string | null>`around.group_id`.as("around_group"),
  doc: sql<number>`tree_docs.doc`.as("doc"),
};

type Around = { [Name in keyof typeof aroundColumns]: (typeof aroundColumns)[Name]["_"]["type"] };

/** Condition on matches for MIME types of library items. The index does not hold them, so each match is looked up. */
const typeFilter = (mimeTypes: readonly string[] | null) =>
  mimeTypes === null
    ? plain("")
    : sql` AND EXISTS (SELECT 1 FROM tree_docs typed JOIN library_items li ON li.id = typed.item_id
        WHERE typed.doc = tree_search.rowid AND li.mime_type IN (SELECT value FROM json_each(${JSON.stringify(mimeTypes)})))`;

/** A page of matches, newest first, in one round trip. */
export async function selectTreeMatches(db: Db, query: TreeSearchQuery, size: number): Promise<TreeFound> {
  const { cursor } = query;
  const match = treeMatch(query);
  const empty = { items: [], hasPrevious: false, hasNext: false, total: { count: 0, isMore: false } };
  if (match === null || query.kinds?.length === 0) return empty;
  const direction = sortDirection(cursor, true);
  const docOf = (id: string) => sql`(SELECT doc FROM tree_docs WHERE item_id = ${id})`;
  const ofType = typeFilter(query.mimeTypes);
  const matches = sql`${treeDocs.doc} IN (SELECT rowid FROM tree_search
    WHERE tree_search MATCH ${match}${ofType}${beyond(cursor, true, plain("rowid"), docOf)}
    ORDER BY rowid ${direction} LIMIT ${plain(String(size + 1))})`;
  const total = db
    .select({ total: sql<number>`count(*)`.as("total") })
    .from(
      sql`(SELECT 1 FROM tree_search WHERE tree_search MATCH ${match}${ofType} LIMIT ${plain(String(FOUND_COUNTED_MAX + 1))})`,
    );
  const folderRows = db
    .select({ ...folderColumns, ...aroundColumns })
    .from(treeDocs)
    .innerJoin(folders, eq(folders.id, treeDocs.itemId))
    .innerJoin(around, eq(around.id, folders.parentId))
    .where(matches);
  type Hit = { readonly doc: number; readonly item: TreeFoundItem };
  const hit = (row: Around, place: string, content: Omit<TreeFoundItem, "place">): Hit => ({
    doc: row.doc,
    item: {
      ...content,
      place: {
        id: place,
        name: row.aroundName,
        parentId: row.aroundParent,
        ownerId: row.aroundOwner,
        groupId: row.aroundGroup,
      },
    } as TreeFoundItem,
  });
  const bare = <T extends Around>({ aroundName, aroundParent, aroundOwner, aroundGroup, doc, ...row }: T) =>
    row;
  const read = async (): Promise<readonly [Hit[], Hit[], number]> => {
    const toFolders = (rows: Awaited<typeof folderRows>) =>
      rows.map((row) => hit(row, row.parentId ?? "", { kind: "folder", folder: bare(row) } as never));
    if (LEAF_OF[query.folderType] === "space") {
      const [inner, leaves, count] = await run(
        db.batch([
          folderRows,
          db
            .select({ ...spaceColumns, ...aroundColumns })
            .from(treeDocs)
            .innerJoin(spaces, eq(spaces.id, treeDocs.itemId))
            .innerJoin(around, eq(around.id, spaces.folderId))
            .where(matches),
          total,
        ]),
      );
      const hits = leaves.map((row) => hit(row, row.folderId, { kind: "space", space: bare(row) } as never));
      return [toFolders(inner), hits, count[0]?.total ?? 0];
    }
    const [inner, leaves, count] = await run(
      db.batch([
        folderRows,
        db
          .select({ ...libraryColumns, ...aroundColumns })
          .from(treeDocs)
          .innerJoin(libraryItems, eq(libraryItems.id, treeDocs.itemId))
          .innerJoin(around, eq(around.id, libraryItems.folderId))
          .where(matches),
        total,
      ]),
    );
    const hits = leaves.map((row) => hit(row, row.folderId, { kind: "media", item: bare(row) } as never));
    return [toFolders(inner), hits, count[0]?.total ?? 0];
  };
  const [inner, leaves, count] = await read();
  const ascends = cursor.at === "before" || cursor.at === "last";
  const rows = [...inner, ...leaves].sort((a, b) => (ascends ? a.doc - b.doc : b.doc - a.doc));
  return {
    ...toSlice(
      rows.map(({ item }) => item),
      size,
      cursor,
    ),
    total: { count: Math.min(count, FOUND_COUNTED_MAX), isMore: count > FOUND_COUNTED_MAX },
  };
}
