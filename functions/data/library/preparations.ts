/**
 * Conversions of library items' files in owners' browsers (decision 054). A preparation is the state of an item's conversion, a run is one conversion, and its
 * files are staged until it is finished.
 */

import { type SQL, sql } from "drizzle-orm";
import type {
  LeftoverTimes,
  PreparationLease,
  StagedFile,
  StagedFileLimits,
  StagedFileOutcome,
} from "#functions/services/library/preparation-ports";
import type { AuditEntry } from "#functions/services/shared/ports";
import type { LibraryItem } from "~/domain/library/library-item";
import type { PreparationCode, PreparationReport } from "~/domain/library/prepared";
import { DEFAULT_QUALITY, NOT_SHOWN } from "~/domain/library/prepared";
import type { Instant, Uuid } from "~/domain/shared/model";
import type { TileShape } from "~/domain/spaces/panorama-tiles";
import { type Db, first, run, runTogether, sqlList } from "../shared/db";
import { insertAuditEntries } from "../users/audit-entries";
import { declaredBy } from "../users/owner-limits";

type FileRow = Omit<StagedFile, "parts"> & { readonly parts: string };
const FILE_COLUMNS = sql`f.file_key AS fileKey, f.item_id AS itemId, f.run_id AS runId, f.role, f.name, f.mime_type AS mimeType, f.byte_size AS byteSize,
  f.width, f.height, f.duration, f.multipart_id AS multipartId, f.parts`;
const toStagedFile = ({ parts, ...row }: FileRow): StagedFile => ({
  ...row,
  parts: JSON.parse(parts) as Readonly<Record<string, string>>,
});

/**
 * Returns the statements that schedule the deletion of an item's converted files and delete their rows. A scheduled file is a row of
 * `uploads` without a multipart id; the cron trigger deletes the file.
 * @param condition a condition on a row `f` of prepared_files
 */
export const schedulePreparedDeletion = (
  itemId: Uuid | null,
  { at, expiresAt }: { readonly at: string; readonly expiresAt: string },
  condition: SQL,
): readonly SQL[] => [
  sql`INSERT INTO uploads (id, actor_id, owner_id, folder_id, file_name, byte_size, part_size, file_key, multipart_id, created_at, expires_at)
    SELECT lower(hex(randomblob(16))), i.owner_id, i.owner_id, i.folder_id, '', 1, 1, f.file_key, '', ${at}, ${expiresAt}
    FROM prepared_files f JOIN library_items i ON i.id = f.item_id WHERE f.item_id = ${itemId} AND ${condition}`,
  sql`DELETE FROM prepared_files AS f WHERE f.item_id = ${itemId} AND ${condition}`,
];

/**
 * Marks files that wait for a conversion although their type and size do not show it.
 * @param condition a condition on rows of library_items
 */
export const markWaiting = (condition: SQL, now: string): SQL =>
  sql`INSERT INTO preparations (item_id, file_key, state, updated_at) SELECT id, file_key, 'waiting', ${now} FROM library_items WHERE ${condition}`;

