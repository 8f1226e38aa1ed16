import { and, asc, eq, isNotNull, isNull, type Placeholder, sql } from "drizzle-orm";
import type {
  ChangeRow,
  ContentParts,
  ContentWrite,
  ReferencedContent,
  ReferencedIds,
  StoredMediaItem,
  StoredPart,
  WriteCommand,
  WrittenContent,
} from "#functions/services/content/content-ports";
import type { ChangeType, PartType, TrashedMediaItem } from "~/domain/content/content";
import type { Event, EventMedia, EventScene, EventTag, Space, Uuid } from "~/domain/shared/model";
import { eventParts, withoutFile, withVisibleMedia } from "../events/events";
import { eventMedia, eventTags, LIVE, libraryItems } from "../schema";
import { libraryColumns } from "../shared/columns";
import { type Db, first, rawSql, run, runTogether, sqlList } from "../shared/db";
import { prepareRead } from "../shared/prepared-read";
import { insertAuditEntries } from "../users/audit-entries";
import { hasContentRoom } from "../users/owner-limits";
import {
  mediaItemJson,
  metadataJson,
  readFields,
  readMediaItem,
  readOrder,
  readScene,
  readTag,
  selectScene,
  selectTagOrder,
  tagJson,
  withLiveMedia,
} from "./content-json";
import { contentSteps, isEditable } from "./content-steps";

interface TagRow {
  readonly item: string;
  readonly isLive: number;
}
interface MediaItemRow extends TagRow {
  readonly metadata: string;
  readonly hasItem: number;
  readonly isItemUnchanged: number;
  readonly ownerId: Uuid;
  readonly groupId: Uuid | null;
}

const selectTags = (eventId: Uuid, ids: readonly Uuid[]) =>
  sql`SELECT ${tagJson("t", rawSql("m.deleted_at IS NULL"))} AS item, t.deleted_at IS NULL AS isLive FROM event_tags t
    WHERE t.id IN ${sqlList(ids)} AND t.event_id = ${eventId}`;

const selectMedia = (eventId: Uuid, ids: readonly Uuid[]) =>
  sql`SELECT ${mediaItemJson("m")} AS item, ${metadataJson("li")} AS metadata, m.deleted_at IS NULL AS isLive, li.deleted_at IS NULL AS hasItem,
      m.deleted_at IS NOT NULL AND li.updated_at <= m.deleted_at AS isItemUnchanged,
      li.owner_id AS ownerId, li.group_id AS groupId
    FROM event_media m JOIN library_items li ON li.id = m.library_item_id WHERE m.id IN ${sqlList(ids)} AND m.event_id = ${eventId}`;

const latestSeq = (eventId: Uuid | Placeholder) =>
  sql`coalesce((SELECT max(seq) FROM event_changes WHERE event_id = ${eventId}), 0)`;

const itemsById = <T extends { readonly item: { readonly id: Uuid } }>(rows: readonly T[]) =>
  new Map(rows.map((row) => [row.item.id, row]));

const readTags = (rows: readonly TagRow[]) =>
  itemsById(
    rows.map(({ item, isLive }): StoredPart<EventTag> => ({ item: readTag(item), isLive: isLive === 1 })),
  );

const readMedia = (rows: readonly MediaItemRow[]) =>
  itemsById(
    rows.map(
      ({ item, metadata, isLive, hasItem, isItemUnchanged, ...rights }): StoredMediaItem => ({
        ...rights,
        item: readMediaItem(item, metadata),
        isLive: isLive === 1,
        hasItem: hasItem === 1,
        isItemUnchanged: isItemUnchanged === 1,
      }),
    ),
  );

/** Collects the ids to which commands refer. */
function referencedBy(commands: readonly WriteCommand[]) {
  const tags = new Set<Uuid>();
  const media = new Set<Uuid>();
  const images = new Set<Uuid>();
  for (const command of commands) {
    if (command.op === "move_tags") for (const id of command.ids) tags.add(id);
    else if (command.op === "update_scene") {
      for (const { tagId } of command.values.tour ?? []) if (tagId !== null) tags.add(tagId);
      if (command.values.plan) images.add(command.values.plan.mediaId);
    } else if ("type" in command) (command.type === "tag" ? tags : media).add(command.id);
    else if (command.op === "create_tag" || command.op === "update_tag") {
      tags.add(command.id);
      for (const id of command.values.mediaIds ?? []) media.add(id);
    } else media.add(command.id);
  }
  return { tags: [...tags], media: [...media, ...images] };
}

