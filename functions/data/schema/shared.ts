/** Conditions, sort orders and columns that several tables share. */

import { sql } from "drizzle-orm";
import type { AnySQLiteColumn } from "drizzle-orm/sqlite-core";
import { check, index, text } from "drizzle-orm/sqlite-core";

/** Condition of many partial indexes. SQLite uses a partial index only for queries that contain its condition. */
export const LIVE = "deleted_at IS NULL";

export const IN_TRASH = "deleted_at IS NOT NULL";

/** Written by triggers: search_key with every number padded with zeros to 16 digits, so that "Hall 2" comes before "Hall 10" (decision 109). */
export const sortKey = () => text("sort_key").notNull().default("");

/** Sort orders of a folder's contents. */
export const TREE_ORDERS = {
  name: "sort_key || char(1) || id",
  created: "created_at || id",
  updated: "updated_at || id",
} as const;

/** A character that sorts after every text. */
export const GREATEST = "\u{10ffff}";

/** Condition for an item that was deleted itself, not with its folder. */
export const TREE_TRASHED = "deleted_at IS NOT NULL AND deleted_with = id";

export const TREE_TRASH_ORDER = "deleted_at || id";

// Indexes for foreign keys and triggers do not have this condition, because these also look up rows in the trash.
export const live = () => sql.raw(LIVE);

export const rule = (name: string, condition: string) => check(name, sql.raw(condition));

/** The trash: deleted records stay for 30 days. */
export const trash = () => ({
  deletedAt: text("deleted_at"),
  deletedBy: text("deleted_by"),
});

/** Trash columns of items in folders. A folder is deleted and restored with its contents. */
export const treeTrash = () => ({
  ...trash(),
  /** Id of the item that the user deleted: this one, or a folder that contained it. */
  deletedWith: text("deleted_with"),
});

export const treeOrders = Object.keys(TREE_ORDERS) as (keyof typeof TREE_ORDERS)[];

/** Condition for shared items, for partial indexes: shared items are a small part of most tables. */
export const isShared = () => sql.raw(`${LIVE} AND group_id IS NOT NULL`);

/**
 * Indexes for reading a folder's content in each order, all of it or the part shared with one group, an owner's trash, expired items, and items
 * deleted together.
 */
export const treeIndexes = (
  table: string,
  folder: AnySQLiteColumn,
  t: Readonly<Record<"ownerId" | "groupId" | "deletedAt" | "deletedWith", AnySQLiteColumn>>,
) => [
  ...treeOrders.flatMap((order) => [
    index(`${table}_in_folder_by_${order}`).on(folder, sql.raw(TREE_ORDERS[order])).where(live()),
    index(`${table}_shared_by_${order}`).on(folder, t.groupId, sql.raw(TREE_ORDERS[order])).where(isShared()),
  ]),
  index(`${table}_folder`).on(folder),
  index(`${table}_trash`).on(t.ownerId, sql.raw(TREE_TRASH_ORDER)).where(sql.raw(TREE_TRASHED)),
  index(`${table}_expired`).on(t.deletedAt).where(sql.raw(IN_TRASH)),
  index(`${table}_deleted_with`).on(t.deletedWith).where(sql.raw("deleted_with IS NOT NULL")),
];

/** A text in one language; empty when that language is missing. */
export const localText = (name: string) => text(name).notNull().default("");
