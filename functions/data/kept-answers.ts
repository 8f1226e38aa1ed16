import { and, eq, isNull, lte, or, sql } from "drizzle-orm";
import type { KeptAnswerRepository } from "#functions/services/idempotency";
import { type Db, first, run } from "./db";
import { keptAnswers } from "./schema";

export function keptAnswerRepository(db: Db): KeptAnswerRepository {
  const mine = ({ id, beganAt }: { id: string; beganAt: string }) =>
    and(eq(keptAnswers.id, id), eq(keptAnswers.beganAt, beganAt));
  return {
    async begin(call, leftBefore) {
      const { asked, beganAt, expiresAt } = call;
      const begun = await run(
        db
          .insert(keptAnswers)
          .values(call)
          .onConflictDoUpdate({
            target: keptAnswers.id,
            set: { asked, beganAt, expiresAt, answer: null },
            setWhere: or(
              lte(keptAnswers.expiresAt, beganAt),
              and(
                isNull(keptAnswers.answer),
                lte(keptAnswers.beganAt, leftBefore),
                eq(keptAnswers.asked, asked),
              ),
            ),
          })
          .returning({ id: keptAnswers.id }),
      );
      return begun.length === 1;
    },

    async find(id) {
      const columns = { asked: keptAnswers.asked, answer: keptAnswers.answer };
      return first(await run(db.select(columns).from(keptAnswers).where(eq(keptAnswers.id, id))));
    },

    async keep(call, answer, maxBytes) {
      const others = sql`(SELECT coalesce(sum(octet_length(other.answer)), 0) FROM kept_answers other WHERE other.user_id = ${call.userId})`;
      const hasRoom = sql`${others} + ${answer.length} <= ${maxBytes}`;
      const [found, kept] = await run(
        db.batch([
          db.select({ id: keptAnswers.id }).from(keptAnswers).where(mine(call)),
          db
            .update(keptAnswers)
            .set({ answer })
            .where(and(mine(call), hasRoom))
            .returning({ id: keptAnswers.id }),
        ]),
      );
      // The row of the call was deleted, so there is no response to store.
      return kept.length === 1 || found.length === 0;
    },

    async drop(call) {
      await run(db.delete(keptAnswers).where(mine(call)));
    },

    async deleteExpired(now, limit) {
      const expired = db
        .select({ id: keptAnswers.id })
        .from(keptAnswers)
        .where(lte(keptAnswers.expiresAt, now))
        .limit(limit);
      const { meta } = await run(db.delete(keptAnswers).where(sql`${keptAnswers.id} IN ${expired}`));
      return meta.changes;
    },
  };
}
