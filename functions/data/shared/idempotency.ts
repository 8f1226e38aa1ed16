import { and, eq, isNull, lte, or, sql } from "drizzle-orm";
import type { RunningCall } from "#functions/services/shared/ports";
import type { Instant } from "~/domain/shared/model";
import { idempotentResponses } from "../schema";
import { type Db, first, run } from "./db";

/** Calls in progress and stored responses, by idempotency key. */
export function idempotencyRepository(db: Db) {
  const isThisCall = ({ id, beganAt }: { id: string; beganAt: string }) =>
    and(eq(idempotentResponses.id, id), eq(idempotentResponses.beganAt, beganAt));
  return {
    /**
     * Begins a call. Returns false when an unexpired call with its key is stored or running. An unfinished call of the same request that began before
     * `interruptedBefore` counts as interrupted, and is begun again.
     */
    async begin(call: RunningCall, interruptedBefore: Instant) {
      const { requestHash, beganAt, expiresAt, ...callIds } = call;
      const begunRows = await run(
        db
          .insert(idempotentResponses)
          .values({ ...callIds, requestHash, beganAt, expiresAt })
          .onConflictDoUpdate({
            target: idempotentResponses.id,
            set: { requestHash, beganAt, expiresAt, response: null },
            setWhere: or(
              lte(idempotentResponses.expiresAt, beganAt),
              and(
                isNull(idempotentResponses.response),
                lte(idempotentResponses.beganAt, interruptedBefore),
                eq(idempotentResponses.requestHash, requestHash),
              ),
            ),
          })
          .returning({ id: idempotentResponses.id }),
      );
      return begunRows.length === 1;
    },

    /** Returns the stored call of a key. Its response is null while the call is running. */
    async find(
      id: string,
    ): Promise<{ readonly requestHash: string; readonly response: string | null } | null> {
      const columns = {
        requestHash: idempotentResponses.requestHash,
        response: idempotentResponses.response,
      };
      return first(
        await run(db.select(columns).from(idempotentResponses).where(eq(idempotentResponses.id, id))),
      );
    },

    /** Stores a response. Returns false, with nothing stored, when the account's stored responses would exceed `maxBytes` with it. */
    async keep(call: RunningCall, response: string, maxBytes: number) {
      const storedBytes = sql`(SELECT coalesce(sum(octet_length(other.answer)), 0) FROM kept_answers other WHERE other.user_id = ${call.userId})`;
      const hasRoom = sql`${storedBytes} + ${response.length} <= ${maxBytes}`;
      const [rows, updatedRows] = await run(
        db.batch([
          db.select({ id: idempotentResponses.id }).from(idempotentResponses).where(isThisCall(call)),
          db
            .update(idempotentResponses)
            .set({ response })
            .where(and(isThisCall(call), hasRoom))
            .returning({ id: idempotentResponses.id }),
        ]),
      );
      // If the row of the call was deleted, there is no response to store.
      return updatedRows.length === 1 || rows.length === 0;
    },

    /** Deletes a call, so that its key can be used again. */
    async drop(call: RunningCall) {
      await run(db.delete(idempotentResponses).where(isThisCall(call)));
    },

    /** Deletes at most `limit` expired calls. Returns the number of deleted calls. */
    async deleteExpired(now: Instant, limit: number) {
      const expiredIds = db
        .select({ id: idempotentResponses.id })
        .from(idempotentResponses)
        .where(lte(idempotentResponses.expiresAt, now))
        .limit(limit);
      const { meta } = await run(
        db.delete(idempotentResponses).where(sql`${idempotentResponses.id} IN ${expiredIds}`),
      );
      return meta.changes;
    },
  };
}
