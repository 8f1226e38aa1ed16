/**
 * Converts an event's content to and from the API's JSON. The server and the editor's script both use it. The fields of each item are listed, so that
 * no other field is exposed by accident. Input from outside is renamed but not validated; readCommand validates it.
 */

import { singleText } from "../events/event-texts";
import { createWebPlayer, findProvider } from "../library/web-media";
import { isRecord } from "../shared/is-record";
import type {
  EventMedia,
  EventScene,
  EventTag,
  FloorPlan,
  TourStop,
  Viewpoint,
  WebMediaItem,
} from "../shared/model";
import type {
  CommandResult,
  ContentChange,
  ContentItem,
  EditableContent,
  EventFields,
  MediaValues,
  SceneValues,
  TagValues,
} from "./content";
import { TAG_FIELD_NAMES, TAG_FIELDS, type TagFieldName } from "./tag-fields";

/** A JSON object, whose values are not validated. */
export type Json = Readonly<Record<string, unknown>>;

/** Pairs of field names: ours, and the API's. */
type Names = readonly (readonly [ownName: string, apiName: string])[];

const ID: Names = [["id", "uuid"]];
const TAG_NAMES: Names = TAG_FIELD_NAMES.map((name) => [name, TAG_FIELDS[name].api]);
const MEDIA_NAMES: Names = [
  ["libraryItemId", "library_item_uuid"],
  ["title", "title"],
  ["description", "description"],
  ["placement", "placement"],
  ["hidden", "hidden"],
];
const SCENE_NAMES: Names = [
  ["startView", "start_view"],
  ["tour", "tour"],
  ["plan", "plan"],
  ["products", "products"],
];
const STOP_NAMES: Names = [
  ...ID,
  ["tagId", "tag_uuid"],
  ["viewpoint", "viewpoint"],
  ["title", "title"],
  ["text", "text"],
  ["seconds", "seconds"],
];
const PLAN_NAMES: Names = [
  ["mediaId", "media_uuid"],
  ["center", "center"],
  ["width", "width"],
  ["rotation", "rotation"],
];
const VIEWPOINT_NAMES: Names = [
  ["position", "position"],
  ["yaw", "yaw"],
  ["pitch", "pitch"],
  ["mode", "mode"],
  ["nodeId", "node_id"],
];
const COMMAND_NAMES: Names = [
  ["op", "op"],
  ["type", "type"],
  ...ID,
  ["newId", "new_uuid"],
  ["version", "version"],
  ["ids", "uuids"],
  ["before", "before_uuid"],
];

/** Renames the listed own properties and omits all others, so that no inherited property passes through. */
function renameFields(value: unknown, names: Names, toApi: boolean): unknown {
  if (!isRecord(value)) return value;
  const result: Record<string, unknown> = {};
  for (const [ownName, apiName] of names) {
    const [from, to] = toApi ? [ownName, apiName] : [apiName, ownName];
    if (Object.hasOwn(value, from) && value[from] !== undefined) result[to] = value[from];
  }
  return result;
}

/** Converts a viewpoint to JSON; null stays null. */
export const viewpointToJson = (viewpoint: Viewpoint | null) =>
  viewpoint && {
    position: viewpoint.position,
    yaw: viewpoint.yaw,
    pitch: viewpoint.pitch,
    mode: viewpoint.mode,
    node_id: viewpoint.nodeId ?? null,
  };

/** Converts a stop of a tour to JSON. */
const stopToJson = (stop: TourStop) => ({
  uuid: stop.id,
  tag_uuid: stop.tagId,
  viewpoint: viewpointToJson(stop.viewpoint),
  title: stop.title,
  text: stop.text,
  seconds: stop.seconds,
});

const productsToJson = (products: EventScene["products"]) => products.map(({ id, title }) => ({ id, title }));

const planToJson = (plan: FloorPlan | null) =>
  plan && { media_uuid: plan.mediaId, center: plan.center, width: plan.width, rotation: plan.rotation };

/** The fields of a tag by their names in the API. */
type TagValuesJson = {
  readonly [Name in TagFieldName as (typeof TAG_FIELDS)[Name]["api"]]: Name extends "viewpoint"
    ? ReturnType<typeof viewpointToJson>
    : EventTag[Name];
};

const tagValuesToJson = (values: Partial<TagValues>) => {
  const renamedValues = renameFields(values, TAG_NAMES, true) as Json;
  return "viewpoint" in renamedValues
    ? { ...renamedValues, viewpoint: viewpointToJson(values.viewpoint ?? null) }
    : renamedValues;
};

