/** JSON Schema of an event's content in requests of editors. The rules are those of app/domain/content/command.schema. */

import { DEFAULT_STEM, DEFAULT_TAG_COLOR, DEFAULT_TAG_ICON } from "~/domain/content/tag-defaults";
import type { TAG_FIELDS, TagFieldName } from "~/domain/content/tag-fields";
import {
  CONTENT_COMMANDS_MAX,
  COORDINATE_MAX,
  EVENT_PRODUCTS_MAX,
  EVENT_TAGS_MAX,
  KEYWORD_MAX,
  LINK_URL_MAX,
  MEDIA_DESCRIPTION_MAX,
  MEDIA_TITLE_MAX,
  PLACEMENT_REACH,
  PLACEMENT_WIDTH_MAX,
  PLAN_WIDTH_MAX,
  PRODUCT_TITLE_MAX,
  TAG_BODY_MAX,
  TAG_KEYWORDS_MAX,
  TAG_MEDIA_MAX,
  TAG_TITLE_MAX,
  TOUR_SECONDS,
  TOUR_STOPS_MAX,
  TOUR_TEXT_MAX,
  TOUR_TITLE_MAX,
} from "~/domain/shared/limits";
import type { JsonSchema } from "../core/fields";

const uuid = { type: "string", format: "uuid" } as const;
const radians = { type: "number", description: "Radians." } as const;
const coordinate = { type: "number", minimum: -COORDINATE_MAX, maximum: COORDINATE_MAX } as const;

/** Three coordinates. */
export const point: JsonSchema = {
  type: "array",
  prefixItems: [coordinate, coordinate, coordinate],
  minItems: 3,
  maxItems: 3,
  description: "Metres, y up.",
};

/** A text of at most `max` characters in each language; either may be missing. */
export const text = (max: number): JsonSchema => ({
  type: ["object", "null"],
  properties: {
    ja: { type: ["string", "null"], maxLength: max },
    en: { type: ["string", "null"], maxLength: max },
  },
});

/** A viewpoint, or null. */
export const viewpoint: JsonSchema = {
  type: ["object", "null"],
  required: ["position", "yaw", "pitch", "mode"],
  properties: {
    position: point,
    yaw: radians,
    pitch: { ...radians, minimum: -1.5707963, maximum: 1.5707963 },
    mode: { enum: ["walk", "orbit", "plan"] },
    node_id: { type: ["string", "null"], pattern: "^[A-Za-z0-9_-]{0,64}$" },
  },
};

const product = (type: unknown): JsonSchema => ({
  type,
  properties: {
    id: { type: "string", pattern: "^gid://shopify/Product/\\d{1,20}$", description: "The store's own id." },
    title: {
      type: ["string", "null"],
      maxLength: PRODUCT_TITLE_MAX,
      description: "Shown in the editor while the store does not respond.",
    },
  },
});

const hidden = { type: ["boolean", "null"], default: false, description: "Not shown to visitors." };

/** The values of a tag. */
export const tagProperties = {
  title: { ...text(TAG_TITLE_MAX), description: "One language is enough." },
  body: {
    ...text(TAG_BODY_MAX),
    description: "Markdown of paragraphs, lists, headings, bold, italic and links, without HTML and images.",
  },
  color: { type: ["string", "null"], pattern: "^(#[0-9A-Fa-f]{6})?$", default: DEFAULT_TAG_COLOR },
  icon: { type: ["string", "null"], pattern: "^([a-z][a-z0-9-]{0,31})?$", default: DEFAULT_TAG_ICON },
  keywords: {
    type: ["array", "string", "null"],
    maxItems: TAG_KEYWORDS_MAX,
    items: { type: ["string", "null"], maxLength: KEYWORD_MAX },
    description: "A list, or one comma-separated text.",
  },
  link_url: { type: ["string", "null"], maxLength: LINK_URL_MAX, description: "http or https." },
  position: { ...point, type: ["array", "null"], description: "Metres; null if it is not placed." },
  stem: {
    ...point,
    type: ["array", "null"],
    default: DEFAULT_STEM,
    description: "Vector from the anchor to the disc.",
  },
  viewpoint: { ...viewpoint, description: "Viewpoint from which it is seen; null lets the viewer choose." },
  media_uuids: {
    type: ["array", "null"],
    maxItems: TAG_MEDIA_MAX,
    items: uuid,
    description: "Media of the event, in order.",
  },
  product: {
    ...product(["object", "null"]),
    description: "A product of the event's store. Its existence is not checked.",
  },
  hidden,
} as const satisfies Readonly<Record<(typeof TAG_FIELDS)[TagFieldName]["api"], JsonSchema>>;

