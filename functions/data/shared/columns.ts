/** The columns that queries select, by the names of the model. They are listed explicitly, so that a new column is not exposed by accident. */
import { getTableName, sql } from "drizzle-orm";
import { readStoredSource, storedPlacement, storedPoint, storedView } from "~/domain/content/stored-places";
import { DEFAULT_STEM } from "~/domain/content/tag-defaults";
import { deserialiseUrlParams } from "~/domain/events/url-params";
import { readWebMediaItem } from "~/domain/library/oembed.schema";
import type { ItemPreparation } from "~/domain/library/prepared";
import type { UploadCheck } from "~/domain/library/upload-check";
import type {
  Localized,
  Placement,
  SpaceSource,
  UrlParams,
  Vec3,
  Viewpoint,
  WebMediaItem,
} from "~/domain/shared/model";
import { displayFile, preparedFile } from "../library/prepared-json";
import { eventMedia, events, eventTags, folders, HAS_PASSWORD, libraryItems, spaces, users } from "../schema";

export const userColumns = {
  id: users.id,
  email: users.email,
  firstName: users.firstName,
  lastName: users.lastName,
  companyName: users.companyName,
  role: users.role,
  status: users.status,
  spaceLicense: users.spaceLicense,
  spaceCount: users.spaceCount,
  storageLimit: users.storageLimit,
  storageUsed: users.storageUsed,
  language: users.language,
  timeZone: users.timeZone,
  statusMails: users.statusMails,
  deletionRequestedAt: users.deletionRequestedAt,
  createdAt: users.createdAt,
  version: users.version,
};

/** Columns for administrators. They do not include the password hash. */
export const listedUserColumns = {
  ...userColumns,
  deletedAt: users.deletedAt,
  hasPassword: sql<boolean>`users.${sql.raw(HAS_PASSWORD)}`.mapWith(Boolean).as("user_has_password"),
};

export const folderColumns = {
  id: folders.id,
  parentId: folders.parentId,
  ownerId: folders.ownerId,
  folderType: folders.folderType,
  name: folders.name,
  groupId: folders.groupId,
  createdAt: folders.createdAt,
  updatedAt: folders.updatedAt,
  version: folders.version,
};

export const spaceColumns = {
  id: spaces.id,
  folderId: spaces.folderId,
  ownerId: spaces.ownerId,
  groupId: spaces.groupId,
  name: spaces.name,
  sid: spaces.sid,
  source: sql<SpaceSource>`${spaces.source}`
    .mapWith((value: string) => readStoredSource(JSON.parse(value)))
    .as("space_source"),
  /** Null for an item in the trash, and for one that is not an image and has no thumbnail. */
  posterMediaId: sql<string | null>`(SELECT poster.id FROM library_items poster
    WHERE poster.id = spaces.poster_media_id AND poster.deleted_at IS NULL
    AND (poster.kind = 'image' OR poster.thumb_key IS NOT NULL))`.as("poster_media_id"),
  /** Key in R2 of the image that shows the space: the thumbnail, the converted file or the original. */
  posterKey: sql<
    string | null
  >`(SELECT coalesce(p.thumb_key, CASE p.kind WHEN 'image' THEN coalesce((SELECT f.file_key FROM preparations made
      JOIN prepared_files f ON f.item_id = made.item_id AND f.run_id = made.run_id AND f.role = 'display'
      WHERE made.item_id = p.id AND made.file_key = p.file_key
        AND NOT EXISTS (SELECT 1 FROM stored_files s WHERE s.file_key = f.file_key AND s.check_state IS NOT NULL)), p.file_key) END)
    FROM library_items p WHERE p.id = ${sql.raw(`${getTableName(spaces)}.poster_media_id`)} AND p.deleted_at IS NULL)`.as(
    "poster_key",
  ),
  eventCount: spaces.eventCount,
  createdAt: spaces.createdAt,
  updatedAt: spaces.updatedAt,
  version: spaces.version,
};

