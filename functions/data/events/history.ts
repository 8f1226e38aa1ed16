import { sql } from "drizzle-orm";
import type { MarkRow, StateNow } from "#functions/services/events/event-ports";
import type { ChangeType, MediaItemMetadata } from "~/domain/content/content";
import type { FieldsSince } from "~/domain/events/change-groups";
import type { HistoryChange } from "~/domain/events/history";
import type { EventStatusId, Instant, Uuid } from "~/domain/shared/model";
import {
  fieldsJson,
  mediaItemJson,
  metadataJson,
  readFields,
  readMediaItemMetadata,
  readMediaItemRecord,
  readOrder,
  readScene,
  readTag,
  selectScene,
  tagJson,
} from "../content/content-json";
import { CHANGE_ADDS, CHANGE_REMOVES } from "../schema";
import { type Db, rawSql, run, runTogether, sqlList } from "../shared/db";

interface BeforeRow {
  readonly itemType: ChangeType;
  readonly itemId: Uuid;
  readonly before: string | null;
}

function readBefore({ itemType, itemId, before }: BeforeRow): HistoryChange {
  const readers = {
    tag: readTag,
    media: readMediaItemRecord,
    event: readFields,
    scene: readScene,
    order: readOrder,
  };
  const value: unknown = before === null ? null : readers[itemType](before);
  return { itemType, itemId, before: value } as HistoryChange;
}

const byId = <Item extends { readonly id: Uuid }>(items: readonly Item[]) =>
  new Map(items.map((item) => [item.id, item]));

interface CurrentRow {
  readonly fields: string;
  readonly scene: string;
  readonly seq: number;
  readonly createdAt: string;
  readonly historyFrom: string | null;
  readonly spaceId: Uuid;
  readonly name: string;
  readonly ownerId: Uuid;
  readonly groupId: Uuid | null;
}

interface FieldsRow {
  readonly at: string;
  readonly statusId: EventStatusId;
  readonly startDate: string | null;
  readonly endDate: string | null;
  readonly isAutomatic: number;
}

