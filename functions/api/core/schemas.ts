/** Schemas of the API's responses: they type the JSON functions and are part of the OpenAPI document, and tests check every response against them. */
import * as z from "zod";
import { MEDIA_KINDS } from "~/domain/library/media-kinds";
import { PREPARATION_STATES } from "~/domain/library/prepared";
import { CHECK_STATES } from "~/domain/library/upload-check";
import { MODEL_MOVES, MODEL_UPS } from "~/domain/spaces/model-display";
import { SPACE_LIGHTS, SPLAT_UPS } from "~/domain/spaces/space-source.schema";

/** An id. */
export const id = z.guid().meta({ format: "uuid", pattern: undefined });
/** ISO 8601 in UTC with milliseconds. */
export const instant = z.string().meta({ format: "date-time", description: "UTC, with milliseconds." });
/** A whole number from 0. */
export const count = z.int().min(0);
const version = count.meta({
  description: "Number of saves. A change states the version on which it is based.",
});
const groupId = id.nullable().meta({ description: "The group with which the record is shared." });
const number = z.number();
/** Three coordinates. */
export const vec3 = z.tuple([number, number, number]).meta({ description: "Metres, y up." });

/** A text in both languages. */
export const localized = z
  .object({ ja: z.string(), en: z.string() })
  .meta({ id: "Localized", description: "A text in both languages; empty if one is missing." });

const byLang = (description: string) =>
  localized.meta({ description: `${description} in both languages; empty where one is missing.` });
/** The name of an event: one text (specification §3), and the texts of both languages. */
export const eventNameFields = {
  event_name: z.string().meta({ description: "The Japanese name, or the English one if there is none." }),
  names: byLang("The name"),
};
/** The details of an event in the same way. */
export const eventDetailFields = {
  event_detail: z
    .string()
    .meta({ description: "The Japanese details, or the English ones if there are none." }),
  details: byLang("The details"),
};

/** A position and a direction. */
export const ViewpointSchema = z
  .object({
    position: vec3,
    yaw: number.meta({ description: "Radians from −z, positive to the left." }),
    pitch: number.meta({ description: "Radians, upwards." }),
    mode: z.enum(["walk", "orbit", "plan"]),
    node_id: z.string().nullable().meta({ description: "The panorama or sweep, in spaces that have them." }),
  })
  .meta({ id: "Viewpoint" });

/** An account. */
export const UserSchema = z
  .object({
    uuid: id,
    email: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    company_name: z.string(),
    roles: z.array(z.enum(["admin", "user"])),
    is_admin: z.boolean(),
    status: z.string(),
    space_license: count.meta({ description: "Maximum number of spaces of the account." }),
    space_count: count,
    library_size: z.int().meta({ description: "Limit of the account's library, in bytes." }),
    library_used: z.int().meta({ description: "Bytes." }),
    language: z.enum(["ja", "en"]),
    time_zone: z.string().meta({ examples: ["Asia/Tokyo"] }),
    created_at: instant,
    version,
  })
  .meta({ id: "User" });

/** An account for administrators. */
export const ListedUserSchema = z
  .object({
    ...UserSchema.shape,
    has_password: z.boolean().meta({ description: "Whether its owner has set one." }),
    deletion_requested_at: instant.nullable().meta({ description: "When its owner requested its deletion." }),
    deleted_at: instant.nullable().meta({ description: "When it was moved to the trash." }),
  })
  .meta({ id: "ListedUser" });

/** A person's name and email address. */
export const PersonSchema = z
  .object({ uuid: id, email: z.string(), first_name: z.string(), last_name: z.string() })
  .meta({ id: "Person" });

/** A group. */
export const GroupSchema = z
  .object({
    uuid: id,
    name: z.string(),
    member_count: count,
    created_at: instant,
    deleted_at: instant
      .nullable()
      .meta({ description: "When it was moved to the trash, which suspends its access." }),
    version,
  })
  .meta({ id: "Group" });

/** A folder. */
export const FolderSchema = z
  .object({
    uuid: id,
    parent_uuid: z.string().meta({ description: "Empty for a root folder." }),
    owner_uuid: id,
    folder_type: z.enum(["space", "media"]),
    group_id: groupId,
    name: z.string().meta({ description: "Empty for a root folder." }),
    created_at: instant,
    updated_at: instant,
    version,
  })
  .meta({ id: "Folder" });

