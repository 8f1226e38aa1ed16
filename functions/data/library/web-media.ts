import { and, eq, sql } from "drizzle-orm";
import type { NewWebItem, StoredImage, WebItemChange } from "#functions/services/library/web-media-ports";
import type { AuditEntry } from "#functions/services/shared/ports";
import type { WebEmbed } from "~/domain/library/oembed.schema";
import { LIBRARY_ITEMS_MAX } from "~/domain/shared/limits";
import type { WebMediaItem } from "~/domain/shared/model";
import { nameKey } from "~/domain/shared/text";
import { audit, folders, LIVE, libraryItems, users } from "../schema";
import { constants, type Db, rawSql, run } from "../shared/db";

const embedOf = ({ url: _url, ...embed }: WebMediaItem): WebEmbed => embed;

/** Returns the columns of a web media item. Only its thumbnail counts as storage. */
const webRow = (web: WebMediaItem, image: StoredImage | null) => ({
  // The MIME type of its thumbnail, which /media serves.
  mimeType: image?.mimeType ?? "text/uri-list",
  byteSize: image?.byteSize ?? 0,
  width: web.width,
  height: web.height,
  thumbKey: image?.key ?? null,
  webUrl: web.url,
  webEmbed: embedOf(web),
});

const newItemRow = ({ web, image, ...item }: NewWebItem) => ({
  ...item,
  ...webRow(web, image),
  kind: "web" as const,
  fileName: "",
  searchKey: nameKey(item.title),
  updatedAt: item.createdAt,
});

/** Writes web media items. The repository of the library reads them. */
export function webMediaRepository(db: Db) {
  return {
    /** Adds an item with its audit entry, unless the folder was deleted, or the owner's library has no room for it or its thumbnail. */
    async create(item: NewWebItem, entry: AuditEntry) {
      const row = newItemRow(item);
      const hasRoom = sql`${users.storageUsed} + ${row.byteSize} <= ${users.storageLimit}`;
      const selectFolder = db
        .select({ id: folders.id })
        .from(folders)
        .where(
          and(
            eq(folders.id, item.folderId),
            eq(folders.ownerId, item.ownerId),
            eq(folders.folderType, "media"),
            rawSql(LIVE),
          ),
        );
      const isBelowMaximum = sql`${users.mediaCount} < ${LIBRARY_ITEMS_MAX}`;
      const [folderRows, ownerRows, inserted] = await run(
        db.batch([
          selectFolder,
          db
            .select({ isBelowMaximum: sql<number>`${isBelowMaximum}`.as("is_below_maximum") })
            .from(users)
            .where(eq(users.id, item.ownerId)),
          db
            .insert(libraryItems)
            .select(
              db
                .select(constants(libraryItems, row))
                .from(users)
                .where(
                  and(
                    eq(users.id, item.ownerId),
                    hasRoom,
                    isBelowMaximum,
                    rawSql(LIVE),
                    sql`EXISTS ${selectFolder}`,
                  ),
                ),
            )
            .returning({ id: libraryItems.id }),
          db
            .insert(audit)
            .select(
              db.select(constants(audit, entry)).from(libraryItems).where(eq(libraryItems.id, item.id)),
            ),
        ]),
      );
      if (inserted.length === 1) return "created";
      if (folderRows.length === 0) return "no_folder";
      return ownerRows[0]?.isBelowMaximum === 0 ? "too_many_media" : "library_capacity";
    },

    /** Changes an item with its audit entry, unless it has another version, was deleted, or there is no room. */
    async replace({ id, version, title, web, image, at }: WebItemChange, entry: AuditEntry) {
      const { mimeType, byteSize, thumbKey, ...metadata } = webRow(web, image === "kept" ? null : image);
      const row = image === "kept" ? metadata : { ...metadata, mimeType, byteSize, thumbKey };
      const isCurrent = and(
        eq(libraryItems.id, id),
        eq(libraryItems.version, version),
        eq(libraryItems.kind, "web"),
        rawSql(LIVE),
      );
      const hasRoom = sql`EXISTS (SELECT 1 FROM users u WHERE u.id = ${libraryItems.ownerId}
        AND u.storage_used - ${libraryItems.byteSize} + ${image === "kept" ? libraryItems.byteSize : byteSize} <= u.storage_limit)`;
      const guard = and(isCurrent, hasRoom);
      const [rows, , updated] = await run(
        db.batch([
          db.select({ id: libraryItems.id }).from(libraryItems).where(isCurrent),
          db.insert(audit).select(db.select(constants(audit, entry)).from(libraryItems).where(guard)),
          db
            .update(libraryItems)
            .set({
              ...row,
              ...(title !== undefined && { title, searchKey: nameKey(title) }),
              updatedAt: at,
              version: version + 1,
            })
            .where(guard)
            .returning({ id: libraryItems.id }),
        ]),
      );
      if (updated.length === 1) return "replaced";
      return rows.length === 0 ? "stale" : "library_capacity";
    },
  };
}
