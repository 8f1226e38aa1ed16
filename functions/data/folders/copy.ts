/**
 * Copies of folders, spaces and events. The originals are read first. The copy is written, as lists of rows with their new ids, on condition
 * that the originals have not changed.
 */

import { type SQL, sql } from "drizzle-orm";
import type {
  CollidingNamesQuery,
  Copy,
  CopyOutcome,
  CopyPlan,
  CopySource,
} from "#functions/services/folders/copy-ports";
import type { AuditEntry } from "#functions/services/shared/ports";
import type { SharedFrame } from "~/domain/content/shared-frame";
import { DEFAULT_STEM } from "~/domain/content/tag-defaults";
import { EVENTS_PER_SPACE_MAX, FOLDER_DEPTH_MAX, FOLDERS_MAX } from "~/domain/shared/limits";
import type { Folder, Localized, Space, Uuid } from "~/domain/shared/model";
import { nameKey } from "~/domain/shared/text";
import { TAG_COLUMN_NAMES } from "../content/tag-columns";
import { EVENT_NAME_INDEX, NAME_COLUMNS, nameRow } from "../events/event-names";
import { GREATEST, LIVE } from "../schema";
import { type Db, isTaken, rawSql, run, runTogether, sqlList } from "../shared/db";
import { insertAuditEntries } from "../users/audit-entries";
import { hasContentRoom, hasEventRoom, hasSpaceEventRoom } from "../users/owner-limits";
import { selectDepth, selectFolderCount } from "./tree";

/** Condition: an item is not in the trash, and the reader sees it. */
const isVisible = (name: string, { groupIds }: CopySource): SQL =>
  groupIds === null
    ? rawSql(`${name}.deleted_at IS NULL`)
    : sql`${rawSql(name)}.deleted_at IS NULL AND ${rawSql(name)}.group_id IN ${sqlList(groupIds)}`;

/** Returns the statements that read an item and its visible contents, at most `limit` rows of each table. */
function readStatements(source: CopySource, limit: SQL): SQL[] {
  const { kind, id } = source;
  const tree = sql`WITH RECURSIVE tree(id, depth) AS (
    SELECT id, 0 FROM folders WHERE id = ${id} AND parent_id IS NOT NULL AND deleted_at IS NULL
    UNION SELECT f.id, tree.depth + 1 FROM folders f JOIN tree ON f.parent_id = tree.id WHERE ${isVisible("f", source)} LIMIT ${limit})`;
  const withTree = kind === "folder" ? tree : sql``;
  const spaces =
    kind === "folder"
      ? sql`SELECT s.id FROM spaces s WHERE s.folder_id IN (SELECT id FROM tree) AND ${isVisible("s", source)}`
      : sql`SELECT s.id FROM spaces s WHERE s.id = ${id} AND s.deleted_at IS NULL`;
  const events =
    kind === "event"
      ? sql`SELECT e.id FROM events e JOIN spaces s ON s.id = e.space_id WHERE e.id = ${id} AND e.deleted_at IS NULL AND s.deleted_at IS NULL`
      : sql`SELECT e.id FROM events e WHERE e.space_id IN (${spaces}) AND e.deleted_at IS NULL`;
  const selectParts = (table: SQL) =>
    sql`${withTree} SELECT id, event_id AS eventId FROM ${table} WHERE event_id IN (${events}) AND deleted_at IS NULL LIMIT ${limit}`;
  return [
    ...(kind === "folder"
      ? [
          sql`${tree} SELECT folders.id, parent_id AS parentId, version FROM tree JOIN folders ON folders.id = tree.id
            ORDER BY tree.depth, folders.id LIMIT ${limit}`,
        ]
      : []),
    ...(kind === "event"
      ? []
      : [
          sql`${withTree} SELECT id, folder_id AS folderId, version, sid, source ->> 'kind' = 'showcase' AS isShowcase FROM spaces
            WHERE id IN (${spaces}) LIMIT ${limit}`,
        ]),
    sql`${withTree} SELECT id, space_id AS spaceId, revision FROM events WHERE id IN (${events}) ORDER BY created_at, id LIMIT ${limit}`,
    selectParts(rawSql("event_tags")),
    selectParts(rawSql("event_media")),
    sql`${withTree} SELECT tag_id AS tagId, media_id AS mediaId, tag_media.sort_order AS sortOrder FROM event_tags
      JOIN tag_media ON tag_media.tag_id = event_tags.id
      WHERE event_tags.event_id IN (${events}) AND event_tags.deleted_at IS NULL LIMIT ${limit}`,
    sql`${withTree} SELECT event_id AS eventId, start_view AS startView, tour, plan, products FROM event_scenes
      WHERE event_id IN (${events}) LIMIT ${limit}`,
  ];
}

