import { and, eq, gt, lte, or, type SQL, sql } from "drizzle-orm";
import type {
  AuthenticatedSession,
  Credentials,
  SessionAuditEntry,
  SessionRecord,
} from "#functions/services/auth/auth-ports";
import type { AuditEntry } from "#functions/services/shared/ports";
import { SESSION_HANDLE_LENGTH } from "~/domain/auth/session";
import type { Instant } from "~/domain/shared/model";
import { nameKey } from "~/domain/shared/text";
import { audit, LIVE, MAY_LOG_IN, sessions, users } from "../schema";
import { userColumns } from "../shared/columns";
import { constants, type Db, first, rawSql, run } from "../shared/db";
import { prepareRead } from "../shared/prepared-read";

/** Columns of a session. Their names differ from those of the user, because both are read in one query. */
const columns = {
  id: sql<string>`${sessions.id}`.as("session_id"),
  userId: sessions.userId,
  createdAt: sql<Instant>`${sessions.createdAt}`.as("session_created_at"),
  expiresAt: sessions.expiresAt,
  lastSeenAt: sessions.lastSeenAt,
  userAgent: sessions.userAgent,
  authenticatedAt: sessions.authenticatedAt,
};

/** SQL that creates a random UUID of version 4. */
const RANDOM_UUID =
  "lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-a' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))";

/** SQL of the groups of a row of users. Groups in the trash give no permissions. */
export const groupIds = sql<string[]>`(SELECT json_group_array(gm.group_id) FROM group_members gm
  JOIN groups g ON g.id = gm.group_id AND g.deleted_at IS NULL WHERE gm.user_id = ${users.id})`.mapWith(
  (value: string) => JSON.parse(value) as string[],
);

const hasSecondFactor =
  sql<boolean>`EXISTS (SELECT 1 FROM second_factors f WHERE f.user_id = users.id)`.mapWith(Boolean);

/**
 * Returns the statement that writes an audit entry for each session that fulfils a condition. The actor is the session's user, or null for
 * session_expired. An entry with an empty id gets a random one. Must come before the deletion.
 */
const insertSessionEntries = (db: Db, entry: SessionAuditEntry, condition: SQL | undefined) =>
  db.insert(audit).select(
    db
      .select({
        ...constants(audit, { ...entry, actorId: null, resourceId: "" }),
        ...(entry.id === "" && { id: rawSql(RANDOM_UUID).as("id") }),
        ...(entry.action !== "session_expired" && { actorId: sql`${sessions.userId}`.as("actor_id") }),
        resourceId: sql`${sessions.userId}`.as("resource_id"),
        credential: sql`'session:' || substr(${sessions.id}, 1, ${rawSql(String(SESSION_HANDLE_LENGTH))})`.as(
          "credential",
        ),
      })
      .from(sessions)
      .where(condition),
  );

/** Returns the statements that follow the insert of a new session in its batch. They have no effect if the session was not inserted. */
export const sessionBeginStatements = (
  db: Db,
  id: string,
  replacedSessionId: string | null,
  entry: AuditEntry,
) => {
  const isReplaced = and(
    eq(sessions.id, replacedSessionId ?? ""),
    sql`EXISTS (SELECT 1 FROM sessions begun WHERE begun.id = ${id})`,
  );
  const { at, network } = entry;
  const logOutEntry = {
    id: "",
    at,
    action: "log_out",
    resourceType: "session",
    detail: {},
    network,
  } as const;
  return [
    insertSessionEntries(db, logOutEntry, isReplaced),
    db.delete(sessions).where(isReplaced),
    db.insert(audit).select(db.select(constants(audit, entry)).from(sessions).where(eq(sessions.id, id))),
  ] as const;
};

