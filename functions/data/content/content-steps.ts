/**
 * The statements of commands that edit an event's content. The first statement of each step writes the changes of commands whose guards
 * hold; all later statements depend on these changes, so that a command is executed completely or not at all. Consecutive commands of one
 * kind share their statements, up to STEP_CHARACTERS_MAX.
 */

import { type SQL, sql } from "drizzle-orm";
import type { ContentWrite, WriteCommand } from "#functions/services/content/content-ports";
import type { ChangeType, PartType } from "~/domain/content/content";
import { TAG_FIELD_NAMES } from "~/domain/content/tag-fields";
import { EVENT_MEDIA_MAX, EVENT_TAGS_MAX } from "~/domain/shared/limits";
import type { Uuid } from "~/domain/shared/model";
import { rawSql } from "../shared/db";
import { hasContentRoom } from "../users/owner-limits";
import { mediaItemJson, sceneJson, selectScene, selectTagOrder, tagJson } from "./content-json";
import { tagFieldColumns } from "./tag-columns";

/** Maximum characters of the commands of one step: D1 accepts 2 MB for a parameter, and a character may have four bytes. */
const STEP_CHARACTERS_MAX = 300_000;

/** A command (one edit of a tag, a media item, the order or the scene) with its index in the call, which the column `part` of its change contains. */
interface IndexedCommand {
  readonly part: number;
  readonly command: WriteCommand;
}

const TABLE = { tag: "event_tags", media: "event_media" } as const satisfies Record<PartType, string>;
const ITEMS_MAX = { tag: EVENT_TAGS_MAX, media: EVENT_MEDIA_MAX } as const satisfies Record<PartType, number>;
const JSON_OF = { tag: tagJson, media: mediaItemJson } as const satisfies Record<
  PartType,
  (alias: string) => SQL
>;

/** Condition: the event exists, and its space has the owner and group for which the actor's permission was checked. */
export const isEditable = ({ eventId, space }: ContentWrite): SQL =>
  sql`EXISTS (SELECT 1 FROM events e JOIN spaces s ON s.id = e.space_id WHERE e.id = ${eventId} AND e.deleted_at IS NULL
    AND s.deleted_at IS NULL AND s.owner_id = ${space.ownerId} AND s.group_id IS ${space.groupId})`;

/** SQL of a value of a command, as text or number; NULL if it is missing. Keys come only from this code, never from input. */
const commandValue = (path: string) => `sent.value ->> '$.${path}'`;
const itemValue = (path: string) => commandValue(`values.${path}`);
const isSent = (name: string) => `json_type(sent.value, '$.values.${name}') IS NOT NULL`;

const asList = (commands: readonly object[]) => sql`json_each(${JSON.stringify(commands)}) sent`;

/** Returns a command without the values of its item, except the ids that guards and dependent statements need. */
function keysOf({ part, command }: IndexedCommand): object {
  if (!("id" in command) || !("values" in command)) return { part, ...command };
  const { values: commandValues, ...keys } = command;
  const { mediaIds, libraryItemId } = commandValues as Partial<{
    mediaIds: readonly Uuid[];
    libraryItemId: Uuid;
  }>;
  return { part, ...keys, values: { mediaIds, libraryItemId } };
}

/** Consecutive commands of one kind, which share their statements. */
class Step {
  readonly list: SQL;
  /** The commands as keysOf returns them. The other values are sent only once. */
  readonly keys: SQL;
  /** Characters of the commands as JSON. */
  readonly size: number;
  constructor(
    readonly write: ContentWrite,
    readonly commands: readonly IndexedCommand[],
  ) {
    this.size = JSON.stringify(commands).length;
    this.list = asList(commands.map(({ part, command }) => ({ part, ...command })));
    this.keys = asList(commands.map(keysOf));
  }

  /** Condition: the owner has room for as many bytes of content as the step has characters. A deletion needs none. */
  get hasBytes(): SQL {
    if (this.commands[0]?.command.op === "delete") return sql`1`;
    return hasContentRoom(sql`${this.write.space.ownerId}`, sql`${this.size}`);
  }

  /** Whether the command's change was written. */
  get isDone(): SQL {
    return sql`EXISTS (SELECT 1 FROM event_changes done WHERE done.act = ${this.write.id} AND done.part = ${rawSql(commandValue("part"))})`;
  }