/** Maximum number of existing names that are read. */
const NAMES_MAX = 5000;

/** The keys of names in a folder, or of events in a space, that begin with one of the prefixes. */
function selectNames({ kind, containerId, prefixes }: CollidingNamesQuery): SQL {
  const limit = rawSql(String(NAMES_MAX));
  const beginsWithPrefix = (key: SQL) =>
    sql`(${sql.join(
      prefixes.map((prefix) => sql`${key} >= ${prefix} AND ${key} < ${`${prefix}${GREATEST}`}`),
      sql` OR `,
    )})`;
  if (kind === "event")
    return sql`SELECT name_key AS key FROM event_names WHERE space_id = ${containerId} AND ${beginsWithPrefix(rawSql("name_key"))} LIMIT ${limit}`;
  const [table, parent] = kind === "folder" ? ["folders", "parent_id"] : ["spaces", "folder_id"];
  return sql`SELECT search_key AS key FROM ${rawSql(table)} WHERE ${rawSql(parent)} = ${containerId} AND ${rawSql(LIVE)}
    AND ${beginsWithPrefix(rawSql("search_key"))} LIMIT ${limit}`;
}

const listKeys = (rows: readonly unknown[] | undefined) =>
  ((rows ?? []) as readonly { readonly key: string }[]).map(({ key }) => key);

/** A list of rows as one parameter. Each row is a list. */
const jsonRows = (list: readonly (readonly unknown[])[]): SQL => sql`json_each(${JSON.stringify(list)})`;
const jsonColumn = (column: number): SQL => rawSql(`json_each.value ->> ${column}`);

/** Creates the lists of a copy as parameters of statements. */
const createLists = (copy: Copy) => ({
  folders: jsonRows(copy.folders.map(({ from, id, parentId, version }) => [from, id, parentId, version])),
  spaces: jsonRows(
    copy.spaces.map(({ from, id, folderId, version, sid }) => [from, id, folderId, version, sid]),
  ),
  events: jsonRows(
    copy.events.map((event) => [
      ...[event.from, event.id, event.spaceId, event.revision],
      ...[event.accessToken, event.previewAccessToken, event.createdAt],
    ]),
  ),
  tags: jsonRows(copy.tags.map(({ from, id, eventId }) => [from, id, eventId])),
  media: jsonRows(copy.media.map(({ from, id, eventId }) => [from, id, eventId])),
  tagMedia: jsonRows(copy.tagMedia.map(({ tagId, mediaId, sortOrder }) => [tagId, mediaId, sortOrder])),
});
type CopyLists = ReturnType<typeof createLists>;

/** Maximum characters of the tours and products of one statement's scenes: D1 accepts 2 MB for a parameter, and a character may have four bytes. */
const SCENES_CHARACTERS_MAX = 300_000;

/** Splits the scenes of a copy into lists that fit into one statement. */
function sceneLists({ scenes }: Copy): SQL[] {
  const lists: (readonly unknown[])[][] = [];
  let size = SCENES_CHARACTERS_MAX;
  for (const { eventId, startView, tour, plan, products } of scenes) {
    const length = JSON.stringify([tour, products]).length;
    const row = [eventId, startView, tour, plan, products];
    if (size + length > SCENES_CHARACTERS_MAX) {
      lists.push([row]);
      size = length;
    } else {
      lists.at(-1)?.push(row);
      size += length;
    }
  }
  return lists.map(jsonRows);
}

