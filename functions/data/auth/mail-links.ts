import { and, desc, eq, gt, inArray, lt, ne, type SQL, sql } from "drizzle-orm";
import type { AccountChange, LinkWithUser, UserLink } from "#functions/services/auth/auth-ports";
import type { AuditEntry } from "#functions/services/shared/ports";
import type { Instant, LinkPurpose, Uuid } from "~/domain/shared/model";
import { nameKey } from "~/domain/shared/text";
import { audit, sessions, userLinks, users } from "../schema";
import { userColumns } from "../shared/columns";
import { constants, type Db, first, isTaken, rawSql, run } from "../shared/db";
import { userSearchKey } from "../users/users";

const columns = {
  id: userLinks.id,
  userId: userLinks.userId,
  purpose: userLinks.purpose,
  email: userLinks.email,
  activates: userLinks.activates,
  createdAt: userLinks.createdAt,
  expiresAt: userLinks.expiresAt,
  usedAt: userLinks.usedAt,
};

const userIsLive = sql`${users.deletedAt} IS NULL`;

/** Links that accounts receive by mail (to set a password, accept an invitation or confirm an address), by the hashes of their tokens. */
export function mailLinkRepository(db: Db) {
  return {
    /**
     * Adds a link and closes the account's earlier ones of its purpose. Returns false and changes nothing if the account has had `max` links of this
     * purpose since `since`, or was deleted.
     */
    async issue(
      link: Omit<UserLink, "usedAt">,
      limit: { readonly since: Instant; readonly max: number },
      entry: AuditEntry,
    ) {
      const isIssued = sql`EXISTS (SELECT 1 FROM user_links WHERE id = ${link.id})`;
      const isBelowLimit = sql`(SELECT count(*) FROM user_links WHERE user_id = ${link.userId}
        AND purpose = ${link.purpose} AND created_at > ${limit.since}) < ${limit.max}`;
      const [inserted] = await run(
        db.batch([
          db
            .insert(userLinks)
            .select(
              db
                .select(constants(userLinks, link))
                .from(users)
                .where(and(eq(users.id, link.userId), userIsLive, isBelowLimit)),
            )
            .returning({ id: userLinks.id }),
          db
            .update(userLinks)
            .set({ expiresAt: link.createdAt })
            .where(
              and(
                eq(userLinks.userId, link.userId),
                eq(userLinks.purpose, link.purpose),
                ne(userLinks.id, link.id),
                gt(userLinks.expiresAt, link.createdAt),
                isIssued,
              ),
            ),
          db.insert(audit).select(
            db
              .select(constants(audit, entry))
              .from(users)
              .where(and(eq(users.id, link.userId), isIssued)),
          ),
        ]),
      );
      return inserted.length > 0;
    },

    /** Returns a link and its account, whether or not it still works. Null when the link is unknown or the account was deleted. */
    async find(id: string, purpose: LinkPurpose): Promise<LinkWithUser | null> {
      return first(
        await run(
          db
            .select({ link: columns, user: userColumns })
            .from(userLinks)
            .innerJoin(users, eq(users.id, userLinks.userId))
            .where(and(eq(userLinks.id, id), eq(userLinks.purpose, purpose), userIsLive)),
        ),
      );
    },

    /** The latest link of a purpose that was sent to an account. */
    async findLatest(userId: Uuid, purpose: LinkPurpose): Promise<UserLink | null> {
      return first(
        await run(
          db
            .select(columns)
            .from(userLinks)
            .where(and(eq(userLinks.userId, userId), eq(userLinks.purpose, purpose)))
            .orderBy(desc(userLinks.createdAt))
            .limit(1),
        ),
      );
    },

    /** Deletes a link whose mail was not sent. */
    async withdraw(id: string) {
      await run(db.delete(userLinks).where(eq(userLinks.id, id)));
    },

    /**
     * Uses a link: the change, the end of the link and the audit entry in one batch, or nothing. "stale" if the link was used or closed, or the
     * account saved, since the link was read; of two concurrent uses, one succeeds. "email_taken" comes from the unique index.
     */
    async redeem(
      { link, user }: LinkWithUser,
      { passwordHash, status, email, endSessions }: AccountChange,
      now: Instant,
      entry: AuditEntry,
    ) {
      // The audit entry is written only if the link can be used. All other statements depend on the entry.
      const isUsable = and(
        eq(userLinks.id, link.id),
        eq(userLinks.purpose, link.purpose),
        rawSql("used_at IS NULL"),
        gt(userLinks.expiresAt, now),
        userIsLive,
        eq(users.version, user.version),
      );
      const isWritten = sql`EXISTS (SELECT 1 FROM audit WHERE id = ${entry.id})`;
      const changesVersion = status !== undefined || email !== undefined;
      const changes: Record<string, string | SQL> = {
        updatedAt: now,
        ...(changesVersion && { version: sql`${users.version} + 1` }),
        ...(passwordHash !== undefined && { passwordHash }),
        ...(status !== undefined && { status }),
        ...(email !== undefined && {
          email,
          emailKey: nameKey(email),
          searchKey: userSearchKey({ ...user, email }),
        }),
      };
      const closedPurposes: LinkPurpose[] = [
        ...(passwordHash === undefined ? [] : (["reset"] as const)),
        ...(status === undefined ? [] : (["invitation"] as const)),
        ...(email === undefined ? [] : (["email"] as const)),
      ];
      try {
        const [writtenEntries] = await run(
          db.batch([
            db
              .insert(audit)
              .select(
                db
                  .select(constants(audit, entry))
                  .from(userLinks)
                  .innerJoin(users, eq(users.id, userLinks.userId))
                  .where(isUsable),
              )
              .returning({ id: audit.id }),
            db
              .update(userLinks)
              .set({ usedAt: now })
              .where(and(eq(userLinks.id, link.id), isWritten)),
            db
              .update(userLinks)
              .set({ expiresAt: now })
              .where(
                and(
                  eq(userLinks.userId, user.id),
                  inArray(userLinks.purpose, closedPurposes),
                  rawSql("used_at IS NULL"),
                  gt(userLinks.expiresAt, now),
                  isWritten,
                ),
              ),
            db
              .delete(sessions)
              .where(and(eq(sessions.userId, user.id), isWritten, endSessions ? undefined : rawSql("0"))),
            db
              .update(users)
              .set(changes)
              .where(and(eq(users.id, user.id), isWritten)),
          ]),
        );
        return writtenEntries.length > 0 ? "redeemed" : "stale";
      } catch (error) {
        if (isTaken(error, "users.email_key")) return "email_taken";
        throw error;
      }
    },

    /** Deletes links that expired before an instant. Returns their number. */
    async deleteExpired(before: Instant) {
      const { meta } = await run(db.delete(userLinks).where(lt(userLinks.expiresAt, before)));
      return meta.changes;
    },
  };
}
