import { and, eq, gt, isNotNull, isNull, lte, or, sql } from "drizzle-orm";
import type { UserImportRepository } from "#functions/services/people-ports";
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

export function userImportRepository(db: Db): UserImportRepository {
  const claimed = (id: Uuid, held: Instant) =>
    and(eq(userImports.id, id), plain(NOT_DONE), eq(userImports.claimedUntil, held));

  return {
    async add(checked) {
      const finished = or(isNull(userImports.claimedUntil), isNotNull(userImports.doneAt));
      await run(
        db.batch([
          db.delete(userImports).where(and(eq(userImports.actorId, checked.actorId), finished)),
          db.insert(userImports).values(checked),
        ]),
      );
    },

    async find(id) {
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

    async claim(id, at, { until, expiresAt }) {
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

    async progress(id, results, { held, until }) {
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

    async finish(id, { held, at }, entry) {
      await run(
        db.batch([
          db
            .insert(audit)
            .select(db.select(constants(audit, entry)).from(userImports).where(claimed(id, held))),
          db.update(userImports).set({ doneAt: at }).where(claimed(id, held)),
        ]),
      );
    },

    async deleteExpired(before) {
      const { meta } = await run(db.delete(userImports).where(lte(userImports.expiresAt, before)));
      return meta.changes;
    },
  };
}
