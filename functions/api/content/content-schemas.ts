/** Schemas of an event's content in responses to editors and visitors. */
import * as z from "zod";
import { MEDIA_KINDS } from "~/domain/library/media-kinds";
import {
  count,
  eventDetailFields,
  eventNameFields,
  id,
  instant,
  localized,
  ViewpointSchema,
  vec3,
  WebMediaItemSchema,
} from "../core/schemas";

const radians = z.number().meta({ description: "Radians." });
const product = z.object({ id: z.string(), title: z.string() });
const editorsOnly = "For editors alone.";

/** A tag. Responses for visitors contain neither its version nor whether it is hidden. */
export const TagSchema = z
  .object({
    uuid: id,
    event_uuid: id,
    title: localized,
    body: localized.meta({ description: "Markdown without HTML and images." }),
    color: z.string().meta({ examples: ["#3b4fa8"] }),
    icon: z.string(),
    keywords: z.array(z.string()),
    link_url: z.string().nullable(),
    position: vec3.nullable().meta({ description: "Metres; null until it is placed." }),
    stem: vec3,
    viewpoint: ViewpointSchema.nullable(),
    media_uuids: z.array(id).meta({ description: "Media of the event that the tag shows, in order." }),
    product: product.nullable(),
    hidden: z.boolean().optional().meta({ description: editorsOnly }),
    sort_order: z.number(),
    version: count.optional().meta({ description: editorsOnly }),
  })
  .meta({ id: "Tag" });

/** The placement of a media item in a space. */
export const PlacementSchema = z
  .object({
    position: vec3,
    normal: vec3,
    width: z.number().meta({ description: "Metres." }),
    rotation: radians,
    play: z.enum(["click", "auto"]),
    reach: z.number().meta({ description: "Distance within which it is audible, in metres." }),
  })
  .meta({ id: "Placement" });

/** A media item of an event. */
export const EventMediaItemSchema = z
  .object({
    uuid: id,
    event_uuid: id,
    library_item_uuid: id,
    kind: z.enum(MEDIA_KINDS),
    title: localized,
    description: localized,
    mime_type: z.string(),
    byte_size: count,
    width: z.number().nullable(),
    height: z.number().nullable(),
    duration: z.number().nullable(),
    // Whether it has a thumbnail.
    has_still: z.boolean(),
    placement: PlacementSchema.nullable(),
    hidden: z.boolean().optional().meta({ description: editorsOnly }),
    web: WebMediaItemSchema.nullable(),
    created_on: instant,
    version: count.optional().meta({ description: editorsOnly }),
  })
  .meta({ id: "EventMedium" });

/** The scene of an event. */
export const SceneSchema = z
  .object({
    start_view: ViewpointSchema.nullable(),
    tour: z.array(
      z.object({
        uuid: id,
        tag_uuid: id.nullable(),
        viewpoint: ViewpointSchema.nullable(),
        title: localized,
        text: localized,
        seconds: z.number(),
      }),
    ),
    plan: z
      .object({
        media_uuid: id,
        center: z.tuple([z.number(), z.number()]),
        width: z.number(),
        rotation: radians,
      })
      .nullable(),
    products: z.array(product),
    version: count.optional().meta({ description: `${editorsOnly} 0 before anything was saved.` }),
  })
  .meta({ id: "Scene" });

/** All content of an event. */
export const ContentSchema = z
  .object({
    tags: z.array(TagSchema),
    media: z.array(EventMediaItemSchema),
    trashed_media: z
      .array(
        EventMediaItemSchema.pick({ uuid: true, library_item_uuid: true, kind: true, title: true }).extend({
          tag_uuids: z.array(id),
        }),
      )
      .meta({
        description:
          "Media whose files are in the library's trash, so that no visitor sees them, and the tags that contain them.",
      }),
    scene: SceneSchema,
    seq: count.meta({ description: "The number of its last change." }),
  })
  .meta({ id: "Content" });

const tagOrder = z.array(id).meta({ description: "The ids of all tags, in order." });
const item = z.union([TagSchema, EventMediaItemSchema, SceneSchema, tagOrder, z.null()]);
const itemType = z.enum(["tag", "media", "scene", "order"]);
const places = z
  .array(z.number())
  .optional()
  .meta({ description: "Only for a change of the order: the `sort_order` of each of its tags." });
const successFields = {
  ok: z.literal(true),
  uuid: z.string(),
  version: count,
  type: itemType,
  item: item.meta({ description: "The record after the whole call; null if it was deleted." }),
  places,
};
const rejectionFields = {
  ok: z.literal(false),
  uuid: z.string(),
  reason: z.enum(["stale", "not_found", "invalid", "limit", "content_full", "forbidden"]),
  errors: z
    .record(z.string(), z.array(z.string()))
    .optional()
    .meta({ description: "Keys of messages by field." }),
  saved: z
    .object({ type: itemType, item, places })
    .optional()
    .meta({ description: "The saved record, for `stale`." }),
};

/** Result of a command. */
export const CommandResultSchema = z
  .discriminatedUnion("ok", [z.object(successFields), z.object(rejectionFields)])
  .meta({ id: "CommandResult" });

/** Result of copying a tag or media item. */
export const CopyResultSchema = z
  .discriminatedUnion("ok", [
    z.object({ copy_of: id, ...successFields }),
    z.object({ copy_of: id, ...rejectionFields }),
  ])
  .meta({ id: "CopyResult" });

/** The fields of an event in its history. */
export const EventFieldsSchema = z
  .object({
    ...eventNameFields,
    start_date: instant.nullable(),
    end_date: instant.nullable(),
    status_id: z.int(),
    enable_auto_change_status: z.boolean(),
    ...eventDetailFields,
    url_params: z.looseObject({}),
    has_store: z.boolean(),
    has_password: z.boolean(),
    show_before_password: z.boolean(),
  })
  .meta({ id: "EventFields" });

/** A change of an event. */
export const ChangeSchema = z
  .object({
    seq: count,
    at: instant,
    act: z.string().meta({ description: "The same for all changes of one call." }),
    actor_uuid: id.nullable(),
    actor_name: z.string().nullable(),
    item_type: z.enum(["tag", "media", "scene", "order", "event"]),
    item_uuid: id,
    after: z
      .union([item, EventFieldsSchema])
      .meta({ description: "The record after the change; null if it was deleted." }),
    places,
  })
  .meta({ id: "Change" });

/** An event for visitors. */
export const VisitorEventSchema = z
  .object({
    uuid: id,
    space_uuid: id,
    ...eventNameFields,
    ...eventDetailFields,
    start_date: instant.nullable(),
    end_date: instant.nullable(),
    status_id: z.int(),
    url_params: z.string(),
    has_store: z.boolean(),
    is_authenticated: z.literal(true),
    scene: SceneSchema,
  })
  .meta({ id: "VisitorEvent" });

/** An event for visitors who have not entered its publish password yet. */
export const LockedEventSchema = z
  .object({
    uuid: id,
    event_name: eventNameFields.event_name.nullable(),
    names: eventNameFields.names.nullable(),
    is_authenticated: z.literal(false),
  })
  .meta({ id: "LockedEvent" });

/** The space in which an event is shown. */
export const SidSchema = z.object({ event_uuid: id, space_uuid: id, sid: z.string() }).meta({ id: "Sid" });
