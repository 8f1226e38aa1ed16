import * as z from "zod";
import {
  field,
  formError,
  isMissing,
  localizedField,
  optionalUuidField,
  optionalViewpointField,
  readNumber,
  uuidField,
  vec3Field,
  versionField,
  withCrossFieldRules,
} from "../shared/fields.schema";
import { EYE_HEIGHT, MEDIA_TITLE_MAX, PANORAMA_NODES_MAX } from "../shared/limits";
import type {
  MediaKind,
  PanoramaNode,
  SourceKind,
  SpaceLight,
  SpaceSource,
  SplatUp,
  Uuid,
} from "../shared/model";
import { modelDisplayField } from "./model-display.schema";
import { normalizeAngle } from "./normalize-angle";
import type { ShowcaseId } from "./sid";
import { showcaseField, spaceNameField } from "./space.schema";

/** The kinds of sources, in the order in which they are offered. */
export const SOURCE_KINDS = ["showcase", "model", "panorama", "splat"] as const satisfies SourceKind[];
/** The kinds of sources that use files of a library. */
export type FileSourceKind = Exclude<SourceKind, "showcase">;
/** Returns whether a value is a kind of source. */
export const isSourceKind = (value: unknown): value is SourceKind =>
  SOURCE_KINDS.some((kind) => kind === value);

/** The required kind of the files of each kind of source, apart from a model's light. */
export const MEDIA_OF_SOURCE = {
  model: "model",
  panorama: "image",
  splat: "splat",
} as const satisfies Record<FileSourceKind, MediaKind>;

/** The kind of source for a file of each kind; absent for kinds that cannot be a source. */
export const SOURCE_OF_MEDIA: Readonly<Partial<Record<MediaKind, FileSourceKind>>> = {
  model: "model",
  image: "panorama",
  splat: "splat",
};

/** Allowed up axes of a splat file. */
export const SPLAT_UPS = ["auto", "y", "-y", "z"] as const satisfies SplatUp[];

/** Lights of a model. The first one is the default. */
export const SPACE_LIGHTS = ["studio", "daylight", "evening", "file"] as const satisfies SpaceLight[];

/** A requested source. The kinds of its files are not checked yet. For a showcase it includes the showcase's id. */
export type SourceInput =
  | ({ readonly kind: "showcase" } & ShowcaseId)
  | Exclude<SpaceSource, { readonly kind: "showcase" }>;

/** Returns the ids of the library items that a source uses, without duplicates. */
export function listSourceFileIds(source: SourceInput | SpaceSource): readonly Uuid[] {
  if (source.kind === "showcase") return [];
  if (source.kind === "panorama") return [...new Set(source.nodes.map(({ mediaId }) => mediaId))];
  const light = getLightFileId(source);
  return light === null ? [source.mediaId] : [source.mediaId, light];
}

/** Returns the id of the library item that lights a source; null without one. */
export const getLightFileId = (source: SourceInput | SpaceSource): Uuid | null =>
  (source.kind === "model" && source.lightPicture?.mediaId) || null;

/** Returns the schema of an angle, wrapped into −π…π. @param unit radians per unit of the input */
const headingField = (unit: number) =>
  field<number>((value) => {
    const angle = isMissing(value) ? 0 : readNumber(value);
    return angle === null
      ? { error: "spaces:sources.errors.heading" }
      : { value: normalizeAngle(angle * unit) };
  });

const nodeIdField = field<string, string>((value) =>
  typeof value === "string" && /^[A-Za-z0-9_-]{1,64}$/.test(value)
    ? { value }
    : { error: "spaces:sources.errors.nodeId" },
);

const linksField = field<readonly string[]>((value) => {
  const list = value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];
  if (list.length > PANORAMA_NODES_MAX || !list.every((link) => typeof link === "string"))
    return { error: "spaces:sources.errors.link" };
  return { value: [...new Set(list)] };
});

const eyeHeightField = field<number>((value) => {
  if (isMissing(value)) return { value: EYE_HEIGHT.usual };
  const height = readNumber(value);
  return height !== null && height >= EYE_HEIGHT.min && height <= EYE_HEIGHT.max
    ? { value: height }
    : { error: "spaces:sources.errors.eyeHeight" };
});

const upField = field<SplatUp>((value) => {
  if (isMissing(value)) return { value: "auto" };
  const up = SPLAT_UPS.find((axis) => axis === value);
  return up === undefined ? { error: "spaces:sources.errors.up" } : { value: up };
});

const lightField = field<SpaceLight>((value) => {
  if (isMissing(value)) return { value: "studio" };
  const light = SPACE_LIGHTS.find((name) => name === value);
  return light === undefined ? { error: "spaces:sources.errors.light" } : { value: light };
});

const mediaField = (missingError: string) =>
  field<Uuid, string>((value) => {
    if (isMissing(value)) return { error: missingError };
    const id = uuidField.safeParse(value);
    return id.success ? { value: id.data } : { error: "spaces:sources.errors.media" };
  });

