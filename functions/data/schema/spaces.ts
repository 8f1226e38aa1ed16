/** Tables of spaces. */

import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { SpaceSource } from "~/domain/shared/model";
import { folders } from "./folders";
import { libraryItems } from "./library";
import { rule, sortKey, TREE_ORDERS, treeIndexes, treeTrash } from "./shared";
import { groups, users } from "./users";

export const spaces = sqliteTable(
  "spaces",
  {
    id: text("id").primaryKey(),
    folderId: text("folder_id")
      .notNull()
      .references(() => folders.id),
    ownerId: text("owner_id")
      .notNull()
      .references(() => users.id),
    groupId: text("group_id").references(() => groups.id, { onDelete: "set null" }),
    name: text("name").notNull(),
    /** The name, normalised for search and order (nameKey). */
    searchKey: text("search_key").notNull(),
    /** The id of its showcase, or a generated one for other sources: 11 characters. */
    sid: text("sid").notNull(),
    source: text("source", { mode: "json" }).$type<SpaceSource>().notNull(),
    posterMediaId: text("poster_media_id").references(() => libraryItems.id),
    /** Written by triggers: number of events not in the trash. */
    eventCount: integer("event_count").notNull().default(0),
    createdAt: text("created_at").notNull(),
    updatedAt: text("updated_at").notNull(),
    version: integer("version").notNull().default(1),
    ...treeTrash(),
    /** Whether it is the sample space of a new account, which does not count as the account's first space. */
    isSample: integer("is_sample", { mode: "boolean" }).notNull().default(false),
    sortKey: sortKey(),
  },
  (t) => [
    index("spaces_owner").on(t.ownerId, sql.raw(TREE_ORDERS.created)),
    ...treeIndexes("spaces", t.folderId, t),
    index("spaces_group").on(t.groupId, sql.raw(TREE_ORDERS.created)).where(sql.raw(`group_id IS NOT NULL`)),
    index("spaces_poster").on(t.posterMediaId).where(sql.raw("poster_media_id IS NOT NULL")),
    rule("spaces_name", "length(name) BETWEEN 1 AND 64"),
    rule("spaces_sid", "length(sid) = 11"),
    rule("spaces_source", "json_valid(source)"),
    rule("spaces_counter", "event_count >= 0"),
  ],
);

/** Written by triggers from spaces.source and spaces.poster_media_id: the files that a space uses. */
export const spaceFiles = sqliteTable(
  "space_files",
  {
    spaceId: text("space_id")
      .notNull()
      .references(() => spaces.id, { onDelete: "cascade" }),
    libraryItemId: text("library_item_id")
      .notNull()
      .references(() => libraryItems.id),
  },
  (t) => [
    primaryKey({ columns: [t.spaceId, t.libraryItemId] }),
    index("space_files_item").on(t.libraryItemId),
  ],
);