/** The values of a media item of an event. */
export const mediaProperties = {
  title: { ...text(MEDIA_TITLE_MAX), description: "One language is enough." },
  description: text(MEDIA_DESCRIPTION_MAX),
  placement: {
    type: ["object", "null"],
    required: ["position", "normal", "width"],
    properties: {
      position: point,
      normal: { ...point, description: "Normal of the surface, of any length except 0." },
      width: { type: "number", exclusiveMinimum: 0, maximum: PLACEMENT_WIDTH_MAX, description: "Metres." },
      rotation: radians,
      play: { enum: ["click", "auto", null] },
      reach: {
        type: ["number", "null"],
        minimum: PLACEMENT_REACH.min,
        maximum: PLACEMENT_REACH.max,
        default: PLACEMENT_REACH.usual,
        description: "Distance within which it is audible, in metres.",
      },
    },
  },
  hidden,
} as const satisfies Readonly<Record<string, JsonSchema>>;

const sceneValues = {
  start_view: { ...viewpoint, description: "Viewpoint at which visitors begin; null uses the space's." },
  tour: {
    type: ["array", "null"],
    maxItems: TOUR_STOPS_MAX,
    description: "Stops in their order, saved as a whole: each with a tag, a viewpoint or both.",
    items: {
      type: "object",
      required: ["uuid"],
      properties: {
        uuid,
        tag_uuid: { ...uuid, type: ["string", "null"] },
        viewpoint,
        title: text(TOUR_TITLE_MAX),
        text: text(TOUR_TEXT_MAX),
        seconds: {
          type: ["number", "null"],
          minimum: TOUR_SECONDS.min,
          maximum: TOUR_SECONDS.max,
          default: TOUR_SECONDS.usual,
        },
      },
    },
  },
  plan: {
    type: ["object", "null"],
    required: ["media_uuid", "center", "width"],
    description: "An image of the event that shows the space from above.",
    properties: {
      media_uuid: uuid,
      center: {
        type: "array",
        prefixItems: [coordinate, coordinate],
        minItems: 2,
        maxItems: 2,
        description: "The point [x, z] at the centre of the image.",
      },
      width: { type: "number", exclusiveMinimum: 0, maximum: PLAN_WIDTH_MAX, description: "Metres." },
      rotation: { ...radians, description: "Radians, counter-clockwise; 0 has −z at its top." },
    },
  },
  products: {
    type: ["array", "null"],
    maxItems: EVENT_PRODUCTS_MAX,
    items: product("object"),
    description: "Products that the event shows in addition to those of its tags, without duplicates.",
  },
} as const satisfies Readonly<Record<string, JsonSchema>>;

const version = {
  type: "integer",
  minimum: 0,
  description: "The version on which the change is based.",
} as const;
const type = { enum: ["tag", "media"] } as const;
const command = (
  op: string,
  properties: Readonly<Record<string, unknown>>,
  optional: readonly string[] = [],
) => ({
  type: "object",
  required: ["op", ...Object.keys(properties).filter((name) => !optional.includes(name))],
  properties: { op: { const: op }, ...properties },
});
const values = (properties: object, required: readonly string[] = []) => ({
  type: "object",
  ...(required.length > 0 && { required }),
  properties,
});
const newMediaItem = { library_item_uuid: uuid, ...mediaProperties };

/** Commands that edit content (decision 020). */
export const commands: JsonSchema = {
  type: "array",
  maxItems: CONTENT_COMMANDS_MAX,
  items: {
    oneOf: [
      command("create_tag", { uuid, values: values(tagProperties, ["title"]) }),
      command("update_tag", { uuid, version, values: values(tagProperties) }),
      command("create_media", { uuid, values: values(newMediaItem, ["library_item_uuid", "title"]) }),
      command("update_media", { uuid, version, values: values(mediaProperties) }),
      command("delete", { type, uuid, version }),
      command("restore", { type, uuid }),
      command("duplicate", { type, uuid, new_uuid: uuid }),
      command(
        "move_tags",
        {
          uuids: { type: "array", minItems: 1, maxItems: EVENT_TAGS_MAX, items: uuid },
          before_uuid: {
            ...uuid,
            type: ["string", "null"],
            description: "The tag before which they are placed; null for the end.",
          },
        },
        ["before_uuid"],
      ),
      command("update_scene", {
        version: { ...version, description: "0 before anything was saved." },
        values: values(sceneValues),
      }),
    ],
  },
};
