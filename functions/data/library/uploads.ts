import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import type {
  AdmitOutcome,
  InspectedFile,
  LibraryCapacity,
  Upload,
  UploadPart,
  UploadWithParts,
} from "#functions/services/library/uploads-ports";
import type { AuditEntry } from "#functions/services/shared/ports";
import type { LibraryItem } from "~/domain/library/library-item";
import { LIBRARY_ITEMS_MAX } from "~/domain/shared/limits";
import type { Instant, Uuid } from "~/domain/shared/model";
import { nameKey } from "~/domain/shared/text";
import { uploads } from "../schema";
import { type Db, first, rawSql, run, runTogether } from "../shared/db";
import { insertAuditEntries } from "../users/audit-entries";
import { declaredBy, hasTrashRoom } from "../users/owner-limits";
import { markWaiting, schedulePreparedDeletion } from "./preparations";

const columns = {
  id: uploads.id,
  actorId: uploads.actorId,
  ownerId: uploads.ownerId,
  folderId: uploads.folderId,
  replacesId: uploads.replacesId,
  fileName: uploads.fileName,
  byteSize: uploads.byteSize,
  partSize: uploads.partSize,
  fingerprint: uploads.fingerprint,
  fileKey: uploads.fileKey,
  multipartId: uploads.multipartId,
  createdAt: uploads.createdAt,
  expiresAt: uploads.expiresAt,
  claimedUntil: uploads.claimedUntil,
  parts: sql<
    readonly UploadPart[]
  >`(SELECT json_group_array(json_object('number', number, 'byteSize', byte_size, 'etag', etag))
    FROM (SELECT * FROM upload_parts WHERE upload_id = uploads.id ORDER BY number))`
    .mapWith((value: string) => JSON.parse(value) as readonly UploadPart[])
    .as("parts"),
};

/** Condition for an upload in progress. A row without a multipart id is an unused file: see scheduleDeletion. */
const IN_PROGRESS = "multipart_id <> ''";

const isUnclaimed = (now: Instant) => sql`(claimed_until IS NULL OR claimed_until <= ${now})`;
const isClaimed = (id: Uuid, claimedUntil: Instant) =>
  sql`EXISTS (SELECT 1 FROM uploads WHERE id = ${id} AND claimed_until = ${claimedUntil})`;

const writeEntry = (entry: AuditEntry, where: SQL) =>
  sql`${insertAuditEntries([entry])} WHERE EXISTS (SELECT 1 FROM library_items WHERE ${where})`;

/** Schedules the deletion of an item's file, because open pages may still be reading it. */
const scheduleDeletion = (
  column: "file_key" | "thumb_key",
  { id, at, expiresAt }: { readonly id: Uuid; readonly at: Instant; readonly expiresAt: Instant },
  where: SQL,
) => sql`INSERT INTO uploads (id, actor_id, owner_id, folder_id, file_name, byte_size, part_size, file_key, multipart_id,
    created_at, expires_at)
  SELECT ${id}, owner_id, owner_id, folder_id, '', 1, 1, ${rawSql(column)}, '', ${at}, ${expiresAt}
  FROM library_items WHERE ${rawSql(column)} IS NOT NULL AND ${where}`;

