import { type SQL, sql } from "drizzle-orm";
import type { NamesakeRow, TreeIds, UniqueNameKind } from "#functions/services/folders/tree-ports";
import { type Db, listOf, plain, runTogether } from "../shared/db";

/** For each kind: its table, and the column of its folder. */
const TABLES: Readonly<Record<UniqueNameKind, Readonly<Record<"table" | "parent", SQL>>>> = {
  folder: { table: plain("folders"), parent: plain("parent_id") },
  space: { table: plain("spaces"), parent: plain("folder_id") },
};

/** Items read at most for each kind. */
const NAMESAKES_MAX = 200;

/** Folders and spaces that have the same name in the same folder. */
export function sameNameRepository(db: Db) {
  return {
    /** For each of the given items, the other items of its kind in its folder whose name is the same. The oldest come first. */
    async find(ids: Pick<TreeIds, UniqueNameKind>): Promise<readonly NamesakeRow[]> {
      const kinds = (["folder", "space"] as const).filter((kind) => ids[kind].length > 0);
      const results = await runTogether(
        db,
        kinds.map((kind) => {
          const { table, parent } = TABLES[kind];
          // The range is one of the index of the order by name: TREE_ORDERS.
          return sql`SELECT ${kind} AS kind, told.id AS id, told.name AS name, other.id AS otherId,
              other.created_at AS createdAt, other.owner_id AS ownerId, other.group_id AS groupId
            FROM ${table} told CROSS JOIN ${table} other ON other.${parent} = told.${parent}
            WHERE told.id IN ${listOf(ids[kind])} AND told.deleted_at IS NULL AND other.deleted_at IS NULL AND other.id <> told.id
              AND other.search_key || char(1) || other.id BETWEEN told.search_key || char(1) AND told.search_key || char(2)
            ORDER BY other.created_at, other.id LIMIT ${plain(String(NAMESAKES_MAX))}`;
        }),
      );
      return results.flat() as readonly NamesakeRow[];
    },
  };
}
