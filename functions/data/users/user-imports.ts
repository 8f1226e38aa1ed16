import { and, eq, gt, isNotNull, isNull, lte, or, sql } from "drizzle-orm";
import type { AuditEntry } from "#functions/services/shared/ports";
import type { ImportLineResult, UserImport } from "#functions/services/users/user-import-ports";
import type { Instant, Uuid } from "~/domain/shared/model";
import { audit, userImports } from "../schema";
import { constants, type Db, first, rawSql, run } from "../shared/db";

const columns = {
  id: userImports.id,
  actorId: userImports.actorId,
  fileName: userImports.fileName,
  plan: userImports.plan,
  results: userImports.results,
  createdAt: userImports.createdAt,
  expiresAt: userImports.expiresAt,
  claimedUntil: userImports.claimedUntil,
  doneAt: userImports.doneAt,
};

const NOT_DONE = "done_at IS NULL";

/** CSV files of accounts that were checked, until and after an administrator applies them. */
export function userImportRepository(db: Db) {
  const isClaimed = (id: Uuid, claimedUntil: Instant) =>
    and(eq(userImports.id, id), rawSql(NOT_DONE), eq(userImports.claimedUntil, claimedUntil));

  return {
    /** Stores a checked file. It replaces earlier files of the same administrator, except those whose writing has begun and is not done. */
    async add(checked: Omit<UserImport, "claimedUntil" | "doneAt">) {
      const isUnclaimedOrDone = or(isNull(userImports.claimedUntil), isNotNull(userImports.doneAt));
      await run(
        db.batch([
          db.delete(userImports).where(and(eq(userImports.actorId, checked.actorId), isUnclaimedOrDone)),
          db.insert(userImports).values(checked),
        ]),
      );
    },

    /** An import with the results of its lines, also when it is done or expired. */
    async find(id: Uuid): Promise<UserImport | null> {
      const userImport = first(await run(db.select(columns).from(userImports).where(eq(userImports.id, id))));
      if (!userImport) return null;
      const { results, plan, ...rest } = userImport;
      const rejectionByLine = new Map(results.flat().map(({ line, refused }) => [line, refused]));
      const lines = plan.lines.map((line) => {
        const refused = rejectionByLine.get(line.line);
        return refused === undefined ? line : { ...line, refused };
      });
      return { ...rest, plan: { ...plan, lines } };
    },

    /** Claims a file for writing, and extends its life to `expiresAt`. Returns false when it is claimed, done or expired. */
    async claim(
      id: Uuid,
      now: Instant,
      { until, expiresAt }: { readonly until: Instant; readonly expiresAt: Instant },
    ) {
      const claimedRows = await run(
        db
          .update(userImports)
          .set({ claimedUntil: until, expiresAt })
          .where(
            and(
              eq(userImports.id, id),
              rawSql(NOT_DONE),
              or(isNull(userImports.claimedUntil), lte(userImports.claimedUntil, now)),
              gt(userImports.expiresAt, now),
            ),
          )
          .returning({ id: userImports.id }),
      );
      return claimedRows.length > 0;
    },

    /** Stores the results of lines and extends the claim. Returns false and stores nothing when another request has the claim. */
    async saveProgress(
      id: Uuid,
      results: readonly ImportLineResult[],
      { claimedUntil, until }: { readonly claimedUntil: Instant; readonly until: Instant },
    ) {
      const updated = await run(
        db
          .update(userImports)
          .set({
            claimedUntil: until,
            results: sql`json_insert(results, '$[#]', json(${JSON.stringify(results)}))`,
          })
          .where(isClaimed(id, claimedUntil))
          .returning({ id: userImports.id }),
      );
      return updated.length > 0;
    },

    /** Marks an import as done, unless another request has the claim. */
    async finish(
      id: Uuid,
      { claimedUntil, at }: { readonly claimedUntil: Instant; readonly at: Instant },
      entry: AuditEntry,
    ) {
      await run(
        db.batch([
          db
            .insert(audit)
            .select(db.select(constants(audit, entry)).from(userImports).where(isClaimed(id, claimedUntil))),
          db.update(userImports).set({ doneAt: at }).where(isClaimed(id, claimedUntil)),
        ]),
      );
    },

    /** Deletes imports that expired before an instant. Returns their number. */
    async deleteExpired(before: Instant) {
      const { meta } = await run(db.delete(userImports).where(lte(userImports.expiresAt, before)));
      return meta.changes;
    },
  };
}
