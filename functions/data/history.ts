import { sql } from "drizzle-orm";
import type { HistoryRepository, MarkRow } from "#functions/services/history-ports";
import type { ChangeType } from "~/domain/content";
import type { HistoryMedium, HistorySide } from "~/domain/history";
import type { MediaKind, Uuid } from "~/domain/model";
import { fullPlacement } from "~/domain/placement";
import {
  fieldsJson,
  mediumJson,
  orderOf,
  readFields,
  readScene,
  readTag,
  sceneOf,
  tagJson,
} from "./content-json";
import { type Db, listOf, run, runTogether } from "./db";

/** A medium of the history; placements of before lack what was added later. */
function readMedium(text: string): HistoryMedium {
  const { placement, ...medium } = JSON.parse(text);
  return { ...medium, placement: placement && fullPlacement(placement) };
}

interface BeforeRow {
  readonly itemType: ChangeType;
  readonly itemId: Uuid;
  readonly before: string | null;
}

function readBefore({ itemType, itemId, before }: BeforeRow): HistorySide<"before"> {
  const read = { tag: readTag, media: readMedium, event: readFields, scene: readScene, order: JSON.parse };
  const value: unknown = before === null ? null : read[itemType](before);
  return { itemType, itemId, before: value } as HistorySide<"before">;
}

const byId = <Item extends { readonly id: Uuid }>(items: readonly Item[]) =>
  new Map(items.map((item) => [item.id, item]));

interface NowRow {
  readonly fields: string;
  readonly scene: string;
  readonly tagOrder: string;
  readonly seq: number;
  readonly createdAt: string;
  readonly spaceId: Uuid;
  readonly name: string;
  readonly ownerId: Uuid;
  readonly groupId: Uuid | null;
}

export function historyRepository(db: Db): HistoryRepository {
  return {
    async read(eventId, seqs) {
      const [now, tags = [], media = [], ...undo] = await runTogether(db, [
        sql`SELECT ${fieldsJson("e")} AS fields, ${sceneOf(eventId)} AS scene, ${orderOf(eventId)} AS tagOrder,
            coalesce((SELECT max(seq) FROM event_changes WHERE event_id = ${eventId}), 0) AS seq, e.created_at AS createdAt,
            s.id AS spaceId, s.name AS name, s.owner_id AS ownerId, s.group_id AS groupId
          FROM events e JOIN spaces s ON s.id = e.space_id WHERE e.id = ${eventId} AND e.deleted_at IS NULL AND s.deleted_at IS NULL`,
        sql`SELECT ${tagJson("t")} AS item FROM event_tags t WHERE t.event_id = ${eventId} AND t.deleted_at IS NULL`,
        sql`SELECT ${mediumJson("m")} AS item FROM event_media m WHERE m.event_id = ${eventId} AND m.deleted_at IS NULL`,
        // Of several rows with the least number SQLite takes the other columns from that one.
        ...seqs.map(
          (seq) => sql`SELECT item_type AS itemType, item_id AS itemId, before, min(seq) FROM event_changes
            WHERE event_id = ${eventId} AND seq > ${seq} GROUP BY item_type, item_id`,
        ),
      ]);
      const row = now?.[0] as NowRow | undefined;
      if (!row) return null;
      const { spaceId: id, name, ownerId, groupId } = row;
      return {
        space: { id, name, ownerId, groupId },
        seq: row.seq,
        createdAt: row.createdAt,
        state: {
          fields: readFields(row.fields),
          tags: byId((tags as readonly { item: string }[]).map(({ item }) => readTag(item))),
          media: byId((media as readonly { item: string }[]).map(({ item }) => readMedium(item))),
          scene: readScene(row.scene),
          order: JSON.parse(row.tagOrder),
        },
        undo: undo.map((rows) => (rows as readonly BeforeRow[]).map(readBefore)),
      };
    },

    async marks(eventId, before, limit) {
      const rows = await run(
        db.all<
          Omit<MarkRow, "isAdded" | "isRemoved" | "actor"> & {
            isAdded: number;
            isRemoved: number;
            actor: string | null;
          }
        >(sql`SELECT seq, at, actor_id AS actorId, act, item_type AS itemType, item_id AS itemId,
            before IS NULL AS isAdded, after IS NULL AS isRemoved, (SELECT json_object('firstName', u.first_name,
              'lastName', u.last_name, 'email', u.email) FROM users u WHERE u.id = event_changes.actor_id) AS actor
          FROM event_changes WHERE event_id = ${eventId} AND seq < ${before ?? Number.MAX_SAFE_INTEGER}
          ORDER BY seq DESC LIMIT ${limit}`),
      );
      return rows.map(({ actor, isAdded, isRemoved, ...row }) => ({
        ...row,
        isAdded: isAdded === 1,
        isRemoved: isRemoved === 1,
        actor: actor === null ? null : JSON.parse(actor),
      }));
    },

    async fieldChanges(eventId) {
      const rows = await run(
        db.all<{ at: string; before: string }>(sql`SELECT at, before FROM event_changes
          WHERE event_id = ${eventId} AND item_type = 'event' ORDER BY seq`),
      );
      return rows.map(({ at, before }) => ({ at, before: readFields(before) }));
    },

    async lastBefore(eventId, at) {
      const rows = await run(
        db.all<{ seq: number }>(sql`SELECT seq FROM event_changes WHERE event_id = ${eventId} AND at < ${at}
          ORDER BY seq DESC LIMIT 1`),
      );
      return rows[0]?.seq ?? 0;
    },

    async facts(itemIds) {
      const rows = await run(
        db.all<{
          id: Uuid;
          kind: MediaKind;
          isLive: number;
          hasStill: number;
        }>(sql`SELECT id, kind, deleted_at IS NULL AS isLive,
            kind = 'image' OR thumb_key IS NOT NULL AS hasStill FROM library_items WHERE id IN ${listOf(itemIds)}`),
      );
      return new Map(
        rows.map(({ id, kind, isLive, hasStill }) => [
          id,
          { kind, isLive: isLive === 1, hasStill: hasStill === 1 },
        ]),
      );
    },
  };
}
