/** Imported files (decision 036). */

import { and, asc, eq, isNull, lte, sql } from "drizzle-orm";
import type { Import, ImportPart } from "#functions/services/transfer/transfer-ports";
import type { Instant, Uuid } from "~/domain/shared/model";
import { imports } from "../schema";
import { type Db, first, rawSql, run, runTogether } from "../shared/db";
import { declaredBy, hasTrashRoom } from "../users/owner-limits";

const isUnclaimed = (now: Instant) => sql`(claimed_until IS NULL OR claimed_until <= ${now})`;

/** Reads and writes imports. */
export function importRepository(db: Db) {
  const isClaimedBy = (id: Uuid, claimedUntil: Instant) =>
    and(eq(imports.id, id), eq(imports.claimedUntil, claimedUntil), isNull(imports.doneAt));
  return {
    /**
     * Adds an import and reserves its bytes, unless the actor has `maxOpen` of them that are not done, or the owner's storage, or the storage with
     * the trash, has no room. The bytes are released when the import is done or removed.
     * @returns "gone" if the owner was deleted
     */
    async add(newImport: Omit<Import, "report" | "claimedUntil" | "doneAt" | "parts">, maxOpen: number) {
      const { id, actorId, ownerId, kind, targetId, fileName, byteSize, fileKey, multipartId } = newImport;
      const declared = declaredBy(rawSql("users.id"));
      const hasRoom = sql`storage_used + ${declared} + ${byteSize} <= storage_limit`;
      const hasTrash = hasTrashRoom(sql`${declared} + ${byteSize}`);
      // Expired imports count until the cron trigger has deleted their bytes.
      const isBelowMaximum = sql`(SELECT count(*) FROM imports WHERE actor_id = ${actorId} AND done_at IS NULL) < ${maxOpen}`;
      const [rows, added] = await runTogether(db, [
        sql`SELECT ${hasRoom} AS room, ${hasTrash} AS trash, ${isBelowMaximum} AS fits FROM users WHERE id = ${ownerId} AND deleted_at IS NULL`,
        sql`INSERT INTO imports (id, actor_id, owner_id, kind, target_id, file_name, byte_size, file_key, multipart_id, detail, created_at, expires_at)
          SELECT ${id}, ${actorId}, ${ownerId}, ${kind}, ${targetId}, ${fileName}, ${byteSize}, ${fileKey}, ${multipartId},
            ${JSON.stringify(newImport.detail)}, ${newImport.createdAt}, ${newImport.expiresAt}
          FROM users WHERE users.id = ${ownerId} AND users.deleted_at IS NULL AND ${hasRoom} AND ${hasTrash} AND ${isBelowMaximum} RETURNING id`,
      ]);
      if ((added?.length ?? 0) > 0) return "added";
      const conditions = rows?.[0] as { room: number; trash: number; fits: number } | undefined;
      if (!conditions) return "gone";
      if (!conditions.fits) return "too_many_imports";
      return conditions.room ? "trash_full" : "library_capacity";
    },

    /** Replaces the reserved bytes of an import. Returns false when the owner's storage has no room for them, or the import is done or removed. */
    async reserve(id: Uuid, byteSize: number) {
      const [reserved] = await runTogether(db, [
        sql`UPDATE imports SET byte_size = ${byteSize} WHERE id = ${id} AND done_at IS NULL AND EXISTS (SELECT 1 FROM users
          WHERE users.id = imports.owner_id AND storage_used + ${declaredBy(rawSql("users.id"))} - imports.byte_size + ${byteSize} <= storage_limit)
          RETURNING id`,
      ]);
      return (reserved?.length ?? 0) > 0;
    },

    /** An import of this actor. */
    async find(id: Uuid, actorId: Uuid): Promise<Import | null> {
      const where = and(eq(imports.id, id), eq(imports.actorId, actorId));
      return first(await run(db.select().from(imports).where(where)));
    },

    /** Records a slice. Returns false when the import was removed, is done or is claimed. */
    async savePart(id: Uuid, number: number, part: ImportPart, now: Instant) {
      const [saved] = await runTogether(db, [
        sql`UPDATE imports SET parts = json_set(parts, ${`$."${number}"`}, json(${JSON.stringify(part)}))
          WHERE id = ${id} AND done_at IS NULL AND ${isUnclaimed(now)} RETURNING id`,
      ]);
      return (saved?.length ?? 0) > 0;
    },

    /** An actor's tag files for an event that were checked and not applied. */
    async listChecked(actorId: Uuid, eventId: Uuid, now: Instant): Promise<readonly Import[]> {
      return run(
        db
          .select()
          .from(imports)
          .where(
            and(
              ...[eq(imports.actorId, actorId), eq(imports.kind, "tags"), eq(imports.targetId, eventId)],
              ...[isNull(imports.doneAt), isUnclaimed(now)],
            ),
          ),
      );
    },

    /** Claims an import until an instant, so that only one request continues it. Null when it was removed, is done or is claimed. */
    async claim(id: Uuid, now: Instant, until: Instant): Promise<Import | null> {
      const [claimedRows] = await run(
        db.batch([
          db
            .update(imports)
            .set({ claimedUntil: until })
            .where(and(eq(imports.id, id), isNull(imports.doneAt), isUnclaimed(now)))
            .returning(),
        ]),
      );
      return first(claimedRows);
    },

    /** Records the progress of a claimed import. */
    async note(
      id: Uuid,
      claimedUntil: Instant,
      fields: Partial<Pick<Import, "byteSize" | "multipartId" | "parts" | "detail">>,
    ) {
      await run(db.update(imports).set(fields).where(isClaimedBy(id, claimedUntil)));
    },

    /** Releases a claim. */
    async release(id: Uuid, claimedUntil: Instant) {
      await run(db.update(imports).set({ claimedUntil: null }).where(isClaimedBy(id, claimedUntil)));
    },

    /** Marks an import as done, with its report. */
    async finish(id: Uuid, claimedUntil: Instant, now: Instant, report: unknown) {
      await run(
        db.update(imports).set({ doneAt: now, report, detail: {} }).where(isClaimedBy(id, claimedUntil)),
      );
    },

    async remove(id: Uuid) {
      await run(db.delete(imports).where(eq(imports.id, id)));
    },

    /** Expired imports that are not claimed, by the time of expiry. */
    async listExpired(now: Instant, limit: number): Promise<readonly Import[]> {
      return run(
        db
          .select()
          .from(imports)
          .where(and(lte(imports.expiresAt, now), isUnclaimed(now)))
          .orderBy(asc(imports.expiresAt))
          .limit(limit),
      );
    },
  };
}
