/** Files that are to become content (decision 036). */
import { and, asc, eq, isNull, lte, sql } from "drizzle-orm";
import type { ImportRepository } from "#functions/services/transfer-ports";
import type { Instant, Uuid } from "~/domain/model";
import { type Db, first, run, runTogether } from "./db";
import { imports } from "./schema";

const isFree = (now: Instant) => sql`(claimed_until IS NULL OR claimed_until <= ${now})`;

export function importRepository(db: Db): ImportRepository {
  const held = (id: Uuid, claimedUntil: Instant) =>
    and(eq(imports.id, id), eq(imports.claimedUntil, claimedUntil), isNull(imports.doneAt));
  return {
    async add(made, maxOpen) {
      const { id, actorId, kind, targetId, fileName, byteSize, fileKey, multipartId } = made;
      const [added] = await runTogether(db, [
        sql`INSERT INTO imports (id, actor_id, kind, target_id, file_name, byte_size, file_key, multipart_id, detail, created_at, expires_at)
          SELECT ${id}, ${actorId}, ${kind}, ${targetId}, ${fileName}, ${byteSize}, ${fileKey}, ${multipartId},
            ${JSON.stringify(made.detail)}, ${made.createdAt}, ${made.expiresAt}
          WHERE (SELECT count(*) FROM imports WHERE actor_id = ${actorId} AND done_at IS NULL AND expires_at > ${made.createdAt}) < ${maxOpen}
          RETURNING id`,
      ]);
      return (added?.length ?? 0) > 0;
    },

    async find(id, actorId) {
      const where = and(eq(imports.id, id), eq(imports.actorId, actorId));
      return first(await run(db.select().from(imports).where(where)));
    },

    async savePart(id, number, part, now, expiresAt) {
      const [saved] = await runTogether(db, [
        sql`UPDATE imports SET expires_at = ${expiresAt}, parts = json_set(parts, ${`$."${number}"`}, json(${JSON.stringify(part)}))
          WHERE id = ${id} AND done_at IS NULL AND ${isFree(now)} RETURNING id`,
      ]);
      return (saved?.length ?? 0) > 0;
    },

    async claim(id, now, until) {
      const [won] = await run(
        db.batch([
          db
            .update(imports)
            .set({ claimedUntil: until })
            .where(and(eq(imports.id, id), isNull(imports.doneAt), isFree(now)))
            .returning(),
        ]),
      );
      return first(won);
    },

    async note(id, claimedUntil, fields) {
      await run(db.update(imports).set(fields).where(held(id, claimedUntil)));
    },

    async release(id, claimedUntil) {
      await run(db.update(imports).set({ claimedUntil: null }).where(held(id, claimedUntil)));
    },

    async finish(id, claimedUntil, at, report) {
      await run(db.update(imports).set({ doneAt: at, report, detail: {} }).where(held(id, claimedUntil)));
    },

    async remove(id) {
      await run(db.delete(imports).where(eq(imports.id, id)));
    },

    async listExpired(now, limit) {
      return run(
        db
          .select()
          .from(imports)
          .where(and(lte(imports.expiresAt, now), isFree(now)))
          .orderBy(asc(imports.expiresAt))
          .limit(limit),
      );
    },
  };
}
