import { and, eq, type SQL, sql } from "drizzle-orm";
import type { ReadByTicket, ReadKey } from "#functions/services/auth/auth-ports";
import type { EventsQuery, FoundEvents } from "#functions/services/events/event-ports";
import type { Cursor } from "~/domain/shared/cursor";
import type { Event, Instant, Space, Uuid } from "~/domain/shared/model";
import type { Scope } from "~/domain/webhooks/scopes";
import { groupIds } from "../auth/sessions";
import { eventJsonSql, parseEvents } from "../content/content-json";
import { events, spaces, users } from "../schema";
import { eventColumns, spaceColumns } from "../shared/columns";
import { createCursorCondition, sortDirection, toSlice } from "../shared/cursor-page";
import { type Db, first, rawSql, run } from "../shared/db";

/** The caller: a valid session or API token. */
const CALLERS: Readonly<Record<ReadKey["kind"], SQL>> = {
  session: sql`(SELECT id, user_id, last_seen_at, NULL AS scopes FROM sessions
    WHERE id = ${sql.placeholder("hash")} AND expires_at > ${sql.placeholder("now")}) caller`,
  token: sql`(SELECT id, user_id, last_used_at AS last_seen_at, scopes FROM access_tokens
    WHERE hash = ${sql.placeholder("hash")} AND expires_at > ${sql.placeholder("now")} AND revoked_at IS NULL) caller`,
};

const reader = {
  /** Id of the session, or of the API token. */
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

/** Restricts rows of events (e) to those of the given space, or to those of all spaces of the caller. */
const SCOPE_CONDITIONS = {
  space: "e.space_id = spaces.id",
  own: "e.space_id IN (SELECT own.id FROM spaces own WHERE own.owner_id = users.id AND own.deleted_at IS NULL)",
} as const;
const SCOPE_TOTALS = {
  space: "spaces.event_count",
  own: "(SELECT coalesce(sum(own.event_count), 0) FROM spaces own WHERE own.owner_id = users.id AND own.deleted_at IS NULL)",
} as const;

/**
 * Reads a record together with the caller's session or token, in one statement: the record is joined to the caller's row. Null when the
 * session or token is not valid at `now`, or the caller's account was deleted.
 */
export function authenticatedReadRepository(db: Db) {
  const isLive = sql`${users.deletedAt} IS NULL`;
  const isCaller = rawSql("users.id = caller.user_id");
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
  // SQLite returns the list as one JSON text, because a hundred rows take several times as long to transfer.
  const prepareEvents = (
    kind: ReadKey["kind"],
    scope: keyof typeof SCOPE_CONDITIONS,
    cursorKind: Cursor["position"],
  ) => {
    const cursor = { position: cursorKind, id: "" } as Cursor;
    const sortKey = rawSql("(e.created_at, e.id)");
    const cursorCondition = createCursorCondition(
      cursor,
      true,
      sortKey,
      () => sql`(SELECT at.created_at, at.id FROM events at WHERE at.id = ${sql.placeholder("cursor")})`,
    );
    const direction = sortDirection(cursor, true);
    const selectPage = sql`SELECT e.* FROM events e WHERE ${rawSql(SCOPE_CONDITIONS[scope])} AND e.deleted_at IS NULL${cursorCondition}
      ORDER BY e.created_at ${direction}, e.id ${direction} LIMIT ${sql.placeholder("limit")} OFFSET ${sql.placeholder("offset")}`;
    return db
      .select({
        reader,
        space: { id: spaces.id, ownerId: spaces.ownerId, groupId: spaces.groupId },
        total: sql<number | null>`${rawSql(SCOPE_TOTALS[scope])}`.as("total"),
        events: sql<string>`(SELECT json_group_array(${eventJsonSql("part")}) FROM (${selectPage}) part)`.as(
          "listed",
        ),
      })
      .from(users)
      .innerJoin(CALLERS[kind], isCaller)
      .leftJoin(spaces, and(eq(spaces.id, sql.placeholder("id")), sql`${spaces.deletedAt} IS NULL`))
      .where(isLive)
      .prepare();
  };

  // Prepared once, because building such a statement takes longer than running it.
  const eventReads: Partial<Record<ReadKey["kind"], ReturnType<typeof prepareEvent>>> = {};
  const eventLists: Record<string, ReturnType<typeof prepareEvents>> = {};
  const spaceReads: Partial<Record<ReadKey["kind"], ReturnType<typeof prepareSpace>>> = {};

  return {
    async event(
      { kind, hash }: ReadKey,
      now: Instant,
      id: Uuid,
    ): Promise<ReadByTicket<{
      readonly event: Event;
      readonly space: Pick<Space, "ownerId" | "groupId">;
    }> | null> {
      eventReads[kind] ??= prepareEvent(kind);
      const row = first(await run(eventReads[kind].all({ hash, now, id })));
      if (!row) return null;
      const { reader, event, space } = row;
      return { reader, record: event?.id && space ? { event, space } : null };
    },

    async space({ kind, hash }: ReadKey, now: Instant, id: Uuid): Promise<ReadByTicket<Space> | null> {
      spaceReads[kind] ??= prepareSpace(kind);
      const row = first(await run(spaceReads[kind].all({ hash, now, id })));
      return row && { reader: row.reader, record: row.space?.id ? row.space : null };
    },

    /** `record` is null if the given space does not exist; `space` is null if no space was given. */
    async events(
      { kind, hash }: ReadKey,
      now: Instant,
      { spaceId, page, cursor, size }: EventsQuery,
    ): Promise<ReadByTicket<{
      readonly space: Pick<Space, "ownerId" | "groupId"> | null;
      readonly page: FoundEvents;
    }> | null> {
      const scope = spaceId === null ? "own" : "space";
      const listKey = `${kind} ${scope} ${cursor.position}`;
      eventLists[listKey] ??= prepareEvents(kind, scope, cursor.position);
      const pageValues = { limit: size + 1, offset: (page - 1) * size };
      const cursorValue = "id" in cursor && { cursor: cursor.id };
      const row = first(
        await run(eventLists[listKey].all({ hash, now, id: spaceId ?? "", ...pageValues, ...cursorValue })),
      );
      if (!row) return null;
      const { reader, space } = row;
      if (spaceId !== null && !space?.id) return { reader, record: null };
      const events = { ...toSlice(parseEvents(row.events), size, cursor), total: row.total ?? 0 };
      return { reader, record: { space: spaceId === null ? null : space, page: events } };
    },
  };
}
