import * as z from "zod";
import { InvalidError } from "#functions/services/shared/errors";
import { isRecord } from "~/domain/shared/is-record";
import { EYE_HEIGHT, MEDIA_TITLE_MAX, PANORAMA_NODES_MAX } from "~/domain/shared/limits";
import { MODEL_CHOICE_MAX, MODEL_MOVES, MODEL_SCALE, MODEL_UPS } from "~/domain/spaces/model-display";
import {
  createSourceSchema,
  type SourceInput,
  SPACE_LIGHTS,
  SPLAT_UPS,
} from "~/domain/spaces/space-source.schema";
import { point, text, viewpoint } from "../content/content-inputs";
import type { JsonSchema } from "../core/fields";
import { validate } from "../core/request";

const fileJson = (kind: string) => ({
  type: "string",
  format: "uuid",
  description: `A file of a library, of the kind \`${kind}\`.`,
});
const start = {
  ...viewpoint,
  description: "Viewpoint at which visitors begin. By default the viewer chooses it.",
};
const eyeHeight = {
  type: ["number", "null"],
  minimum: EYE_HEIGHT.min,
  maximum: EYE_HEIGHT.max,
  default: EYE_HEIGHT.usual,
};

const choice = { type: ["integer", "null"], minimum: 0, maximum: MODEL_CHOICE_MAX, default: null };
const display = {
  type: ["object", "null"],
  description:
    "How the model is shown. Scenes, animations and material variants count from 0; null is the file's own choice.",
  properties: {
    scale: {
      type: "number",
      minimum: MODEL_SCALE.min,
      maximum: MODEL_SCALE.max,
      default: 1,
      description: "Length of one unit of the file, in metres.",
    },
    up: { enum: MODEL_UPS, default: "y" },
    turn: { type: "number", default: 0 },
    scene: choice,
    animation: choice,
    moves: { enum: MODEL_MOVES, default: "loop" },
    variant: choice,
  },
};

/** JSON Schema of a space's source. Metres, y up, radians. */
export const sourceSchema: JsonSchema = {
  type: ["object", "null"],
  required: ["kind"],
  oneOf: [
    {
      type: "object",
      required: ["kind", "sid"],
      properties: {
        kind: { const: "showcase" },
        sid: { type: "string", description: "Id or URL of a showcase." },
      },
    },
    {
      type: "object",
      required: ["kind", "media_uuid"],
      properties: {
        kind: { const: "model" },
        media_uuid: fileJson("model"),
        start,
        eye_height: eyeHeight,
        light: { enum: SPACE_LIGHTS, default: "studio", description: "Light source of the model." },
        light_media_uuid: {
          type: ["string", "null"],
          format: "uuid",
          description: "For `light` `file`: an environment map from a library, Radiance HDR or OpenEXR.",
        },
        display,
      },
    },
    {
      type: "object",
      required: ["kind", "media_uuid"],
      properties: {
        kind: { const: "splat" },
        media_uuid: fileJson("splat"),
        start,
        eye_height: eyeHeight,
        up: {
          enum: SPLAT_UPS,
          default: "auto",
          description: "The axis of the file that points up. `auto`: the viewer detects it.",
        },
      },
    },
    {
      type: "object",
      required: ["kind", "nodes"],
      properties: {
        kind: { const: "panorama" },
        start,
        nodes: {
          type: "array",
          minItems: 1,
          maxItems: PANORAMA_NODES_MAX,
          items: {
            type: "object",
            required: ["id", "media_uuid", "position"],
            properties: {
              id: { type: "string", pattern: "^[A-Za-z0-9_-]{1,64}$" },
              media_uuid: fileJson("image"),
              title: text(MEDIA_TITLE_MAX),
              position: point,
              heading: { type: "number", description: "The yaw at the centre of the image." },
              links: {
                type: "array",
                items: { type: "string" },
                description:
                  "Nodes to which visitors can go from this one. A link in one direction applies in both.",
              },
            },
          },
        },
      },
    },
    { type: "null" },
  ],
};

/** The API's names of a source's fields, by the names of the model. */
const API_FIELD_NAMES = {
  mediaId: "media_uuid",
  eyeHeight: "eye_height",
  lightMediaId: "light_media_uuid",
  nodeId: "node_id",
  showcase: "sid",
} as const;

/** Depth to which fields are renamed. The deepest source, {nodes: [{title: {ja}}]}, needs 4. */
const DEPTH_MAX = 6;

/** Copies a part of a body, and adds its fields under the model's names. Values deeper than any source are returned unchanged. */
function renameFields(value: unknown, depth = 0): unknown {
  if (depth > DEPTH_MAX) return value;
  if (Array.isArray(value)) return value.map((part) => renameFields(part, depth + 1));
  if (!isRecord(value)) return value;
  const renamed = Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, renameFields(part, depth + 1)]),
  );
  for (const [modelName, apiName] of Object.entries(API_FIELD_NAMES))
    if (apiName in renamed) renamed[modelName] = renamed[apiName];
  return renamed;
}

/**
 * Reads the source from a body: {source: {kind, …}}, angles in radians, or only {sid} for a showcase.
 * @throws InvalidError; its code is invalid_showcase_id (specification §8) if the id of a showcase is invalid
 */
export async function checkSource(body: Readonly<Record<string, unknown>>): Promise<SourceInput> {
  const hasSource = body.source !== undefined && (body.source !== null || body.sid === undefined);
  const value = hasSource ? renameFields(body.source) : { kind: "showcase", showcase: body.sid };
  try {
    return (await validate(z.object({ source: createSourceSchema() }), { source: value })).source;
  } catch (error) {
    if (!(error instanceof InvalidError) || !("source.showcase" in error.fields)) throw error;
    const fields = hasSource ? error.fields : { sid: error.fields["source.showcase"] ?? [] };
    throw new InvalidError(fields, "invalid_showcase_id");
  }
}
