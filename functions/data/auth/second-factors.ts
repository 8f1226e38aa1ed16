import { and, desc, eq, exists, isNull, lt, lte, or, type SQL, sql } from "drizzle-orm";
import type { AccountFactors, NewSecondFactor } from "#functions/services/auth/second-factor-ports";
import type { AuditEntry } from "#functions/services/shared/ports";
import type { Instant, User, Uuid } from "~/domain/shared/model";
import { audit, passkeys, secondFactorResets, secondFactors, sessions, users } from "../schema";
import { userColumns } from "../shared/columns";
import { constants, type Db, first, run } from "../shared/db";

/** Authenticator apps, their recovery codes, and resets of all second factors. */
export function secondFactorRepository(db: Db) {
  const isOwnFactor = (userId: string) => eq(secondFactors.userId, userId);

  /** Creates an audit entry that is written only if the condition on the factor holds when the statement runs. */
  const auditIf = (entry: AuditEntry, condition: SQL | undefined) =>
    db.insert(audit).select(db.select(constants(audit, entry)).from(secondFactors).where(condition));

  return {
    /** Returns the account's app with its number of unused recovery codes; null without an app. */
    async find(userId: Uuid): Promise<{
      readonly secret: string;
      readonly createdAt: Instant;
      readonly recoveryCodes: number;
    } | null> {
      const rows = await run(
        db
          .select({
            secret: secondFactors.secret,
            createdAt: secondFactors.createdAt,
            recoveryCodes: sql<number>`json_array_length(${secondFactors.recoveryCodes})`,
          })
          .from(secondFactors)
          .where(isOwnFactor(userId)),
      );
      return first(rows);
    },

    /** The factors of the account; none when there is no such account. */
    async list(userId: Uuid): Promise<AccountFactors> {
      const rows = await run(
        db
          .select({
            app: sql<boolean>`EXISTS (SELECT 1 FROM second_factors f WHERE f.user_id = users.id)`.mapWith(
              Boolean,
            ),
            passkeys: sql<number>`(SELECT count(*) FROM passkeys p WHERE p.user_id = users.id)`,
          })
          .from(users)
          .where(eq(users.id, userId)),
      );
      return first(rows) ?? { app: false, passkeys: 0 };
    },

    /** Returns false when the account has an app already, or does not exist. */
    async add(factor: NewSecondFactor, entry: AuditEntry) {
      const [inserted] = await run(
        db.batch([
          db
            .insert(secondFactors)
            .select(
              db
                .select(constants(secondFactors, { ...factor, failures: 0, blockedUntil: null }))
                .from(users)
                .where(
                  and(
                    eq(users.id, factor.userId),
                    sql`NOT EXISTS (SELECT 1 FROM second_factors f WHERE f.user_id = ${factor.userId})`,
                  ),
                ),
            )
            .returning({ userId: secondFactors.userId }),
          auditIf(entry, and(isOwnFactor(factor.userId), eq(secondFactors.secret, factor.secret))),
        ]),
      );
      return inserted.length === 1;
    },

    /**
     * Counts an attempt as wrong before it is checked, so that simultaneous attempts are all counted. The `max`th consecutive attempt, and each after
     * it, blocks further ones until `until`.
     * @returns the data for checking the attempt; null while attempts are blocked, and without an app
     */
    async claimGuess(
      userId: Uuid,
      { now, until, max }: { readonly now: Instant; readonly until: Instant; readonly max: number },
    ): Promise<{ readonly secret: string; readonly lastCounter: number } | null> {
      const rows = await run(
        db
          .update(secondFactors)
          .set({
            failures: sql`${secondFactors.failures} + 1`,
            blockedUntil: sql`iif(${secondFactors.failures} + 1 >= ${max}, ${until}, NULL)`,
          })
          .where(
            and(
              isOwnFactor(userId),
              or(isNull(secondFactors.blockedUntil), lte(secondFactors.blockedUntil, now)),
            ),
          )
          .returning({ secret: secondFactors.secret, lastCounter: secondFactors.lastCounter }),
      );
      return first(rows);
    },

    /** Consumes the code of a time step (RFC 6238) and resets the count of wrong attempts. Returns false if this or a later code was already used. */
    async consumeCounter(userId: Uuid, counter: number) {
      const used = await run(
        db
          .update(secondFactors)
          .set({ lastCounter: counter, failures: 0, blockedUntil: null })
          .where(and(isOwnFactor(userId), lt(secondFactors.lastCounter, counter)))
          .returning({ userId: secondFactors.userId }),
      );
      return used.length === 1;
    },

    /** Consumes a recovery code. Returns the number of remaining codes; null for an unknown code. */
    async consumeRecoveryCode(userId: Uuid, hash: string, entry: AuditEntry) {
      const hasCode = and(
        isOwnFactor(userId),
        sql`EXISTS (SELECT 1 FROM json_each(${secondFactors.recoveryCodes}) WHERE value = ${hash})`,
      );
      const [, used] = await run(
        db.batch([
          auditIf(entry, hasCode),
          db
            .update(secondFactors)
            .set({
              recoveryCodes: sql`(SELECT json_group_array(value) FROM json_each(${secondFactors.recoveryCodes}) WHERE value <> ${hash})`,
              failures: 0,
              blockedUntil: null,
            })
            .where(hasCode)
            .returning({ left: sql<number>`json_array_length(${secondFactors.recoveryCodes})` }),
        ]),
      );
      return first(used)?.left ?? null;
    },

    /** Returns false when the account has no app. */
    async replaceRecoveryCodes(userId: Uuid, hashes: readonly string[], entry: AuditEntry) {
      const [, replaced] = await run(
        db.batch([
          auditIf(entry, isOwnFactor(userId)),
          db
            .update(secondFactors)
            .set({ recoveryCodes: hashes })
            .where(isOwnFactor(userId))
            .returning({ userId: secondFactors.userId }),
        ]),
      );
      return replaced.length === 1;
    },

    /** Returns false when the account has no app. */
    async remove(userId: Uuid, entry: AuditEntry) {
      const [, removed] = await run(
        db.batch([
          auditIf(entry, isOwnFactor(userId)),
          db.delete(secondFactors).where(isOwnFactor(userId)).returning({ userId: secondFactors.userId }),
        ]),
      );
      return removed.length === 1;
    },

    /**
     * Deletes the app, the recovery codes, the passkeys and the sessions of an account. Returns false when it has neither app nor passkey.
     * @param isByCommand true for `npm run admin`, which sends no mail: stores a row for the cron trigger, which notifies the owner
     */
    async reset(userId: Uuid, entry: AuditEntry, isByCommand: boolean) {
      const hasFactor = or(
        exists(db.select({ one: sql`1` }).from(secondFactors).where(isOwnFactor(userId))),
        exists(db.select({ one: sql`1` }).from(passkeys).where(eq(passkeys.userId, userId))),
      );
      const isResettable = and(eq(users.id, userId), isNull(users.deletedAt), hasFactor);
      const isReset = sql`EXISTS (SELECT 1 FROM audit reset WHERE reset.id = ${entry.id})`;
      const [written] = await run(
        db.batch([
          db
            .insert(audit)
            .select(db.select(constants(audit, entry)).from(users).where(isResettable))
            .returning({ id: audit.id }),
          db.delete(secondFactors).where(and(isOwnFactor(userId), isReset)),
          db.delete(passkeys).where(and(eq(passkeys.userId, userId), isReset)),
          db.delete(sessions).where(and(eq(sessions.userId, userId), isReset)),
          db
            .insert(secondFactorResets)
            .select(
              db
                .select(constants(secondFactorResets, { userId, at: entry.at }))
                .from(users)
                .where(and(eq(users.id, userId), isReset, isByCommand ? sql`1` : sql`0`)),
            )
            .onConflictDoNothing(),
        ]),
      );
      return written.length === 1;
    },

    /** Lists resets whose owners were not notified yet, latest first, so that rejected mails do not delay new ones. */
    async listResets(limit: number): Promise<readonly { readonly user: User; readonly at: Instant }[]> {
      return run(
        db
          .select({ user: userColumns, at: secondFactorResets.at })
          .from(secondFactorResets)
          .innerJoin(users, eq(users.id, secondFactorResets.userId))
          .orderBy(desc(secondFactorResets.at))
          .limit(limit),
      );
    },

    /** Deletes the row of a reset after its owner was notified, or when the mail was rejected for too long. */
    async deleteReset(userId: Uuid, resetAt: Instant) {
      await run(
        db
          .delete(secondFactorResets)
          .where(and(eq(secondFactorResets.userId, userId), eq(secondFactorResets.at, resetAt))),
      );
    },
  };
}
