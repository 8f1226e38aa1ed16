/** Tables of folders. */

import { sql } from "drizzle-orm";
import type { AnySQLiteColumn } from "drizzle-orm/sqlite-core";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { FolderType } from "~/domain/shared/model";
import { LIVE, rule, sortKey, treeIndexes, treeTrash } from "./shared";
import { groups, users } from "./users";

export const folders = sqliteTable(
  "folders",
  {
    id: text("id").primaryKey(),
    parentId: text("parent_id").references((): AnySQLiteColumn => folders.id),
    ownerId: text("owner_id")
      .notNull()
      .references(() => users.id),
    folderType: text("folder_type").$type<FolderType>().notNull(),
    /** Empty for a root folder, which the interface labels. */
    name: text("name").notNull(),
    groupId: text("group_id").references(() => groups.id, { onDelete: "set null" }),
    createdAt: text("created_at").notNull(),
    updatedAt: text("updated_at").notNull(),
    version: integer("version").notNull().default(1),
    ...treeTrash(),
    /** The name, normalised for search and order (nameKey). */
    searchKey: text("search_key").notNull().default(""),
    sortKey: sortKey(),
  },
  (t) => [
    // Specification §1: one root folder of each type.
    uniqueIndex("folders_root")
      .on(t.ownerId, t.folderType)
      .where(sql.raw(`parent_id IS NULL AND ${LIVE}`)),
    index("folders_owner").on(t.ownerId, t.folderType),
    ...treeIndexes("folders", t.parentId, t),
    index("folders_group").on(t.groupId),
    rule("folders_type", "folder_type IN ('space', 'media')"),
    rule("folders_name", "length(name) <= 64 AND (parent_id IS NULL) = (name = '')"),
  ],
);

/**
 * Written by triggers: the number of each folder (except root folders), space and library item in the full-text table tree_search
 * (migrations/0000_initial.sql), in the order of creation. Not a foreign key, because it refers to one of three tables.
 */
export const treeDocs = sqliteTable(
  "tree_docs",
  {
    doc: integer("doc").primaryKey({ autoIncrement: true }),
    itemId: text("item_id").notNull(),
  },
  (t) => [uniqueIndex("tree_docs_item").on(t.itemId)],
);
