/** The API's JSON: the field names of specification §3 in snake_case. Every field is listed explicitly, so that no other field is exposed by accident. */

import type { TrashedEvent } from "#functions/services/events/event-ports";
import type { TrashedItem } from "#functions/services/folders/tree-ports";
import type { ItemUses } from "#functions/services/library/item-uses-ports";
import type { OpenUpload } from "#functions/services/library/uploads";
import type { ListedUser } from "#functions/services/users/user-ports";
import type { VisitorEvent } from "#functions/services/visitors/event-access";
import { sceneToJson, viewpointToJson, webToJson } from "~/domain/content/content-json";
import { singleText } from "~/domain/events/event-texts";
import { serialiseUrlParams } from "~/domain/events/url-params";
import type { LibraryItem } from "~/domain/library/library-item";
import { imageUrl, uploadedFileUrl } from "~/domain/library/media-url";
import { hiddenReason, preparationState } from "~/domain/library/prepared";
import type { Event, EventStatusId, Folder, Group, Localized, Space, User } from "~/domain/shared/model";
import { MODEL_DISPLAY } from "~/domain/spaces/model-display";
import { USER_STATUS_WIRE } from "~/domain/users/user-status";
import type { LockedEventSchema, SidSchema, VisitorEventSchema } from "../content/content-schemas";
import type { JsonOf } from "./call";
import type {
  DeletedSchema,
  EventSchema,
  FolderSchema,
  GroupSchema,
  ItemUsesSchema,
  LibraryItemSchema,
  ListedUserSchema,
  PersonSchema,
  SourceSchema,
  SpaceSchema,
  TrashedEventSchema,
  TrashedItemSchema,
  UploadSchema,
  UserSchema,
} from "./schemas";

/** An account for its owner and for administrators (specification §3). Storage sizes are bytes. */
export const userJson = (user: User): JsonOf<typeof UserSchema> => ({
  uuid: user.id,
  email: user.email,
  first_name: user.firstName,
  last_name: user.lastName,
  company_name: user.companyName,
  roles: [user.role],
  is_admin: user.role === "admin",
  status: USER_STATUS_WIRE[user.status],
  space_license: user.spaceLicense,
  space_count: user.spaceCount,
  library_size: user.storageLimit,
  library_used: user.storageUsed,
  language: user.language,
  time_zone: user.timeZone,
  created_at: user.createdAt,
  version: user.version,
});

/** An account for administrators. */
export const listedUserJson = (user: ListedUser): JsonOf<typeof ListedUserSchema> => ({
  ...userJson(user),
  has_password: user.hasPassword,
  deletion_requested_at: user.deletionRequestedAt,
  deleted_at: user.deletedAt,
});

/** A person's name and email address. */
export const personJson = (
  person: Pick<User, "id" | "email" | "firstName" | "lastName">,
): JsonOf<typeof PersonSchema> => ({
  uuid: person.id,
  email: person.email,
  first_name: person.firstName,
  last_name: person.lastName,
});

/** A group. */
export const groupJson = (group: Group): JsonOf<typeof GroupSchema> => ({
  uuid: group.id,
  name: group.name,
  member_count: group.memberCount,
  created_at: group.createdAt,
  deleted_at: group.deletedAt,
  version: group.version,
});

/** A folder for those who may see it (specification §3). `parent_uuid` is empty for a root folder. */
export const folderJson = (folder: Folder): JsonOf<typeof FolderSchema> => ({
  uuid: folder.id,
  parent_uuid: folder.parentId ?? "",
  owner_uuid: folder.ownerId,
  folder_type: folder.folderType,
  group_id: folder.groupId,
  name: folder.name,
  created_at: folder.createdAt,
  updated_at: folder.updatedAt,
  version: folder.version,
});

/** The name of an event: one text (specification §3), Japanese if there is one, and the texts of both languages. */
export const namesJson = (name: Localized) => ({ event_name: singleText(name), names: name });
const detailsJson = (detail: Localized) => ({ event_detail: singleText(detail), details: detail });

/** An item in the trash. `holds` is the number of items that were deleted with it. */
export const trashedItemJson = (item: TrashedItem): JsonOf<typeof TrashedItemSchema> => ({
  uuid: item.id,
  kind: item.kind,
  name: item.name,
  owner_uuid: item.ownerId,
  group_id: item.groupId,
  deleted_at: item.deletedAt,
  holds: item.containedCount,
});

/** An event in the trash of its space. */
export const trashedEventJson = (
  event: TrashedEvent,
  spaceId: string,
): JsonOf<typeof TrashedEventSchema> => ({
  uuid: event.id,
  space_uuid: spaceId,
  ...namesJson(event.eventName),
  deleted_at: event.deletedAt,
});

/** A space's source: files of a library, or a showcase by its id. Metres, radians. */
const sourceJson = ({ source, sid }: Space): JsonOf<typeof SourceSchema> => {
  switch (source.kind) {
    case "showcase":
      return { kind: source.kind, sid };
    case "panorama":
      return {
        kind: source.kind,
        start: viewpointToJson(source.start),
        nodes: source.nodes.map((node) => ({
          id: node.id,
          media_uuid: node.mediaId,
          title: node.title,
          position: node.position,
          heading: node.heading,
          links: node.links,
        })),
      };
    default: {
      const fileFields = {
        media_uuid: source.mediaId,
        start: viewpointToJson(source.start),
        eye_height: source.eyeHeight,
      };
      if (source.kind === "splat") return { kind: source.kind, ...fileFields, up: source.up };
      const { light = "studio", lightPicture, display = MODEL_DISPLAY } = source;
      return {
        kind: source.kind,
        ...fileFields,
        light,
        light_media_uuid: lightPicture?.mediaId ?? null,
        display,
      };
    }
  }
};

