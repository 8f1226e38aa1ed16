import { and, eq, gt, lte, sql } from "drizzle-orm";
import type { AuditEntry, AuthenticatedSession, SessionRepository } from "#functions/services/ports";
import { nameKey } from "~/domain/text";
import { userColumns } from "./columns";
import { constants, type Db, first, plain, run } from "./db";
import { audit, LIVE, MAY_LOG_IN, sessions, users } from "./schema";

const columns = {
  id: sessions.id,
  userId: sessions.userId,
  createdAt: sessions.createdAt,
  expiresAt: sessions.expiresAt,
  lastSeenAt: sessions.lastSeenAt,
  userAgent: sessions.userAgent,
};

/** The groups of a session's user. Groups in the trash grant nothing. */
export const groupIds = sql<string[]>`(SELECT json_group_array(gm.group_id) FROM group_members gm
  JOIN groups g ON g.id = gm.group_id AND g.deleted_at IS NULL WHERE gm.user_id = ${users.id})`.mapWith(
  (value: string) => JSON.parse(value) as string[],
);

/** What follows the insert of a session that a log-in begins, in its batch: nothing, when it was not inserted. */
export const begun = (db: Db, id: string, endId: string | null, entry: AuditEntry) =>
  [
    db
      .delete(sessions)
      .where(
        and(eq(sessions.id, endId ?? ""), sql`EXISTS (SELECT 1 FROM sessions begun WHERE begun.id = ${id})`),
      ),
    db.insert(audit).select(db.select(constants(audit, entry)).from(sessions).where(eq(sessions.id, id))),
  ] as const;

export function sessionRepository(db: Db): SessionRepository {
  async function find(id: string, now: string): Promise<AuthenticatedSession | null> {
    const rows = await run(
      db
        .select({ session: columns, user: userColumns, groupIds })
        .from(sessions)
        .innerJoin(users, eq(users.id, sessions.userId))
        .where(and(eq(sessions.id, id), gt(sessions.expiresAt, now), sql`${users.deletedAt} IS NULL`)),
    );
    return first(rows);
  }

  return {
    find,

    async findCredentials(email) {
      const rows = await run(
        db
          .select({ user: userColumns, passwordHash: users.passwordHash })
          .from(users)
          .where(and(eq(users.emailKey, nameKey(email)), plain(LIVE))),
      );
      return first(rows);
    },

    async create(session, passwordHash, endId, entry) {
      const [inserted] = await run(
        db.batch([
          db
            .insert(sessions)
            .select(
              db
                .select(constants(sessions, session))
                .from(users)
                .where(
                  and(eq(users.id, session.userId), eq(users.passwordHash, passwordHash), plain(MAY_LOG_IN)),
                ),
            )
            .returning({ id: sessions.id }),
          ...begun(db, session.id, endId, entry),
        ]),
      );
      return inserted.length === 1;
    },

    async exchange(oldId, fresh) {
      const [inserted] = await run(
        db.batch([
          db
            .insert(sessions)
            .select(
              db
                .select({
                  ...constants(sessions, { ...fresh, userId: "", createdAt: "", expiresAt: "" }),
                  userId: sql`${sessions.userId}`.as("user_id"),
                  createdAt: sql`${sessions.createdAt}`.as("created_at"),
                  expiresAt: sql`${sessions.expiresAt}`.as("expires_at"),
                })
                .from(sessions)
                .where(and(eq(sessions.id, oldId), gt(sessions.expiresAt, fresh.lastSeenAt))),
            )
            .returning({ id: sessions.id }),
          db.delete(sessions).where(eq(sessions.id, oldId)),
        ]),
      );
      return inserted.length === 0 ? null : find(fresh.id, fresh.lastSeenAt);
    },

    async touch(id, lastSeenAt) {
      await run(db.update(sessions).set({ lastSeenAt }).where(eq(sessions.id, id)));
    },

    async delete(id) {
      await run(db.delete(sessions).where(eq(sessions.id, id)));
    },

    async deleteExpired(now) {
      const { meta } = await run(db.delete(sessions).where(lte(sessions.expiresAt, now)));
      return meta.changes;
    },
  };
}
