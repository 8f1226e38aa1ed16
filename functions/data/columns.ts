/** What is read of each table, by the names of the model: explicit, so that a new column reaches nobody by accident. */
import { getTableName, sql } from "drizzle-orm";
import type { Placement, SpaceSource, UrlParams, Vec3, Viewpoint, WebMedium } from "~/domain/model";
import { readWebMedium } from "~/domain/oembed.schema";
import { storedPlacement, storedPoint, storedSource, storedView } from "~/domain/stored-places";
import { DEFAULT_STEM } from "~/domain/tag.schema";
import { deserialiseUrlParams } from "~/domain/url-params";
import { eventMedia, events, eventTags, folders, HAS_PASSWORD, libraryItems, spaces, users } from "./schema";

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

/** As administrators see it. The hash itself stays out: only the sessions' repository reads it. */
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
    .mapWith((value: string) => storedSource(JSON.parse(value)))
    .as("space_source"),
  /** A picture in the trash is none until it comes back, and a file without a still none until it has one. */
  posterMediaId: sql<string | null>`(SELECT poster.id FROM library_items poster
    WHERE poster.id = spaces.poster_media_id AND poster.deleted_at IS NULL
    AND (poster.kind = 'image' OR poster.thumb_key IS NOT NULL))`.as("poster_media_id"),
  posterKey: sql<string | null>`(SELECT coalesce(p.thumb_key, CASE p.kind WHEN 'image' THEN p.file_key END)
    FROM library_items p WHERE p.id = ${sql.raw(`${getTableName(spaces)}.poster_media_id`)} AND p.deleted_at IS NULL)`.as(
    "poster_key",
  ),
  eventCount: spaces.eventCount,
  createdAt: spaces.createdAt,
  updatedAt: spaces.updatedAt,
  version: spaces.version,
};

/** The hash of the publish password stays out: only the visitors' repository reads it. */
export const eventColumns = {
  id: events.id,
  spaceId: events.spaceId,
  eventName: events.eventName,
  startDate: events.startDate,
  endDate: events.endDate,
  statusId: events.statusId,
  enableAutoChangeStatus: events.enableAutoChangeStatus,
  accessToken: events.accessToken,
  previewAccessToken: events.previewAccessToken,
  spAccessToken: events.spAccessToken,
  spStoreUrl: events.spStoreUrl,
  eventDetail: events.eventDetail,
  urlParams: sql<UrlParams>`${events.urlParams}`.mapWith(deserialiseUrlParams).as("url_params"),
  hasPublishPassword: sql<boolean>`${events.publishPasswordHash} IS NOT NULL`
    .mapWith(Boolean)
    .as("has_password"),
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

/** A web medium as one value; null for files. */
const webMedium = sql<WebMedium | null>`CASE WHEN library_items.kind = 'web'
  THEN json_object('url', library_items.web_url, 'embed', json(library_items.web_embed)) END`
  .mapWith((value: string) => {
    const { url, embed } = JSON.parse(value) as { url: string; embed: unknown };
    return readWebMedium(url, embed);
  })
  .as("web");

/** Of event_media joined with library_items. No two columns share a name, which a D1 batch would merge. */
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
  web: webMedium,
  createdOn: eventMedia.createdOn,
  version: eventMedia.version,
  fileKey: libraryItems.fileKey,
  thumbKey: libraryItems.thumbKey,
  fileName: libraryItems.fileName,
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
  stillSize: libraryItems.stillSize,
  web: webMedium,
  createdAt: libraryItems.createdAt,
  updatedAt: libraryItems.updatedAt,
  version: libraryItems.version,
};

/** What sending a file needs. */
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
};
