/** The search of folders and their content, at a cost that does not depend on their size (decision 014). */
import { eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { TreeFoundItem, TreeSearchPage, TreeSearchQuery } from "#functions/services/folders/tree-ports";
import { LEAF_OF } from "~/domain/folders/tree";
import type { Cursor } from "~/domain/shared/cursor";
import { searchKey } from "~/domain/shared/text";
import { folders, libraryItems, spaces, treeDocs } from "../schema";
import { folderColumns, libraryColumns, spaceColumns } from "../shared/columns";
import { createCursorCondition, sortDirection, toSlice } from "../shared/cursor-page";
import { type Db, rawSql, sqlListFromJson } from "../shared/db";
import { keyWords, phrase } from "../shared/full-text";
import { prepareRead, prepareSql, readsByShape } from "../shared/prepared-read";
import { COUNTED_MAX, toTotal } from "./folder-contents";

const idToken = (name: "owner" | "group", id: string) => `"${name}${id.replaceAll("-", "")}"`;

/**
 * The query for the full-text table tree_search: `grams` has the pairs of characters of names, `facets` the owner, group, tree and kind. The result contains only hexadecimal digits and fixed words, because ids and kinds were validated. Null when the reader sees
 * nothing.
 */
export function treeMatch(
  query: Pick<TreeSearchQuery, "scope" | "folderType" | "q" | "kinds">,
): string | null {
  const { scope, folderType, q, kinds } = query;
  const ownerToken = idToken("owner", scope.ownerId);
  const groups = scope.groupIds.map((id) => idToken("group", id)).join(" OR ");
  if (scope.sees === "shared" && groups === "") return null;
  const visibilityTerm = {
    own: `facets : ${ownerToken}`,
    own_and_shared: `facets : (${[ownerToken, groups].filter((part) => part !== "").join(" OR ")})`,
    shared: `facets : ${ownerToken} AND facets : (${groups})`,
  }[scope.sees];
  return [
    ...keyWords(searchKey(q)).map((word) => `grams : ${phrase(word)}`),
    visibilityTerm,
    `facets : "tree${folderType}"`,
    ...(kinds === null ? [] : [`facets : (${kinds.map((kind) => `"kind${kind}"`).join(" OR ")})`]),
  ]
    .map((term) => `(${term})`)
    .join(" AND ");
}

/** The folder of each match, with distinct column names, because a D1 batch merges columns of the same name. */
const parent = alias(folders, "parent");
const parentColumns = {
  parentName: sql<string>`parent.name`.as("parent_name"),
  grandparentId: sql<string | null>`parent.parent_id`.as("parent_parent"),
  parentOwner: sql<string>`parent.owner_id`.as("parent_owner"),
  parentGroup: sql<string | null>`parent.group_id`.as("parent_group"),
  doc: sql<number>`tree_docs.doc`.as("doc"),
};

type ParentRow = { [Name in keyof typeof parentColumns]: (typeof parentColumns)[Name]["_"]["type"] };

/** The properties of a search that change the SQL text of its reads. */
interface Shape {
  readonly folderType: TreeSearchQuery["folderType"];
  readonly at: TreeSearchQuery["cursor"]["position"];
  readonly hasMimeTypes: boolean;
}

interface Hit {
  /** Number of the item in tree_search. Later items have higher numbers. */
  readonly doc: number;
  readonly item: TreeFoundItem;
}

/** @param place id of the folder that contains the item */
const toHit = (row: ParentRow, place: string, content: Omit<TreeFoundItem, "place">): Hit => ({
  doc: row.doc,
  item: {
    ...content,
    place: {
      id: place,
      name: row.parentName,
      parentId: row.grandparentId,
      ownerId: row.parentOwner,
      groupId: row.parentGroup,
    },
  } as TreeFoundItem,
});

const withoutParent = <T extends ParentRow>({
  parentName,
  grandparentId,
  parentOwner,
  parentGroup,
  doc,
  ...row
}: T) => row;

/** Prepares the reads of a page of matches. */
function prepareMatches(db: Db, { folderType, at: position, hasMimeTypes }: Shape) {
  const cursor = { position, id: "" } as Cursor;
  const match = sql.placeholder("match");
  const selectCursorDoc = () =>
    sql`(SELECT doc FROM tree_docs WHERE item_id = ${sql.placeholder("cursorId")})`;
  // The index does not contain the MIME types of library items, so each match is looked up.
  const typeCondition = hasMimeTypes
    ? sql` AND EXISTS (SELECT 1 FROM tree_docs typed JOIN library_items li ON li.id = typed.item_id
        WHERE typed.doc = tree_search.rowid AND li.mime_type IN ${sqlListFromJson(sql.placeholder("mimeTypes"))})`
    : sql``;
  const matches = sql`${treeDocs.doc} IN (SELECT rowid FROM tree_search
    WHERE tree_search MATCH ${match}${typeCondition}${createCursorCondition(cursor, true, rawSql("rowid"), selectCursorDoc)}
    ORDER BY rowid ${sortDirection(cursor, true)} LIMIT ${sql.placeholder("limit")})`;
  const readTotal = prepareSql<Record<string, unknown>, { readonly total: number }>(
    db,
    () => sql`SELECT count(*) AS total FROM (SELECT 1 FROM tree_search
      WHERE tree_search MATCH ${match}${typeCondition} LIMIT ${rawSql(String(COUNTED_MAX + 1))})`,
  );
  const readFolders = prepareRead(db, () =>
    db
      .select({ ...folderColumns, ...parentColumns })
      .from(treeDocs)
      .innerJoin(folders, eq(folders.id, treeDocs.itemId))
      .innerJoin(parent, eq(parent.id, folders.parentId))
      .where(matches),
  );
  const readSpaces = prepareRead(db, () =>
    db
      .select({ ...spaceColumns, ...parentColumns })
      .from(treeDocs)
      .innerJoin(spaces, eq(spaces.id, treeDocs.itemId))
      .innerJoin(parent, eq(parent.id, spaces.folderId))
      .where(matches),
  );
  const readMedia = prepareRead(db, () =>
    db
      .select({ ...libraryColumns, ...parentColumns })
      .from(treeDocs)
      .innerJoin(libraryItems, eq(libraryItems.id, treeDocs.itemId))
      .innerJoin(parent, eq(parent.id, libraryItems.folderId))
      .where(matches),
  );
  const isSpaces = LEAF_OF[folderType] === "space";
  return async ({ unfilteredMatch, ...values }: Readonly<Record<string, unknown>>) => {
    const [folderRows, leafSpaces, media, [count], [all]] = await Promise.all([
      readFolders(values),
      isSpaces ? readSpaces(values) : [],
      isSpaces ? [] : readMedia(values),
      readTotal(values),
      unfilteredMatch ? readTotal({ ...values, match: unfilteredMatch }) : [],
    ]);
    const hits = [
      ...folderRows.map((row) =>
        toHit(row, row.parentId ?? "", { kind: "folder", folder: withoutParent(row) } as never),
      ),
      ...leafSpaces.map((row) =>
        toHit(row, row.folderId, { kind: "space", space: withoutParent(row) } as never),
      ),
      ...media.map((row) => toHit(row, row.folderId, { kind: "media", item: withoutParent(row) } as never)),
    ];
    const total = toTotal(count?.total ?? 0);
    return { hits, total, unfiltered: all ? toTotal(all.total) : total };
  };
}

/** Reads pages of matches, newest first, each in one round trip. */
export function treeMatchReader(db: Db) {
  const readsOf = readsByShape((shape: Shape) => prepareMatches(db, shape));
  return async (query: TreeSearchQuery, size: number): Promise<TreeSearchPage> => {
    const { cursor, folderType, mimeTypes, unfilteredKinds } = query;
    const match = treeMatch(query);
    const none = toTotal(0);
    if (match === null || query.kinds?.length === 0)
      return { items: [], hasPrevious: false, hasNext: false, total: none, unfiltered: none };
    const { hits, ...totals } = await readsOf({
      folderType,
      at: cursor.position,
      hasMimeTypes: mimeTypes !== null,
    })({
      match,
      unfilteredMatch:
        unfilteredKinds !== undefined && treeMatch({ ...query, q: "", kinds: unfilteredKinds }),
      cursorId: "id" in cursor ? cursor.id : null,
      mimeTypes: JSON.stringify(mimeTypes),
      limit: size + 1,
    });
    const isAscending = cursor.position === "before" || cursor.position === "last";
    const rows = hits.sort((a, b) => (isAscending ? a.doc - b.doc : b.doc - a.doc));
    return {
      ...toSlice(
        rows.map(({ item }) => item),
        size,
        cursor,
      ),
      ...totals,
    };
  };
}