const start = ViewpointSchema.nullable().meta({
  description: "Viewpoint at which visitors begin; null lets the viewer choose.",
});
const eyeHeight = number.meta({ description: "Metres." });
const fileChoice = z.number().int().nullable();
const display = z
  .object({
    scale: z.number().meta({ description: "Length of one unit of the file, in metres." }),
    up: z.enum(MODEL_UPS).meta({ description: "The axis of the file that points up." }),
    turn: z.number().meta({ description: "Rotation around the vertical axis, in radians." }),
    scene: fileChoice,
    animation: fileChoice,
    moves: z.enum(MODEL_MOVES).meta({ description: "How its animation starts." }),
    variant: fileChoice,
  })
  .meta({
    description:
      "How the model is shown. Scenes, animations and material variants count from 0; null is the file's own choice.",
  });
/** A space's source. */
export const SourceSchema = z
  .discriminatedUnion("kind", [
    z.object({ kind: z.literal("showcase"), sid: z.string() }),
    z.object({
      kind: z.literal("model"),
      media_uuid: id,
      start,
      eye_height: eyeHeight,
      light: z.enum(SPACE_LIGHTS),
      light_media_uuid: id.nullable().meta({ description: "An environment map, for `light` `file`." }),
      display,
    }),
    z.object({
      kind: z.literal("splat"),
      media_uuid: id,
      start,
      eye_height: eyeHeight,
      up: z.enum(SPLAT_UPS),
    }),
    z.object({
      kind: z.literal("panorama"),
      start,
      nodes: z.array(
        z.object({
          id: z.string(),
          media_uuid: id,
          title: localized,
          position: vec3,
          heading: number.meta({ description: "The yaw at the centre of the image, in radians." }),
          links: z.array(z.string()),
        }),
      ),
    }),
  ])
  .meta({ id: "Source" });

/** A space. */
export const SpaceSchema = z
  .object({
    uuid: id,
    folder_uuid: id,
    owner_uuid: id,
    group_id: groupId,
    name: z.string(),
    sid: z.string(),
    source_kind: z.enum(["showcase", "model", "panorama", "splat"]),
    source: SourceSchema,
    poster_media_uuid: id.nullable(),
    event_count: count,
    created_at: instant,
    updated_at: instant,
    version,
  })
  .meta({ id: "Space" });

/** A web media item. */
export const WebMediaItemSchema = z
  .object({
    provider: z.string(),
    provider_id: z.string(),
    url: z.string(),
    type: z.enum(["photo", "video", "rich"]),
    title: z.string(),
    author: z.string(),
    player: z.string().nullable(),
    player_url: z.string().nullable(),
    width: number.nullable(),
    height: number.nullable(),
  })
  .meta({ id: "WebMedium" });

const libraryItem = {
  uuid: id,
  folder_uuid: id,
  owner_uuid: id,
  group_id: groupId,
  kind: z.enum(MEDIA_KINDS),
  title: z.string(),
  file_name: z.string(),
  mime_type: z.string(),
  byte_size: count,
  still_size: count.meta({ description: "Bytes of its thumbnail that count as storage." }),
  prepared_size: count.meta({
    description: "Bytes of its converted files, which count as storage.",
  }),
  width: number.nullable().meta({ description: "Pixels." }),
  height: number.nullable().meta({ description: "Pixels." }),
  duration: number.nullable().meta({ description: "Seconds." }),
  file_url: z.string().nullable().meta({ description: "URL on this site, for this version of the file." }),
  picture_url: z
    .string()
    .nullable()
    .meta({ description: "URL of its image, or of its thumbnail, 320 pixels wide." }),
  check: z
    .object({ state: z.enum(CHECK_STATES), reason: z.string() })
    .nullable()
    .meta({
      description:
        "Reason why the file cannot be used: it is not checked yet, or was rejected. Null if it can be used.",
    }),
  preparation: z
    .enum(["none", ...PREPARATION_STATES])
    .meta({ description: "State of its conversion for visitors; see getPreparation." }),
  hidden: z
    .enum(["check", "waiting", "failed"])
    .nullable()
    .meta({ description: "Reason why visitors do not see it; null if they do." }),
  web: WebMediaItemSchema.nullable(),
  created_at: instant,
  updated_at: instant,
  version,
};
/** An item of a library. */
export const LibraryItemSchema = z.object(libraryItem).meta({ id: "LibraryItem" });

/** The uses of an item. */
export const ItemUsesSchema = z
  .object({
    events: z.array(
      z.object({
        uuid: id,
        ...eventNameFields,
        space_name: z.string(),
        tags: z.array(z.object({ uuid: id, title: localized })),
      }),
    ),
    spaces: z.array(
      z.object({ uuid: id, name: z.string(), is_source: z.boolean(), is_picture: z.boolean() }),
    ),
    more: count.meta({ description: "Number of further uses that the caller may see." }),
    hidden: count.meta({ description: "Number of uses that the caller may not see." }),
  })
  .meta({ id: "ItemUses" });

/** An item of a library with its uses. */
export const LibraryItemDetailsSchema = z
  .object({ ...libraryItem, uses: ItemUsesSchema })
  .meta({ id: "LibraryItemDetails" });