/** Converts a tag (specification §3) to JSON, in metres and radians. Versions and `hidden` are for editors only; visitors get neither. */
export const tagToJson = (
  tag: Omit<EventTag, "version" | "eventId" | "hidden"> & Partial<Pick<EventTag, "version" | "hidden">>,
  eventId: string,
) => ({
  uuid: tag.id,
  event_uuid: eventId,
  ...(tagValuesToJson(tag) as Omit<TagValuesJson, "hidden"> & Partial<Pick<TagValuesJson, "hidden">>),
  product: tag.product && { id: tag.product.id, title: tag.product.title },
  sort_order: tag.sortOrder,
  ...(tag.version !== undefined && { version: tag.version }),
});

/** Converts a web media item to JSON: its page, the path of its player, and the player's full URL, which is null without a valid player. */
export const webMediaItemToJson = (web: WebMediaItem) => ({
  provider: findProvider(web.provider)?.name ?? web.provider,
  provider_id: web.provider,
  url: web.url,
  type: web.type,
  title: web.title,
  author: web.author,
  player: web.player,
  player_url: createWebPlayer(web)?.src ?? null,
  width: web.width,
  height: web.height,
});

/** Converts a web media item to JSON; null stays null. */
export const webToJson = (web: WebMediaItem | null) => web && webMediaItemToJson(web);

/**
 * Converts a media item of an event (specification §3) to JSON. Versions and `hidden` are for editors only; visitors get neither. The units are bytes,
 * pixels and seconds for the file, metres and radians for the placement.
 */
export const mediaToJson = (
  mediaItem: Omit<EventMedia, "version" | "eventId" | "hidden"> &
    Partial<Pick<EventMedia, "version" | "hidden">>,
  eventId: string,
) => ({
  uuid: mediaItem.id,
  event_uuid: eventId,
  library_item_uuid: mediaItem.libraryItemId,
  kind: mediaItem.kind,
  title: mediaItem.title,
  description: mediaItem.description,
  mime_type: mediaItem.mimeType,
  byte_size: mediaItem.byteSize,
  width: mediaItem.width,
  height: mediaItem.height,
  duration: mediaItem.duration,
  has_still: mediaItem.hasThumbnail,
  placement: mediaItem.placement,
  ...(mediaItem.hidden !== undefined && { hidden: mediaItem.hidden }),
  web: webToJson(mediaItem.web),
  created_on: mediaItem.createdOn,
  ...(mediaItem.version !== undefined && { version: mediaItem.version }),
});

/** Converts the scene of an event to JSON. */
export const sceneToJson = (scene: Omit<EventScene, "version"> & { readonly version?: number }) => ({
  start_view: viewpointToJson(scene.startView),
  tour: scene.tour.map(stopToJson),
  plan: planToJson(scene.plan),
  products: productsToJson(scene.products),
  ...(scene.version !== undefined && { version: scene.version }),
});

/** Converts an event's own fields, as its history stores them, to JSON. */
export const fieldsToJson = (fields: EventFields) => ({
  event_name: singleText(fields.eventName),
  names: fields.eventName,
  start_date: fields.startDate,
  end_date: fields.endDate,
  status_id: fields.statusId,
  enable_auto_change_status: fields.enableAutoChangeStatus,
  event_detail: singleText(fields.eventDetail),
  details: fields.eventDetail,
  url_params: fields.urlParams,
  has_store: fields.hasStore,
  has_password: fields.hasPassword,
  show_before_password: fields.showBeforePassword,
});

function itemToJson(item: ContentItem, eventId: string): unknown {
  switch (item.type) {
    case "tag":
      return item.item && tagToJson(item.item, eventId);
    case "media":
      return item.item && mediaToJson(item.item, eventId);
    case "scene":
      return sceneToJson(item.item);
    case "order":
      return [...item.item.keys()];
  }
}

/** Converts the result of a command to JSON. Error fields have their API names. */
export function resultToJson(result: CommandResult, eventId: string): Json {
  if (result.ok)
    return {
      ok: true,
      uuid: result.id,
      version: result.version,
      type: result.type,
      item: itemToJson(result, eventId),
      ...(result.type === "order" && { places: [...result.item.values()] }),
    };
  const { errors, saved } = result;
  return {
    ok: false,
    uuid: result.id,
    reason: result.reason,
    ...(errors && {
      errors: Object.fromEntries(Object.entries(errors).map(([path, keys]) => [apiPath(path), keys])),
    }),
    ...(saved && { saved: { type: saved.type, item: itemToJson(saved, eventId) } }),
  };
}

