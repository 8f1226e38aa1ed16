import { and, eq, gt, isNotNull, isNull, lte, or, sql } from "drizzle-orm";
import type { AuditEntry } from "#functions/services/ports";
import type { ImportResult, UserImport } from "#functions/services/user-import-plan";
import type { Instant, Uuid } from "~/domain/model";
import { constants, type Db, first, plain, run } from "./db";
import { audit, userImports } from "./schema";

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

/** Files of users that were checked and wait for their confirmation. */
export function userImportRepository(db: Db) {
  const claimed = (id: Uuid, held: Instant) =>
    and(eq(userImports.id, id), plain(NOT_DONE), eq(userImports.claimedUntil, held));

  return {
    /** Keeps a checked file, instead of the same person's earlier ones, but for those whose writing began and has not ended. */
    async add(checked: Omit<UserImport, "claimedUntil" | "doneAt">) {
      const finished = or(isNull(userImports.claimedUntil), isNotNull(userImports.doneAt));
      await run(
        db.batch([
          db.delete(userImports).where(and(eq(userImports.actorId, checked.actorId), finished)),
          db.insert(userImports).values(checked),
        ]),
      );
    },

    /** Written or not, expired or not; its lines with what became of them. */
    async find(id: Uuid): Promise<UserImport | null> {
      const found = first(await run(db.select(columns).from(userImports).where(eq(userImports.id, id))));
      if (!found) return null;
      const { results, plan, ...rest } = found;
      const became = new Map(results.flat().map(({ line, refused }) => [line, refused]));
      const lines = plan.lines.map((line) => {
        const refused = became.get(line.line);
        return refused === undefined ? line : { ...line, refused };
      });
      return { ...rest, plan: { ...plan, lines } };
    },

    /** Claims a file for writing, and keeps it until `expiresAt`. False when somebody is writing it, or it is done or expired. */
    async claim(
      id: Uuid,
      at: Instant,
      { until, expiresAt }: { readonly until: Instant; readonly expiresAt: Instant },
    ) {
      const won = await run(
        db
          .update(userImports)
          .set({ claimedUntil: until, expiresAt })
          .where(
            and(
              eq(userImports.id, id),
              plain(NOT_DONE),
              or(isNull(userImports.claimedUntil), lte(userImports.claimedUntil, at)),
              gt(userImports.expiresAt, at),
            ),
          )
          .returning({ id: userImports.id }),
      );
      return won.length > 0;
    },

    /** Writes down what became of some lines and prolongs the claim. False, with nothing done, when it is somebody else's by now. */
    async progress(
      id: Uuid,
      results: readonly ImportResult[],
      { held, until }: { readonly held: Instant; readonly until: Instant },
    ) {
      const kept = await run(
        db
          .update(userImports)
          .set({
            claimedUntil: until,
            results: sql`json_insert(results, '$[#]', json(${JSON.stringify(results)}))`,
          })
          .where(claimed(id, held))
          .returning({ id: userImports.id }),
      );
      return kept.length > 0;
    },

    /** Writes down that all lines were seen to, unless the claim is somebody else's by now. */
    async finish(
      id: Uuid,
      { held, at }: { readonly held: Instant; readonly at: Instant },
      entry: AuditEntry,
    ) {
      await run(
        db.batch([
          db
            .insert(audit)
            .select(db.select(constants(audit, entry)).from(userImports).where(claimed(id, held))),
          db.update(userImports).set({ doneAt: at }).where(claimed(id, held)),
        ]),
      );
    },

    /** Forgets those that expired before then; how many. */
    async deleteExpired(before: Instant) {
      const { meta } = await run(db.delete(userImports).where(lte(userImports.expiresAt, before)));
      return meta.changes;
    },
  };
}
