import { and, eq, isNull, lte, or, sql } from "drizzle-orm";
import type { RunningCall } from "#functions/services/shared/ports";
import type { Instant } from "~/domain/shared/model";
import { idempotentResponses } from "../schema";
import { type Db, first, run } from "./db";

/** Calls in progress and stored responses, by idempotency key. */
export function idempotencyRepository(db: Db) {
  const mine = ({ id, beganAt }: { id: string; beganAt: string }) =>
    and(eq(idempotentResponses.id, id), eq(idempotentResponses.beganAt, beganAt));
  return {
    /** Begins a call. False when a call of its key is stored or in progress; one that began before `leftBefore` no longer counts as in progress. */
    async begin(call: RunningCall, leftBefore: Instant) {
      const { asked, beganAt, expiresAt } = call;
      const begun = await run(
        db
          .insert(idempotentResponses)
          .values(call)
          .onConflictDoUpdate({
            target: idempotentResponses.id,
            set: { asked, beganAt, expiresAt, answer: null },
            setWhere: or(
              lte(idempotentResponses.expiresAt, beganAt),
              and(
                isNull(idempotentResponses.answer),
                lte(idempotentResponses.beganAt, leftBefore),
                eq(idempotentResponses.asked, asked),
              ),
            ),
          })
          .returning({ id: idempotentResponses.id }),
      );
      return begun.length === 1;
    },

    /** The stored call of a key; its response is null while the call is in progress. */
    async find(id: string): Promise<{ readonly asked: string; readonly answer: string | null } | null> {
      const columns = { asked: idempotentResponses.asked, answer: idempotentResponses.answer };
      return first(
        await run(db.select(columns).from(idempotentResponses).where(eq(idempotentResponses.id, id))),
      );
    },

    /** Stores a response. Returns false, with nothing stored, when the account's stored responses would exceed `maxBytes` with it. */
    async keep(call: RunningCall, answer: string, maxBytes: number) {
      const others = sql`(SELECT coalesce(sum(octet_length(other.answer)), 0) FROM kept_answers other WHERE other.user_id = ${call.userId})`;
      const hasRoom = sql`${others} + ${answer.length} <= ${maxBytes}`;
      const [rows, claimed] = await run(
        db.batch([
          db.select({ id: idempotentResponses.id }).from(idempotentResponses).where(mine(call)),
          db
            .update(idempotentResponses)
            .set({ answer })
            .where(and(mine(call), hasRoom))
            .returning({ id: idempotentResponses.id }),
        ]),
      );
      // The row of the call was deleted, so there is no response to store.
      return claimed.length === 1 || rows.length === 0;
    },

    async drop(call: RunningCall) {
      await run(db.delete(idempotentResponses).where(mine(call)));
    },

    /** Returns how many it deleted, at most `limit`. */
    async deleteExpired(now: Instant, limit: number) {
      const expired = db
        .select({ id: idempotentResponses.id })
        .from(idempotentResponses)
        .where(lte(idempotentResponses.expiresAt, now))
        .limit(limit);
      const { meta } = await run(
        db.delete(idempotentResponses).where(sql`${idempotentResponses.id} IN ${expired}`),
      );
      return meta.changes;
    },
  };
}
