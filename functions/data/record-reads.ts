import { and, eq, gt, sql } from "drizzle-orm";
import type { RecordReadRepository } from "#functions/services/record-reads";
import { eventColumns, spaceColumns } from "./columns";
import { type Db, first, run } from "./db";
import { events, sessions, spaces, users } from "./schema";
import { groupIds } from "./sessions";

const reader = {
  sessionId: sessions.id,
  lastSeenAt: sessions.lastSeenAt,
  userId: users.id,
  role: users.role,
  status: users.status,
  groupIds,
};

/** One statement a read: the record hangs on the session, which has its row in any case. */
export function recordReadRepository(db: Db): RecordReadRepository {
  const isLive = and(
    eq(sessions.id, sql.placeholder("session")),
    gt(sessions.expiresAt, sql.placeholder("now")),
    sql`${users.deletedAt} IS NULL`,
  );
  const prepareEvent = () =>
    db
      .select({
        reader,
        event: eventColumns,
        space: { id: spaces.id, ownerId: spaces.ownerId, groupId: spaces.groupId },
      })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .leftJoin(events, and(eq(events.id, sql.placeholder("id")), sql`${events.deletedAt} IS NULL`))
      .leftJoin(spaces, and(eq(spaces.id, events.spaceId), sql`${spaces.deletedAt} IS NULL`))
      .where(isLive)
      .prepare();
  const prepareSpace = () =>
    db
      .select({ reader, space: spaceColumns })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .leftJoin(spaces, and(eq(spaces.id, sql.placeholder("id")), sql`${spaces.deletedAt} IS NULL`))
      .where(isLive)
      .prepare();

  // Prepared once: putting such a statement together takes longer than running it.
  let eventRead: ReturnType<typeof prepareEvent> | undefined;
  let spaceRead: ReturnType<typeof prepareSpace> | undefined;

  return {
    async event(session, now, id) {
      eventRead ??= prepareEvent();
      const row = first(await run(eventRead.all({ session, now, id })));
      if (!row) return null;
      const { reader, event, space } = row;
      return { reader, record: event?.id && space ? { event, space } : null };
    },

    async space(session, now, id) {
      spaceRead ??= prepareSpace();
      const row = first(await run(spaceRead.all({ session, now, id })));
      return row && { reader: row.reader, record: row.space?.id ? row.space : null };
    },
  };
}