/** Condition: the original is unchanged since it was read, with nothing deleted or added. */
function createUnchangedCondition(source: CopySource, copy: Copy, lists: CopyLists): SQL {
  const isSameList = (table: string, list: SQL, version: string, size: number) =>
    sql`(SELECT count(*) FROM ${list} CROSS JOIN ${rawSql(table)} x ON x.id = ${jsonColumn(0)} WHERE x.deleted_at IS NULL
      AND x.${rawSql(version)} = ${jsonColumn(3)}) = ${size}`;
  const hasSameContents = (table: string, parent: string, list: SQL, condition: SQL, size: number) =>
    sql`(SELECT count(*) FROM ${rawSql(table)} x WHERE x.${rawSql(parent)} IN (SELECT ${jsonColumn(0)} FROM ${list}) AND ${condition}) = ${size}`;
  const { folders, spaces, events } = copy;
  return sql.join(
    [
      isSameList("events", lists.events, "revision", events.length),
      ...(source.kind === "event"
        ? []
        : [
            isSameList("spaces", lists.spaces, "version", spaces.length),
            hasSameContents(
              "events",
              "space_id",
              lists.spaces,
              rawSql("x.deleted_at IS NULL"),
              events.length,
            ),
          ]),
      ...(source.kind === "folder"
        ? [
            isSameList("folders", lists.folders, "version", folders.length),
            hasSameContents(
              "folders",
              "parent_id",
              lists.folders,
              isVisible("x", source),
              folders.length - 1,
            ),
            hasSameContents("spaces", "folder_id", lists.folders, isVisible("x", source), spaces.length),
          ]
        : []),
    ],
    sql` AND `,
  );
}

/** Conditions: the owner has room for the events of a copy and for their content, estimated too high, by the originals with their histories. */
const createRoomConditions = (ownerId: SQL, copy: Copy, lists: CopyLists) => ({
  hasContent: hasContentRoom(
    ownerId,
    sql`(SELECT coalesce(sum(x.content_bytes), 0) FROM ${lists.events} CROSS JOIN events x ON x.id = ${jsonColumn(0)})`,
  ),
  hasEvents: hasEventRoom(ownerId, copy.events.length),
});

/** Whether no space of a copy exceeds the limit of events. Spaces that were filled before the limit existed may exceed it. */
function fitsEventLimit({ events }: Copy): boolean {
  const countBySpace = new Map<string, number>();
  for (const { spaceId } of events) countBySpace.set(spaceId, (countBySpace.get(spaceId) ?? 0) + 1);
  return Math.max(0, ...countBySpace.values()) <= EVENTS_PER_SPACE_MAX;
}

/**
 * Returns the statements that write events with their tags, media and scenes if `where` holds.
 * @param frame the coordinates that the spaces of the original and the copy share; null if positions cannot be copied
 */
