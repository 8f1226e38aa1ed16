import { type SQL, sql } from "drizzle-orm";
import type { SameNameKind, SameNameRow, TreeIds } from "#functions/services/folders/tree-ports";
import { type Db, rawSql, runTogether, sqlList } from "../shared/db";

/** For each kind: its table, and the column of its folder. */
const TABLES: Readonly<Record<SameNameKind, Readonly<Record<"table" | "parent", SQL>>>> = {
  folder: { table: rawSql("folders"), parent: rawSql("parent_id") },
  space: { table: rawSql("spaces"), parent: rawSql("folder_id") },
};

/** Maximum number of rows that are read for each kind. */
const ROWS_MAX = 200;

/** Folders and spaces that have the same name in the same folder. */
export function sameNameRepository(db: Db) {
  return {
    /** For each given item, finds the other items of its kind in its folder with the same name, oldest first. */
    async find(ids: Pick<TreeIds, SameNameKind>): Promise<readonly SameNameRow[]> {
      const kinds = (["folder", "space"] as const).filter((kind) => ids[kind].length > 0);
      const results = await runTogether(
        db,
        kinds.map((kind) => {
          const { table, parent } = TABLES[kind];
          // Equal names have equal sort_keys, which are a range of the index of TREE_ORDERS.name (sort_key, char(1), id).
          return sql`SELECT ${kind} AS kind, given.id AS id, given.name AS name, other.id AS otherId,
              other.created_at AS createdAt, other.owner_id AS ownerId, other.group_id AS groupId
            FROM ${table} given CROSS JOIN ${table} other ON other.${parent} = given.${parent}
            WHERE given.id IN ${sqlList(ids[kind])} AND given.deleted_at IS NULL AND other.deleted_at IS NULL AND other.id <> given.id
              AND other.search_key = given.search_key
              AND other.sort_key || char(1) || other.id BETWEEN given.sort_key || char(1) AND given.sort_key || char(2)
            ORDER BY other.created_at, other.id LIMIT ${rawSql(String(ROWS_MAX))}`;
        }),
      );
      return results.flat() as readonly SameNameRow[];
    },
  };
}
