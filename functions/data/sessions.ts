import { and, eq, gt, lte, sql } from "drizzle-orm";
import type { AuthenticatedSession, SessionRepository } from "#functions/services/ports";
import { nameKey } from "~/domain/text";
import { userColumns } from "./columns";
import { constants, type Db, first, plain, run } from "./db";
import { audit, LIVE, sessions, users } from "./schema";

const columns = {
  id: sessions.id,
  userId: sessions.userId,
  createdAt: sessions.createdAt,
  expiresAt: sessions.expiresAt,
  lastSeenAt: sessions.lastSeenAt,
  userAgent: sessions.userAgent,
};

/** Groups in the trash grant nothing. */
const groupIds = sql<string[]>`(SELECT json_group_array(gm.group_id) FROM group_members gm
  JOIN groups g ON g.id = gm.group_id AND g.deleted_at IS NULL WHERE gm.user_id = ${users.id})`.mapWith(
  (value: string) => JSON.parse(value) as string[],
);

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

    async create(session, endId, entry) {
      await run(
        db.batch([
          db.insert(sessions).values(session),
          db.delete(sessions).where(eq(sessions.id, endId ?? "")),
          db.insert(audit).values(entry),
        ]),
      );
    },

    async exchange(oldId, fresh) {
      const [inserted] = await run(
        db.batch([
          db
            .insert(sessions)
            .select(
              db
                .select({
                  ...constants(sessions, { ...fresh, userId: "" }),
                  userId: sql`${sessions.userId}`.as("user_id"),
                })
                .from(sessions)
                .where(and(eq(sessions.id, oldId), gt(sessions.expiresAt, fresh.createdAt))),
            )
            .returning({ id: sessions.id }),
          db.delete(sessions).where(eq(sessions.id, oldId)),
        ]),
      );
      return inserted.length === 0 ? null : find(fresh.id, fresh.createdAt);
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
