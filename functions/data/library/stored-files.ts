import { eq, lt, sql } from "drizzle-orm";
import type { ClaimedCheck, StoredFileRecord } from "#functions/services/library/stored-file-ports";
import type { UploadCheck } from "~/domain/library/upload-check";
import type { Instant } from "~/domain/shared/model";
import { storedFiles } from "../schema";
import { type Db, first, rawSql, run, runTogether, sqlList } from "../shared/db";

/** SQL of a column of a checked file: from the library item for an uploaded file, from prepared_files for a converted one. */
const checkedFileColumn = (item: string, prepared: string) =>
  sql`coalesce((SELECT ${rawSql(item)} FROM library_items i WHERE i.file_key = stored_files.file_key),
    (SELECT ${rawSql(prepared)} FROM prepared_files p WHERE p.file_key = stored_files.file_key))`;

/**
 * Records of stored files by their keys: their inspection for data that visitors must not receive (`overwrites`; `edition` is the version of its rules), and
 * the verdict of the check that files need before they are used.
 */
export function storedFileRepository(db: Db) {
  return {
    async find(fileKey: string): Promise<StoredFileRecord | null> {
      const { edition, overwrites, checkState } = storedFiles;
      return first(
        await run(
          db
            .select({ edition, overwrites, checkState })
            .from(storedFiles)
            .where(eq(storedFiles.fileKey, fileKey)),
        ),
      );
    },

    /**
     * Records the inspection of a file.
     * @param checkAt time of the first request for a verdict, without which the file may not be used; null for a file that needs none
     */
    async saveOverwrites(
      fileKey: string,
      {
        edition,
        overwrites,
        checkAt,
      }: { readonly edition: number; readonly overwrites: string; readonly checkAt: Instant | null },
    ) {
      await run(
        db
          .insert(storedFiles)
          .values({ fileKey, edition, overwrites, checkAt, checkState: checkAt === null ? null : "waiting" })
          .onConflictDoUpdate({
            target: storedFiles.fileKey,
            set:
              checkAt === null
                ? { edition, overwrites }
                : { edition, overwrites, checkAt, checkState: "waiting" },
          }),
      );
    },

    /** Deletes the records of deleted files. */
    async forget(fileKeys: readonly string[]) {
      if (fileKeys.length === 0) return;
      await run(db.delete(storedFiles).where(sql`${storedFiles.fileKey} IN ${sqlList(fileKeys)}`));
    },

    /** Keys of files that were inspected by an older version of the rules. */
    async listOlder(edition: number, limit: number): Promise<readonly string[]> {
      const rows = await run(
        db
          .select({ fileKey: storedFiles.fileKey })
          .from(storedFiles)
          .where(lt(storedFiles.edition, edition))
          .limit(limit),
      );
      return rows.map(({ fileKey }) => fileKey);
    },

    /** Claims the file whose verdict has been due for longest, until `until`. @param fileKey the only file to claim; null for any */
    async claimCheck(fileKey: string | null, now: Instant, until: Instant): Promise<ClaimedCheck | null> {
      // The claim postpones the file: if the caller is interrupted, a run after `until` processes it.
      const [claimed] = await runTogether(db, [
        sql`UPDATE stored_files SET check_at = ${until}, check_attempts = check_attempts + 1
          WHERE file_key = (
            SELECT s.file_key FROM stored_files s
            WHERE (EXISTS (SELECT 1 FROM library_items i WHERE i.file_key = s.file_key)
              OR EXISTS (SELECT 1 FROM prepared_files p WHERE p.file_key = s.file_key AND p.staged_for IS NULL))
            AND s.check_state = 'waiting' AND s.check_at <= ${now} AND (${fileKey} IS NULL OR s.file_key = ${fileKey})
            ORDER BY s.check_at LIMIT 1)
          RETURNING file_key AS fileKey, check_attempts AS attempts,
            ${checkedFileColumn("id", "item_id")} AS itemId, ${checkedFileColumn("file_name", "name")} AS fileName,
            (SELECT owner_id FROM library_items i WHERE i.id = ${checkedFileColumn("id", "item_id")}) AS ownerId,
            ${checkedFileColumn("mime_type", "mime_type")} AS mimeType, ${checkedFileColumn("byte_size", "byte_size")} AS byteSize,
            (SELECT name FROM prepared_files p WHERE p.file_key = stored_files.file_key) AS preparedName`,
      ]);
      return first((claimed ?? []) as readonly ClaimedCheck[]);
    },

    /** Records a verdict: null accepts the file. Increases the revision of events that use it. */
    async settleCheck(fileKey: string, verdict: UploadCheck | null) {
      await runTogether(db, [
        sql`UPDATE stored_files SET check_state = ${verdict?.state ?? null}, check_reason = ${verdict?.reason ?? ""},
          check_at = NULL WHERE file_key = ${fileKey} AND check_state IS NOT NULL`,
        // Fires the table's trigger, which increases the revisions of events. Their pages show the file from now on, or never.
        sql`UPDATE library_items SET file_key = file_key
          WHERE file_key = ${fileKey} OR id = (SELECT item_id FROM prepared_files WHERE file_key = ${fileKey})`,
      ]);
    },

    /** Sets the time of the next verdict request. */
    async retryCheck(fileKey: string, nextAt: Instant) {
      await run(db.update(storedFiles).set({ checkAt: nextAt }).where(eq(storedFiles.fileKey, fileKey)));
    },
  };
}
