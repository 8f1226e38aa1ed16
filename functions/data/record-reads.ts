import { and, eq, type SQL, sql } from "drizzle-orm";
import type { ReadKey, RecordReadRepository } from "#functions/services/record-reads";
import type { Scope } from "~/domain/scopes";
import { eventColumns, spaceColumns } from "./columns";
import { type Db, first, plain, run } from "./db";
import { events, spaces, users } from "./schema";
import { groupIds } from "./sessions";

/** Who asks: a session or an access token that is alive. */
const CALLERS: Readonly<Record<ReadKey["kind"], SQL>> = {
  session: sql`(SELECT id, user_id, last_seen_at, NULL AS scopes FROM sessions
    WHERE id = ${sql.placeholder("hash")} AND expires_at > ${sql.placeholder("now")}) caller`,
  token: sql`(SELECT id, user_id, last_used_at AS last_seen_at, scopes FROM access_tokens
    WHERE hash = ${sql.placeholder("hash")} AND expires_at > ${sql.placeholder("now")} AND revoked_at IS NULL) caller`,
};

const reader = {
  sessionId: sql<string>`caller.id`.as("caller_id"),
  lastSeenAt: sql<string | null>`caller.last_seen_at`.as("caller_seen"),
  userId: users.id,
  role: users.role,
  status: users.status,
  groupIds,
  scopes: sql<readonly Scope[] | null>`caller.scopes`
    .mapWith((value: string) => JSON.parse(value) as readonly Scope[])
    .as("caller_scopes"),
};

/** One statement a read: the record hangs on who asks, who has a row in any case. */
export function recordReadRepository(db: Db): RecordReadRepository {
  const isLive = sql`${users.deletedAt} IS NULL`;
  const isCaller = plain("users.id = caller.user_id");
  const prepareEvent = (kind: ReadKey["kind"]) =>
    db
      .select({
        reader,
        event: eventColumns,
        space: { id: spaces.id, ownerId: spaces.ownerId, groupId: spaces.groupId },
      })
      .from(users)
      .innerJoin(CALLERS[kind], isCaller)
      .leftJoin(events, and(eq(events.id, sql.placeholder("id")), sql`${events.deletedAt} IS NULL`))
      .leftJoin(spaces, and(eq(spaces.id, events.spaceId), sql`${spaces.deletedAt} IS NULL`))
      .where(isLive)
      .prepare();
  const prepareSpace = (kind: ReadKey["kind"]) =>
    db
      .select({ reader, space: spaceColumns })
      .from(users)
      .innerJoin(CALLERS[kind], isCaller)
      .leftJoin(spaces, and(eq(spaces.id, sql.placeholder("id")), sql`${spaces.deletedAt} IS NULL`))
      .where(isLive)
      .prepare();

  // Prepared once: putting such a statement together takes longer than running it.
  const eventReads: Partial<Record<ReadKey["kind"], ReturnType<typeof prepareEvent>>> = {};
  const spaceReads: Partial<Record<ReadKey["kind"], ReturnType<typeof prepareSpace>>> = {};

  return {
    async event({ kind, hash }, now, id) {
      eventReads[kind] ??= prepareEvent(kind);
      const row = first(await run(eventReads[kind].all({ hash, now, id })));
      if (!row) return null;
      const { reader, event, space } = row;
      return { reader, record: event?.id && space ? { event, space } : null };
    },

    async space({ kind, hash }, now, id) {
      spaceReads[kind] ??= prepareSpace(kind);
      const row = first(await run(spaceReads[kind].all({ hash, now, id })));
      return row && { reader: row.reader, record: row.space?.id ? row.space : null };
    },
  };
}