/** Converts a change to JSON, for open editors that poll. A change of the order contains the tags' ids as `after` and their sort orders as `places`. */
export function changeToJson(change: ContentChange, eventId: string): Json {
  const after =
    change.itemType === "event"
      ? fieldsToJson(change.after)
      : itemToJson({ type: change.itemType, item: change.after } as ContentItem, eventId);
  return {
    seq: change.seq,
    at: change.at,
    act: change.callId,
    actor_uuid: change.actorId,
    actor_name: change.actorName,
    item_type: change.itemType,
    item_uuid: change.itemId,
    after,
    ...(change.itemType === "order" && { places: [...change.after.values()] }),
  };
}

/** Converts all content of an event to JSON. */
export const contentToJson = (content: EditableContent, eventId: string) => ({
  tags: content.tags.map((tag) => tagToJson(tag, eventId)),
  media: content.media.map((mediaItem) => mediaToJson(mediaItem, eventId)),
  trashed_media: content.trashed.map(({ id, libraryItemId, kind, title, tagIds }) => ({
    uuid: id,
    library_item_uuid: libraryItemId,
    kind,
    title,
    tag_uuids: tagIds,
  })),
  scene: sceneToJson(content.scene),
  seq: content.seq,
});

const ALL_NAMES: Names = [
  ...TAG_NAMES,
  ...MEDIA_NAMES,
  ...SCENE_NAMES,
  ...STOP_NAMES,
  ...PLAN_NAMES,
  ...VIEWPOINT_NAMES,
  ...COMMAND_NAMES,
];
const API_NAME = new Map(ALL_NAMES);
const OWN_NAME = new Map(ALL_NAMES.map(([ownName, apiName]) => [apiName, ownName] as const));

/** Converts the path of an error to the API's names: linkUrl → link_url, tour.0.tagId → tour.0.tag_uuid. */
export const apiPath = (path: string): string =>
  path
    .split(".")
    .map((part) => API_NAME.get(part) ?? part)
    .join(".");

const ownPath = (path: string): string =>
  path
    .split(".")
    .map((part) => OWN_NAME.get(part) ?? part)
    .join(".");

const viewpointFromJson = (value: unknown) => renameFields(value, VIEWPOINT_NAMES, false);

/** Renames the values of a tag from JSON to our names, without validating them. */
export function tagValuesFromJson(value: unknown): unknown {
  const values = renameFields(value, TAG_NAMES, false);
  return isRecord(values) && "viewpoint" in values
    ? { ...values, viewpoint: viewpointFromJson(values.viewpoint) }
    : values;
}

/** Renames the values of a media item from JSON to our names, without validating them. */
export const mediaValuesFromJson = (value: unknown): unknown => renameFields(value, MEDIA_NAMES, false);

/** Renames the values of a scene from JSON to our names, without validating them. */
export function sceneValuesFromJson(value: unknown): unknown {
  const values = renameFields(value, SCENE_NAMES, false);
  if (!isRecord(values)) return values;
  const stopFromJson = (stop: unknown) => {
    const renamedStop = renameFields(stop, STOP_NAMES, false);
    return isRecord(renamedStop) && "viewpoint" in renamedStop
      ? { ...renamedStop, viewpoint: viewpointFromJson(renamedStop.viewpoint) }
      : renamedStop;
  };
  return {
    ...values,
    ...("startView" in values && { startView: viewpointFromJson(values.startView) }),
    ...("tour" in values && {
      tour: Array.isArray(values.tour) ? values.tour.map(stopFromJson) : values.tour,
    }),
    ...("plan" in values && { plan: renameFields(values.plan, PLAN_NAMES, false) }),
  };
}

/** Renames a command from JSON to our names, without validating it. readCommand validates the result. */
export function commandFromJson(value: unknown): unknown {
  const command = renameFields(value, COMMAND_NAMES, false);
  if (!isRecord(command) || !isRecord(value) || !Object.hasOwn(value, "values")) return command;
  const { op } = command;
  const { values } = value;
  if (op === "create_tag" || op === "update_tag") return { ...command, values: tagValuesFromJson(values) };
  if (op === "create_media" || op === "update_media")
    return { ...command, values: mediaValuesFromJson(values) };
  return op === "update_scene" ? { ...command, values: sceneValuesFromJson(values) } : command;
}

const sceneValuesToJson = (values: Partial<SceneValues>): Json => ({
  ...(values.startView !== undefined && { start_view: viewpointToJson(values.startView) }),
  ...(values.tour !== undefined && { tour: values.tour.map(stopToJson) }),
  ...(values.plan !== undefined && { plan: planToJson(values.plan) }),
  ...(values.products !== undefined && { products: productsToJson(values.products) }),
});