/** Uploads in progress, and the files of library items. Each statement contains its guards. */
export function uploadRepository(db: Db) {
  return {
    /** Returns the capacity of a library. Null when the account was deleted. */
    async findCapacity(ownerId: Uuid): Promise<LibraryCapacity | null> {
      return first(
        await run(
          db.all<LibraryCapacity>(sql`SELECT storage_limit AS storageLimit, storage_used AS storageUsed,
            ${declaredBy(rawSql("users.id"))} AS declaredBytes FROM users WHERE id = ${ownerId} AND deleted_at IS NULL`),
        ),
      );
    },

    /**
     * Adds an upload, unless its folder was deleted, the library or the library with its trash has no room for it, the library has its maximum of items, or
     * the sender has `maxOpen` uploads.
     */
    async create(upload: Omit<Upload, "claimedUntil">, maxOpen: number) {
      const { id, actorId, ownerId, folderId, replacesId, fileName, byteSize, partSize, fingerprint } =
        upload;
      const { fileKey, multipartId, createdAt, expiresAt } = upload;
      const replacedBytes = sql`coalesce((SELECT byte_size + still_size + prepared_size FROM library_items WHERE id = ${replacesId} AND owner_id = ${ownerId}
        AND deleted_at IS NULL), 0)`;
      const hasFolder = sql`EXISTS (SELECT 1 FROM folders WHERE id = ${folderId} AND owner_id = ${ownerId}
        AND folder_type = 'media' AND deleted_at IS NULL)`;
      const hasRoom = sql`storage_used - ${replacedBytes} + ${declaredBy(rawSql("users.id"))} + ${byteSize} <= storage_limit`;
      const hasTrash = hasTrashRoom(sql`${declaredBy(rawSql("users.id"))} + ${byteSize}`);
      const hasItems = sql`(${replacesId} IS NOT NULL OR media_count < ${LIBRARY_ITEMS_MAX})`;
      const isBelowMaximum = sql`(SELECT count(*) FROM uploads WHERE actor_id = ${actorId} AND ${rawSql(IN_PROGRESS)}) < ${maxOpen}`;
      const [rows, created] = await runTogether(db, [
        sql`SELECT ${hasFolder} AS folder, ${hasRoom} AS room, ${hasTrash} AS trash, ${hasItems} AS items FROM users WHERE id = ${ownerId}`,
        sql`INSERT INTO uploads (id, actor_id, owner_id, folder_id, replaces_id, file_name, byte_size, part_size, fingerprint,
            file_key, multipart_id, created_at, expires_at)
          SELECT ${id}, ${actorId}, ${ownerId}, ${folderId}, ${replacesId}, ${fileName}, ${byteSize}, ${partSize},
            ${fingerprint}, ${fileKey}, ${multipartId}, ${createdAt}, ${expiresAt}
          FROM users WHERE users.id = ${ownerId} AND ${hasFolder} AND ${hasRoom} AND ${hasTrash} AND ${hasItems} AND ${isBelowMaximum} RETURNING id`,
      ]);
      if (created && created.length > 0) return "created";
      const conditions = rows?.[0] as
        | { folder: number; room: number; trash: number; items: number }
        | undefined;
      if (!conditions?.folder) return "no_folder";
      if (!conditions.room) return "library_capacity";
      if (!conditions.trash) return "trash_full";
      return conditions.items ? "too_many" : "too_many_media";
    },

    /** An upload of this sender. */
    async find(id: Uuid, actorId: Uuid): Promise<UploadWithParts | null> {
      return first(
        await run(
          db
            .select(columns)
            .from(uploads)
            .where(and(eq(uploads.id, id), eq(uploads.actorId, actorId), rawSql(IN_PROGRESS))),
        ),
      );
    },

    /** Open uploads of the sender, oldest first. */
    async list(actorId: Uuid, limit: number): Promise<readonly UploadWithParts[]> {
      return run(
        db
          .select(columns)
          .from(uploads)
          .where(and(eq(uploads.actorId, actorId), rawSql(IN_PROGRESS)))
          .orderBy(asc(uploads.createdAt), asc(uploads.id))
          .limit(limit),
      );
    },

    /** Records a slice. Returns false when the upload has ended, or is being completed. */
    async savePart(id: Uuid, { number, byteSize, etag }: UploadPart, now: Instant) {
      const [openRows] = await runTogether(db, [
        sql`SELECT id FROM uploads WHERE id = ${id} AND ${isUnclaimed(now)}`,
        sql`INSERT INTO upload_parts (upload_id, number, etag, byte_size)
          SELECT ${id}, ${number}, ${etag}, ${byteSize} FROM uploads WHERE id = ${id} AND ${isUnclaimed(now)}
          ON CONFLICT (upload_id, number) DO UPDATE SET etag = excluded.etag, byte_size = excluded.byte_size`,
      ]);
      return (openRows?.length ?? 0) > 0;
    },

    /** Deletes the records of all slices of an upload, which must be sent again. */
    async forgetParts(id: Uuid) {
      await runTogether(db, [sql`DELETE FROM upload_parts WHERE upload_id = ${id}`]);
    },

    /** Claims an upload until an instant, so that only one request completes it. Null when it has ended or is claimed. */
    async claim(id: Uuid, now: Instant, until: Instant): Promise<UploadWithParts | null> {
      const [claimedRows, rows] = await run(
        db.batch([
          db
            .update(uploads)
            .set({ claimedUntil: until })
            .where(and(eq(uploads.id, id), isUnclaimed(now)))
            .returning({ id: uploads.id }),
          db
            .select(columns)
            .from(uploads)
            .where(and(eq(uploads.id, id), eq(uploads.claimedUntil, until))),
        ]),
      );
      return claimedRows.length > 0 ? first<UploadWithParts>(rows) : null;
    },

    /** Releases a claim. */
    async release(id: Uuid, claimedUntil: Instant) {
      await run(
        db
          .update(uploads)
          .set({ claimedUntil: null })
          .where(and(eq(uploads.id, id), eq(uploads.claimedUntil, claimedUntil))),
      );
    },

    /** Deletes a claimed upload. */
    async remove(id: Uuid, claimedUntil: Instant) {
      await run(db.delete(uploads).where(and(eq(uploads.id, id), eq(uploads.claimedUntil, claimedUntil))));
    },

    /** Ids of expired uploads and unused files that are not claimed, earliest expiry first. */
    async listExpired(now: Instant, limit: number): Promise<readonly Uuid[]> {
      const rows = await run(
        db
          .select({ id: uploads.id })
          .from(uploads)
          .where(and(sql`${uploads.expiresAt} <= ${now}`, isUnclaimed(now)))
          .orderBy(asc(uploads.expiresAt))
          .limit(limit),
      );
      return rows.map(({ id }) => id);
    },

    /** Adds a library item for a file and deletes its upload, all or nothing. */
    async addItem(
      upload: Upload,
      claimedUntil: Instant,
      item: Pick<LibraryItem, "id" | "title" | "createdAt"> & InspectedFile,
      entry: AuditEntry,
    ): Promise<AdmitOutcome> {
      const { id, ownerId, folderId, fileKey, fileName } = upload;
      const hasRoom = sql`EXISTS (SELECT 1 FROM users WHERE id = ${ownerId} AND deleted_at IS NULL
        AND storage_used + ${item.byteSize} <= storage_limit)`;
      // A new item in a shared folder is shared with the same group.
      const results = await runTogether(db, [
        sql`SELECT ${hasRoom} AS room`,
        sql`INSERT INTO library_items (id, folder_id, owner_id, group_id, kind, title, search_key, file_name, mime_type,
            byte_size, width, height, duration, file_key, created_at, updated_at)
          SELECT ${item.id}, ${folderId}, ${ownerId}, group_id, ${item.kind}, ${item.title}, ${nameKey(item.title)},
            ${fileName}, ${item.mimeType}, ${item.byteSize}, ${item.width}, ${item.height}, ${item.duration}, ${fileKey},
            ${item.createdAt}, ${item.createdAt}
          FROM folders WHERE id = ${folderId} AND owner_id = ${ownerId} AND folder_type = 'media' AND deleted_at IS NULL
            AND ${hasRoom} AND ${isClaimed(id, claimedUntil)}`,
        writeEntry(entry, sql`file_key = ${fileKey}`),
        ...(item.isHeavy ? [markWaiting(sql`file_key = ${fileKey}`, item.createdAt)] : []),
        ...endUploadStatements(id, fileKey),
      ]);
      return toOutcome(results);
    },

    /** Replaces the file of an item of the same kind. The cron trigger deletes the old file and its thumbnail. */
    async replaceFile(
      upload: Upload,
      claimedUntil: Instant,
      file: InspectedFile,
      {
        ids,
        at,
        expiresAt,
      }: { readonly ids: readonly [Uuid, Uuid]; readonly at: Instant; readonly expiresAt: Instant },
      entry: AuditEntry,
    ): Promise<AdmitOutcome> {
      const { id, ownerId, fileKey, fileName, replacesId } = upload;
      const hasRoom = sql`SELECT 1 FROM users WHERE users.id = ${ownerId} AND users.deleted_at IS NULL
        AND users.storage_used - library_items.byte_size - library_items.still_size - library_items.prepared_size
          + ${file.byteSize} <= users.storage_limit`;
      const isItem = sql`library_items.id = ${replacesId} AND library_items.owner_id = ${ownerId}
        AND library_items.kind = ${file.kind} AND library_items.deleted_at IS NULL`;
      const where = sql`${isItem} AND EXISTS (${hasRoom}) AND ${isClaimed(id, claimedUntil)}`;
      const results = await runTogether(db, [
        sql`SELECT EXISTS (${hasRoom}) AS room FROM library_items WHERE ${isItem}`,
        scheduleDeletion("file_key", { id: ids[0], at, expiresAt }, where),
        scheduleDeletion("thumb_key", { id: ids[1], at, expiresAt }, where),
        // Converted files of the replaced file are removed with it.
        ...schedulePreparedDeletion(
          replacesId,
          { at, expiresAt },
          sql`EXISTS (SELECT 1 FROM library_items WHERE ${where})`,
        ),
        sql`DELETE FROM preparations WHERE item_id = ${replacesId} AND EXISTS (SELECT 1 FROM library_items WHERE ${where})`,
        writeEntry(entry, where),
        sql`UPDATE library_items SET file_key = ${fileKey}, thumb_key = NULL, still_size = 0, prepared_size = 0, file_name = ${fileName},
          mime_type = ${file.mimeType}, byte_size = ${file.byteSize}, width = ${file.width}, height = ${file.height},
          duration = ${file.duration}, updated_at = ${at}, version = version + 1 WHERE ${where}`,
        ...(file.isHeavy ? [markWaiting(sql`file_key = ${fileKey}`, at)] : []),
        ...endUploadStatements(id, fileKey),
      ]);
      return toOutcome(results);
    },

    /** Sets the thumbnail of an item that has this file. It counts as storage; the cron trigger deletes the old one. */
    async setThumbnail(
      itemId: Uuid,
      fileKey: string | null,
      { key, byteSize }: { readonly key: string; readonly byteSize: number },
      leftover: { readonly id: Uuid; readonly at: Instant; readonly expiresAt: Instant },
    ): Promise<AdmitOutcome> {
      const isItem = sql`library_items.id = ${itemId} AND file_key IS ${fileKey} AND deleted_at IS NULL`;
      const hasRoom = sql`EXISTS (SELECT 1 FROM users WHERE users.id = library_items.owner_id AND users.deleted_at IS NULL
        AND users.storage_used - library_items.still_size + ${byteSize} <= users.storage_limit)`;
      const where = sql`${isItem} AND ${hasRoom}`;
      const [rows, , updatedRows] = await runTogether(db, [
        sql`SELECT ${hasRoom} AS room FROM library_items WHERE ${isItem}`,
        scheduleDeletion("thumb_key", leftover, where),
        sql`UPDATE library_items SET thumb_key = ${key}, still_size = ${byteSize} WHERE ${where} RETURNING id`,
      ]);
      if (updatedRows && updatedRows.length > 0) return "done";
      return rows?.[0] ? "library_capacity" : "gone";
    },
  };
}

/** Returns the statements that delete the upload if its file belongs to an item now, and read that item's id. */
const endUploadStatements = (id: Uuid, fileKey: string) => [
  sql`DELETE FROM uploads WHERE id = ${id} AND EXISTS (SELECT 1 FROM library_items WHERE file_key = ${fileKey})`,
  sql`SELECT id FROM library_items WHERE file_key = ${fileKey}`,
];

function toOutcome(results: readonly (readonly unknown[])[]): AdmitOutcome {
  if ((results.at(-1)?.length ?? 0) > 0) return "done";
  const room = results[0]?.[0] as { room: number } | undefined;
  return room?.room === 0 ? "library_capacity" : "gone";
}
