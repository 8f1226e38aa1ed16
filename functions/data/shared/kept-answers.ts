import { and, eq, isNull, lte, or, sql } from "drizzle-orm";
import type { BegunCall } from "#functions/services/shared/idempotency";
import type { Instant } from "~/domain/shared/model";
import { keptAnswers } from "../schema";
import { type Db, first, run } from "./db";

/** Calls in progress and stored responses, by idempotency key. */
export function keptAnswerRepository(db: Db) {
  const mine = ({ id, beganAt }: { id: string; beganAt: string }) =>
    and(eq(keptAnswers.id, id), eq(keptAnswers.beganAt, beganAt));
  return {
    /** Begins a call. False when a call of its key is stored or in progress; one that began before `leftBefore` no longer counts as in progress. */
    async begin(call: BegunCall, leftBefore: Instant) {
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

    /** The stored call of a key; its response is null while the call is in progress. */
    async find(id: string): Promise<{ readonly asked: string; readonly answer: string | null } | null> {
      const columns = { asked: keptAnswers.asked, answer: keptAnswers.answer };
      return first(await run(db.select(columns).from(keptAnswers).where(eq(keptAnswers.id, id))));
    },

    /** Stores a response. Returns false, with nothing stored, when the account's stored responses would exceed `maxBytes` with it. */
    async keep(call: BegunCall, answer: string, maxBytes: number) {
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

    async drop(call: BegunCall) {
      await run(db.delete(keptAnswers).where(mine(call)));
    },

    /** Returns how many it deleted, at most `limit`. */
    async deleteExpired(now: Instant, limit: number) {
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