/** Earlier states of events, from their changes (event_changes), which are numbered in order (`seq`). `before` is the state of an item before a change. */
export function historyRepository(db: Db) {
  return {
    /**
     * Reads the event's current state and, for each sequence number, the undo data that leads to the state after that change: one entry per item.
     * Null when the event does not exist.
     */
    async read(
      eventId: Uuid,
      seqs: readonly number[],
    ): Promise<(StateNow & { readonly undo: readonly (readonly HistoryChange[])[] }) | null> {
      const [currentRows, tags = [], media = [], ...undo] = await runTogether(db, [
        sql`SELECT ${fieldsJson("e")} AS fields, ${selectScene(eventId)} AS scene, coalesce((SELECT max(seq) FROM event_changes WHERE event_id = ${eventId}), 0) AS seq, e.created_at AS createdAt,
            e.history_from AS historyFrom,
            s.id AS spaceId, s.name AS name, s.owner_id AS ownerId, s.group_id AS groupId
          FROM events e JOIN spaces s ON s.id = e.space_id WHERE e.id = ${eventId} AND e.deleted_at IS NULL AND s.deleted_at IS NULL`,
        sql`SELECT ${tagJson("t")} AS item FROM event_tags t WHERE t.event_id = ${eventId} AND t.deleted_at IS NULL`,
        sql`SELECT ${mediaItemJson("m")} AS item FROM event_media m WHERE m.event_id = ${eventId} AND m.deleted_at IS NULL`,
        // A covering index finds the earliest change of each item; only the bodies of these changes are read. Items that were created and deleted
        // since need no undo data.
        ...seqs.map(
          (seq) => sql`SELECT c.item_type AS itemType, c.item_id AS itemId, c.before AS before
            FROM (SELECT min(seq) AS seq FROM event_changes WHERE event_id = ${eventId} AND seq > ${seq}
              GROUP BY item_type, item_id) earliest CROSS JOIN event_changes c ON c.seq = earliest.seq
            WHERE c.before IS NOT NULL OR CASE c.item_type
              WHEN 'tag' THEN EXISTS (SELECT 1 FROM event_tags t WHERE t.id = c.item_id AND t.deleted_at IS NULL)
              WHEN 'media' THEN EXISTS (SELECT 1 FROM event_media m WHERE m.id = c.item_id AND m.deleted_at IS NULL)
              ELSE 1 END`,
        ),
      ]);
      const row = currentRows?.[0] as CurrentRow | undefined;
      if (!row) return null;
      const { spaceId: id, name, ownerId, groupId } = row;
      return {
        space: { id, name, ownerId, groupId },
        seq: row.seq,
        createdAt: row.createdAt,
        historyFrom: row.historyFrom,
        state: {
          fields: readFields(row.fields),
          tags: byId((tags as readonly { item: string }[]).map(({ item }) => readTag(item))),
          media: byId((media as readonly { item: string }[]).map(({ item }) => readMediaItemRecord(item))),
          scene: readScene(row.scene),
          // Each tag contains its own position.
          order: new Map(),
        },
        undo: undo.map((rows) => (rows as readonly BeforeRow[]).map(readBefore)),
      };
    },

    /** Lists changes before a sequence number (null: all), newest first. Omits the changes of tags that only the permanent deletion of a media item caused. */
    async listMarks(eventId: Uuid, before: number | null, limit: number): Promise<readonly MarkRow[]> {
      const rows = await run(
        db.all<
          Omit<MarkRow, "isAdded" | "isRemoved" | "actor"> & {
            isAdded: number;
            isRemoved: number;
            actor: string | null;
          }
        >(sql`SELECT seq, at, actor_id AS actorId, act AS callId, item_type AS itemType, item_id AS itemId,
            ${rawSql(CHANGE_ADDS)} AS isAdded, ${rawSql(CHANGE_REMOVES)} AS isRemoved, (SELECT json_object('firstName', u.first_name,
              'lastName', u.last_name, 'email', u.email) FROM users u WHERE u.id = event_changes.actor_id) AS actor
          FROM event_changes WHERE event_id = ${eventId} AND seq < ${before ?? Number.MAX_SAFE_INTEGER}
            AND NOT (actor_id IS NULL AND item_type = 'tag')
          ORDER BY seq DESC LIMIT ${limit}`),
      );
      return rows.map(({ actor, isAdded, isRemoved, ...row }) => ({
        ...row,
        isAdded: isAdded === 1,
        isRemoved: isRemoved === 1,
        actor: actor === null ? null : JSON.parse(actor),
      }));
    },

    /** Every change of the event's own fields, oldest first: its time, and the status fields before it. */
    async fieldChanges(
      eventId: Uuid,
    ): Promise<readonly { readonly at: Instant; readonly before: FieldsSince["fields"] }[]> {
      const rows = await run(
        db.all<FieldsRow>(sql`SELECT at, before ->> '$.statusId' AS statusId, before ->> '$.startDate' AS startDate,
            before ->> '$.endDate' AS endDate, before ->> '$.enableAutoChangeStatus' AS isAutomatic
          FROM event_changes WHERE event_id = ${eventId} AND item_type = 'event' ORDER BY seq`),
      );
      return rows.map(({ at, isAutomatic, ...dates }) => ({
        at,
        before: { ...dates, enableAutoChangeStatus: isAutomatic === 1 },
      }));
    },

    /** Sequence number of the last change before an instant; 0 if there is none. */
    async lastBefore(eventId: Uuid, instant: Instant) {
      const rows = await run(
        db.all<{
          seq: number;
        }>(sql`SELECT seq FROM event_changes WHERE event_id = ${eventId} AND at < ${instant}
          ORDER BY seq DESC LIMIT 1`),
      );
      return rows[0]?.seq ?? 0;
    },

    /** Metadata and owners of library items by their ids, including items in the trash. */
    async readMediaMetadata(itemIds: readonly Uuid[]): Promise<
      ReadonlyMap<
        Uuid,
        {
          readonly metadata: MediaItemMetadata;
          readonly isLive: boolean;
          readonly ownerId: Uuid;
          readonly groupId: Uuid | null;
        }
      >
    > {
      const rows = await run(
        db.all<{ id: Uuid; metadata: string; isLive: number; ownerId: Uuid; groupId: Uuid | null }>(
          sql`SELECT li.id AS id, ${metadataJson("li")} AS metadata, li.deleted_at IS NULL AS isLive, li.owner_id AS ownerId, li.group_id AS groupId
            FROM library_items li WHERE li.id IN ${sqlList(itemIds)}`,
        ),
      );
      return new Map(
        rows.map(({ id, metadata, isLive, ...rights }) => [
          id,
          { ...rights, metadata: readMediaItemMetadata(metadata), isLive: isLive === 1 },
        ]),
      );
    },
  };
}