/** Conversions by item. Each statement contains its conditions. */
export function preparationRepository(db: Db) {
  const readFiles = async (where: SQL) =>
    (await run(db.all<FileRow>(sql`SELECT ${FILE_COLUMNS} FROM prepared_files f WHERE ${where}`))).map(
      toStagedFile,
    );

  return {
    /** Gives one browser the exclusive right to convert a file for some time (a lease). Null when another browser has the lease, or when the item was deleted or has another file now. */
    async lease(lease: PreparationLease, now: Instant): Promise<PreparationLease | null> {
      const { itemId, fileKey, runId, holder, actorId, until, chosenQuality } = lease;
      const [rows] = await runTogether(db, [
        sql`INSERT INTO preparations (item_id, file_key, state, lease_id, lease_holder, lease_actor_id, leased_until, lease_quality, updated_at)
          SELECT id, file_key, 'waiting', ${runId}, ${holder}, ${actorId}, ${until}, ${chosenQuality}, ${now}
          FROM library_items WHERE id = ${itemId} AND file_key = ${fileKey} AND deleted_at IS NULL
          ON CONFLICT (item_id) DO UPDATE SET
            state = iif(preparations.file_key = excluded.file_key, preparations.state, 'waiting'),
            code = iif(preparations.file_key = excluded.file_key, preparations.code, ''),
            run_id = iif(preparations.file_key = excluded.file_key, preparations.run_id, NULL),
            file_key = excluded.file_key, lease_id = excluded.lease_id, lease_holder = excluded.lease_holder,
            lease_actor_id = excluded.lease_actor_id, leased_until = excluded.leased_until,
            lease_quality = excluded.lease_quality, updated_at = excluded.updated_at
          WHERE preparations.leased_until IS NULL OR preparations.leased_until <= ${now}
            OR (preparations.lease_holder = ${holder} AND preparations.lease_actor_id = ${actorId})
          RETURNING lease_id`,
      ]);
      return (rows?.length ?? 0) > 0 ? lease : null;
    },

    /** The item's latest lease, even if it has ended. */
    async findLease(itemId: Uuid): Promise<Pick<PreparationLease, "runId" | "actorId" | "until"> | null> {
      return first(
        await run(
          db.all<{ runId: string; actorId: string; until: string }>(
            sql`SELECT lease_id AS runId, lease_actor_id AS actorId, leased_until AS until
              FROM preparations WHERE item_id = ${itemId} AND lease_id IS NOT NULL`,
          ),
        ),
      );
    },

    /** Extends a lease. Returns false when it was ended or replaced. */
    async renew(itemId: Uuid, runId: Uuid, until: Instant) {
      const [rows] = await runTogether(db, [
        sql`UPDATE preparations SET leased_until = ${until} WHERE item_id = ${itemId} AND lease_id = ${runId} RETURNING item_id`,
      ]);
      return (rows?.length ?? 0) > 0;
    },

    /** Records a file of a running conversion. It replaces a file of the same name. */
    async stage(file: StagedFile, limits: StagedFileLimits): Promise<StagedFileOutcome> {
      const { fileKey, itemId, runId, role, name, mimeType, byteSize, width, height, duration } = file;
      const isHeld = sql`EXISTS (SELECT 1 FROM preparations p JOIN library_items i ON i.id = p.item_id
        WHERE p.item_id = ${itemId} AND p.lease_id = ${runId} AND p.file_key = i.file_key AND i.deleted_at IS NULL)`;
      const otherFiles = sql`FROM prepared_files o WHERE o.item_id = ${itemId} AND o.run_id = ${runId} AND o.file_key <> ${fileKey}`;
      const hasRoomForFile = sql`((SELECT count(*) ${otherFiles}) < ${limits.files}
        AND (SELECT coalesce(sum(o.byte_size), 0) ${otherFiles}) + ${byteSize} <= ${limits.bytes})`;
      const replacedBytes = sql`coalesce((SELECT byte_size FROM prepared_files WHERE file_key = ${fileKey}), 0)`;
      const hasRoom = sql`EXISTS (SELECT 1 FROM users u JOIN library_items i ON i.owner_id = u.id WHERE i.id = ${itemId}
        AND u.storage_used - i.prepared_size + ${declaredBy(sql`u.id`)} - ${replacedBytes} + ${byteSize} <= u.storage_limit)`;
      const [rows, stored] = await runTogether(db, [
        sql`SELECT ${isHeld} AS held, ${hasRoomForFile} AS fits, ${hasRoom} AS room`,
        sql`INSERT INTO prepared_files (file_key, item_id, run_id, role, name, mime_type, byte_size, width, height, duration,
            multipart_id, parts, staged_for)
          SELECT ${fileKey}, ${itemId}, ${runId}, ${role}, ${name}, ${mimeType}, ${byteSize}, ${width}, ${height}, ${duration},
            ${file.multipartId}, ${JSON.stringify(file.parts)}, owner_id
          FROM library_items WHERE id = ${itemId} AND ${isHeld} AND ${hasRoomForFile} AND ${hasRoom}
          ON CONFLICT (file_key) DO UPDATE SET role = excluded.role, mime_type = excluded.mime_type, byte_size = excluded.byte_size,
            width = excluded.width, height = excluded.height, duration = excluded.duration,
            multipart_id = excluded.multipart_id, parts = excluded.parts
          RETURNING file_key`,
      ]);
      if ((stored?.length ?? 0) > 0) return "done";
      const conditions = rows?.[0] as { held: number; fits: number; room: number } | undefined;
      if (!conditions?.held) return "gone";
      return conditions.fits ? "library_capacity" : "too_many";
    },

    /** The files of a conversion. */
    findStaged: (itemId: Uuid, runId: Uuid): Promise<readonly StagedFile[]> =>
      readFiles(sql`f.item_id = ${itemId} AND f.run_id = ${runId}`),

    /** A staged file by its key. */
    async findStagedFile(fileKey: string): Promise<StagedFile | null> {
      return first(await readFiles(sql`f.file_key = ${fileKey} AND f.staged_for IS NOT NULL`));
    },

    /** Records a received slice of a staged file. */
    async savePart(fileKey: string, number: number, etag: string) {
      // A single statement, because concurrent slices must not overwrite each other.
      await runTogether(db, [
        sql`UPDATE prepared_files SET parts = json_set(parts, ${`$."${number}"`}, ${etag}) WHERE file_key = ${fileKey} AND staged_for IS NOT NULL`,
      ]);
    },

    /** Records the inspected properties of a stored file. Only such files can be finished. */
    async settleFile({
      fileKey,
      byteSize,
      width,
      height,
      duration,
    }: Pick<StagedFile, "fileKey" | "byteSize" | "width" | "height" | "duration">) {
      await runTogether(db, [
        sql`UPDATE prepared_files SET byte_size = ${byteSize}, width = ${width}, height = ${height}, duration = ${duration},
          multipart_id = '', parts = '{}' WHERE file_key = ${fileKey} AND staged_for IS NOT NULL`,
      ]);
    },

    /** Files of an item that belong neither to the conversion in use nor to `except`. */
    listAbandoned: (itemId: Uuid, except: Uuid | null): Promise<readonly StagedFile[]> =>
      readFiles(sql`f.item_id = ${itemId} AND f.staged_for IS NOT NULL AND f.run_id IS NOT ${except}`),

    /** Files of unfinished conversions whose lease has ended, of any item. */
    listExpired: (now: Instant, limit: number): Promise<readonly StagedFile[]> =>
      readFiles(sql`f.staged_for IS NOT NULL AND NOT EXISTS (SELECT 1 FROM preparations p
        WHERE p.item_id = f.item_id AND p.lease_id = f.run_id AND p.leased_until > ${now}) LIMIT ${limit}`),

    /** Deletes the rows of staged files. */
    async deleteFileRows(fileKeys: readonly string[]) {
      if (fileKeys.length === 0) return;
      await runTogether(db, [
        sql`DELETE FROM prepared_files WHERE file_key IN ${sqlList(fileKeys)} AND staged_for IS NOT NULL`,
      ]);
    },

    /** Replaces the files in use by those of a conversion, all or nothing. */
    async finish(
      { id, fileKey }: Pick<LibraryItem, "id" | "fileKey">,
      runId: Uuid,
      { report, tiles }: { readonly report: PreparationReport; readonly tiles: TileShape | null },
      times: LeftoverTimes,
      entry: AuditEntry,
    ) {
      const preparedBytes = sql`(SELECT coalesce(sum(byte_size), 0) FROM prepared_files WHERE item_id = ${id} AND run_id = ${runId})`;
      const claimedPreparation = sql`preparations p JOIN library_items i ON i.id = p.item_id AND i.file_key = p.file_key JOIN users u ON u.id = i.owner_id
        WHERE p.item_id = ${id} AND p.lease_id = ${runId} AND i.file_key = ${fileKey} AND i.deleted_at IS NULL`;
      // This difference does not change when the item's counter is set, so that every statement of the batch gets the same result.
      const hasRoom = sql`u.storage_used - i.prepared_size + ${preparedBytes} <= u.storage_limit`;
      const canFinish = sql`EXISTS (SELECT 1 FROM ${claimedPreparation} AND ${hasRoom})`;
      const results = await runTogether(db, [
        sql`SELECT ${hasRoom} AS room FROM ${claimedPreparation}`,
        ...schedulePreparedDeletion(
          id,
          times,
          sql`f.run_id <> ${runId} AND f.staged_for IS NULL AND ${canFinish}`,
        ),
        sql`${insertAuditEntries([entry])} WHERE ${canFinish}`,
        sql`UPDATE library_items SET prepared_size = ${preparedBytes} WHERE id = ${id} AND ${canFinish}`,
        sql`UPDATE prepared_files SET staged_for = NULL WHERE item_id = ${id} AND run_id = ${runId} AND ${canFinish}`,
        sql`UPDATE preparations SET state = 'done', code = '', run_id = ${runId}, quality = coalesce(lease_quality, quality, ${DEFAULT_QUALITY}), facts = ${JSON.stringify(report)},
          tiles = ${tiles && JSON.stringify(tiles)},
          lease_id = NULL, lease_holder = NULL, lease_actor_id = NULL, leased_until = NULL, updated_at = ${times.at}
          WHERE item_id = ${id} AND ${canFinish} RETURNING item_id`,
      ]);
      if ((results.at(-1)?.length ?? 0) > 0) return "done";
      return results[0]?.[0] === undefined ? "gone" : "library_capacity";
    },

    /** Ends a conversion without a result. The files in use stay. Returns false when its lease was ended or replaced. */
    async fail(itemId: Uuid, runId: Uuid, code: PreparationCode, now: Instant) {
      const [rows] = await runTogether(db, [
        // A file that a browser could not open keeps this code when a later conversion fails for another reason. The revisions of events stay,
        // because their pages do not show why a conversion failed.
        sql`UPDATE preparations SET state = iif(run_id IS NULL, 'failed', state), code = iif(state = 'failed' AND code = ${NOT_SHOWN}, code, ${code}), lease_id = NULL, lease_holder = NULL,
          lease_actor_id = NULL, leased_until = NULL, updated_at = ${now}
          WHERE item_id = ${itemId} AND lease_id = ${runId} RETURNING item_id`,
      ]);
      return (rows?.length ?? 0) > 0;
    },

    /** Shows the original file to visitors. Ends a running conversion. Returns false when the item was deleted or has another file now. */
    async skip(
      { id, fileKey }: Pick<LibraryItem, "id" | "fileKey">,
      times: LeftoverTimes,
      entry: AuditEntry,
    ) {
      const isItem = sql`EXISTS (SELECT 1 FROM library_items i WHERE i.id = ${id} AND i.file_key = ${fileKey} AND i.deleted_at IS NULL)`;
      const results = await runTogether(db, [
        ...schedulePreparedDeletion(id, times, isItem),
        sql`${insertAuditEntries([entry])} WHERE ${isItem}`,
        sql`UPDATE library_items SET prepared_size = 0 WHERE id = ${id} AND ${isItem}`,
        sql`INSERT INTO preparations (item_id, file_key, state, updated_at) SELECT ${id}, ${fileKey}, 'skipped', ${times.at} WHERE ${isItem}
          ON CONFLICT (item_id) DO UPDATE SET file_key = excluded.file_key, state = 'skipped', code = '', run_id = NULL, quality = NULL,
            facts = '{}', tiles = NULL, lease_id = NULL, lease_holder = NULL, lease_actor_id = NULL, leased_until = NULL, updated_at = excluded.updated_at
          RETURNING item_id`,
      ]);
      return (results.at(-1)?.length ?? 0) > 0;
    },
  };
}
