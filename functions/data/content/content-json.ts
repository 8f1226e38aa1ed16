/**
 * SQL that builds the JSON of tags, media, scenes and events, and functions that parse it. The batch that writes a change also writes this JSON, so
 * that no other write can come between reading and writing.
 */

import { type Placeholder, type SQL, sql } from "drizzle-orm";
import {
  EMPTY_SCENE,
  type EventFields,
  type MediaItemMetadata,
  type MediaItemRecord,
  type TagPositions,
} from "~/domain/content/content";
import { storedPlacement, storedPoint, storedScene, storedView } from "~/domain/content/stored-places";
import { DEFAULT_STEM } from "~/domain/content/tag-defaults";
import { TAG_FIELD_NAMES, type TagFieldName, tagField } from "~/domain/content/tag-fields";
import { deserialiseUrlParams } from "~/domain/events/url-params";
import { readWebMediaItem } from "~/domain/library/oembed.schema";
import type { ItemPreparation } from "~/domain/library/prepared";
import type { Event, EventMedia, EventScene, EventTag, Uuid } from "~/domain/shared/model";
import { displayFile } from "../library/prepared-json";
import { eventDetailJson, eventNameJson } from "../shared/columns";
import { rawSql } from "../shared/db";

const flag = (column: string) => `json(iif(${column}, 'true', 'false'))`;
const localizedText = (alias: string, name: string) =>
  `json_object('ja', ${alias}.${name}_ja, 'en', ${alias}.${name}_en)`;

/** SQL of a field's name and value from a row of event_tags, for json_object; empty for a field with a table of its own. */
function storedField(t: string, name: TagFieldName): readonly string[] {
  const { api, sql: kind } = tagField(name);
  if (kind === null) return [];
  const column = `${t}.${api}`;
  const value = {
    text: column,
    localized: localizedText(t, api),
    json: `json(${column})`,
    flag: flag(column),
  }[kind];
  return [`'${name}', ${value}`];
}

/**
 * JSON of a row of event_tags. The history also lists media in the trash, so that they return when they are restored.
 * @param media condition on rows of event_media (m) for the listed media
 */
export const tagJson = (t: string, media: SQL = rawSql("1")): SQL =>
  sql`json_object(${rawSql(`'id', ${t}.id, 'eventId', ${t}.event_id, ${TAG_FIELD_NAMES.flatMap((name) => storedField(t, name)).join(", ")}`)},
    'mediaIds', json((SELECT json_group_array(media_id) FROM
      (SELECT tm.media_id FROM tag_media tm JOIN event_media m ON m.id = tm.media_id WHERE tm.tag_id = ${rawSql(t)}.id AND ${media}
        ORDER BY tm.sort_order, tm.media_id))), ${rawSql(`'sortOrder', ${t}.sort_order, 'version', ${t}.version`)})`;

/** A tag of the history without the media that are in the trash now. */
export const withLiveMedia = (tag: string): SQL =>
  rawSql(`json_set(${tag}, '$.mediaIds', json((SELECT json_group_array(shown.value) FROM json_each(${tag}, '$.mediaIds') shown
    WHERE EXISTS (SELECT 1 FROM event_media m WHERE m.id = shown.value AND m.deleted_at IS NULL))))`);

/** JSON of a row of event_media, without the data of its library item. */
export const mediaItemJson = (m: string): SQL =>
  rawSql(`json_object('id', ${m}.id, 'eventId', ${m}.event_id, 'libraryItemId', ${m}.library_item_id, 'title', ${localizedText(m, "title")},
    'description', ${localizedText(m, "description")}, 'placement', json(${m}.placement), 'hidden', ${flag(`${m}.hidden`)},
    'createdOn', ${m}.created_on, 'version', ${m}.version)`);

/** Metadata of a media item from a row of library_items. `display` has the metadata of its converted file, if there is one. */
export const metadataJson = (li: string): SQL =>
  rawSql(`json_object('kind', ${li}.kind, 'mimeType', ${li}.mime_type, 'byteSize', ${li}.byte_size, 'width', ${li}.width,
    'height', ${li}.height, 'duration', ${li}.duration, 'hasThumbnail', ${flag(`${li}.thumb_key IS NOT NULL`)}, 'url', ${li}.web_url, 'embed', json(${li}.web_embed),
    'display', json((SELECT ${displayFile} FROM preparations p WHERE p.item_id = ${li}.id AND p.file_key = ${li}.file_key)))`);

/** JSON of a row of event_scenes. */
export const sceneJson = (s: string): SQL =>
  rawSql(
    `json_object('startView', json(${s}.start_view), 'tour', json(${s}.tour), 'plan', json(${s}.plan),
      'products', json(${s}.products), 'version', ${s}.version)`,
  );

/** The scene of an event, or an empty scene if none was saved. */
export const selectScene = (eventId: Uuid | Placeholder): SQL =>
  sql`coalesce((SELECT ${sceneJson("es")} FROM event_scenes es WHERE es.event_id = ${eventId}), ${JSON.stringify(EMPTY_SCENE)})`;