  /** Writes the changes of those commands for which `where` holds, if the event is editable and its owner has room. */
  begin(type: ChangeType, itemId: SQL, before: SQL, from: SQL, where: SQL): SQL {
    const { eventId, at, actorId, id } = this.write;
    return sql`INSERT INTO event_changes (event_id, at, actor_id, act, part, item_type, item_id, before)
      SELECT ${eventId}, ${at}, ${actorId}, ${id}, ${rawSql(commandValue("part"))}, ${type}, ${itemId}, ${before}
      FROM ${from} WHERE ${isEditable(this.write)} AND ${this.hasBytes} AND ${where}`;
  }

  /** Stores the state of the items after the change. */
  end(after: SQL): SQL {
    const parts = this.commands.map(({ part }) => part);
    return sql`UPDATE event_changes SET after = ${after}
      WHERE act = ${this.write.id} AND part BETWEEN ${Math.min(...parts)} AND ${Math.max(...parts)}`;
  }
}

const ITEM = rawSql(commandValue("id"));
const selectItem = (type: PartType) =>
  sql`(SELECT ${JSON_OF[type]("x")} FROM ${rawSql(TABLE[type])} x WHERE x.id = event_changes.item_id)`;

/** Condition: the event has room for this item and for the items before it in its step. */
const hasRoom = (type: PartType, eventId: Uuid) =>
  sql`(SELECT count(*) FROM ${rawSql(TABLE[type])} WHERE event_id = ${eventId} AND deleted_at IS NULL) + sent.key < ${ITEMS_MAX[type]}`;

/** Condition: the id is unused, or belongs to an item in this event's trash. */
const isFreeId = (type: PartType, eventId: Uuid) =>
  sql`NOT EXISTS (SELECT 1 FROM ${rawSql(TABLE[type])} x WHERE x.id = ${ITEM} AND (x.deleted_at IS NULL OR x.event_id <> ${eventId}))`;

/** Condition: the media of the tag belong to the event or are in its trash, unless the command skips missing media. */
const showsOwnMedia = (eventId: Uuid) =>
  sql`(${rawSql(commandValue("skipsMissingMedia"))} OR NOT EXISTS (SELECT 1 FROM json_each(sent.value, '$.values.mediaIds') shown WHERE NOT EXISTS
    (SELECT 1 FROM event_media m WHERE m.id = shown.value AND m.event_id = ${eventId})))`;

type StoredValue = readonly [column: string, name: string, path: string];
const TAG_VALUES: readonly StoredValue[] = TAG_FIELD_NAMES.flatMap((name) =>
  tagFieldColumns(name).map(
    ({ column, lang }): StoredValue => [column, name, lang ? `${name}.${lang}` : name],
  ),
);
const MEDIA_VALUES: readonly StoredValue[] = [
  ["title_ja", "title", "title.ja"],
  ["title_en", "title", "title.en"],
  ["description_ja", "description", "description.ja"],
  ["description_en", "description", "description.en"],
  ["placement", "placement", "placement"],
  ["hidden", "hidden", "hidden"],
];

const columnList = (list: readonly StoredValue[]) => rawSql(list.map(([column]) => column).join(", "));
const itemValueList = (list: readonly StoredValue[]) =>
  rawSql(list.map(([, , path]) => itemValue(path)).join(", "));
const excludedAssignments = (list: readonly StoredValue[]) =>
  rawSql(list.map(([column]) => `${column} = excluded.${column}`).join(", "));
const changedAssignments = (list: readonly StoredValue[]) =>
  rawSql(
    list
      .map(([column, name, path]) => `${column} = iif(${isSent(name)}, ${itemValue(path)}, x.${column})`)
      .join(", "),
  );

/** Replaces the media of the step's tags, in the given order. Media in the trash keep their position for a restore. */
function replaceShownMedia(step: Step): SQL[] {
  const isMediaChange = sql`${rawSql(isSent("mediaIds"))} AND ${step.isDone}`;
  return [
    sql`DELETE FROM tag_media WHERE tag_id IN (SELECT ${ITEM} FROM ${step.keys} WHERE ${isMediaChange})
      AND (SELECT deleted_at FROM event_media m WHERE m.id = tag_media.media_id) IS NULL`,
    sql`INSERT INTO tag_media (tag_id, media_id, sort_order) SELECT ${ITEM}, shown.value, shown.key
      FROM ${step.keys} CROSS JOIN json_each(sent.value, '$.values.mediaIds') shown WHERE ${isMediaChange}
        AND EXISTS (SELECT 1 FROM event_media m WHERE m.id = shown.value AND m.event_id = ${step.write.eventId})
      ON CONFLICT DO UPDATE SET sort_order = excluded.sort_order`,
  ];
}