/** Adds the reverse of every link, and removes links to missing nodes and to the node itself. */
function withReverseLinks(nodes: readonly PanoramaNode[]): readonly PanoramaNode[] {
  return nodes.map((node) => ({
    ...node,
    links: nodes
      .filter(({ id, links }) => id !== node.id && (node.links.includes(id) || links.includes(node.id)))
      .map(({ id }) => id),
  }));
}

function panoramaSchema(unit: number) {
  const node = z.object(
    {
      id: nodeIdField,
      mediaId: mediaField("spaces:sources.errors.media"),
      title: localizedField({ max: MEDIA_TITLE_MAX, tooLong: "spaces:sources.errors.title" }),
      position: vec3Field,
      heading: headingField(unit),
      links: linksField,
    },
    formError,
  );
  const nodes = z
    .array(node, { error: "spaces:sources.errors.nodes" })
    .min(1, "spaces:sources.errors.nodes")
    .max(PANORAMA_NODES_MAX, "spaces:sources.errors.tooManyNodes");
  const shape = z.object({ kind: z.literal("panorama"), nodes, start: optionalViewpointField }, formError);
  return withCrossFieldRules(shape, ({ nodes: list }, add) => {
    if (!Array.isArray(list)) return;
    const ids = list.map((node) => node?.id);
    list.forEach((node, index) => {
      if (node?.id !== undefined && ids.indexOf(node.id) !== index)
        add(["nodes", index, "id"], "spaces:sources.errors.sameNode");
      if (node?.links?.some((link) => link === node.id || !ids.includes(link)))
        add(["nodes", index, "links"], "spaces:sources.errors.link");
    });
  });
}

/**
 * Returns the schema of a source from a form or the API: {kind, …}. Panoramas get links in both directions.
 * @param angles unit of the headings of panoramas and of a model's turn (see modelDisplayField)
 */
export function createSourceSchema(
  angles: "radians" | "degrees" = "radians",
): z.ZodType<SourceInput, unknown> {
  const unit = angles === "degrees" ? Math.PI / 180 : 1;
  const showcase = z
    .object({ kind: z.literal("showcase"), showcase: showcaseField }, formError)
    .transform(({ kind, showcase: { sid, isDoubtful } }) => ({ kind, sid, isDoubtful }));
  const modelShape = z.object(
    {
      kind: z.literal("model"),
      mediaId: mediaField("spaces:sources.errors.chooseModel"),
      start: optionalViewpointField,
      eyeHeight: eyeHeightField,
      display: modelDisplayField(angles),
      light: lightField,
      lightMediaId: optionalUuidField,
    },
    formError,
  );
  // The default light is not stored. Spaces that were stored before lights existed have none either.
  const model = withCrossFieldRules(modelShape, ({ light, lightMediaId }, add) => {
    if (light === "file" && lightMediaId === null) add(["lightMediaId"], "spaces:sources.errors.chooseLight");
  }).transform(({ light, lightMediaId, ...source }) => ({
    ...source,
    ...(light !== "studio" && { light }),
    ...(light === "file" && lightMediaId !== null && { lightPicture: { mediaId: lightMediaId } }),
  }));
  const splat = z.object(
    {
      kind: z.literal("splat"),
      mediaId: mediaField("spaces:sources.errors.chooseSplat"),
      start: optionalViewpointField,
      eyeHeight: eyeHeightField,
      up: upField,
    },
    formError,
  );
  const panorama = panoramaSchema(unit).transform((source) => ({
    ...source,
    nodes: withReverseLinks(source.nodes),
  }));
  const kinds = { showcase, model, panorama, splat };
  return z.unknown().transform((value, ctx): SourceInput => {
    const kind = (value as { kind?: unknown } | null | undefined)?.kind;
    if (!isSourceKind(kind)) {
      ctx.addIssue({ code: "custom", path: ["kind"], message: "spaces:sources.errors.kind" });
      return z.NEVER;
    }
    const result = kinds[kind].safeParse(value);
    if (result.success) return result.data as SourceInput;
    for (const { path, message } of result.error.issues)
      ctx.addIssue({ code: "custom", path: [...path], message });
    return z.NEVER;
  });
}

/** The form that creates a space: {name, source, posterMediaId?}. Headings and a model's turn are in degrees. */
export const createSpaceSchema = () =>
  z.object(
    { name: spaceNameField, source: createSourceSchema("degrees"), posterMediaId: optionalUuidField },
    formError,
  );

/** The form that changes a space's source: {source, version}. Headings and a model's turn are in degrees. */
export const createSourceChangeSchema = () =>
  z.object({ source: createSourceSchema("degrees"), version: versionField }, formError);

/** The form that sets or removes a space's image: {posterMediaId, version}. */
export const createImageSchema = () =>
  z.object({ posterMediaId: optionalUuidField, version: versionField }, formError);