/** SQL for the JSON of an event's name and of its details by language, from a row of events. */
export const eventNameJson = (e: string) => `json_object('ja', ${e}.name_ja, 'en', ${e}.name_en)`;
export const eventDetailJson = (e: string) => `json_object('ja', ${e}.detail_ja, 'en', ${e}.detail_en)`;

/** Parses JSON of a text by language. */
export const parseTexts = (json: string) => JSON.parse(json) as Localized;

/** Parses the JSON of a name. Only names of events have languages. */
export const parseName = (json: string) => JSON.parse(json) as string | Localized;

/** Does not include the hash of the publish password. */
export const eventColumns = {
  id: events.id,
  spaceId: events.spaceId,
  eventName: sql<Localized>`${sql.raw(eventNameJson(getTableName(events)))}`
    .mapWith(parseTexts)
    .as("event_names"),
  startDate: events.startDate,
  endDate: events.endDate,
  statusId: events.statusId,
  enableAutoChangeStatus: events.enableAutoChangeStatus,
  accessToken: events.accessToken,
  previewAccessToken: events.previewAccessToken,
  spAccessToken: events.spAccessToken,
  spStoreUrl: events.spStoreUrl,
  eventDetail: sql<Localized>`${sql.raw(eventDetailJson(getTableName(events)))}`
    .mapWith(parseTexts)
    .as("event_details"),
  urlParams: sql<UrlParams>`${events.urlParams}`.mapWith(deserialiseUrlParams).as("url_params"),
  hasPublishPassword: sql<boolean>`${events.publishPasswordHash} IS NOT NULL`
    .mapWith(Boolean)
    .as("has_password"),
  showBeforePassword: events.showBeforePassword,
  createdAt: events.createdAt,
  updatedAt: events.updatedAt,
  version: events.version,
  revision: events.revision,
};

export const tagColumns = {
  id: eventTags.id,
  eventId: eventTags.eventId,
  title: { ja: eventTags.titleJa, en: eventTags.titleEn },
  body: { ja: eventTags.bodyJa, en: eventTags.bodyEn },
  color: eventTags.color,
  icon: eventTags.icon,
  keywords: eventTags.keywords,
  linkUrl: eventTags.linkUrl,
  position: sql<Vec3 | null>`${eventTags.position}`
    .mapWith((value: string) => storedPoint(JSON.parse(value)))
    .as("tag_position"),
  stem: sql<Vec3>`${eventTags.stem}`
    .mapWith((value: string) => storedPoint(JSON.parse(value)) ?? DEFAULT_STEM)
    .as("tag_stem"),
  viewpoint: sql<Viewpoint | null>`${eventTags.viewpoint}`
    .mapWith((value: string) => storedView(JSON.parse(value)))
    .as("tag_viewpoint"),
  mediaIds: sql<string[]>`(SELECT json_group_array(media_id) FROM (
    SELECT tm.media_id FROM tag_media tm WHERE tm.tag_id = ${sql.raw(`${getTableName(eventTags)}.id`)} ORDER BY tm.sort_order, tm.media_id))`
    .mapWith((value: string) => JSON.parse(value) as string[])
    .as("media_ids"),
  product: eventTags.product,
  hidden: sql<boolean>`${eventTags.hidden}`.mapWith(Boolean).as("tag_hidden"),
  sortOrder: eventTags.sortOrder,
  version: eventTags.version,
};

/** A web media item as one value; null for files. */
const webMediaItem = sql<WebMediaItem | null>`CASE WHEN library_items.kind = 'web'
  THEN json_object('url', library_items.web_url, 'embed', json(library_items.web_embed)) END`
  .mapWith((value: string) => {
    const { url, embed } = JSON.parse(value) as { url: string; embed: unknown };
    return readWebMediaItem(url, embed);
  })
  .as("web");

