/** Tables of the library, conversions and uploads. */

import { sql } from "drizzle-orm";
import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { PreparationState, PreparedRole } from "~/domain/library/prepared";
import type { CheckState } from "~/domain/library/upload-check";
import type { MediaKind } from "~/domain/shared/model";
import { folders } from "./folders";
import {
  isShared,
  LIVE,
  live,
  rule,
  sortKey,
  TREE_ORDERS,
  treeIndexes,
  treeOrders,
  treeTrash,
} from "./shared";
import { groups, users } from "./users";

/** Side in pixels from which an image may be a panorama that is cut into tiles, or too large for the image binding. */
const LARGE_IMAGE_SIDE = 4096;
/** Condition: items that may need a conversion: videos, models, splats, and images of an unusual type or size. */
export const MAY_NEED_CONVERSION = `${LIVE} AND kind IN ('image', 'video', 'model', 'splat') AND NOT (mime_type IN ('image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif', 'image/svg+xml') AND max(width, height) < ${LARGE_IMAGE_SIDE})`;

export const libraryItems = sqliteTable(
  "library_items",
  {
    id: text("id").primaryKey(),
    folderId: text("folder_id")
      .notNull()
      .references(() => folders.id),
    ownerId: text("owner_id")
      .notNull()
      .references(() => users.id),
    groupId: text("group_id").references(() => groups.id, { onDelete: "set null" }),
    kind: text("kind").$type<MediaKind>().notNull(),
    title: text("title").notNull(),
    /** The title, normalised for search and order (nameKey). */
    searchKey: text("search_key").notNull(),
    fileName: text("file_name").notNull(),
    mimeType: text("mime_type").notNull(),
    byteSize: integer("byte_size").notNull(),
    width: integer("width"),
    height: integer("height"),
    /** Seconds. */
    duration: real("duration"),
    /** Key in R2, different for every uploaded file; null for web media. */
    fileKey: text("file_key"),
    /** Key in R2 of a thumbnail: one that a browser has made, or that of a web media item. */
    thumbKey: text("thumb_key"),
    /** The URL of a web media item. */
    webUrl: text("web_url"),
    /** The other properties of a web media item, from its oEmbed response (WebMediaItem). */
    webEmbed: text("web_embed", { mode: "json" }).$type<Readonly<Record<string, unknown>>>(),
    createdAt: text("created_at").notNull(),
    updatedAt: text("updated_at").notNull(),
    version: integer("version").notNull().default(1),
    ...treeTrash(),
    /**
     * Bytes of a thumbnail that a browser has made; they count towards the capacity. 0 for a web media item, whose thumbnail is counted in byte_size.
     */
    thumbnailSize: integer("still_size").notNull().default(0),
    /** Bytes of its converted files, which count as storage. */
    preparedSize: integer("prepared_size").notNull().default(0),
    sortKey: sortKey(),
  },
  (t) => [
    index("library_items_owner").on(t.ownerId, t.createdAt, t.id),
    index("library_items_convertible").on(t.ownerId, t.createdAt).where(sql.raw(MAY_NEED_CONVERSION)),
    ...treeIndexes("library_items", t.folderId, t),
    // For the content of a folder filtered by kind.
    ...treeOrders.flatMap((order) => [
      index(`library_items_of_kind_by_${order}`)
        .on(t.folderId, t.kind, sql.raw(TREE_ORDERS[order]))
        .where(live()),
      index(`library_items_shared_of_kind_by_${order}`)
        .on(t.folderId, t.groupId, t.kind, sql.raw(TREE_ORDERS[order]))
        .where(isShared()),
    ]),
    index("library_items_group").on(t.groupId).where(sql.raw(`group_id IS NOT NULL`)),
    uniqueIndex("library_items_file").on(t.fileKey),
    rule(
      "library_items_kind",
      "kind IN ('image', 'video', 'audio', 'pdf', 'model', 'splat', 'subtitle', 'web')",
    ),
    rule(
      "library_items_file_or_web",
      "(kind = 'web') = (file_key IS NULL) AND (kind = 'web') = (web_url IS NOT NULL)",
    ),
    rule("library_items_size", "byte_size >= 0"),
    rule("library_items_embed", "web_embed IS NULL OR json_valid(web_embed)"),
  ],
);

/** Stored files by their keys: the byte ranges that are overwritten for visitors, and the verdict of the installation's check of uploads (decision 047). */
export const storedFiles = sqliteTable(
  "stored_files",
  {
    fileKey: text("file_key").primaryKey(),
    /** Version of the inspection rules that were applied (functions/media/metadata); 0 before the inspection. */
    edition: integer("edition").notNull().default(0),
    /** JSON: see functions/media/overwrites. */
    overwrites: text("overwrites").notNull().default("[]"),
    /** 'waiting' for a verdict, or 'rejected'; null for files that may be used. */
    checkState: text("check_state").$type<CheckState>(),
    /** Reason of the verdict. */
    checkReason: text("check_reason").notNull().default(""),
    checkAttempts: integer("check_attempts").notNull().default(0),
    /** Time of the next verdict request. */
    checkAt: text("check_at"),
  },
  (t) => [
    index("stored_files_edition").on(t.edition),
    index("stored_files_check").on(t.checkAt).where(sql.raw("check_state = 'waiting'")),
    rule("stored_files_overwrites", "json_valid(overwrites)"),
    rule("stored_files_check_state", "check_state IS NULL OR check_state IN ('waiting', 'rejected')"),
  ],
);

