import { and, asc, desc, eq, inArray, lte, ne, type Placeholder, sql } from "drizzle-orm";
import type {
  EventEditorData,
  EventInSpace,
  EventValues,
  NewEvent,
  PasswordHashChange,
} from "#functions/services/events/event-ports";
import type { AuditEntry, Page, PageRequest } from "#functions/services/shared/ports";
import { statusAt } from "~/domain/events/status";
import { serialiseUrlParams } from "~/domain/events/url-params";
import type { LibraryItem } from "~/domain/library/library-item";
import type { Event, EventStatusId, Instant, Space, Uuid } from "~/domain/shared/model";
import { fieldsJson } from "../content/content-json";
import {
  AWAITS_END,
  AWAITS_START,
  audit,
  eventChanges,
  eventMedia,
  eventNames,
  events,
  eventTags,
  LIVE,
  libraryItems,
  spaces,
} from "../schema";
import { eventColumns, mediaColumns, spaceColumns, tagColumns } from "../shared/columns";
import { constants, createPage, type Db, first, getRowOffset, isTaken, rawSql, run } from "../shared/db";
import { prepareRead } from "../shared/prepared-read";
import { hasEventRoom, hasRoomForSave, hasSpaceEventRoom } from "../users/owner-limits";
import { EVENT_NAME_INDEX, nameColumns } from "./event-names";
import { hasRoomForContent, insertNewContent } from "./new-content";
import { getStatusDateColumn, insertStatusMail } from "./status-mails";
import { trashedEventsReader } from "./trashed-events";

/** Condition: an event's space is not in the trash. */
const spaceIsLive = sql`EXISTS (SELECT 1 FROM spaces WHERE spaces.id = ${events.spaceId} AND spaces.deleted_at IS NULL)`;

/** Creates the column values of a save at an instant. */
const valuesRow = ({ urlParams, eventName, eventDetail, ...values }: EventValues, now: Instant) => ({
  ...values,
  ...nameColumns(eventName),
  detailJa: eventDetail.ja,
  detailEn: eventDetail.en,
  urlParams: serialiseUrlParams(urlParams),
  // A trigger on this column notifies webhooks.
  announcedStatus: statusAt(values, Date.parse(now)),
});

/** Returns the row of a new event. */
export const newEventRow = ({ values, ...event }: NewEvent) => ({
  ...event,
  ...valuesRow(values, event.createdAt),
  updatedAt: event.createdAt,
});

/** The queries for an event, its space, its tags and its media. */
export function eventParts(db: Db, id: string | Placeholder) {
  const selectSpaceId = db.select({ id: events.spaceId }).from(events).where(eq(events.id, id));
  return {
    event: db
      .select(eventColumns)
      .from(events)
      .where(and(eq(events.id, id), rawSql(LIVE))),
    space: db
      .select(spaceColumns)
      .from(spaces)
      .where(and(sql`${spaces.id} = ${selectSpaceId}`, rawSql(LIVE))),
    tags: db
      .select(tagColumns)
      .from(eventTags)
      .where(and(eq(eventTags.eventId, id), rawSql(LIVE)))
      .orderBy(asc(eventTags.sortOrder), asc(eventTags.id)),
    media: db
      .select(mediaColumns)
      .from(eventMedia)
      // If a library item is in the trash, the media items that show it are left out until it is restored.
      .innerJoin(
        libraryItems,
        and(eq(libraryItems.id, eventMedia.libraryItemId), sql`${libraryItems.deletedAt} IS NULL`),
      )
      .where(and(eq(eventMedia.eventId, id), sql`${eventMedia.deletedAt} IS NULL`))
      .orderBy(asc(eventMedia.createdOn), asc(eventMedia.id)),
  };
}

/** Returns a media item without the keys and the name of its files, with the metadata of the converted file if there is one. Its thumbnail is reduced to whether it exists. */
export const withoutFile = <
  T extends Pick<
    LibraryItem,
    | "fileKey"
    | "thumbKey"
    | "fileName"
    | "preparation"
    | "mimeType"
    | "byteSize"
    | "width"
    | "height"
    | "duration"
  >,
>(
  mediaItem: T,
) => {
  const { fileKey: _key, thumbKey, fileName: _name, preparation, ...rest } = mediaItem;
  const { mimeType, byteSize, width, height, duration } = preparation?.display ?? rest;
  return { ...rest, mimeType, byteSize, width, height, duration, hasThumbnail: thumbKey !== null };
};

