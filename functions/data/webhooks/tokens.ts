import { and, desc, eq, gt, isNull, lte, sql } from "drizzle-orm";
import type { AuditEntry } from "#functions/services/shared/ports";
import type { ApiToken, AuthenticatedToken, NewApiToken } from "#functions/services/webhooks/token-ports";
import type { Instant, Uuid } from "~/domain/shared/model";
import { groupIds } from "../auth/sessions";
import { accessTokens, audit, LIVE, TOKEN_ORDER, users } from "../schema";
import { userColumns } from "../shared/columns";
import { constants, type Db, first, isTaken, rawSql, run } from "../shared/db";

const columns = {
  id: accessTokens.id,
  name: accessTokens.name,
  hint: accessTokens.hint,
  scopes: accessTokens.scopes,
  createdAt: accessTokens.createdAt,
  expiresAt: accessTokens.expiresAt,
  lastUsedAt: accessTokens.lastUsedAt,
  revokedAt: accessTokens.revokedAt,
};

/** API tokens. Only their hashes are stored. */
export function tokenRepository(db: Db) {
  const isValid = (now: string) => and(isNull(accessTokens.revokedAt), gt(accessTokens.expiresAt, now));

  return {
    /** Finds a token that is neither revoked nor expired and belongs to a live account. One round trip. */
    async find(hash: string, now: Instant): Promise<AuthenticatedToken | null> {
      const rows = await run(
        db
          .select({ token: columns, user: userColumns, groupIds })
          .from(accessTokens)
          .innerJoin(users, eq(users.id, accessTokens.userId))
          .where(and(eq(accessTokens.hash, hash), isValid(now), sql`${users.deletedAt} IS NULL`)),
      );
      return first(rows);
    },

    /** An account's tokens, newest first. */
    async list(userId: Uuid, limit: number): Promise<readonly ApiToken[]> {
      return run(
        db
          .select(columns)
          .from(accessTokens)
          .where(eq(accessTokens.userId, userId))
          .orderBy(desc(rawSql(TOKEN_ORDER)))
          .limit(limit),
      );
    },

    /** Adds a token, unless the account has `max` valid ones, or the id exists. */
    async add(token: NewApiToken, max: number, entry: AuditEntry) {
      // A token that exists passes, so that the insert reports it even when the account is full.
      const hasRoom = sql`((SELECT count(*) FROM access_tokens WHERE user_id = ${token.userId} AND revoked_at IS NULL AND expires_at > ${token.createdAt}) < ${max} OR EXISTS (SELECT 1 FROM access_tokens WHERE id = ${token.id}))`;
      const mayAdd = and(eq(users.id, token.userId), rawSql(LIVE), hasRoom);
      try {
        const [, inserted] = await run(
          db.batch([
            db.insert(audit).select(db.select(constants(audit, entry)).from(users).where(mayAdd)),
            db
              .insert(accessTokens)
              .select(db.select(constants(accessTokens, token)).from(users).where(mayAdd))
              .returning({ id: accessTokens.id }),
          ]),
        );
        return inserted.length === 1 ? "added" : "too_many";
      } catch (error) {
        if (isTaken(error, "access_tokens.id")) return "exists";
        throw error;
      }
    },

    /** Returns false when the account has no such valid token. */
    async revoke(userId: Uuid, id: Uuid, now: Instant, entry: AuditEntry) {
      const isOwnToken = and(eq(accessTokens.userId, userId), eq(accessTokens.id, id), isValid(now));
      const [, revoked] = await run(
        db.batch([
          db.insert(audit).select(db.select(constants(audit, entry)).from(accessTokens).where(isOwnToken)),
          db
            .update(accessTokens)
            .set({ revokedAt: now })
            .where(isOwnToken)
            .returning({ id: accessTokens.id }),
        ]),
      );
      return revoked.length === 1;
    },

    /** Records the time of the last use. */
    async touch(id: Uuid, now: Instant) {
      await run(db.update(accessTokens).set({ lastUsedAt: now }).where(eq(accessTokens.id, id)));
    },

    /** Deletes tokens that expired before an instant. Returns their number. */
    async deleteExpired(before: Instant) {
      // Revoked tokens are deleted only after they would have expired, because the index has this order and a token lives at most a year.
      const { meta } = await run(db.delete(accessTokens).where(lte(accessTokens.expiresAt, before)));
      return meta.changes;
    },
  };
}
