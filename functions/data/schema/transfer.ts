/** Table of imports. */

import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ImportDetail, ImportKind } from "#functions/services/transfer/transfer-ports";
import { rule } from "./shared";
import { users } from "./users";

/** Imported files: tags of an event (CSV), an event or a space (decision 036). */
export const imports = sqliteTable(
  "imports",
  {
    id: text("id").primaryKey(),
    actorId: text("actor_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    kind: text("kind").$type<ImportKind>().notNull(),
    /** The target: for tags the event, for an event its space, for a space its folder. */
    targetId: text("target_id").notNull(),
    fileName: text("file_name").notNull(),
    /** Size that the sender declared; for a form, the received bytes. */
    byteSize: integer("byte_size").notNull(),
    fileKey: text("file_key").notNull(),
    /** R2's id of the multipart upload; empty once the file is complete. */
    multipartId: text("multipart_id").notNull().default(""),
    /** Received slices by number: {etag, byteSize}. */
    parts: text("parts", { mode: "json" })
      .$type<Readonly<Record<string, { readonly etag: string; readonly byteSize: number }>>>()
      .notNull()
      .default({}),
    /** Options of the file, and progress of storing its contents. */
    detail: text("detail", { mode: "json" }).$type<ImportDetail>().notNull().default({}),
    /** The import's report. */
    report: text("report", { mode: "json" }).$type<unknown>(),
    createdAt: text("created_at").notNull(),
    expiresAt: text("expires_at").notNull(),
    /** End of the current claim; null for none. */
    claimedUntil: text("claimed_until"),
    /** Time of completion. */
    doneAt: text("done_at"),
    /** The account whose storage contains the declared bytes until the import is completed or deleted. */
    ownerId: text("owner_id").references(() => users.id, { onDelete: "cascade" }),
  },
  (t) => [
    index("imports_owner").on(t.ownerId),
    index("imports_actor").on(t.actorId, t.createdAt),
    index("imports_expiry").on(t.expiresAt),
    rule("imports_kind", "kind IN ('tags', 'package')"),
    rule("imports_json", "json_valid(parts) AND json_valid(detail)"),
  ],
);