function createTags(step: Step): SQL[] {
  const { eventId, at } = step.write;
  return [
    step.begin(
      "tag",
      ITEM,
      rawSql("NULL"),
      step.keys,
      sql`${isFreeId("tag", eventId)} AND ${hasRoom("tag", eventId)} AND ${showsOwnMedia(eventId)}`,
    ),
    // A restored item keeps its position.
    sql`INSERT INTO event_tags (id, event_id, ${columnList(TAG_VALUES)}, sort_order, created_at, updated_at)
      SELECT ${ITEM}, ${eventId}, ${itemValueList(TAG_VALUES)},
        (SELECT coalesce(max(sort_order), 0) + 1 FROM event_tags WHERE event_id = ${eventId}) + sent.key, ${at}, ${at}
      FROM ${step.list} WHERE ${step.isDone}
      ON CONFLICT (id) DO UPDATE SET ${excludedAssignments(TAG_VALUES)}, updated_at = excluded.updated_at, version = event_tags.version + 1,
        deleted_at = NULL, deleted_by = NULL`,
    ...replaceShownMedia(step),
    step.end(selectItem("tag")),
  ];
}

/** Condition: the library item exists, and has the owner and group for which the actor's permission was checked. */
const isUsableItem = (itemId: SQL) =>
  sql`EXISTS (SELECT 1 FROM library_items li WHERE li.id = ${itemId} AND li.deleted_at IS NULL
    AND li.owner_id = ${rawSql(commandValue("ownerId"))} AND li.group_id IS ${rawSql(commandValue("groupId"))})`;

function createMedia(step: Step): SQL[] {
  const { eventId, at } = step.write;
  // A restored item shows the same file.
  const isSameItem = sql`NOT EXISTS (SELECT 1 FROM event_media x WHERE x.id = ${ITEM} AND x.library_item_id <> ${rawSql(itemValue("libraryItemId"))})`;
  return [
    step.begin(
      "media",
      ITEM,
      rawSql("NULL"),
      step.keys,
      sql`${isFreeId("media", eventId)} AND ${isSameItem} AND ${hasRoom("media", eventId)}
        AND ${isUsableItem(rawSql(itemValue("libraryItemId")))}`,
    ),
    sql`INSERT INTO event_media (id, event_id, library_item_id, ${columnList(MEDIA_VALUES)}, created_on, updated_at)
      SELECT ${ITEM}, ${eventId}, ${rawSql(itemValue("libraryItemId"))}, ${itemValueList(MEDIA_VALUES)}, ${rawSql(commandValue("createdOn"))}, ${at}
      FROM ${step.list} WHERE ${step.isDone}
      ON CONFLICT (id) DO UPDATE SET ${excludedAssignments(MEDIA_VALUES)}, updated_at = excluded.updated_at, version = event_media.version + 1,
        deleted_at = NULL, deleted_by = NULL`,
    step.end(selectItem("media")),
  ];
}

/** SQL of the records of the step's items, and the condition that a record is live and has the version that its command names. */
const findRecords = (step: Step, type: PartType) => ({
  from: sql`${step.keys} CROSS JOIN ${rawSql(TABLE[type])} x ON x.id = ${ITEM}`,
  isCurrent: sql`x.event_id = ${step.write.eventId} AND x.deleted_at IS NULL AND x.version = ${rawSql(commandValue("version"))}`,
});

function updateItems(step: Step, type: PartType): SQL[] {
  const { eventId, at } = step.write;
  const { from, isCurrent } = findRecords(step, type);
  const isTag = type === "tag";
  return [
    step.begin(
      type,
      ITEM,
      JSON_OF[type]("x"),
      from,
      isTag ? sql`${isCurrent} AND ${showsOwnMedia(eventId)}` : isCurrent,
    ),
    sql`UPDATE ${rawSql(TABLE[type])} AS x SET ${changedAssignments(isTag ? TAG_VALUES : MEDIA_VALUES)}, updated_at = ${at}, version = x.version + 1
      FROM ${step.list} WHERE x.id = ${ITEM} AND ${step.isDone}`,
    ...(isTag ? replaceShownMedia(step) : []),
    step.end(selectItem(type)),
  ];
}

function removeItems(step: Step, type: PartType): SQL[] {
  const { at, actorId } = step.write;
  const { from, isCurrent } = findRecords(step, type);
  return [
    step.begin(type, ITEM, JSON_OF[type]("x"), from, isCurrent),
    sql`UPDATE ${rawSql(TABLE[type])} SET deleted_at = ${at}, deleted_by = ${actorId}, updated_at = ${at}, version = version + 1
      WHERE id IN (SELECT ${ITEM} FROM ${step.keys} WHERE ${step.isDone})`,
  ];
}