function writeEvents(
  copy: Copy,
  lists: CopyLists,
  where: SQL,
  name: Localized | null,
  frame: SharedFrame | null,
): SQL[] {
  const { at: now } = copy;
  const isWritten = rawSql("EXISTS (SELECT 1 FROM events made WHERE made.id = json_each.value ->> 2)");
  // With a past date, the clock would publish or archive the copy immediately.
  const futureDate = (column: string) => sql`iif(e.${rawSql(column)} > ${now}, e.${rawSql(column)}, NULL)`;
  const positionColumn = (column: string) => rawSql(frame === null ? "NULL" : `x.${column}`);
  const stem = frame === null ? sql`${JSON.stringify(DEFAULT_STEM)}` : rawSql("x.stem");
  const viewpoint =
    frame?.nodes == null
      ? positionColumn("viewpoint")
      : sql`iif(x.viewpoint ->> '$.nodeId' IS NULL OR x.viewpoint ->> '$.nodeId' IN ${sqlList(frame.nodes)}, x.viewpoint, NULL)`;
  const placementColumns: Readonly<Record<string, SQL>> = {
    position: positionColumn("position"),
    stem,
    viewpoint,
  };
  const copiedColumn = (column: string) => placementColumns[column] ?? rawSql(`x.${column}`);
  const nameValues =
    name === null
      ? NAME_COLUMNS.map((column) => rawSql(`e.${column}`))
      : nameRow(name).map((value) => sql`${value}`);
  return [
    sql`INSERT INTO events (id, space_id, ${rawSql(NAME_COLUMNS.join(", "))}, start_date, end_date, status_id, enable_auto_change_status,
        access_token, preview_access_token, sp_access_token, sp_store_url, detail_ja, detail_en, url_params, publish_password_hash, show_before_password, created_at, updated_at)
      SELECT ${jsonColumn(1)}, ${jsonColumn(2)}, ${sql.join(nameValues, rawSql(", "))}, ${futureDate("start_date")}, ${futureDate("end_date")}, 1, e.enable_auto_change_status,
        ${jsonColumn(4)}, ${jsonColumn(5)}, e.sp_access_token, e.sp_store_url, e.detail_ja, e.detail_en, e.url_params, e.publish_password_hash, e.show_before_password, ${jsonColumn(6)}, ${now}
      FROM ${lists.events} CROSS JOIN events e ON e.id = ${jsonColumn(0)} WHERE ${where}`,
    sql`INSERT INTO event_tags (id, event_id, ${rawSql(TAG_COLUMN_NAMES.join(", "))}, sort_order, created_at, updated_at)
      SELECT ${jsonColumn(1)}, ${jsonColumn(2)}, ${sql.join(TAG_COLUMN_NAMES.map(copiedColumn), rawSql(", "))}, x.sort_order, ${now}, ${now}
      FROM ${lists.tags} CROSS JOIN event_tags x ON x.id = ${jsonColumn(0)} WHERE x.deleted_at IS NULL AND ${isWritten}`,
    // Media are sorted by created_on (specification §3), which is copied, so that they keep their order.
    sql`INSERT INTO event_media (id, event_id, library_item_id, title_ja, title_en, description_ja, description_en, placement, created_on, updated_at, hidden)
      SELECT ${jsonColumn(1)}, ${jsonColumn(2)}, x.library_item_id, x.title_ja, x.title_en, x.description_ja, x.description_en, ${positionColumn("placement")},
        x.created_on, ${now}, x.hidden
      FROM ${lists.media} CROSS JOIN event_media x ON x.id = ${jsonColumn(0)} WHERE x.deleted_at IS NULL AND ${isWritten}`,
    sql`INSERT INTO tag_media (tag_id, media_id, sort_order) SELECT ${jsonColumn(0)}, ${jsonColumn(1)}, ${jsonColumn(2)} FROM ${lists.tagMedia}
      WHERE EXISTS (SELECT 1 FROM event_tags made WHERE made.id = ${jsonColumn(0)}) AND EXISTS (SELECT 1 FROM event_media made WHERE made.id = ${jsonColumn(1)})`,
    ...sceneLists(copy).map(
      (list) => sql`INSERT INTO event_scenes (event_id, start_view, tour, plan, products, updated_at)
        SELECT ${jsonColumn(0)}, ${jsonColumn(1)}, ${jsonColumn(2)}, ${jsonColumn(3)}, ${jsonColumn(4)}, ${now} FROM ${list}
        WHERE EXISTS (SELECT 1 FROM events made WHERE made.id = ${jsonColumn(0)})`,
    ),
  ];
}

/** Returns the statement that writes the entries if the copy was written. */
const writeEntries = (entries: readonly AuditEntry[], where: SQL) =>
  sql`${insertAuditEntries(entries)} WHERE ${where}`;

const isTrue = (results: readonly (readonly unknown[])[], name: string) =>
  (results[0]?.[0] as Record<string, number> | undefined)?.[name] === 1;