/** JSON of a row of events for the history. For secrets it only contains whether they are set. */
export const fieldsJson = (e: string): SQL =>
  rawSql(`json_object('eventName', ${eventNameJson(e)}, 'startDate', ${e}.start_date, 'endDate', ${e}.end_date, 'statusId', ${e}.status_id,
    'enableAutoChangeStatus', ${flag(`${e}.enable_auto_change_status`)}, 'eventDetail', ${eventDetailJson(e)}, 'urlParams', ${e}.url_params,
    'hasStore', ${flag(`${e}.sp_store_url IS NOT NULL AND ${e}.sp_access_token IS NOT NULL`)},
    'hasPassword', ${flag(`${e}.publish_password_hash IS NOT NULL`)}, 'showBeforePassword', ${flag(`${e}.show_before_password`)})`);

/** JSON of a row of events for lists. It states whether there is a publish password, without the hash. */
export const eventJsonSql = (e: string): SQL =>
  rawSql(`json_object('id', ${e}.id, 'spaceId', ${e}.space_id, 'eventName', ${eventNameJson(e)}, 'startDate', ${e}.start_date,
    'endDate', ${e}.end_date, 'statusId', ${e}.status_id, 'enableAutoChangeStatus', ${flag(`${e}.enable_auto_change_status`)},
    'accessToken', ${e}.access_token, 'previewAccessToken', ${e}.preview_access_token, 'spAccessToken', ${e}.sp_access_token,
    'spStoreUrl', ${e}.sp_store_url, 'eventDetail', ${eventDetailJson(e)}, 'urlParams', ${e}.url_params,
    'hasPublishPassword', ${flag(`${e}.publish_password_hash IS NOT NULL`)},
    'showBeforePassword', ${flag(`${e}.show_before_password`)}, 'createdAt', ${e}.created_at,
    'updatedAt', ${e}.updated_at, 'version', ${e}.version, 'revision', ${e}.revision)`);

/** The tags of an event in order, each with its position: [[id, sort_order], …]. */
export const selectTagOrder = (eventId: Uuid): SQL =>
  sql`(SELECT json_group_array(json_array(id, sort_order)) FROM (SELECT id, sort_order FROM event_tags
    WHERE event_id = ${eventId} AND deleted_at IS NULL ORDER BY sort_order, id))`;

/** Parses the JSON of selectTagOrder. Old entries contain only ids, in order. */
export const readOrder = (text: string): TagPositions =>
  new Map(
    (JSON.parse(text) as readonly (Uuid | readonly [Uuid, number])[]).map((entry, index) =>
      typeof entry === "string" ? [entry, index] : entry,
    ),
  );

/** Parses the JSON of tagJson. */
export function readTag(text: string): EventTag {
  const tag = JSON.parse(text) as EventTag;
  const [position, stem] = [storedPoint(tag.position), storedPoint(tag.stem) ?? DEFAULT_STEM];
  return { ...tag, position, stem, viewpoint: storedView(tag.viewpoint) };
}

/** Parses the JSON of sceneJson. */
export const readScene = (text: string): EventScene =>
  storedScene({ ...EMPTY_SCENE, ...(JSON.parse(text) as EventScene) });

/** Parses the JSON of fieldsJson. Old entries have no `showBeforePassword`, which was off then. */
export function readFields(text: string): EventFields {
  const fields = JSON.parse(text) as Omit<EventFields, "urlParams"> & { readonly urlParams: string };
  return {
    ...fields,
    showBeforePassword: fields.showBeforePassword ?? false,
    urlParams: deserialiseUrlParams(fields.urlParams),
  };
}

/** Parses an array of the JSON of eventJsonSql. */
export function parseEvents(text: string): Event[] {
  const events = JSON.parse(text) as (Omit<Event, "urlParams"> & { readonly urlParams: string | null })[];
  return events.map((event) => ({ ...event, urlParams: deserialiseUrlParams(event.urlParams) }));
}

type StoredMediaItemRecord = Omit<MediaItemRecord, "placement"> & { readonly placement: unknown };
type StoredMediaItemMetadata = Omit<MediaItemMetadata, "web"> & {
  readonly url: string | null;
  readonly embed: unknown;
  readonly display: ItemPreparation["display"];
};

/** Parses the JSON of mediaItemJson. Missing fields of old placements get default values. */
export function readMediaItemRecord(text: string): MediaItemRecord {
  const { placement, ...mediaItem } = JSON.parse(text) as StoredMediaItemRecord;
  return { ...mediaItem, placement: storedPlacement(placement) };
}

/** Parses the JSON of metadataJson. Returns the metadata of the converted file, if there is one. */
export function readMediaItemMetadata(text: string): MediaItemMetadata {
  const { url, embed, display, ...metadata } = JSON.parse(text) as StoredMediaItemMetadata;
  const { mimeType, byteSize, width, height, duration } = display ?? metadata;
  return {
    ...metadata,
    mimeType,
    byteSize,
    width,
    height,
    duration,
    web: url === null ? null : readWebMediaItem(url, embed),
  };
}

/** Parses the JSON of mediaItemJson and metadataJson. */
export const readMediaItem = (record: string, metadata: string): EventMedia => ({
  ...readMediaItemRecord(record),
  ...readMediaItemMetadata(metadata),
});