function toChangeRow(row: {
  readonly seq: number;
  readonly at: string;
  readonly callId: string;
  readonly actorId: string | null;
  readonly actor: string | null;
  readonly itemType: ChangeType;
  readonly itemId: string;
  readonly after: string | null;
  readonly metadata: string | null;
}): ChangeRow {
  const { actor, after, metadata, ...change } = row;
  return {
    ...change,
    actor: actor === null ? null : JSON.parse(actor),
    after: readAfter(row, after, metadata),
  };
}

function readAfter(
  { itemType }: { readonly itemType: ChangeType },
  after: string | null,
  metadata: string | null,
): ChangeRow["after"] {
  if (after === null) return null;
  if (itemType === "event") return readFields(after);
  // A media item whose library item is in the trash is not shown.
  if (itemType === "media") return metadata === null ? null : readMediaItem(after, metadata);
  // Older entries of a scene lack newer fields, which reading adds.
  if (itemType === "scene") return readScene(after);
  return itemType === "order" ? readOrder(after) : JSON.parse(after);
}

/** Media of an event whose library items are in the library's trash. */
const selectTrashed = (db: Db, eventId: Uuid | Placeholder) =>
  db
    .select({
      id: eventMedia.id,
      libraryItemId: eventMedia.libraryItemId,
      kind: libraryItems.kind,
      title: { ja: eventMedia.titleJa, en: eventMedia.titleEn },
      tagIds: sql<Uuid[]>`(SELECT json_group_array(t.id) FROM tag_media m JOIN event_tags t ON t.id = m.tag_id
        WHERE m.media_id = ${eventMedia.id} AND t.deleted_at IS NULL)`
        .mapWith((value: string) => JSON.parse(value))
        .as("tag_ids"),
    })
    .from(eventMedia)
    .innerJoin(
      libraryItems,
      and(eq(libraryItems.id, eventMedia.libraryItemId), isNotNull(libraryItems.deletedAt)),
    )
    .where(and(eq(eventMedia.eventId, eventId), isNull(eventMedia.deletedAt)))
    .orderBy(asc(eventMedia.createdOn), asc(eventMedia.id));

/** The query for the scene of an event. */
export const sceneRow = (db: Db, eventId: Uuid | Placeholder) =>
  db
    .select({ scene: sql<EventScene>`${selectScene(eventId)}`.mapWith(readScene).as("scene") })
    .from(sql`(SELECT 1)`);