/** Copies folders, spaces and events. */
export function copyRepository(db: Db) {
  return {
    /**
     * Reads all records for a copy of the source, and the names that the copy must not have, in one round trip. Null when the source does not exist,
     * "too_large" when it has more than `max` records.
     */
    async plan(
      source: CopySource,
      max: number,
      names: CollidingNamesQuery | null,
    ): Promise<CopyPlan | "too_large" | null> {
      const statements = readStatements(source, rawSql(String(max + 1)));
      const results = [...(await runTogether(db, names ? [...statements, selectNames(names)] : statements))];
      const takeRows = <Name extends keyof CopyPlan>(wasRead: boolean) =>
        (wasRead ? (results.shift() ?? []) : []) as unknown as CopyPlan[Name];
      const folders = takeRows<"folders">(source.kind === "folder");
      const spaces = takeRows<"spaces">(source.kind !== "event").map((space) => ({
        ...space,
        isShowcase: Boolean(space.isShowcase),
      }));
      const plan: Omit<CopyPlan, "namesInUse"> = {
        folders,
        spaces,
        events: takeRows<"events">(true),
        tags: takeRows<"tags">(true),
        media: takeRows<"media">(true),
        tagMedia: takeRows<"tagMedia">(true),
        scenes: (results.shift() ?? []).map((row) => {
          const { eventId = "", startView, tour, plan, products } = row as Readonly<Record<string, string>>;
          const parse = (text: string | undefined) => JSON.parse(text ?? "null");
          return {
            eventId,
            startView: parse(startView),
            tour: parse(tour),
            plan: parse(plan),
            products: parse(products),
          };
        }),
      };
      const rootRows = { folder: folders, space: spaces, event: plan.events }[source.kind];
      if (rootRows.length === 0) return null;
      const size = Object.values(plan).reduce((sum, list) => sum + list.length, 0);
      return size > max ? "too_large" : { ...plan, namesInUse: listKeys(results.shift()) };
    },

    /** Owner and group of the library files that an event shows, each pair once. */
    async listFileOwners(
      eventId: Uuid,
    ): Promise<readonly { readonly ownerId: Uuid; readonly groupId: Uuid | null }[]> {
      return run(
        db.all<{ ownerId: string; groupId: string | null }>(
          sql`SELECT DISTINCT li.owner_id AS ownerId, li.group_id AS groupId FROM event_media x
            JOIN library_items li ON li.id = x.library_item_id WHERE x.event_id = ${eventId} AND x.deleted_at IS NULL`,
        ),
      );
    },

    /** Reads the existing names that a copy must not have, as nameKey returns them. */
    async listNames(names: CollidingNamesQuery): Promise<readonly string[]> {
      const [rows] = await runTogether(db, [selectNames(names)]);
      return listKeys(rows);
    },

    /**
     * Writes a copy of a folder or a space with its content, in one batch. Nothing is written when the original has changed, the target folder was
     * deleted, or a limit would be exceeded.
     * @param name the copy's name; its contents keep their names
     */
    async writeInto(source: CopySource, copy: Copy, target: Folder, name: string): Promise<CopyOutcome> {
      if (!fitsEventLimit(copy)) return "too_many_space_events";
      const lists = createLists(copy);
      const root = copy.folders[0] ?? copy.spaces[0];
      const { id: targetId, ownerId, groupId } = target;
      const spaceCount = copy.spaces.length;
      const hasTarget = sql`EXISTS (SELECT 1 FROM folders target WHERE target.id = ${targetId} AND target.owner_id = ${ownerId}
        AND target.folder_type = 'space' AND target.deleted_at IS NULL)`;
      const hasRoom = sql`EXISTS (SELECT 1 FROM users WHERE users.id = ${ownerId} AND ${rawSql(LIVE)}
        AND (${spaceCount} = 0 OR space_count + ${spaceCount} <= space_license))`;
      const isUnchanged = createUnchangedCondition(source, copy, lists);
      // A copied space adds no folders.
      const [isDepthAllowed, hasFolders] =
        copy.folders.length === 0
          ? [sql`1`, sql`1`]
          : [
              sql`${selectDepth(sql`${targetId}`)} + ${copy.height} <= ${FOLDER_DEPTH_MAX}`,
              sql`${selectFolderCount(target)} + ${copy.folders.length} <= ${FOLDERS_MAX}`,
            ];
      const { hasContent, hasEvents } = createRoomConditions(sql`${ownerId}`, copy, lists);
      const guard = sql`${hasTarget} AND ${hasRoom} AND ${hasContent} AND ${hasEvents} AND ${isDepthAllowed} AND ${hasFolders} AND ${isUnchanged}`;
      const rootTable = rawSql(source.kind === "folder" ? "folders" : "spaces");
      const isWritten = sql`EXISTS (SELECT 1 FROM ${rootTable} made WHERE made.id = ${root?.id ?? ""})`;
      /**
       * Returns the SQL of a copied column: `ownValue` for the item that was chosen for copying, the original's value for the items in it.
       */
      const copiedColumn = (kind: CopySource["kind"], column: SQL, ownValue: string) =>
        source.kind === kind ? sql`iif(x.id = ${source.id}, ${ownValue}, ${column})` : column;
      // For a copied folder, only the statement that writes the folders checks the guard; all others depend on it.
      const spaceGuard = source.kind === "space" ? guard : isWritten;
      const results = await runTogether(db, [
        sql`SELECT ${hasTarget} AS hasTarget, ${hasRoom} AS hasRoom, ${isDepthAllowed} AS isDepthAllowed, ${hasFolders} AS hasFolders,
          ${hasContent} AS hasContent, ${hasEvents} AS hasEvents`,
        ...(copy.folders.length === 0
          ? []
          : [
              sql`INSERT INTO folders (id, parent_id, owner_id, folder_type, name, group_id, created_at, updated_at, search_key)
                SELECT ${jsonColumn(1)}, ${jsonColumn(2)}, x.owner_id, x.folder_type, ${copiedColumn("folder", rawSql("x.name"), name)}, ${groupId}, ${copy.at}, ${copy.at},
                  ${copiedColumn("folder", rawSql("x.search_key"), nameKey(name))}
                FROM ${lists.folders} CROSS JOIN folders x ON x.id = ${jsonColumn(0)} WHERE ${guard}`,
            ]),
        sql`INSERT INTO spaces (id, folder_id, owner_id, group_id, name, search_key, sid, source, poster_media_id, created_at, updated_at)
          SELECT ${jsonColumn(1)}, ${jsonColumn(2)}, x.owner_id, ${groupId}, ${copiedColumn("space", rawSql("x.name"), name)},
            ${copiedColumn("space", rawSql("x.search_key"), nameKey(name))}, ${jsonColumn(4)}, x.source, x.poster_media_id, ${copy.at}, ${copy.at}
          FROM ${lists.spaces} CROSS JOIN spaces x ON x.id = ${jsonColumn(0)} WHERE ${spaceGuard}`,
        ...writeEvents(copy, lists, isWritten, null, { nodes: null }),
        writeEntries(copy.entries, isWritten),
        sql`SELECT ${isWritten} AS isWritten`,
      ]);
      if (isTrue([results.at(-1) ?? []], "isWritten")) return "copied";
      if (!isTrue(results, "hasTarget")) return "gone";
      if (!isTrue(results, "hasRoom")) return "space_license";
      if (!isTrue(results, "hasContent")) return "content_full";
      if (!isTrue(results, "hasEvents")) return "too_many_events";
      if (!isTrue(results, "isDepthAllowed")) return "too_deep";
      return isTrue(results, "hasFolders") ? "changed" : "too_many_folders";
    },

    /**
     * Writes a copy of an event into a space, in one batch, unless one of the two spaces has changed since `frame` was determined.
     * "name_taken": another event of the space has the name.
     * @param frame see writeEvents
     */
    async writeEvent(
      source: CopySource,
      copy: Copy,
      name: Localized,
      spaces: readonly Pick<Space, "id" | "version">[],
      frame: SharedFrame | null,
    ) {
      const lists = createLists(copy);
      const [event] = copy.events;
      const targetId = sql`${event?.spaceId ?? ""}`;
      const hasTarget = sql`EXISTS (SELECT 1 FROM spaces target WHERE target.id = ${targetId} AND target.deleted_at IS NULL)`;
      const ownerId = sql`(SELECT owner_id FROM spaces target WHERE target.id = ${targetId})`;
      const { hasContent, hasEvents } = createRoomConditions(ownerId, copy, lists);
      const hasSpaceEvents = hasSpaceEventRoom(targetId);
      const hasLimits = sql`${hasContent} AND ${hasEvents} AND ${hasSpaceEvents}`;
      const isUnchanged = createUnchangedCondition(source, copy, lists);
      const isWritten = sql`EXISTS (SELECT 1 FROM events made WHERE made.id = ${event?.id ?? ""})`;
      const areSpacesUnchanged = sql.join(
        spaces.map(
          ({ id, version }) =>
            sql`EXISTS (SELECT 1 FROM spaces x WHERE x.id = ${id} AND x.version = ${version})`,
        ),
        sql` AND `,
      );
      try {
        const results = await runTogether(db, [
          sql`SELECT ${hasTarget} AS hasTarget, ${hasContent} AS hasContent, ${hasEvents} AS hasEvents,
            ${hasSpaceEvents} AS hasSpaceEvents`,
          ...writeEvents(
            copy,
            lists,
            sql`${hasTarget} AND ${hasLimits} AND ${isUnchanged} AND ${areSpacesUnchanged}`,
            name,
            frame,
          ),
          writeEntries(copy.entries, isWritten),
          sql`SELECT ${isWritten} AS isWritten`,
        ]);
        if (isTrue([results.at(-1) ?? []], "isWritten")) return "copied";
        if (!isTrue(results, "hasTarget")) return "gone";
        if (!isTrue(results, "hasContent")) return "content_full";
        if (!isTrue(results, "hasEvents")) return "too_many_events";
        return isTrue(results, "hasSpaceEvents") ? "changed" : "too_many_space_events";
      } catch (error) {
        if (isTaken(error, EVENT_NAME_INDEX)) return "name_taken";
        throw error;
      }
    },
  };
}
