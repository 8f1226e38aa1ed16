/**
 * Tags, media, scenes and events as JSON that SQLite makes itself: what a change was made of is written by the statement that makes
 * it, so that nothing can come between reading and writing.
 */
import { type SQL, sql } from "drizzle-orm";
import { EMPTY_SCENE, type EventFields } from "~/domain/content";
import type { EventMedia, EventScene, EventTag, Uuid } from "~/domain/model";
import { readWebMedium } from "~/domain/oembed.schema";
import { fullPlacement, type StoredPlacement } from "~/domain/placement";
import { deserialiseUrlParams } from "~/domain/url-params";
import { plain } from "./db";

const flag = (column: string) => `json(iif(${column}, 'true', 'false'))`;
const words = (alias: string, name: string) =>
  `json_object('ja', ${alias}.${name}_ja, 'en', ${alias}.${name}_en)`;

/**
 * A tag, of a row of event_tags. Its history also names media in the trash, with which it comes back; `media` is a condition on
 * rows of event_media (m) that says which are named.
 */
export const tagJson = (t: string, media = "1"): SQL =>
  plain(`json_object('id', ${t}.id, 'eventId', ${t}.event_id, 'title', ${words(t, "title")}, 'body', ${words(t, "body")},
    'color', ${t}.color, 'icon', ${t}.icon, 'keywords', json(${t}.keywords), 'linkUrl', ${t}.link_url, 'position', json(${t}.position),
    'stem', json(${t}.stem), 'viewpoint', json(${t}.viewpoint), 'mediaIds', json((SELECT json_group_array(media_id) FROM
      (SELECT tm.media_id FROM tag_media tm JOIN event_media m ON m.id = tm.media_id WHERE tm.tag_id = ${t}.id AND ${media}
        ORDER BY tm.sort_order, tm.media_id))),
    'product', json(${t}.product), 'hidden', ${flag(`${t}.hidden`)}, 'sortOrder', ${t}.sort_order, 'version', ${t}.version)`);

/** A tag of the history without the media that are in the trash now. */
export const withLiveMedia = (tag: string): SQL =>
  plain(`json_set(${tag}, '$.mediaIds', json((SELECT json_group_array(shown.value) FROM json_each(${tag}, '$.mediaIds') shown
    WHERE EXISTS (SELECT 1 FROM event_media m WHERE m.id = shown.value AND m.deleted_at IS NULL))))`);

/** A medium, of a row of event_media: without what its library item says of it. */
export const mediumJson = (m: string): SQL =>
  plain(`json_object('id', ${m}.id, 'eventId', ${m}.event_id, 'libraryItemId', ${m}.library_item_id, 'title', ${words(m, "title")},
    'description', ${words(m, "description")}, 'placement', json(${m}.placement), 'hidden', ${flag(`${m}.hidden`)},
    'createdOn', ${m}.created_on, 'version', ${m}.version)`);

/** What its library item says of a medium. */
export const factsJson = (li: string): SQL =>
  plain(`json_object('kind', ${li}.kind, 'mimeType', ${li}.mime_type, 'byteSize', ${li}.byte_size, 'width', ${li}.width,
    'height', ${li}.height, 'duration', ${li}.duration, 'hasStill', ${flag(`${li}.thumb_key IS NOT NULL`)}, 'url', ${li}.web_url, 'embed', json(${li}.web_embed))`);

/** A scene, of a row of event_scenes. */
export const sceneJson = (s: string): SQL =>
  plain(
    `json_object('startView', json(${s}.start_view), 'tour', json(${s}.tour), 'plan', json(${s}.plan), 'products', json(${s}.products), 'version', ${s}.version)`,
  );

/** The scene of an event, whether or not one was ever saved. */
export const sceneOf = (eventId: Uuid): SQL =>
  sql`coalesce((SELECT ${sceneJson("es")} FROM event_scenes es WHERE es.event_id = ${eventId}), ${JSON.stringify(EMPTY_SCENE)})`;

/** What the history keeps of an event, of a row of events: of its secrets whether there are any. */
export const fieldsJson = (e: string): SQL =>
  plain(`json_object('eventName', ${e}.event_name, 'startDate', ${e}.start_date, 'endDate', ${e}.end_date, 'statusId', ${e}.status_id,
    'enableAutoChangeStatus', ${flag(`${e}.enable_auto_change_status`)}, 'eventDetail', ${e}.event_detail, 'urlParams', ${e}.url_params,
    'hasStore', ${flag(`${e}.sp_store_url IS NOT NULL AND ${e}.sp_access_token IS NOT NULL`)},
    'hasPassword', ${flag(`${e}.publish_password_hash IS NOT NULL`)})`);

/** The ids of all tags of an event in their order, those in the trash too: they come back to their places. */
export const orderOf = (eventId: Uuid): SQL =>
  sql`(SELECT json_group_array(id) FROM (SELECT id FROM event_tags WHERE event_id = ${eventId} ORDER BY sort_order, id))`;

/** A tag out of tagJson. */
export const readTag = (text: string): EventTag => JSON.parse(text) as EventTag;

/** A scene out of sceneJson. What the history holds of earlier times names no products. */
export const readScene = (text: string): EventScene => ({
  products: EMPTY_SCENE.products,
  ...(JSON.parse(text) as Omit<EventScene, "products"> & Partial<Pick<EventScene, "products">>),
});

/** What the history keeps of an event, out of fieldsJson. */
export function readFields(text: string): EventFields {
  const fields = JSON.parse(text) as Omit<EventFields, "urlParams"> & { readonly urlParams: string };
  return { ...fields, urlParams: deserialiseUrlParams(fields.urlParams) };
}

type Part = Pick<
  EventMedia,
  "id" | "eventId" | "libraryItemId" | "title" | "description" | "hidden" | "createdOn" | "version"
> & { readonly placement: StoredPlacement | null };
type Facts = Pick<
  EventMedia,
  "kind" | "mimeType" | "byteSize" | "width" | "height" | "duration" | "hasStill"
> & {
  readonly url: string | null;
  readonly embed: unknown;
};

/** A medium out of mediumJson and factsJson. */
export function readMedium(part: string, facts: string): EventMedia {
  const { placement, ...medium } = JSON.parse(part) as Part;
  const { url, embed, ...rest } = JSON.parse(facts) as Facts;
  return {
    ...medium,
    ...rest,
    placement: placement && fullPlacement(placement),
    web: url === null ? null : readWebMedium(url, embed),
  };
}