/** SQL of the reason why an item's file may not be used. */
const uploadCheck =
  sql<UploadCheck | null>`(SELECT json_object('state', check_state, 'reason', check_reason) FROM stored_files
  WHERE stored_files.file_key = library_items.file_key AND check_state IS NOT NULL)`
    .mapWith((value: string) => JSON.parse(value) as UploadCheck)
    .as("upload_check");

/** SQL of the conversion of an item's file; null if there is none. @see app/domain/library/prepared */
const itemPreparation =
  sql<ItemPreparation | null>`(SELECT json_object('state', p.state, 'code', p.code, 'runId', p.run_id, 'quality', p.quality,
  'requestedQuality', iif(p.lease_id IS NULL, NULL, p.lease_quality),
  'report', iif(p.run_id IS NULL, NULL, json(p.facts)), 'leasedUntil', p.leased_until,
  'display', json(${sql.raw(displayFile)}),
  'displayCheck', (SELECT json_object('state', s.check_state, 'reason', s.check_reason) FROM prepared_files f
    JOIN stored_files s ON s.file_key = f.file_key WHERE f.item_id = p.item_id AND f.run_id = p.run_id AND f.role = 'display' AND s.check_state IS NOT NULL),
  'preview', ${sql.raw(preparedFile("preview", "f.name"))}, 'tiles', iif(p.run_id IS NULL, NULL, json(p.tiles)))
  FROM preparations p WHERE p.item_id = library_items.id AND p.file_key = library_items.file_key)`
    .mapWith((value: string) => JSON.parse(value) as ItemPreparation)
    .as("preparation");

/** Columns of event_media joined with library_items. No two have the same name, because a D1 batch would merge them. */
export const mediaColumns = {
  id: eventMedia.id,
  eventId: eventMedia.eventId,
  libraryItemId: eventMedia.libraryItemId,
  kind: libraryItems.kind,
  title: { ja: eventMedia.titleJa, en: eventMedia.titleEn },
  description: { ja: eventMedia.descriptionJa, en: eventMedia.descriptionEn },
  mimeType: libraryItems.mimeType,
  byteSize: libraryItems.byteSize,
  width: libraryItems.width,
  height: libraryItems.height,
  duration: libraryItems.duration,
  placement: sql<Placement | null>`${eventMedia.placement}`
    .mapWith((value: string) => storedPlacement(JSON.parse(value)))
    .as("placement"),
  hidden: sql<boolean>`${eventMedia.hidden}`.mapWith(Boolean).as("media_hidden"),
  web: webMediaItem,
  createdOn: eventMedia.createdOn,
  version: eventMedia.version,
  fileKey: libraryItems.fileKey,
  thumbKey: libraryItems.thumbKey,
  fileName: libraryItems.fileName,
  preparation: itemPreparation,
};

export const libraryColumns = {
  id: libraryItems.id,
  folderId: libraryItems.folderId,
  ownerId: libraryItems.ownerId,
  groupId: libraryItems.groupId,
  kind: libraryItems.kind,
  title: libraryItems.title,
  fileName: libraryItems.fileName,
  mimeType: libraryItems.mimeType,
  byteSize: libraryItems.byteSize,
  width: libraryItems.width,
  height: libraryItems.height,
  duration: libraryItems.duration,
  fileKey: libraryItems.fileKey,
  thumbKey: libraryItems.thumbKey,
  thumbnailSize: libraryItems.thumbnailSize,
  preparedSize: libraryItems.preparedSize,
  check: uploadCheck,
  preparation: itemPreparation,
  web: webMediaItem,
  createdAt: libraryItems.createdAt,
  updatedAt: libraryItems.updatedAt,
  version: libraryItems.version,
};

/** Columns needed to send a file. */
export const fileColumns = {
  itemId: libraryItems.id,
  kind: libraryItems.kind,
  fileKey: libraryItems.fileKey,
  thumbKey: libraryItems.thumbKey,
  fileName: libraryItems.fileName,
  mimeType: libraryItems.mimeType,
  byteSize: libraryItems.byteSize,
  width: libraryItems.width,
  height: libraryItems.height,
  preparation: itemPreparation,
};