/** A space for those who may see it (specification §3). */
export const spaceJson = (space: Space): JsonOf<typeof SpaceSchema> => ({
  uuid: space.id,
  folder_uuid: space.folderId,
  owner_uuid: space.ownerId,
  group_id: space.groupId,
  name: space.name,
  sid: space.sid,
  source_kind: space.source.kind,
  source: sourceJson(space),
  poster_media_uuid: space.posterMediaId,
  event_count: space.eventCount,
  created_at: space.createdAt,
  updated_at: space.updatedAt,
  version: space.version,
});

/** An item of a library for those who may see it. Bytes, pixels, seconds. The URLs are those of this version of its file. */
export const libraryItemJson = (item: LibraryItem): JsonOf<typeof LibraryItemSchema> => ({
  uuid: item.id,
  folder_uuid: item.folderId,
  owner_uuid: item.ownerId,
  group_id: item.groupId,
  kind: item.kind,
  title: item.title,
  file_name: item.fileName,
  mime_type: item.mimeType,
  byte_size: item.byteSize,
  still_size: item.thumbnailSize,
  prepared_size: item.preparedSize,
  width: item.width,
  height: item.height,
  duration: item.duration,
  file_url: item.fileKey === null ? null : uploadedFileUrl(item.id, item.fileKey),
  picture_url: imageUrl(item, 320),
  check: item.check,
  preparation: preparationState(item),
  hidden: hiddenReason(item)?.why ?? null,
  web: webToJson(item.web),
  created_at: item.createdAt,
  updated_at: item.updatedAt,
  version: item.version,
});

/** The uses of an item that the caller may see. */
export const itemUsesJson = (uses: ItemUses): JsonOf<typeof ItemUsesSchema> => ({
  events: uses.events.map(({ id, name, spaceName, tags }) => ({
    uuid: id,
    ...namesJson(name),
    space_name: spaceName,
    tags: tags.map((tag) => ({ uuid: tag.id, title: tag.title })),
  })),
  spaces: uses.spaces.map(({ id, name, isSource, isThumbnail }) => ({
    uuid: id,
    name,
    is_source: isSource,
    is_picture: isThumbnail,
  })),
  more: uses.unnamedCount,
  hidden: uses.hiddenCount,
});

/** An upload for its sender. Bytes. `parts` are the received slices. */
export const uploadJson = (upload: OpenUpload): JsonOf<typeof UploadSchema> => ({
  uuid: upload.id,
  media_uuid: upload.itemId,
  folder_uuid: upload.folderId,
  owner_uuid: upload.ownerId,
  replaces_uuid: upload.replacesId,
  file_name: upload.fileName,
  byte_size: upload.byteSize,
  part_size: upload.partSize,
  fingerprint: upload.fingerprint,
  parts: upload.parts.map(({ number, byteSize }) => ({ number, byte_size: byteSize })),
  created_at: upload.createdAt,
  expires_at: upload.expiresAt,
});

/** An event for its editors. `status_id` is the current status, `saved_status_id` the saved one. */
export const eventJson = (
  event: Event & { readonly currentStatus?: EventStatusId },
): JsonOf<typeof EventSchema> => ({
  uuid: event.id,
  space_uuid: event.spaceId,
  ...namesJson(event.eventName),
  start_date: event.startDate,
  end_date: event.endDate,
  status_id: event.currentStatus ?? event.statusId,
  saved_status_id: event.statusId,
  enable_auto_change_status: event.enableAutoChangeStatus,
  access_token: event.accessToken,
  preview_access_token: event.previewAccessToken,
  sp_access_token: event.spAccessToken,
  sp_store_url: event.spStoreUrl,
  ...detailsJson(event.eventDetail),
  // Specification §3: stored, and sent, as a text.
  url_params: serialiseUrlParams(event.urlParams),
  has_publish_password: event.hasPublishPassword,
  show_before_password: event.showBeforePassword,
  created_at: event.createdAt,
  updated_at: event.updatedAt,
  version: event.version,
});

/** An event for a visitor. VisitorEvent explains which fields are left out. */
export const visitorEventJson = (event: VisitorEvent): JsonOf<typeof VisitorEventSchema> => ({
  uuid: event.id,
  space_uuid: event.spaceId,
  ...namesJson(event.eventName),
  ...detailsJson(event.eventDetail),
  start_date: event.startDate,
  end_date: event.endDate,
  status_id: event.statusId,
  url_params: serialiseUrlParams(event.urlParams),
  has_store: event.hasStore,
  is_authenticated: true,
  scene: sceneToJson(event.scene),
});

/** The part of an event that visitors receive before they enter its password. The name is null if the owner hides it. */
export const lockedEventJson = (event: {
  readonly id: string;
  readonly eventName: Localized | null;
}): JsonOf<typeof LockedEventSchema> => ({
  uuid: event.id,
  ...(event.eventName ? namesJson(event.eventName) : { event_name: null, names: null }),
  is_authenticated: false,
});

/** The space in which an event is shown, and its sid (specification §7, fetch_event_sid). */
export const sidJson = (space: Pick<Space, "id" | "sid">, eventId: string): JsonOf<typeof SidSchema> => ({
  event_uuid: eventId,
  space_uuid: space.id,
  sid: space.sid,
});

/** Response of a call that deletes an item. */
export const deletedJson = (uuid: string): JsonOf<typeof DeletedSchema> => ({ status: "success", uuid });