/** Conversions of library items' files in owners' browsers (decision 054). A row refers to one version of the file. */
export const preparations = sqliteTable(
  "preparations",
  {
    itemId: text("item_id")
      .primaryKey()
      .references(() => libraryItems.id, { onDelete: "cascade" }),
    /** The version of the file. A row with another version is ignored. */
    fileKey: text("file_key").notNull(),
    state: text("state").$type<PreparationState>().notNull(),
    /** Reason of a failure; empty otherwise. */
    code: text("code").notNull().default(""),
    /** The conversion whose files visitors receive; null for none. */
    runId: text("run_id"),
    /** Quality of that conversion, 0 to 1. */
    quality: real("quality"),
    /** JSON about that conversion: metadata before and after, and losses. */
    facts: text("facts").notNull().default("{}"),
    /** JSON of the shape of its tiles (TileShape); null for none. */
    tiles: text("tiles"),
    /** The running conversion: its id, its browser and that browser's account, the end of the browser's exclusive lease, and the chosen quality. */
    leaseId: text("lease_id"),
    leaseHolder: text("lease_holder"),
    leaseActorId: text("lease_actor_id"),
    leasedUntil: text("leased_until"),
    leaseQuality: real("lease_quality"),
    updatedAt: text("updated_at").notNull(),
  },
  (t) => [
    index("preparations_lease").on(t.leasedUntil).where(sql.raw("leased_until IS NOT NULL")),
    rule("preparations_state", "state IN ('waiting', 'done', 'failed', 'skipped')"),
    rule("preparations_facts", "json_valid(facts)"),
  ],
);

/** Files of conversions: those of the conversion in use, and those received for the running one. */
export const preparedFiles = sqliteTable(
  "prepared_files",
  {
    /** library/{item}/prepared/{name}/{conversion} */
    fileKey: text("file_key").primaryKey(),
    itemId: text("item_id")
      .notNull()
      .references(() => libraryItems.id, { onDelete: "cascade" }),
    runId: text("run_id").notNull(),
    role: text("role").$type<PreparedRole>().notNull(),
    name: text("name").notNull(),
    mimeType: text("mime_type").notNull(),
    byteSize: integer("byte_size").notNull(),
    width: integer("width"),
    height: integer("height"),
    /** Seconds. */
    duration: real("duration"),
    /** R2 id of the multipart upload of a file that is sent in slices; empty for a complete file. */
    multipartId: text("multipart_id").notNull().default(""),
    /** JSON object: etags of the slices by their numbers. */
    parts: text("parts").notNull().default("{}"),
    /** Owner whose storage the file uses until its conversion is finished; null afterwards, when prepared_size includes it. */
    stagedFor: text("staged_for"),
  },
  (t) => [
    index("prepared_files_run").on(t.itemId, t.runId, t.role),
    index("prepared_files_staged").on(t.stagedFor).where(sql.raw("staged_for IS NOT NULL")),
    rule("prepared_files_role", "role IN ('display', 'preview', 'tile')"),
    rule("prepared_files_size", "byte_size > 0"),
  ],
);

/**
 * Uploads in progress, in slices. Each becomes a library item, or the new file of an existing one. Rows with an empty multipart_id are files that are no longer
 * used, and that the cron trigger deletes when they expire.
 */
export const uploads = sqliteTable(
  "uploads",
  {
    id: text("id").primaryKey(),
    /** The account that sends it. */
    actorId: text("actor_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Owner of the library that receives the file. */
    ownerId: text("owner_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    folderId: text("folder_id")
      .notNull()
      .references(() => folders.id, { onDelete: "cascade" }),
    /** The item whose file it replaces; null for a new item. */
    replacesId: text("replaces_id").references(() => libraryItems.id, { onDelete: "cascade" }),
    fileName: text("file_name").notNull(),
    /** Size that the sender declared. */
    byteSize: integer("byte_size").notNull(),
    /** Size of each slice except the last, in bytes. */
    partSize: integer("part_size").notNull(),
    /** Identifies the same file when the sender selects it again; empty if the sender gave none. */
    fingerprint: text("fingerprint").notNull().default(""),
    fileKey: text("file_key").notNull(),
    /** R2's id of the multipart upload; empty for a file to delete. */
    multipartId: text("multipart_id").notNull(),
    createdAt: text("created_at").notNull(),
    /** Time after which the cron trigger may delete it. */
    expiresAt: text("expires_at").notNull(),
    /** Time until which the call that assembles the slices keeps other calls out; null if there is no such call. */
    claimedUntil: text("claimed_until"),
  },
  (t) => [
    uniqueIndex("uploads_file").on(t.fileKey),
    index("uploads_actor").on(t.actorId, t.createdAt, t.id),
    index("uploads_owner").on(t.ownerId),
    index("uploads_folder").on(t.folderId),
    index("uploads_replaces").on(t.replacesId).where(sql.raw("replaces_id IS NOT NULL")),
    index("uploads_expiry").on(t.expiresAt),
    rule("uploads_size", "byte_size > 0 AND part_size > 0"),
  ],
);

/** Received slices. */
export const uploadParts = sqliteTable(
  "upload_parts",
  {
    uploadId: text("upload_id")
      .notNull()
      .references(() => uploads.id, { onDelete: "cascade" }),
    /** From 1. */
    number: integer("number").notNull(),
    etag: text("etag").notNull(),
    byteSize: integer("byte_size").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.uploadId, t.number] }),
    rule("upload_parts_number", "number BETWEEN 1 AND 10000"),
  ],
);
