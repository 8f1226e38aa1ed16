import { and, asc, desc, eq, gt, ne, sql } from "drizzle-orm";
import type { ProfileValues, SessionListItem } from "#functions/services/auth/auth-ports";
import type { AuditEntry } from "#functions/services/shared/ports";
import { SESSION_HANDLE_LENGTH } from "~/domain/auth/session";
import type { Instant, User, Uuid } from "~/domain/shared/model";
import { audit, HAS_PASSWORD, LIVE, sessions, userLinks, users } from "../schema";
import { userColumns } from "../shared/columns";
import { constants, type Db, first, rawSql, run } from "../shared/db";
import { userSearchKey } from "../users/users";

/** SQL of the handle of a session: the first characters of its id, which name it without granting access. */
const handle = sql<string>`substr(${sessions.id}, 1, ${sql.raw(String(SESSION_HANDLE_LENGTH))})`;

/** Reads and changes users' own accounts, and lists administrators. */
export function accountRepository(db: Db) {
  /** An audit entry that is written only if the account fulfils `condition`. Must come before the change. */
  const auditIf = (entry: AuditEntry, condition: ReturnType<typeof and>) =>
    db.insert(audit).select(db.select(constants(audit, entry)).from(users).where(condition));
  const isLive = (id: string) => and(eq(users.id, id), rawSql(LIVE));

  return {
    /** Returns the stored hash; null when the account does not exist. */
    async passwordHash(userId: Uuid) {
      const rows = await run(db.select({ hash: users.passwordHash }).from(users).where(isLive(userId)));
      return first(rows)?.hash ?? null;
    },

    /**
     * Saves the profile with its audit entry, or nothing. "stale" if the account was saved since it was read, or was deleted; `saved` is then the saved account,
     * or null if it was deleted.
     */
    async updateProfile(
      user: User,
      values: ProfileValues,
      instant: Instant,
      entry: AuditEntry,
    ): Promise<
      | { readonly status: "updated"; readonly user: User }
      | { readonly status: "stale"; readonly saved: User | null }
    > {
      const guard = and(isLive(user.id), eq(users.version, user.version));
      const [, updated, saved] = await run(
        db.batch([
          auditIf(entry, guard),
          db
            .update(users)
            .set({
              ...values,
              searchKey: userSearchKey({ ...values, email: user.email }),
              updatedAt: instant,
              version: user.version + 1,
            })
            .where(guard)
            .returning({ id: users.id }),
          db.select(userColumns).from(users).where(isLive(user.id)),
        ]),
      );
      const savedUser = first(saved);
      return updated.length === 1 && savedUser
        ? { status: "updated", user: savedUser }
        : { status: "stale", saved: savedUser };
    },

    /**
     * Sets a password, changes the id of one session from `oldId` to `newId`, and ends all other sessions and open links for setting a password. Returns false,
     * and changes nothing, if `from` is no longer the stored hash.
     * @returns expiry of the session; null if it had already ended
     */
    async changePassword(
      userId: Uuid,
      { from, to }: { readonly from: string; readonly to: string },
      { oldId, newId }: { readonly oldId: string; readonly newId: string },
      now: Instant,
      entry: AuditEntry,
    ): Promise<false | { readonly expiresAt: Instant | null }> {
      const guard = and(isLive(userId), eq(users.passwordHash, from));
      const hasNewPassword = sql`EXISTS (SELECT 1 FROM users WHERE id = ${userId} AND password_hash = ${to})`;
      const [, updated, renewed] = await run(
        db.batch([
          auditIf(entry, guard),
          db.update(users).set({ passwordHash: to, updatedAt: now }).where(guard).returning({ id: users.id }),
          db
            .update(sessions)
            .set({ id: newId, lastSeenAt: now, authenticatedAt: now })
            .where(and(eq(sessions.userId, userId), eq(sessions.id, oldId), hasNewPassword))
            .returning({ expiresAt: sessions.expiresAt }),
          db.delete(sessions).where(and(eq(sessions.userId, userId), ne(sessions.id, newId), hasNewPassword)),
          db
            .update(userLinks)
            .set({ expiresAt: now })
            .where(
              and(
                eq(userLinks.userId, userId),
                rawSql("purpose = 'reset' AND used_at IS NULL"),
                gt(userLinks.expiresAt, now),
                hasNewPassword,
              ),
            ),
        ]),
      );
      return updated.length === 1 && { expiresAt: first(renewed)?.expiresAt ?? null };
    },

    /** Lists the live sessions of an account, last used first. */
    async listSessions(userId: Uuid, now: Instant, limit: number): Promise<readonly SessionListItem[]> {
      return run(
        db
          .select({
            handle: handle.as("handle"),
            createdAt: sessions.createdAt,
            lastSeenAt: sessions.lastSeenAt,
            expiresAt: sessions.expiresAt,
            userAgent: sessions.userAgent,
          })
          .from(sessions)
          .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, now)))
          .orderBy(desc(sessions.lastSeenAt), desc(sessions.id))
          .limit(limit),
      );
    },

    /** Ends one session of an account. Returns false when the account has none with this handle. */
    async endSession(userId: Uuid, requestedHandle: string, entry: AuditEntry) {
      const ownSession = and(eq(sessions.userId, userId), eq(handle, requestedHandle));
      const [, ended] = await run(
        db.batch([
          db
            .insert(audit)
            .select(db.select(constants(audit, entry)).from(sessions).where(ownSession).limit(1)),
          db.delete(sessions).where(ownSession).returning({ id: sessions.id }),
        ]),
      );
      return ended.length > 0;
    },

    /** Ends the sessions of an account, except `keptSessionId` if given. */
    async endSessions(userId: Uuid, keptSessionId: string | null, entry: AuditEntry) {
      await run(
        db.batch([
          db.insert(audit).values(entry),
          db.delete(sessions).where(and(eq(sessions.userId, userId), ne(sessions.id, keptSessionId ?? ""))),
        ]),
      );
    },

    /** Closes the account's open links that confirm a new address. */
    async cancelEmailChange(userId: Uuid, now: Instant, entry: AuditEntry) {
      const isOpenLink = and(
        eq(userLinks.userId, userId),
        rawSql("purpose = 'email' AND used_at IS NULL"),
        gt(userLinks.expiresAt, now),
      );
      await run(
        db.batch([
          db
            .insert(audit)
            .select(db.select(constants(audit, entry)).from(userLinks).where(isOpenLink).limit(1)),
          db.update(userLinks).set({ expiresAt: now }).where(isOpenLink),
        ]),
      );
    },

    /** Records or withdraws the request to delete the account. Returns false when nothing changes. */
    async setDeletionRequest(userId: Uuid, requestedAt: Instant | null, now: Instant, entry: AuditEntry) {
      const willChange = and(
        isLive(userId),
        rawSql(requestedAt === null ? "deletion_requested_at IS NOT NULL" : "deletion_requested_at IS NULL"),
      );
      const [, updated] = await run(
        db.batch([
          auditIf(entry, willChange),
          db
            .update(users)
            .set({ deletionRequestedAt: requestedAt, updatedAt: now })
            .where(willChange)
            .returning({ id: users.id }),
        ]),
      );
      return updated.length === 1;
    },

    /** Lists the administrators who can log in, oldest accounts first. */
    async listAdministrators(limit: number): Promise<readonly User[]> {
      return run(
        db
          .select(userColumns)
          .from(users)
          .where(and(rawSql(`role = 'admin' AND status = 'ACTIVATED' AND ${HAS_PASSWORD}`), rawSql(LIVE)))
          .orderBy(asc(users.createdAt), asc(users.id))
          .limit(limit),
      );
    },
  };
}