/** An item in the trash. */
export const TrashedItemSchema = z
  .object({
    uuid: id,
    kind: z.enum(["folder", "space", "media"]),
    name: z.string(),
    owner_uuid: id,
    group_id: groupId,
    deleted_at: instant,
    holds: count.meta({ description: "Number of records that were deleted with it." }),
  })
  .meta({ id: "TrashedItem" });

/** An event in the trash. */
export const TrashedEventSchema = z
  .object({ uuid: id, space_uuid: id, ...eventNameFields, deleted_at: instant })
  .meta({ id: "TrashedEvent" });

/** An open upload. */
export const UploadSchema = z
  .object({
    uuid: id,
    media_uuid: id.meta({ description: "The id that the item will have." }),
    folder_uuid: id,
    owner_uuid: id,
    replaces_uuid: id.nullable(),
    file_name: z.string(),
    byte_size: count,
    part_size: count.meta({ description: "Size of each slice except the last, in bytes." }),
    fingerprint: z.string(),
    parts: z
      .array(z.object({ number: count, byte_size: count }))
      .meta({ description: "The received slices." }),
    created_at: instant,
    expires_at: instant,
  })
  .meta({ id: "Upload" });

const statusId = z
  .union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)])
  .meta({ description: "1 Unpublished, 2 Preview, 3 Published, 4 Archived." });

/** An event for its editors. */
export const EventSchema = z
  .object({
    uuid: id,
    space_uuid: id,
    ...eventNameFields,
    start_date: instant.nullable(),
    end_date: instant.nullable(),
    status_id: statusId.meta({ description: "The current status, after automatic changes." }),
    saved_status_id: statusId.meta({ description: "The status that was saved." }),
    enable_auto_change_status: z.boolean(),
    access_token: z.string().meta({ description: "Token of the public link." }),
    preview_access_token: z.string().meta({ description: "Token of the preview link." }),
    sp_access_token: z
      .string()
      .nullable()
      .meta({ description: "The store's access token, public or private." }),
    sp_store_url: z.string().nullable(),
    ...eventDetailFields,
    url_params: z.string().meta({ description: "The parameters of the viewer, as the JSON of an object." }),
    has_publish_password: z.boolean(),
    show_before_password: z.boolean(),
    created_at: instant,
    updated_at: instant,
    version,
  })
  .meta({ id: "Event" });

/** `{status: "success"}`. */
export const SuccessSchema = z.object({ status: z.literal("success") }).meta({ id: "Success" });

/** `{status: "success", uuid}`. */
export const DeletedSchema = z.object({ status: z.literal("success"), uuid: id }).meta({ id: "Deleted" });

const batchList = z.object({
  success: z.array(id).meta({ description: "Ids of records that were changed." }),
  fail: z
    .array(z.string())
    .meta({ description: "Ids of records that were not changed; malformed ones as they were sent." }),
  reasons: z
    .array(
      z.object({
        uuid: z.string().nullable(),
        code: z.string(),
        field: z
          .string()
          .optional()
          .meta({ description: "The part that is not an id, if the entry has parts." }),
      }),
    )
    .meta({ description: "One error for each failed entry. `uuid` is null if no text was sent." }),
  copies: z
    .array(z.object({ uuid: id, copy_uuid: id.nullable() }))
    .optional()
    .meta({ description: "Only for copies: the id of each copy." }),
});
/** Result of a batch. */
export const BatchSchema = z
  .object({
    status: z.literal("success"),
    results: z.object({
      folders: batchList.optional(),
      spaces: batchList.optional(),
      media: batchList.optional(),
    }),
  })
  .meta({ id: "BatchResult" });

/** A problem document. */
export const ProblemSchema = z
  .object({
    type: z.literal("about:blank"),
    title: z.string(),
    status: z.int(),
    code: z.string().meta({ description: "Stable code for programs." }),
    detail: z.string().meta({ description: "Text for users, in the language of the call." }),
    errors: z
      .array(
        z.object({
          field: z.string().meta({
            description: "Name of the field in the body or the query, with dots for nested fields.",
          }),
          message: z.string(),
          values: z.looseObject({}).optional(),
        }),
      )
      .optional(),
    values: z.looseObject({}).optional().meta({ description: "Values of the placeholders in the text." }),
    saved: z.unknown().optional().meta({ description: "The saved record, in a version conflict." }),
    submitted: z.unknown().optional().meta({ description: "The submitted values, without secrets." }),
    request_id: z.string().optional().meta({ description: "Id of the log entry with the details." }),
    result: z.literal("fail").optional().meta({ description: "Only for paths below /default/user." }),
  })
  .meta({ id: "Problem", description: "RFC 9457." });