function restoreItems(step: Step, type: PartType): SQL[] {
  const { eventId, at } = step.write;
  const { from } = findRecords(step, type);
  const hasItem = type === "tag" ? sql`1` : isUsableItem(rawSql("x.library_item_id"));
  return [
    step.begin(
      type,
      ITEM,
      rawSql("NULL"),
      from,
      sql`x.event_id = ${eventId} AND x.deleted_at IS NOT NULL AND ${hasItem} AND ${hasRoom(type, eventId)}`,
    ),
    sql`UPDATE ${rawSql(TABLE[type])} SET deleted_at = NULL, deleted_by = NULL, updated_at = ${at}, version = version + 1
      WHERE id IN (SELECT ${ITEM} FROM ${step.keys} WHERE ${step.isDone})`,
    step.end(selectItem(type)),
  ];
}

/**
 * Moves tags to another position among all tags, including those in the trash, so that a restored tag keeps its position. The history contains only
 * positions of tags that are not in the trash: their number is limited.
 */
function moveTags(step: Step): SQL[] {
  const { eventId } = step.write;
  const anchor = sql`coalesce((SELECT place FROM own WHERE id = (SELECT ${rawSql(commandValue("before"))} FROM ${step.list})), 1e9)`;
  const placeTables = sql`own AS MATERIALIZED (SELECT id, row_number() OVER (ORDER BY sort_order, id) AS place FROM event_tags WHERE event_id = ${eventId}),
    moved AS MATERIALIZED (SELECT json_each.key AS place, json_each.value AS id FROM ${step.list} CROSS JOIN json_each(sent.value, '$.ids')),
    own_order AS MATERIALIZED (SELECT own.id AS id, own.place AS was, row_number() OVER (ORDER BY
        CASE WHEN moved.id IS NOT NULL THEN 1 WHEN own.place < ${anchor} THEN 0 ELSE 2 END, coalesce(moved.place, own.place)) AS place
      FROM own LEFT JOIN moved ON moved.id = own.id)`;
  return [
    step.begin(
      "order",
      sql`${eventId}`,
      selectTagOrder(eventId),
      step.list,
      sql`EXISTS (SELECT 1 FROM event_tags x WHERE x.event_id = ${eventId} AND x.deleted_at IS NULL
          AND x.id IN (SELECT value FROM json_each(sent.value, '$.ids')))
        AND EXISTS (WITH ${placeTables} SELECT 1 FROM own_order WHERE place <> was)`,
    ),
    sql`WITH ${placeTables}
      UPDATE event_tags SET sort_order = own_order.place FROM own_order
      WHERE event_tags.id = own_order.id AND event_tags.sort_order <> own_order.place
        AND EXISTS (SELECT 1 FROM ${step.list} WHERE ${step.isDone})`,
    step.end(selectTagOrder(eventId)),
  ];
}

function updateScene(step: Step): SQL[] {
  const { eventId, at } = step.write;
  const version = sql`coalesce((SELECT version FROM event_scenes WHERE event_id = ${eventId}), 0)`;
  // The scene may keep references to tags that were deleted permanently, because these must not prevent a save.
  const tagsExist = sql`NOT EXISTS (SELECT 1 FROM json_each(sent.value, '$.values.tour') stop WHERE stop.value ->> '$.tagId' IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM event_tags t WHERE t.id = stop.value ->> '$.tagId' AND t.event_id = ${eventId})
    AND NOT EXISTS (SELECT 1 FROM event_scenes es, json_each(es.tour) old_stop
      WHERE es.event_id = ${eventId} AND old_stop.value ->> '$.tagId' = stop.value ->> '$.tagId'))`;
  const planImageId = rawSql(itemValue("plan.mediaId"));
  const imageExists = sql`(${planImageId} IS NULL
    OR ${planImageId} = (SELECT plan ->> '$.mediaId' FROM event_scenes WHERE event_id = ${eventId})
    OR EXISTS (SELECT 1 FROM event_media m JOIN library_items li ON li.id = m.library_item_id
    WHERE m.id = ${planImageId} AND m.event_id = ${eventId} AND li.kind = 'image'))`;
  const valueOr = (name: string, column: string, otherwise: string) =>
    rawSql(`iif(${isSent(name)}, ${itemValue(name)}, coalesce(old.${column}, ${otherwise}))`);
  return [
    step.begin(
      "scene",
      sql`${eventId}`,
      selectScene(eventId),
      step.list,
      sql`${version} = ${rawSql(commandValue("version"))} AND ${tagsExist} AND ${imageExists}`,
    ),
    sql`INSERT INTO event_scenes (event_id, start_view, tour, plan, products, updated_at)
      SELECT ${eventId}, ${valueOr("startView", "start_view", "NULL")}, ${valueOr("tour", "tour", "'[]'")}, ${valueOr("plan", "plan", "NULL")},
        ${valueOr("products", "products", "'[]'")}, ${at}
      FROM ${step.list} LEFT JOIN event_scenes old ON old.event_id = ${eventId} WHERE ${step.isDone}
      ON CONFLICT (event_id) DO UPDATE SET start_view = excluded.start_view, tour = excluded.tour, plan = excluded.plan,
        products = excluded.products, updated_at = excluded.updated_at, version = event_scenes.version + 1`,
    step.end(sql`(SELECT ${sceneJson("es")} FROM event_scenes es WHERE es.event_id = ${eventId})`),
    ...mergeTyping(step),
  ];
}

