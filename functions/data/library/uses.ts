/** Uses of library files: events show them, spaces have them as source or as thumbnail. */
import { type SQL, sql } from "drizzle-orm";
import type {
  EventUse,
  ItemUses,
  SpaceUse,
  UsedItems,
  UseReader,
} from "#functions/services/library/item-uses-ports";
import { LIVE } from "../schema";
import { eventNameJson, parseName, parseTexts } from "../shared/columns";
import { type Db, first, rawSql, runTogether, sqlList } from "../shared/db";

/** Maximum number of events, and of spaces, that are listed for one item. */
const LISTED_MAX = 50;
/** Maximum number of events, and of spaces, that are counted; there may be more. */
const COUNTED_MAX = 1000;
/** Maximum number of tags that are listed for one event. */
const TAGS_MAX = 20;

const sourceCondition = (
  spaceCondition: string,
) => `EXISTS (SELECT 1 FROM space_files f JOIN spaces s ON s.id = f.space_id
  WHERE f.library_item_id = library_items.id${spaceCondition} AND instr(s.source, library_items.id) > 0)`;

/** Condition for an item: it is the source of a space, which may be in the trash. A thumbnail is not a source. */
export const IS_SOURCE = sourceCondition("");
/** Condition for an item: it is the source of a space that is not in the trash, which must be deleted first. */
export const IS_LIVE_SOURCE = sourceCondition(" AND s.deleted_at IS NULL");

/** Condition: a reader may see a space, and therefore its events. Null as reader: all spaces are visible. */
const isVisibleTo = (reader: UseReader | null) =>
  reader === null
    ? sql`1`
    : sql`(s.owner_id = ${reader.userId} OR s.group_id IN ${sqlList(reader.groupIds)})`;

/** SQL of the events and spaces that use items. Events, spaces and events' media in the trash do not count. */
function selectUses(items: SQL) {
  const upTo = rawSql(String(COUNTED_MAX));
  const eventIds = sql`(SELECT DISTINCT event_id FROM event_media WHERE library_item_id IN ${items}
    AND deleted_at IS NULL LIMIT ${upTo})`;
  const spaceIds = sql`(SELECT DISTINCT space_id FROM space_files WHERE library_item_id IN ${items} LIMIT ${upTo})`;
  return {
    events: sql`events e JOIN spaces s ON s.id = e.space_id WHERE e.id IN ${eventIds}
      AND e.deleted_at IS NULL AND s.deleted_at IS NULL`,
    spaces: sql`spaces s WHERE s.id IN ${spaceIds} AND s.deleted_at IS NULL`,
  };
}

/** SQL of the number of uses, and of the number of those that a reader may see. */
const countUses = (items: SQL, reader: UseReader | null) => {
  const { events, spaces } = selectUses(items);
  return sql`SELECT count(*) AS total, coalesce(sum(isVisible), 0) AS visibleCount FROM
    (SELECT ${isVisibleTo(reader)} AS isVisible FROM ${events} UNION ALL SELECT ${isVisibleTo(reader)} AS isVisible FROM ${spaces})`;
};

interface UseCounts {
  readonly total: number;
  readonly visibleCount: number;
}