/** Converts a command to the JSON of a request: {op, uuid, version, values, …}. Its values may be unvalidated form input. */
export function commandToJson(command: {
  readonly op: string;
  readonly values?: object;
  readonly [key: string]: unknown;
}): Json {
  const keys = renameFields(command, COMMAND_NAMES, true) as Json;
  const { op, values } = command;
  if (values === undefined) return keys;
  if (op === "create_tag" || op === "update_tag")
    return { ...keys, values: tagValuesToJson(values as Partial<TagValues>) };
  return op === "update_scene"
    ? { ...keys, values: sceneValuesToJson(values as Partial<SceneValues>) }
    : { ...keys, values: renameFields(values as Partial<MediaValues>, MEDIA_NAMES, true) };
}

/** Reads a tag from a response of our own API. */
const tagFromJson = (json: Json): EventTag =>
  ({
    ...(tagValuesFromJson(json) as TagValues),
    viewpoint: readViewpoint(json.viewpoint),
    id: json.uuid,
    eventId: json.event_uuid,
    sortOrder: json.sort_order,
    version: json.version,
  }) as EventTag;

/** Reads a viewpoint. Without a node, `nodeId` is absent, as in a stored viewpoint. */
function readViewpoint(value: unknown): Viewpoint | null {
  if (!isRecord(value)) return null;
  const { node_id: nodeId, ...rest } = value;
  return { ...rest, ...(typeof nodeId === "string" && { nodeId }) } as unknown as Viewpoint;
}

function readWebMediaItem(value: unknown): WebMediaItem | null {
  if (!isRecord(value)) return null;
  const { provider_id: provider, url, type, title, author, player, width, height } = value;
  return { provider, url, type, title, author, player, width, height } as WebMediaItem;
}

/** Reads a media item from a response of our own API. */
const mediaFromJson = (json: Json): EventMedia =>
  ({
    ...(mediaValuesFromJson(json) as MediaValues),
    id: json.uuid,
    eventId: json.event_uuid,
    kind: json.kind,
    mimeType: json.mime_type,
    byteSize: json.byte_size,
    width: json.width,
    height: json.height,
    duration: json.duration,
    hasThumbnail: json.has_still,
    web: readWebMediaItem(json.web),
    createdOn: json.created_on,
    version: json.version,
  }) as EventMedia;

/** Reads a scene from a response of our own API. */
const sceneFromJson = (json: Json): EventScene => {
  const values = sceneValuesFromJson(json) as SceneValues;
  const stops = Array.isArray(json.tour) ? (json.tour as readonly Json[]) : [];
  return {
    startView: readViewpoint(json.start_view),
    tour: values.tour.map((stop, index) => ({ ...stop, viewpoint: readViewpoint(stops[index]?.viewpoint) })),
    plan: values.plan,
    products: values.products,
    version: json.version as number,
  };
};

function itemFromJson(type: unknown, item: unknown, sortOrders?: unknown): ContentItem {
  if (type === "order") {
    const numbers = sortOrders as readonly number[];
    return {
      type,
      item: new Map((item as readonly string[]).map((id, index) => [id, numbers[index] ?? index])),
    };
  }
  if (type === "scene") return { type, item: sceneFromJson(item as Json) };
  if (type === "media") return { type, item: isRecord(item) ? mediaFromJson(item) : null };
  return { type: "tag", item: isRecord(item) ? tagFromJson(item) : null };
}

/** Reads the result of a command from a response of our own API. */
export function resultFromJson(json: Json): CommandResult {
  const id = json.uuid as string;
  if (json.ok === true)
    return {
      ok: true,
      id,
      version: json.version as number,
      ...itemFromJson(json.type, json.item, json.places),
    };
  const { errors, saved } = json;
  return {
    ok: false,
    id,
    reason: json.reason as Extract<CommandResult, { ok: false }>["reason"],
    ...(isRecord(errors) && {
      errors: Object.fromEntries(
        Object.entries(errors).map(([path, keys]) => [ownPath(path), keys as readonly string[]]),
      ),
    }),
    ...(isRecord(saved) && { saved: itemFromJson(saved.type, saved.item) }),
  };
}

/** Reads a change from a response of our own API. */
export function changeFromJson(json: Json): ContentChange {
  const { item_type: itemType } = json;
  const after = json.after as Json;
  return {
    seq: json.seq,
    at: json.at,
    callId: json.act,
    actorId: json.actor_uuid,
    actorName: json.actor_name,
    itemId: json.item_uuid,
    itemType,
    after:
      itemType === "event"
        ? {
            eventName: after.names,
            startDate: after.start_date,
            endDate: after.end_date,
            statusId: after.status_id,
            enableAutoChangeStatus: after.enable_auto_change_status,
            eventDetail: after.details,
            urlParams: after.url_params,
            hasStore: after.has_store,
            hasPassword: after.has_password,
            showBeforePassword: after.show_before_password,
          }
        : itemFromJson(itemType, json.after, json.places).item,
  } as ContentChange;
}