/**
 * Merges two consecutive changes in which one person only edits the contents of the tour's stops (decision 026). The later change takes the
 * earlier one's previous values and start time. Its sequence number is new, so that followers of the changes receive it.
 */
function mergeTyping({ write, commands }: Step): SQL[] {
  if (write.typingSince === null) return [];
  /** The parts of a scene, with only the ids of its stops. */
  const withoutStopContents = (scene: string) =>
    `json_array(${scene} -> '$.startView', ${scene} -> '$.plan', ${scene} -> '$.products',
      (SELECT group_concat(stop.value ->> '$.id') FROM json_each(${scene}, '$.tour') stop))`;
  const isStopEdit = rawSql(
    `${withoutStopContents("old.before")} = ${withoutStopContents("new.after")} AND ${withoutStopContents("old.after")} = ${withoutStopContents("new.after")}`,
  );
  // Changes are not merged across a publication or its end, because these states must stay in the history.
  const pair = sql`SELECT new.seq AS seq, old.seq AS gone, old.before AS before, old.at AS at
    FROM event_changes new JOIN event_changes old
      ON old.seq = (SELECT max(seq) FROM event_changes WHERE event_id = new.event_id AND seq < new.seq)
    WHERE new.act = ${write.id} AND new.part = ${commands[0]?.part ?? 0} AND old.item_type = 'scene' AND old.act <> new.act
      AND old.actor_id = new.actor_id AND old.at > ${write.typingSince}
      AND ${isStopEdit}
      AND NOT EXISTS (SELECT 1 FROM events e WHERE e.id = new.event_id
        AND ((e.start_date > old.at AND e.start_date <= ${write.at}) OR (e.end_date > old.at AND e.end_date <= ${write.at})))`;
  return [
    sql`UPDATE event_changes SET before = pair.before, at = pair.at FROM (${pair}) pair WHERE event_changes.seq = pair.seq`,
    sql`DELETE FROM event_changes WHERE seq IN (SELECT gone FROM (${pair}))`,
  ];
}

function statementsOf(step: Step): SQL[] {
  const command = step.commands[0]?.command;
  switch (command?.op) {
    case "create_tag":
      return createTags(step);
    case "create_media":
      return createMedia(step);
    case "update_tag":
      return updateItems(step, "tag");
    case "update_media":
      return updateItems(step, "media");
    case "delete":
      return removeItems(step, command.type);
    case "restore":
      return restoreItems(step, command.type);
    case "move_tags":
      return moveTags(step);
    case "update_scene":
      return updateScene(step);
    default:
      return [];
  }
}

/** Kind of a command; consecutive commands of one kind may share a step. Empty for commands that need their own step. */
const stepKey = (command: WriteCommand) =>
  "id" in command ? `${command.op} ${"type" in command ? command.type : ""}` : "";

/** Returns all statements of a call, in the order of its commands. */
export function contentSteps(write: ContentWrite): SQL[] {
  const steps: IndexedCommand[][] = [];
  let [kind, size] = ["", 0];
  let ids = new Set<Uuid>();
  for (const indexedCommand of write.commands) {
    const { command } = indexedCommand;
    const id = "id" in command ? command.id : "";
    const length = JSON.stringify(command).length;
    const lastStep = steps.at(-1);
    if (
      lastStep &&
      kind !== "" &&
      kind === stepKey(command) &&
      !ids.has(id) &&
      size + length <= STEP_CHARACTERS_MAX
    ) {
      lastStep.push(indexedCommand);
      size += length;
    } else {
      steps.push([indexedCommand]);
      ids = new Set();
      [kind, size] = [stepKey(command), length];
    }
    ids.add(id);
  }
  return steps.flatMap((commands) => statementsOf(new Step(write, commands)));
}