/** Sessions by the hashes of their tickets, which are the secrets in browsers' cookies. */
export function sessionRepository(db: Db) {
  const findRows = prepareRead<{ readonly id: string; readonly now: Instant }, AuthenticatedSession>(db, () =>
    db
      .select({ session: columns, user: userColumns, groupIds: groupIds.as("group_ids") })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(
        and(
          eq(sessions.id, sql.placeholder("id")),
          gt(sessions.expiresAt, sql.placeholder("now")),
          sql`${users.deletedAt} IS NULL`,
        ),
      ),
  );
  /** Returns the session with its user and groups. Null if it is unknown or expired at `now`, or its user is deleted. */
  const find = async (id: string, now: Instant) => first(await findRows({ id, now }));

  return {
    find,

    /** Returns the user with an address, case-insensitively, and the password hash. Deleted users are not returned. */
    async findCredentials(email: string): Promise<Credentials | null> {
      const rows = await run(
        db
          .select({ user: userColumns, passwordHash: users.passwordHash, hasSecondFactor })
          .from(users)
          .where(and(eq(users.emailKey, nameKey(email)), rawSql(LIVE))),
      );
      return first(rows);
    },

    /**
     * Adds a session and atomically ends another one (of the ticket that was sent with the log-in). Returns false and changes nothing if the account
     * may no longer log in, or its password has changed since the check.
     */
    async create(
      session: SessionRecord,
      passwordHash: string,
      replacedSessionId: string | null,
      entry: AuditEntry,
    ) {
      const [inserted] = await run(
        db.batch([
          db
            .insert(sessions)
            .select(
              db
                .select(constants(sessions, session))
                .from(users)
                .where(
                  and(eq(users.id, session.userId), eq(users.passwordHash, passwordHash), rawSql(MAY_LOG_IN)),
                ),
            )
            .returning({ id: sessions.id }),
          ...sessionBeginStatements(db, session.id, replacedSessionId, entry),
        ]),
      );
      return inserted.length === 1;
    },

    /**
     * Gives a live session another ticket, atomically: of two exchanges of one ticket only one succeeds. The session keeps its start and end. Returns
     * the session, or null if the old one was not valid at `replacement.lastSeenAt`.
     */
    async exchange(
      oldId: string,
      replacement: Pick<SessionRecord, "id" | "lastSeenAt" | "userAgent">,
    ): Promise<AuthenticatedSession | null> {
      const [inserted] = await run(
        db.batch([
          db
            .insert(sessions)
            .select(
              db
                .select({
                  ...constants(sessions, {
                    ...replacement,
                    userId: "",
                    createdAt: "",
                    expiresAt: "",
                    authenticatedAt: null,
                  }),
                  userId: sql`${sessions.userId}`.as("user_id"),
                  createdAt: sql`${sessions.createdAt}`.as("created_at"),
                  expiresAt: sql`${sessions.expiresAt}`.as("expires_at"),
                  authenticatedAt: sql`coalesce(${sessions.authenticatedAt}, ${sessions.createdAt})`.as(
                    "authenticated_at",
                  ),
                })
                .from(sessions)
                .where(and(eq(sessions.id, oldId), gt(sessions.expiresAt, replacement.lastSeenAt))),
            )
            .returning({ id: sessions.id }),
          db.delete(sessions).where(eq(sessions.id, oldId)),
        ]),
      );
      return inserted.length === 0 ? null : find(replacement.id, replacement.lastSeenAt);
    },

    /** Stores the time at which a session was last used. */
    async touch(id: string, lastSeenAt: Instant) {
      await run(db.update(sessions).set({ lastSeenAt }).where(eq(sessions.id, id)));
    },

    /** Ends a session with an audit entry about its user. Writes nothing if the session does not exist. */
    async delete(id: string, entry: SessionAuditEntry) {
      const isCurrentSession = eq(sessions.id, id);
      await run(
        db.batch([
          insertSessionEntries(db, entry, isCurrentSession),
          db.delete(sessions).where(isCurrentSession),
        ]),
      );
    },

    /** Stores the time of a reauthentication by password in a session, with its audit entry. Returns false when the session has ended. */
    async reauthenticate(id: string, now: Instant, entry: AuditEntry) {
      const isOwnSession = and(eq(sessions.id, id), eq(sessions.userId, entry.resourceId));
      const [, updated] = await run(
        db.batch([
          db.insert(audit).select(db.select(constants(audit, entry)).from(sessions).where(isOwnSession)),
          db
            .update(sessions)
            .set({ authenticatedAt: now })
            .where(isOwnSession)
            .returning({ id: sessions.id }),
        ]),
      );
      return updated.length === 1;
    },

    /**
     * Deletes expired sessions, and sessions of administrators that were last used at `administratorsIdleSince` or earlier, each with an audit entry.
     * Returns their number.
     */
    async deleteExpired(now: Instant, administratorsIdleSince: Instant) {
      const isEnded = or(
        lte(sessions.expiresAt, now),
        and(
          lte(sessions.lastSeenAt, administratorsIdleSince),
          sql`${sessions.userId} IN (SELECT id FROM users WHERE role = 'admin' AND ${rawSql(LIVE)})`,
        ),
      );
      const entry: SessionAuditEntry = {
        id: "",
        at: now,
        action: "session_expired",
        resourceType: "session",
        detail: {},
      };
      const [, deleted] = await run(
        db.batch([insertSessionEntries(db, entry, isEnded), db.delete(sessions).where(isEnded)]),
      );
      return deleted.meta.changes;
    },
  };
}