/** Removes the ids of media that are not in `media` from tags. */
export function withVisibleMedia<T extends { readonly mediaIds: readonly string[] }>(
  tags: readonly T[],
  media: readonly { readonly id: string }[],
): T[] {
  const visibleIds = new Set(media.map(({ id }) => id));
  return tags.map((tag) => ({ ...tag, mediaIds: tag.mediaIds.filter((id) => visibleIds.has(id)) }));
}

/** Events. Only findTrashed, listTrash and restore find those in the trash. */
export function eventRepository(db: Db) {
  const selectSpacesOf = (ownerId: Uuid) =>
    db
      .select({ id: spaces.id })
      .from(spaces)
      .where(and(eq(spaces.ownerId, ownerId), rawSql(LIVE)));

  const selectEvent = (id: string) => eventParts(db, id).event;
  const parts = () => eventParts(db, sql.placeholder("id"));
  const readEvent = prepareRead<{ readonly id: Uuid }, Event>(db, () => parts().event);
  const readSpace = prepareRead<{ readonly id: Uuid }, Space>(db, () => parts().space);
  const readBySpace = prepareRead<
    { readonly spaceId: Uuid; readonly limit: number; readonly offset: number },
    Event
  >(db, () =>
    db
      .select(eventColumns)
      .from(events)
      .where(and(eq(events.spaceId, sql.placeholder("spaceId")), rawSql(LIVE)))
      .orderBy(desc(events.createdAt), desc(events.id))
      .limit(sql.placeholder("limit"))
      .offset(sql.placeholder("offset")),
  );

  /** Creates an audit entry that is written only if the event fulfils `condition`. Must come before the change. */
  const auditIf = (entry: AuditEntry, condition: ReturnType<typeof and>) =>
    db.insert(audit).select(db.select(constants(audit, entry)).from(events).where(condition));

  /**
   * Creates an entry of the event's history, with the id of the audit entry, that is written only if the event fulfils `condition`. Must come
   * before the change.
   */
  const changeIf = ({ id, at, actorId }: AuditEntry, eventId: Uuid, condition: ReturnType<typeof and>) =>
    db.insert(eventChanges).select(
      db
        .select({
          ...constants(eventChanges, {
            eventId,
            at,
            actorId,
            act: id,
            part: 0,
            itemType: "event",
            itemId: eventId,
          }),
          before: fieldsJson("events").as("before"),
        })
        .from(events)
        .where(condition),
    );
  /** Adds the state after the change to the entry that changeIf created. Must come after the change. */
  const updateChangeEntry = ({ id }: AuditEntry) =>
    db
      .update(eventChanges)
      .set({ after: sql`(SELECT ${fieldsJson("e")} FROM events e WHERE e.id = event_changes.event_id)` })
      .where(eq(eventChanges.act, id));

  return {
    async find(id: Uuid): Promise<EventInSpace | null> {
      const [event, space] = await Promise.all([readEvent({ id }), readSpace({ id })]);
      return event[0] && space[0] ? { event: event[0], space: space[0] } : null;
    },

    async findForEditor(id: Uuid): Promise<EventEditorData | null> {
      const parts = eventParts(db, id);
      const [event, space, tags, media] = await run(
        db.batch([parts.event, parts.space, parts.tags, parts.media]),
      );
      if (!event[0] || !space[0]) return null;
      return {
        event: event[0],
        space: space[0],
        tags: withVisibleMedia(tags, media),
        media: media.map(withoutFile),
      };
    },

    /** Newest first. */
    listBySpace: (spaceId: Uuid, page: PageRequest): Promise<readonly Event[]> =>
      readBySpace({ spaceId, limit: page.pageSize, offset: getRowOffset(page) }),

    /** Lists the events of all of an owner's spaces, newest first. */
    async listByOwner(ownerId: Uuid, page: PageRequest): Promise<Page<Event>> {
      const [total, items] = await run(
        db.batch([
          db
            .select({ total: sql<number>`coalesce(sum(${spaces.eventCount}), 0)`.as("total") })
            .from(spaces)
            .where(and(eq(spaces.ownerId, ownerId), rawSql(LIVE))),
          db
            .select(eventColumns)
            .from(events)
            .where(and(sql`${events.spaceId} IN ${selectSpacesOf(ownerId)}`, rawSql(LIVE)))
            .orderBy(desc(events.createdAt), desc(events.id))
            .limit(page.pageSize)
            .offset(getRowOffset(page)),
        ]),
      );
      return createPage(page, items, total[0]?.total ?? 0);
    },

    /** Returns the keys out of `keys` (nameKey) that names of events in a space have, except those of the event `except`. */
    async listTakenNames(
      spaceId: Uuid,
      keys: readonly string[],
      except: Uuid | null,
    ): Promise<readonly string[]> {
      const rows = await run(
        db
          .select({ key: eventNames.nameKey })
          .from(eventNames)
          .where(
            and(
              eq(eventNames.spaceId, spaceId),
              inArray(eventNames.nameKey, [...keys]),
              except === null ? undefined : ne(eventNames.eventId, except),
            ),
          ),
      );
      return rows.map(({ key }) => key);
    },

    /** "name_taken" comes from the unique index, so that of two concurrent requests only one succeeds. */
    async create(event: NewEvent, entry: AuditEntry) {
      const isLiveSpace = and(eq(spaces.id, event.spaceId), rawSql(LIVE));
      const hasOwnerRoom = hasEventRoom(rawSql("spaces.owner_id"), 1);
      const hasSpaceRoom = hasSpaceEventRoom(rawSql("spaces.id"));
      const hasRoom = hasRoomForContent(event, rawSql("spaces.owner_id"));
      try {
        const [roomRows, inserted] = await run(
          db.batch([
            db
              .select({
                owner: sql<number>`${hasOwnerRoom}`.as("owner_room"),
                space: sql<number>`${hasSpaceRoom}`.as("space_room"),
                content: sql<number>`${hasRoom}`.as("content_room"),
              })
              .from(spaces)
              .where(isLiveSpace),
            db
              .insert(events)
              .select(
                db
                  .select(constants(events, newEventRow(event)))
                  .from(spaces)
                  .where(and(isLiveSpace, hasOwnerRoom, hasSpaceRoom, hasRoom)),
              )
              .returning({ id: events.id }),
            ...insertNewContent(db, event),
            auditIf(entry, eq(events.id, event.id)),
          ]),
        );
        if (inserted.length === 1) return "created";
        if (roomRows.length === 0) return "no_space";
        if (!roomRows[0]?.content) return "content_full";
        return roomRows[0]?.space ? "too_many_events" : "too_many_space_events";
      } catch (error) {
        if (isTaken(error, EVENT_NAME_INDEX)) return "name_taken";
        throw error;
      }
    },

    /**
     * Saves all values with the audit entry, or nothing. "name_taken" as for `create`. "stale": the event has another version or was deleted; the
     * result contains the saved event, or null.
     */
    async update(
      id: Uuid,
      version: number,
      values: EventValues,
      password: PasswordHashChange,
      now: Instant,
      entry: AuditEntry,
    ): Promise<
      | { readonly status: "updated"; readonly event: Event }
      | { readonly status: "stale"; readonly saved: Event | null }
      | { readonly status: "name_taken" }
      | { readonly status: "content_full" }
    > {
      const hasRoom = hasRoomForSave(sql`(SELECT owner_id FROM spaces WHERE spaces.id = ${events.spaceId})`);
      const guard = and(eq(events.id, id), eq(events.version, version), rawSql(LIVE), hasRoom);
      try {
        const [, , updated, , saved] = await run(
          db.batch([
            auditIf(entry, guard),
            changeIf(entry, id, guard),
            db
              .update(events)
              .set({
                ...valuesRow(values, now),
                ...(password !== undefined && { publishPasswordHash: password }),
                updatedAt: now,
                version: version + 1,
              })
              .where(guard)
              .returning({ id: events.id }),
            updateChangeEntry(entry),
            selectEvent(id),
          ]),
        );
        const event = first(saved);
        if (updated.length === 1 && event) return { status: "updated", event };
        return event?.version === version ? { status: "content_full" } : { status: "stale", saved: event };
      } catch (error) {
        if (isTaken(error, EVENT_NAME_INDEX)) return { status: "name_taken" };
        throw error;
      }
    },

    /**
     * Moves an event to the trash, unless it is the last of its space or has another version.
     * @param version null for any version
     */
    async trash(id: Uuid, userId: Uuid, now: Instant, entry: AuditEntry, version: number | null) {
      const isLive = and(eq(events.id, id), rawSql(LIVE), spaceIsLive);
      const hasOtherEvent = sql`(SELECT event_count FROM spaces WHERE spaces.id = ${events.spaceId}) > 1`;
      const hasVersion = version === null ? undefined : eq(events.version, version);
      const [currentRows, , deleted] = await run(
        db.batch([
          db.select({ version: events.version }).from(events).where(isLive),
          auditIf(entry, and(isLive, hasOtherEvent, hasVersion)),
          db
            .update(events)
            .set({ deletedAt: now, deletedBy: userId, updatedAt: now, version: sql`${events.version} + 1` })
            .where(and(isLive, hasOtherEvent, hasVersion))
            .returning({ id: events.id }),
        ]),
      );
      if (deleted.length > 0) return "deleted";
      const saved = first(currentRows);
      if (saved === null) return "gone";
      return version !== null && saved.version !== version ? "stale" : "last";
    },

    /** Events that were deleted at `since` or later from one space, or from all of an owner's spaces that are not in the trash, latest first. */
    listTrash: trashedEventsReader(db),

    /** An event deleted at `since` or later with its space; null when there is none. */
    async findTrashed(id: Uuid, since: Instant): Promise<EventInSpace | null> {
      const [event, space] = await run(
        db.batch([
          db
            .select(eventColumns)
            .from(events)
            .where(and(eq(events.id, id), sql`${events.deletedAt} >= ${since}`)),
          eventParts(db, id).space,
        ]),
      );
      return event[0] && space[0] ? { event: event[0], space: space[0] } : null;
    },

    /** Restores an event from the trash with its content. */
    async restore(id: Uuid, since: Instant, now: Instant, entry: AuditEntry) {
      const isRestorable = and(eq(events.id, id), sql`${events.deletedAt} >= ${since}`, spaceIsLive);
      const guard = and(isRestorable, hasSpaceEventRoom(rawSql("events.space_id")));
      try {
        const [currentRows, , restored] = await run(
          db.batch([
            db.select({ id: events.id }).from(events).where(isRestorable),
            auditIf(entry, guard),
            db
              .update(events)
              .set({ deletedAt: null, deletedBy: null, updatedAt: now, version: sql`${events.version} + 1` })
              .where(guard)
              .returning({ id: events.id }),
          ]),
        );
        if (restored.length > 0) return "restored";
        return currentRows.length > 0 ? "too_many_space_events" : "gone";
      } catch (error) {
        if (isTaken(error, EVENT_NAME_INDEX)) return "name_taken";
        throw error;
      }
    },

    /** Lists events whose saved status may be older than the status at `now`: first those after their start, then those after their end, each by date. */
    async listDueForStatus(now: Instant, limit: number): Promise<readonly Event[]> {
      // Webhooks send nothing about a space in the trash. Its events are updated, and their messages sent, after the space is restored.
      const [started, ended] = await run(
        db.batch([
          db
            .select(eventColumns)
            .from(events)
            .where(and(lte(events.startDate, now), rawSql(AWAITS_START), spaceIsLive))
            .orderBy(asc(events.startDate))
            .limit(limit),
          db
            .select(eventColumns)
            .from(events)
            .where(and(lte(events.endDate, now), rawSql(AWAITS_END), spaceIsLive))
            .orderBy(asc(events.endDate))
            .limit(limit),
        ]),
      );
      return [...new Map([...started, ...ended].map((event) => [event.id, event])).values()].slice(0, limit);
    },

    /**
     * Stores statuses that the dates have caused, unless an event has changed since it was read. They do not count as saves: the version stays. All
     * are stored in one batch.
     * @returns the ids of the events whose status was stored
     */
    async persistStatuses(
      changes: readonly {
        readonly event: Pick<Event, "id" | "statusId" | "version">;
        readonly to: EventStatusId;
        readonly entry: AuditEntry;
      }[],
      now: Instant,
    ): Promise<readonly Uuid[]> {
      const statements = changes.flatMap(({ event: { id, statusId, version }, to, entry }) => {
        // A concurrent save may have set other dates.
        const guard = and(
          eq(events.id, id),
          eq(events.statusId, statusId),
          eq(events.version, version),
          rawSql(LIVE),
          spaceIsLive,
        );
        return [
          auditIf(entry, guard),
          changeIf(entry, id, guard),
          db
            .update(events)
            // The time of the status change, as in webhooks and lists, and not the time of this run.
            .set({
              statusId: to,
              announcedStatus: to,
              updatedAt: sql`max(${events.updatedAt}, ${getStatusDateColumn(to)})`,
            })
            .where(guard)
            .returning({ id: events.id }),
          updateChangeEntry(entry),
          insertStatusMail(db, entry, { eventId: id, statusId: to, at: now }),
        ];
      });
      const [firstStatement, ...otherStatements] = statements;
      if (!firstStatement) return [];
      const results: readonly unknown[] = await run(db.batch([firstStatement, ...otherStatements]));
      const statementsPerEvent = statements.length / changes.length;
      return changes.flatMap(({ event }, index) =>
        (results[index * statementsPerEvent + 2] as unknown[]).length === 1 ? [event.id] : [],
      );
    },
  };
}