/** The uses of one item that the reader may see, in one round trip. */
export async function readUses(db: Db, id: string, reader: UseReader | null): Promise<ItemUses> {
  const items = sql`(${id})`;
  const { events, spaces } = selectUses(items);
  const [eventRows, spaceRows, counts] = await runTogether(db, [
    sql`SELECT e.id, ${rawSql(eventNameJson("e"))} AS name, s.name AS spaceName,
      (SELECT json_group_array(json_object('id', id, 'ja', title_ja, 'en', title_en)) FROM
        (SELECT DISTINCT t.id, t.title_ja, t.title_en FROM event_media m JOIN tag_media tm ON tm.media_id = m.id
          JOIN event_tags t ON t.id = tm.tag_id WHERE m.event_id = e.id AND m.library_item_id = ${id}
          AND m.deleted_at IS NULL AND t.deleted_at IS NULL ORDER BY t.sort_order, t.id LIMIT ${rawSql(String(TAGS_MAX))})) AS tags
      FROM ${events} AND ${isVisibleTo(reader)} ORDER BY e.created_at DESC, e.id DESC LIMIT ${rawSql(String(LISTED_MAX))}`,
    sql`SELECT s.id, s.name, instr(s.source, ${id}) > 0 AS isSource, coalesce(s.poster_media_id = ${id}, 0) AS isThumbnail
      FROM ${spaces} AND ${isVisibleTo(reader)} ORDER BY s.created_at DESC, s.id DESC LIMIT ${rawSql(String(LISTED_MAX))}`,
    countUses(items, reader),
  ]);
  const { total, visibleCount } = first<unknown>(counts ?? []) as UseCounts;
  const namedCount = (eventRows?.length ?? 0) + (spaceRows?.length ?? 0);
  return {
    events: (
      (eventRows ?? []) as readonly (Omit<EventUse, "tags" | "name"> & {
        readonly name: string;
        readonly tags: string;
      })[]
    ).map(({ name, tags, ...event }) => ({
      ...event,
      name: parseTexts(name),
      tags: (JSON.parse(tags) as { id: string; ja: string; en: string }[]).map(({ id: tagId, ja, en }) => ({
        id: tagId,
        title: { ja, en },
      })),
    })),
    spaces: (
      (spaceRows ?? []) as readonly (Pick<SpaceUse, "id" | "name"> &
        Record<"isSource" | "isThumbnail", number>)[]
    ).map(({ isSource, isThumbnail, ...space }) => ({
      ...space,
      isSource: isSource === 1,
      isThumbnail: isThumbnail === 1,
    })),
    unnamedCount: visibleCount - namedCount,
    hiddenCount: total - visibleCount,
  };
}

/** Maximum number of names of events and spaces that a deletion dialog lists. */
const NAMES_MAX = 6;

/**
 * The number of used items among the given ones, and the events and spaces that use them, in one round trip.
 * @param within SELECT id FROM …: folders whose contents are included, at any depth
 */
export async function readUsedItems(
  db: Db,
  { items, within, reader }: { items: readonly string[]; within: SQL; reader: UseReader | null },
): Promise<UsedItems> {
  const ids = sql`(SELECT id FROM library_items WHERE id IN ${sqlList(items)} AND ${rawSql(LIVE)}
    UNION SELECT id FROM library_items WHERE folder_id IN (${within}) AND ${rawSql(LIVE)})`;
  const { events, spaces } = selectUses(ids);
  const limit = rawSql(String(NAMES_MAX));
  const isUsed = sql`(EXISTS (SELECT 1 FROM event_media m JOIN events e ON e.id = m.event_id JOIN spaces s ON s.id = e.space_id
      WHERE m.library_item_id = library_items.id AND m.deleted_at IS NULL AND e.deleted_at IS NULL AND s.deleted_at IS NULL)
    OR EXISTS (SELECT 1 FROM space_files f JOIN spaces s ON s.id = f.space_id
      WHERE f.library_item_id = library_items.id AND s.deleted_at IS NULL))`;
  const [usedRows, names, counts] = await runTogether(db, [
    sql`SELECT count(*) AS usedCount, coalesce(sum(${rawSql(IS_LIVE_SOURCE)}), 0) AS sourceCount FROM library_items
      WHERE id IN ${ids} AND ${isUsed}`,
    sql`SELECT * FROM (SELECT ${rawSql(eventNameJson("e"))} AS name FROM ${events} AND ${isVisibleTo(reader)} ORDER BY e.created_at DESC, e.id DESC LIMIT ${limit})
      UNION ALL SELECT * FROM (SELECT json_quote(s.name) FROM ${spaces} AND ${isVisibleTo(reader)} ORDER BY s.created_at DESC, s.id DESC LIMIT ${limit})
      LIMIT ${limit}`,
    countUses(ids, reader),
  ]);
  const { total } = first<unknown>(counts ?? []) as UseCounts;
  const rows = (names ?? []) as readonly { readonly name: string }[];
  return {
    ...(first<unknown>(usedRows ?? []) as Pick<UsedItems, "usedCount" | "sourceCount">),
    names: rows.map(({ name }) => parseName(name)),
    unnamedCount: total - rows.length,
  };
}
