/** What lies in a folder, folders first, at the same cost however much it is (decision 013). */
import { type SQL, sql } from "drizzle-orm";
import type { Content, Contents, ContentsQuery } from "#functions/services/tree-ports";
import { LEAF_OF } from "~/domain/tree";
import { folderColumns, libraryColumns, spaceColumns } from "./columns";
import { type Db, listOf, plain, run } from "./db";
import { folders, LIVE, libraryItems, spaces, TREE_ORDERS } from "./schema";
import { directionOf, sliceOf } from "./user-list";

/** Things of a folder that are counted; there may be more. */
export const COUNTED_MAX = 1000;

/** Streams that D1 joins in one statement. */
const STREAMS_MAX = 5;

/** Before and after every place in an order. */
const LEAST = "";
const GREATEST = "\u{10ffff}";

/**
 * A page of a folder's content in one round trip. Folders and what else there is are two streams, each in its own order; the
 * cursor's row is in one of them, and says of the other whether all of it lies beyond or nothing.
 */
export async function listContents(db: Db, query: ContentsQuery, size: number): Promise<Contents> {
  const { cursor, folderId, groupIds } = query;
  const descends = query.direction === "desc";
  const backwards = cursor.at === "before" || cursor.at === "last";
  const direction = directionOf(cursor, descends);
  const ascending = descends === backwards;
  const place = plain(TREE_ORDERS[query.sort]);
  const leaf = LEAF_OF[query.folderType];
  const shared = groupIds === null ? sql`` : sql` AND group_id IN ${listOf(groupIds)}`;

  /** Rows beyond the cursor's. A stream that comes after the cursor's own one is read from its beginning. */
  const other = plain(leaf === "space" ? "spaces" : "library_items");
  const beyond = (table: SQL, comesLater: boolean): SQL => {
    if (cursor.at !== "after" && cursor.at !== "before") return sql``;
    const own = sql`(SELECT ${place} FROM ${table} WHERE id = ${cursor.id})`;
    // Of a row that is nowhere nothing lies beyond.
    const isElsewhere = sql`EXISTS (SELECT 1 FROM ${backwards ? other : plain("folders")} WHERE id = ${cursor.id})`;
    const from = comesLater
      ? sql`coalesce(${own}, iif(${isElsewhere}, ${ascending ? LEAST : GREATEST}, NULL))`
      : own;
    return sql` AND ${place} ${plain(ascending ? ">" : "<")} ${from}`;
  };
  const inFolder = (table: SQL, parent: SQL, comesLater: boolean) =>
    sql`${parent} = ${folderId} AND ${plain(LIVE)}${shared}${beyond(table, comesLater)}`;
  const counted = (table: SQL, parent: SQL, only = sql``) =>
    sql`SELECT 1 FROM (SELECT 1 FROM ${table} WHERE ${parent} = ${folderId} AND ${plain(LIVE)}${shared}${only} LIMIT ${plain(String(COUNTED_MAX + 1))})`;

  const order = sql`${place} ${direction}`;
  const folderRows = db
    .select(folderColumns)
    .from(folders)
    .where(inFolder(plain("folders"), plain("parent_id"), backwards))
    .orderBy(order)
    .limit(size + 1);
  const total = (table: SQL) =>
    db
      .select({ total: sql<number>`count(*)`.as("total") })
      .from(
        sql`(${counted(plain("folders"), plain("parent_id"))} UNION ALL ${counted(table, plain("folder_id"))})`,
      );
  const limit = plain(String(size + 1));
  /** Media of some kinds: a stream of each in the order of its index, so that the others cost nothing. */
  const ofKinds = () => {
    const media = plain("library_items");
    const streams = query.kinds.map(
      (kind) => sql`SELECT * FROM (SELECT id, ${place} AS place FROM library_items
        WHERE ${inFolder(media, plain("folder_id"), false)} AND kind = ${kind} ORDER BY ${order} LIMIT ${limit})`,
    );
    return sql`id IN (SELECT id FROM (${join(streams)} ORDER BY place ${direction} LIMIT ${limit}))`;
  };
  const read = async (): Promise<readonly [Content[], Content[], number]> => {
    if (leaf === "space") {
      const [inner, leaves, count] = await run(
        db.batch([
          folderRows,
          db
            .select(spaceColumns)
            .from(spaces)
            .where(inFolder(plain("spaces"), plain("folder_id"), !backwards))
            .orderBy(order)
            .limit(size + 1),
          total(plain("spaces")),
        ]),
      );
      return [
        inner.map((folder) => ({ kind: "folder", folder })),
        leaves.map((space) => ({ kind: "space", space })),
        count[0]?.total ?? 0,
      ];
    }
    if (query.kinds.length > 0) {
      const isOfKinds = sql` AND kind IN ${listOf(query.kinds)}`;
      const [leaves, count] = await run(
        db.batch([
          db
            .select(libraryColumns)
            .from(libraryItems)
            .where(ofKinds())
            .orderBy(sql`+(${place}) ${direction}`),
          db
            .select({ total: sql<number>`count(*)`.as("total") })
            .from(sql`(${counted(plain("library_items"), plain("folder_id"), isOfKinds)})`),
        ]),
      );
      return [[], leaves.map((item) => ({ kind: "media", item })), count[0]?.total ?? 0];
    }
    const [inner, leaves, count] = await run(
      db.batch([
        folderRows,
        db
          .select(libraryColumns)
          .from(libraryItems)
          .where(inFolder(plain("library_items"), plain("folder_id"), !backwards))
          .orderBy(order)
          .limit(size + 1),
        total(plain("library_items")),
      ]),
    );
    return [
      inner.map((folder) => ({ kind: "folder", folder })),
      leaves.map((item) => ({ kind: "media", item })),
      count[0]?.total ?? 0,
    ];
  };
  const [inner, leaves, count] = await read();
  const rows = backwards ? [...leaves, ...inner] : [...inner, ...leaves];
  return {
    ...sliceOf(rows.slice(0, size + 1), size, cursor),
    total: { count: Math.min(count, COUNTED_MAX), isMore: count > COUNTED_MAX },
  };
}

/** Streams as one: in bundles, since a statement joins no more than a few. */
function join(streams: readonly SQL[]): SQL {
  const union = (parts: readonly SQL[]) => sql.join([...parts], sql` UNION ALL `);
  if (streams.length <= STREAMS_MAX) return union(streams);
  const bundles: SQL[] = [];
  for (let at = 0; at < streams.length; at += STREAMS_MAX)
    bundles.push(sql`SELECT * FROM (${union(streams.slice(at, at + STREAMS_MAX))})`);
  return union(bundles);
}