/** Tags, media and scenes of events, and their changes. */
export function contentRepository(db: Db) {
  const eventId = sql.placeholder("id");
  const parts = () => eventParts(db, eventId);
  type EventKey = { readonly id: Uuid };
  const readEvent = prepareRead<EventKey, Event>(db, () => parts().event);
  const readSpace = prepareRead<EventKey, Space>(db, () => parts().space);
  const readEventTags = prepareRead<EventKey, EventTag>(db, () => parts().tags);
  const readEventMedia = prepareRead(db, () => parts().media);
  const readSceneRow = prepareRead<EventKey, { readonly scene: EventScene }>(db, () => sceneRow(db, eventId));
  const readLatestSeq = prepareRead<EventKey, { readonly seq: number }>(db, () =>
    db.select({ seq: sql<number>`${latestSeq(eventId)}`.as("latest_seq") }).from(sql`(SELECT 1)`),
  );
  const readTrashed = prepareRead<EventKey, TrashedMediaItem>(db, () => selectTrashed(db, eventId));
  return {
    /** Reads the event, its scene, and the items of these ids; null when the event does not exist. */
    async find(eventId: Uuid, ids: ReferencedIds): Promise<ReferencedContent | null> {
      const parts = eventParts(db, eventId);
      const itemIds = sqlList(ids.items);
      const [[event, space, items], [tags, media, scene = []]] = await Promise.all([
        run(
          db.batch([
            parts.event,
            parts.space,
            db
              .select(libraryColumns)
              .from(libraryItems)
              .where(and(sql`${libraryItems.id} IN ${itemIds}`, rawSql("deleted_at IS NULL"))),
          ]),
        ),
        runTogether(db, [
          selectTags(eventId, ids.tags),
          selectMedia(eventId, ids.media),
          sql`SELECT ${selectScene(eventId)} AS scene`,
        ]),
      ]);
      if (!event[0] || !space[0]) return null;
      return {
        event: event[0],
        space: space[0],
        items: new Map(items.map((item) => [item.id, item])),
        tags: readTags(tags as readonly TagRow[]),
        media: readMedia(media as readonly MediaItemRow[]),
        scene: readScene((scene[0] as { scene: string }).scene),
      };
    },

    /**
     * Reads all content of an event: tags in their order, media by createdOn (those whose library item is in the trash separately), and the sequence
     * number of the latest change. Null when the event does not exist.
     */
    async load(eventId: Uuid): Promise<{
      readonly event: Event;
      readonly space: Space;
      readonly tags: readonly EventTag[];
      readonly media: readonly EventMedia[];
      readonly trashed: readonly TrashedMediaItem[];
      readonly scene: EventScene;
      readonly seq: number;
    } | null> {
      const eventKey = { id: eventId };
      const [event, space, tags, media, scenes, seqs, trashed] = await Promise.all([
        readEvent(eventKey),
        readSpace(eventKey),
        readEventTags(eventKey),
        readEventMedia(eventKey),
        readSceneRow(eventKey),
        readLatestSeq(eventKey),
        readTrashed(eventKey),
      ]);
      const scene = first(scenes)?.scene;
      if (!event[0] || !space[0] || !scene) return null;
      return {
        event: event[0],
        space: space[0],
        tags: withVisibleMedia(tags, media),
        media: media.map(withoutFile),
        trashed,
        scene,
        seq: first(seqs)?.seq ?? 0,
      };
    },

    /**
     * Executes commands in one batch and in their order, each completely or not at all: the statement that writes a command's change contains its
     * guards, and all later statements depend on that change.
     */
    async writeContent(write: ContentWrite): Promise<WrittenContent> {
      const { id, eventId, entry, entrySince } = write;
      const referencedIds = referencedBy(write.commands.map(({ command }) => command));
      const isNewEntry =
        entrySince === null
          ? sql`1`
          : sql`NOT EXISTS (SELECT 1 FROM audit a WHERE a.resource_type = ${entry.resourceType} AND a.resource_id = ${entry.resourceId}
            AND a.at > ${entrySince} AND a.actor_id = ${entry.actorId} AND a.action = ${entry.action} AND a.credential IS ${entry.credential ?? null})`;
      const steps = contentSteps(write);
      const results = await runTogether(db, [
        ...steps,
        sql`${insertAuditEntries([entry])} WHERE EXISTS (SELECT 1 FROM event_changes WHERE act = ${id}) AND ${isNewEntry}`,
        sql`SELECT part FROM event_changes WHERE act = ${id}`,
        selectTags(eventId, referencedIds.tags),
        selectMedia(eventId, referencedIds.media),
        sql`SELECT ${selectScene(eventId)} AS scene, ${isEditable(write)} AS isEditable, ${latestSeq(eventId)} AS seq,
          ${hasContentRoom(sql`${write.space.ownerId}`, sql`${JSON.stringify(write.commands).length}`)} AS hasBytes,
          (SELECT count(*) FROM event_tags WHERE event_id = ${eventId} AND deleted_at IS NULL) AS tags,
          (SELECT count(*) FROM event_media WHERE event_id = ${eventId} AND deleted_at IS NULL) AS media,
          ${selectTagOrder(eventId)} AS tagOrder`,
      ]);
      const [done = [], tags = [], media = [], stateRows = []] = results.slice(steps.length + 1);
      const contentParts: ContentParts & { readonly media: ReadonlyMap<Uuid, StoredMediaItem> } = {
        tags: readTags(tags as readonly TagRow[]),
        media: readMedia(media as readonly MediaItemRow[]),
        scene: readScene((stateRows[0] as { scene: string }).scene),
      };
      const stateRow = stateRows[0] as {
        isEditable: number;
        seq: number;
        tags: number;
        media: number;
        tagOrder: string;
        hasBytes: number;
      };
      const images = [...contentParts.media.values()].filter(({ item }) => item.kind === "image");
      return {
        ...contentParts,
        isEditable: stateRow.isEditable === 1,
        done: new Set((done as readonly { part: number }[]).map(({ part }) => part)),
        order: readOrder(stateRow.tagOrder),
        count: { tag: stateRow.tags, media: stateRow.media },
        hasRoom: stateRow.hasBytes === 1,
        known: {
          tags: new Set(contentParts.tags.keys()),
          media: new Set(contentParts.media.keys()),
          images: new Set(images.map(({ item }) => item.id)),
        },
        seq: stateRow.seq,
      };
    },

    /** Ids of an event's tags or media that the given calls deleted, in the order of deletion. */
    async listDeletedBy(eventId: Uuid, type: PartType, callIds: readonly Uuid[]): Promise<readonly Uuid[]> {
      const rows = await run(
        db.all<{
          id: Uuid;
        }>(sql`SELECT DISTINCT item_id AS id FROM event_changes WHERE act IN ${sqlList(callIds)}
          AND event_id = ${eventId} AND item_type = ${type} AND after IS NULL ORDER BY seq`),
      );
      return rows.map(({ id }) => id);
    },

    /** Returns the event of a tag or media item that is not in the trash, and the item's version; null when there is none. */
    async findEventOfPart(
      type: PartType,
      id: Uuid,
    ): Promise<{ readonly eventId: Uuid; readonly version: number } | null> {
      const table = type === "tag" ? eventTags : eventMedia;
      return first(
        await run(
          db
            .select({ eventId: table.eventId, version: table.version })
            .from(table)
            .where(and(eq(table.id, id), rawSql(LIVE))),
        ),
      );
    },

    /**
     * Reads changes after a sequence number, oldest first: at most `count` of them and `bytes` in total, but at least one. `more` states whether
     * others follow.
     */
    async changesAfter(
      eventId: Uuid,
      after: number,
      { count, bytes }: { readonly count: number; readonly bytes: number },
    ): Promise<{ readonly changes: readonly ChangeRow[]; readonly more: boolean }> {
      // Sizes decide how many changes fit, so that their bodies need not be read. The sizes are those of the stored records,
      // not of the returned ones.
      const rows = await run(
        db.all<Parameters<typeof toChangeRow>[0] & { readonly last: number }>(sql`
          WITH next AS MATERIALIZED (SELECT seq, octet_length(after) AS size FROM event_changes
              WHERE event_id = ${eventId} AND seq > ${after} ORDER BY seq LIMIT ${count + 1}),
            fitting AS MATERIALIZED (SELECT seq FROM (SELECT seq, row_number() OVER (ORDER BY seq) AS number,
              sum(coalesce(size, 0)) OVER (ORDER BY seq) AS total FROM next) WHERE number = 1 OR (number <= ${count} AND total <= ${bytes}))
          SELECT c.seq AS seq, c.at AS at, c.act AS callId, c.actor_id AS actorId, c.item_type AS itemType, c.item_id AS itemId,
            (SELECT json_object('firstName', u.first_name, 'lastName', u.last_name, 'email', u.email)
              FROM users u WHERE u.id = c.actor_id) AS actor,
            iif(c.item_type = 'tag', ${withLiveMedia("c.after")}, c.after) AS after,
            iif(c.item_type = 'media', (SELECT ${metadataJson("li")} FROM library_items li
              WHERE li.id = c.after ->> '$.libraryItemId' AND li.deleted_at IS NULL), NULL) AS metadata,
            (SELECT max(seq) FROM next) AS last
          FROM fitting CROSS JOIN event_changes c ON c.seq = fitting.seq ORDER BY c.seq`),
      );
      const hasMore = rows.length > 0 && rows.at(-1)?.seq !== rows[0]?.last;
      return { changes: rows.map(({ last: _last, ...row }) => toChangeRow(row)), more: hasMore };
    },
  };
}
