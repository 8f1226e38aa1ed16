import { and, count, desc, eq, exists, gt, isNull, lte, sql } from "drizzle-orm";
import type {
  NewPasskey,
  Passkey,
  PasskeyWithUser,
  SessionRecord,
} from "#functions/services/auth/auth-ports";
import type { AuditEntry } from "#functions/services/shared/ports";
import type { Instant, Uuid } from "~/domain/shared/model";
import { audit, MAY_LOG_IN, passkeyChallenges, passkeys, sessions, users } from "../schema";
import { userColumns } from "../shared/columns";
import { constants, type Db, first, isTaken, rawSql, run } from "../shared/db";
import { sessionBeginStatements } from "./sessions";

const columns = {
  id: passkeys.id,
  name: passkeys.name,
  transports: passkeys.transports,
  createdAt: passkeys.createdAt,
  lastUsedAt: passkeys.lastUsedAt,
};

/** Passkeys, and challenges for adding and for using one. */
export function passkeyRepository(db: Db) {
  const isOwnPasskey = (userId: string, id: string) => and(eq(passkeys.userId, userId), eq(passkeys.id, id));

  /** Creates an audit entry that is written only if a passkey fulfils `condition`. Must come before the change. */
  const auditIf = (entry: AuditEntry, condition: ReturnType<typeof and>) =>
    db.insert(audit).select(db.select(constants(audit, entry)).from(passkeys).where(condition));

  const consumeChallenge = (id: string, now: string, owner: ReturnType<typeof eq>) =>
    db
      .delete(passkeyChallenges)
      .where(and(eq(passkeyChallenges.id, id), gt(passkeyChallenges.expiresAt, now), owner))
      .returning({ id: passkeyChallenges.id });

  return {
    /** Newest first. An account has few. */
    async list(userId: Uuid): Promise<readonly Passkey[]> {
      return run(
        db
          .select(columns)
          .from(passkeys)
          .where(eq(passkeys.userId, userId))
          .orderBy(desc(passkeys.createdAt), desc(passkeys.id)),
      );
    },

    /** Stores a challenge. The challenge of a user who adds a passkey replaces the user's earlier ones. */
    async addChallenge(challenge: {
      readonly id: string;
      readonly userId: Uuid | null;
      readonly expiresAt: Instant;
    }) {
      await run(
        db.batch([
          db.delete(passkeyChallenges).where(eq(passkeyChallenges.userId, challenge.userId ?? "")),
          db.insert(passkeyChallenges).values(challenge),
        ]),
      );
    },

    /** Consumes a challenge of this user. Returns false if there is no unexpired one. */
    async takeChallenge(id: string, userId: Uuid, now: Instant) {
      const consumed = await run(consumeChallenge(id, now, eq(passkeyChallenges.userId, userId)));
      return consumed.length === 1;
    },

    /**
     * Consumes a challenge for using a passkey and reads the passkey of the response. Null when the challenge does not exist or has expired, or no
     * live account has the passkey.
     */
    async takeSignIn(challengeId: string, passkeyId: string, now: Instant): Promise<PasskeyWithUser | null> {
      const [takenIds, passkeyRows] = await run(
        db.batch([
          consumeChallenge(challengeId, now, isNull(passkeyChallenges.userId)),
          db
            .select({
              passkey: { id: passkeys.id, publicKey: passkeys.publicKey, counter: passkeys.counter },
              // A D1 batch merges columns of one name, and both tables have an id.
              user: { ...userColumns, id: sql<string>`${users.id}`.as("user_id") },
            })
            .from(passkeys)
            .innerJoin(users, eq(users.id, passkeys.userId))
            .where(and(eq(passkeys.id, passkeyId), isNull(users.deletedAt))),
        ]),
      );
      return takenIds.length === 1 ? first(passkeyRows) : null;
    },

    /** Adds a passkey, unless the account has `max` of them or the passkey belongs to an account already. */
    async add(passkey: NewPasskey, max: number, entry: AuditEntry) {
      const hasRoom = sql`(SELECT ${count()} FROM passkeys WHERE user_id = ${passkey.userId}) < ${max}`;
      const mayAdd = and(eq(users.id, passkey.userId), hasRoom);
      try {
        const [, inserted] = await run(
          db.batch([
            // Comes before the insert: after it, a passkey that existed already could not be told from an inserted one.
            db.insert(audit).select(db.select(constants(audit, entry)).from(users).where(mayAdd)),
            db
              .insert(passkeys)
              .select(db.select(constants(passkeys, passkey)).from(users).where(mayAdd))
              .returning({ id: passkeys.id }),
          ]),
        );
        return inserted.length === 1 ? "added" : "too_many";
      } catch (error) {
        if (isTaken(error, "passkeys.id")) return "taken";
        throw error;
      }
    },

    /** Returns false when the account has no such passkey. */
    async rename(userId: Uuid, id: string, name: string, entry: AuditEntry) {
      const [, renamed] = await run(
        db.batch([
          auditIf(entry, isOwnPasskey(userId, id)),
          db.update(passkeys).set({ name }).where(isOwnPasskey(userId, id)).returning({ id: passkeys.id }),
        ]),
      );
      return renamed.length === 1;
    },

    /** Returns false when the account has no such passkey. */
    async remove(userId: Uuid, id: string, entry: AuditEntry) {
      const [, removed] = await run(
        db.batch([
          auditIf(entry, isOwnPasskey(userId, id)),
          db.delete(passkeys).where(isOwnPasskey(userId, id)).returning({ id: passkeys.id }),
        ]),
      );
      return removed.length === 1;
    },

    /**
     * Adds a session like `create` of sessionRepository, and stores the use of the passkey. Returns false, and adds no session, if the passkey's
     * counter has changed since the check, or the account may no longer log in.
     */
    async signIn(
      session: SessionRecord,
      replacedSessionId: string | null,
      counterChange: { readonly id: string; readonly from: number; readonly to: number },
      entry: AuditEntry,
    ) {
      const unchanged = and(eq(passkeys.id, counterChange.id), eq(passkeys.counter, counterChange.from));
      const [inserted] = await run(
        db.batch([
          db
            .insert(sessions)
            .select(
              db
                .select(constants(sessions, session))
                .from(passkeys)
                .innerJoin(users, eq(users.id, passkeys.userId))
                .where(and(unchanged, eq(users.id, session.userId), rawSql(MAY_LOG_IN))),
            )
            .returning({ id: sessions.id }),
          ...sessionBeginStatements(db, session.id, replacedSessionId, entry),
          db
            .update(passkeys)
            .set({ counter: counterChange.to, lastUsedAt: session.createdAt })
            .where(unchanged),
        ]),
      );
      return inserted.length === 1;
    },

    /**
     * Stores the time of a reauthentication by a passkey in a session. Returns false if the session has ended, or the passkey's counter has
     * changed since the check.
     */
    async reauthenticate(
      sessionId: string,
      counterChange: { readonly id: string; readonly from: number; readonly to: number },
      now: Instant,
      entry: AuditEntry,
    ) {
      const unchanged = and(
        isOwnPasskey(entry.resourceId, counterChange.id),
        eq(passkeys.counter, counterChange.from),
      );
      const isUnchanged = exists(db.select({ id: passkeys.id }).from(passkeys).where(unchanged));
      const isOwnSession = and(
        eq(sessions.id, sessionId),
        eq(sessions.userId, entry.resourceId),
        isUnchanged,
      );
      const [, updated] = await run(
        db.batch([
          db.insert(audit).select(db.select(constants(audit, entry)).from(sessions).where(isOwnSession)),
          db
            .update(sessions)
            .set({ authenticatedAt: now })
            .where(isOwnSession)
            .returning({ id: sessions.id }),
          db.update(passkeys).set({ counter: counterChange.to, lastUsedAt: now }).where(unchanged),
        ]),
      );
      return updated.length === 1;
    },

    /** Returns the account of a passkey; null when the passkey does not exist. */
    async findOwner(passkeyId: string) {
      const rows = await run(
        db.select({ userId: passkeys.userId }).from(passkeys).where(eq(passkeys.id, passkeyId)),
      );
      return first(rows)?.userId ?? null;
    },

    /** Deletes expired challenges. Returns their number. */
    async deleteExpired(now: Instant) {
      const { meta } = await run(db.delete(passkeyChallenges).where(lte(passkeyChallenges.expiresAt, now)));
      return meta.changes;
    },
  };
}
