import { desc, eq, type SQL, sql } from "drizzle-orm";
import type { TrashedEvent } from "#functions/services/events/event-ports";
import type { Instant, Uuid } from "~/domain/shared/model";
import { events, spaces } from "../schema";
import { eventColumns } from "../shared/columns";
import { type Db, rawSql } from "../shared/db";
import { prepareRead } from "../shared/prepared-read";

type TrashSource = { readonly spaceId: Uuid } | { readonly ownerId: Uuid };

/** Creates a function that reads the events deleted at `since` or later from one space, or from all spaces of an owner, latest first. */
export function trashedEventsReader(db: Db) {
  const createTrashQuery = (ownsSpace: SQL) => () => {
    const sortKey = rawSql("events.deleted_at || events.id");
    return db
      .select({
        id: events.id,
        eventName: eventColumns.eventName,
        deletedAt: sql<string>`${events.deletedAt}`.as("event_deleted_at"),
        space: { id: sql<Uuid>`${spaces.id}`.as("event_space_id"), name: spaces.name },
      })
      .from(spaces)
      .innerJoin(events, eq(events.spaceId, spaces.id))
      .where(
        sql`${ownsSpace} AND ${spaces.deletedAt} IS NULL AND ${events.deletedAt} IS NOT NULL AND ${sortKey} >= ${sql.placeholder("since")}`,
      )
      .orderBy(desc(sortKey))
      .limit(sql.placeholder("limit"));
  };
  type TrashParameters = { readonly id: Uuid; readonly since: Instant; readonly limit: number };

  const readTrashOfSpace = prepareRead<TrashParameters, TrashedEvent>(
    db,
    createTrashQuery(sql`${events.spaceId} = ${sql.placeholder("id")}`),
  );
  const readTrashOfOwner = prepareRead<TrashParameters, TrashedEvent>(
    db,
    createTrashQuery(sql`${spaces.ownerId} = ${sql.placeholder("id")}`),
  );
  return (source: TrashSource, since: Instant, limit: number): Promise<readonly TrashedEvent[]> =>
    "spaceId" in source
      ? readTrashOfSpace({ id: source.spaceId, since, limit })
      : readTrashOfOwner({ id: source.ownerId, since, limit });
}
