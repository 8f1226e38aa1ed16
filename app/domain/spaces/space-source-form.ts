/** The form of a space's source, which provides its 3D content. Converts a source to the texts of the form's fields and back. */
import type * as z from "zod";
import { EYE_HEIGHT } from "../shared/limits";
import type { SourceKind, SpaceSource, Viewpoint } from "../shared/model";
import {
  DISPLAY_FIELDS,
  type DisplayValues,
  displayInput,
  displayValues,
  type ModelUp,
} from "./model-display";
import { isSamePose, movedStart } from "./model-start";

/** One row of the table of panoramas. */
export interface NodeValues {
  readonly nodeId: string;
  readonly nodeMedia: string;
  /** Metres. */
  readonly nodeX: string;
  readonly nodeY: string;
  readonly nodeZ: string;
  /** Degrees, counter-clockwise as seen from above. */
  readonly nodeHeading: string;
  readonly nodeJa: string;
  readonly nodeEn: string;
  /** Ids of other rows, separated by spaces, commas or Japanese commas. */
  readonly nodeLinks: string;
}

/** Parses the ids of the rows to which a row is linked. */
export const linkedNodeIds = ({ nodeLinks }: NodeValues): string[] =>
  nodeLinks.split(/[\s,、，]+/u).filter(Boolean);

/** All values of the form. */
export interface SourceValues extends DisplayValues {
  readonly name: string;
  /** Id or URL of a Matterport showcase. */
  readonly showcase: string;
  /** Id of the model's or the splats' file in the library. */
  readonly mediaId: string;
  /** Metres above the floor. */
  readonly eyeHeight: string;
  /** Axis of splats that points upwards, or "auto". `modelUp` is that of a model. */
  readonly up: string;
  /** Lighting of a model; "file" for the panorama of `lightMediaId`. */
  readonly light: string;
  /** Id of the HDR panorama in the library; empty for none. */
  readonly lightMediaId: string;
  /** A viewpoint as JSON; empty to let the viewer choose. */
  readonly start: string;
  readonly posterMediaId: string;
  /** Version of the space on which the form is based; empty for a new space. */
  readonly version: string;
  readonly nodes: readonly NodeValues[];
}

const NODE_FIELDS = [
  "nodeId",
  "nodeMedia",
  "nodeX",
  "nodeY",
  "nodeZ",
  "nodeHeading",
  "nodeJa",
  "nodeEn",
  "nodeLinks",
] as const satisfies (keyof NodeValues)[];

/** The values of an empty form. */
export const EMPTY_SOURCE: SourceValues = {
  name: "",
  showcase: "",
  mediaId: "",
  eyeHeight: String(EYE_HEIGHT.usual),
  up: "auto",
  light: "studio",
  lightMediaId: "",
  start: "",
  posterMediaId: "",
  version: "",
  nodes: [],
  ...displayValues(),
};

/** Distance between panoramas that are not placed yet, in metres. */
const NODE_STEP = 4;

/** Returns a row with an unused id for a panorama that is not placed yet. Its position is beside the others in the space, and it is linked to the last one. */
export function newNode(nodes: readonly NodeValues[], mediaId: string, title: string): NodeValues {
  let number = nodes.length + 1;
  while (nodes.some(({ nodeId }) => nodeId === `p${number}`)) number++;
  const rightmost = Math.max(-NODE_STEP, ...nodes.map(({ nodeX }) => Number(nodeX) || 0));
  return {
    nodeId: `p${number}`,
    nodeMedia: mediaId,
    nodeX: String(rightmost + NODE_STEP),
    nodeY: "1.6",
    nodeZ: "0",
    nodeHeading: "0",
    nodeJa: title,
    nodeEn: title,
    nodeLinks: nodes.at(-1)?.nodeId ?? "",
  };
}

/**
 * Reads a posted form. The table has as many rows as its shortest column. `upNow` is the value of the pressed button that saves with another up axis;
 * it replaces that of the field `up`.
 */
export function readSourceValues(form: {
  get(name: string): unknown;
  getAll(name: string): readonly unknown[];
}): SourceValues {
  const text = (name: string) => {
    const value = form.get(name);
    return typeof value === "string" ? value : "";
  };
  const columns = NODE_FIELDS.map((name) => form.getAll(name).map(String));
  const rows = Math.min(...columns.map((column) => column.length));
  const nodes = Array.from(
    { length: rows },
    (_, row) =>
      Object.fromEntries(
        NODE_FIELDS.map((name, index) => [name, columns[index]?.[row] ?? ""]),
      ) as unknown as NodeValues,
  );
  return {
    name: text("name"),
    showcase: text("showcase"),
    mediaId: text("mediaId"),
    eyeHeight: text("eyeHeight"),
    up: text("upNow") || text("up"),
    start: text("start"),
    light: text("light"),
    lightMediaId: text("lightMediaId"),
    posterMediaId: text("posterMediaId"),
    version: text("version"),
    nodes,
    ...(Object.fromEntries(DISPLAY_FIELDS.map((name) => [name, text(name)])) as unknown as DisplayValues),
  };
}

function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const pickDisplay = (values: SourceValues) =>
  Object.fromEntries(DISPLAY_FIELDS.map((name) => [name, values[name]])) as unknown as DisplayValues;

/** Returns the input of createSourceSchema("degrees") from a form of this kind. */
export function sourceInput(kind: SourceKind, values: SourceValues): unknown {
  const { showcase, mediaId, eyeHeight, up, nodes, light, lightMediaId } = values;
  const start = values.start === "" ? null : parseJsonOrText(values.start);
  if (kind === "showcase") return { kind, showcase };
  if (kind === "model") {
    const display = displayInput(pickDisplay(values));
    return { kind, mediaId, eyeHeight, start, light, lightMediaId, display };
  }
  if (kind === "splat") return { kind, mediaId, eyeHeight, start, up };
  return {
    kind,
    start,
    nodes: nodes.map((node) => ({
      id: node.nodeId,
      mediaId: node.nodeMedia,
      heading: node.nodeHeading,
      title: { ja: node.nodeJa, en: node.nodeEn },
      position: [node.nodeX, node.nodeY, node.nodeZ],
      links: linkedNodeIds(node),
    })),
  };
}

/** The start view of a model's space, with the model's settings at the time when the view was saved or captured. */
export type StartAnchor = Pick<SourceValues, "start" | "eyeHeight" | keyof DisplayValues>;

/**
 * Returns the start view of a form, moved together with the model if it was scaled or turned after the view was captured.
 * @returns empty when the viewer must choose a start view; the unchanged view while the settings are invalid
 */
export function startOfForm(anchor: StartAnchor, values: SourceValues): string {
  const readPose = (from: StartAnchor) => {
    const turn = (Number(from.turn || "0") * Math.PI) / 180;
    return { scale: Number(from.scale), up: from.modelUp as ModelUp, turn };
  };
  const [before, after] = [readPose(anchor), readPose(values)];
  const isValid = [before, after].every(({ scale, turn }) => scale > 0 && Number.isFinite(scale + turn));
  const start = parseJsonOrText(anchor.start) as Viewpoint;
  if (!isValid || isSamePose(before, after) || !Array.isArray(start?.position)) return anchor.start;
  const newStart = movedStart(start, before, after, Number(anchor.eyeHeight) || EYE_HEIGHT.usual);
  return newStart === null ? "" : JSON.stringify(newStart);
}

const rounded = (value: number) => String(Math.round(value * 1000) / 1000);
const degrees = (angle: number) => String(Math.round((angle * 180 * 10) / Math.PI) / 10);

/**
 * Returns the form values of a saved source. Those of the space itself (name, thumbnail and version) are empty.
 * @param sid the id of the showcase, which is stored beside the source (Space.sid)
 */
export function sourceValues(source: SpaceSource, sid: string): SourceValues {
  if (source.kind === "showcase") return { ...EMPTY_SOURCE, showcase: sid };
  const start = source.start === null ? "" : JSON.stringify(source.start);
  if (source.kind !== "panorama") {
    const up = source.kind === "splat" ? source.up : EMPTY_SOURCE.up;
    const isModel = source.kind === "model";
    const display = isModel ? displayValues(source.display) : {};
    const light = isModel ? (source.light ?? "studio") : EMPTY_SOURCE.light;
    const lightMediaId = (isModel && source.lightPicture?.mediaId) || "";
    const { mediaId, eyeHeight } = source;
    return {
      ...EMPTY_SOURCE,
      ...display,
      mediaId,
      eyeHeight: String(eyeHeight),
      up,
      light,
      lightMediaId,
      start,
    };
  }
  return {
    ...EMPTY_SOURCE,
    start,
    nodes: source.nodes.map(({ id, mediaId, title, position: [x, y, z], heading, links }) => ({
      nodeId: id,
      nodeMedia: mediaId,
      nodeX: rounded(x),
      nodeY: rounded(y),
      nodeZ: rounded(z),
      nodeHeading: degrees(heading),
      nodeJa: title.ja,
      nodeEn: title.en,
      nodeLinks: links.join(" "),
    })),
  };
}

/** Message keys by the ids of the form's fields. */
export type SourceErrors = Readonly<Record<string, readonly string[]>>;

/** Fields of a panorama's row by the part of an error path that follows the row's number. */
const NODE_FIELD_BY_PATH: Readonly<Record<string, keyof NodeValues>> = {
  id: "nodeId",
  mediaId: "nodeMedia",
  position: "nodeX",
  heading: "nodeHeading",
  links: "nodeLinks",
  title: "nodeJa",
  "title.ja": "nodeJa",
  "title.en": "nodeEn",
};

/** Returns the id of a control in a row. */
export const nodeFieldId = (name: keyof NodeValues, row: number): string => `${name}-${row}`;

/** Returns the control's id for an error path of a schema or a service. "source.nodes[2].mediaId" becomes nodeMedia-2. */
export function sourceFieldId(path: string): string {
  const fieldPath = path.replace(/\[(\d+)\]/g, ".$1").replace(/^source\.?/, "");
  const [, row, part = ""] = /^nodes\.(\d+)\.?(.*)$/.exec(fieldPath) ?? [];
  const [, setting] = /^display\.(\w+)$/.exec(fieldPath) ?? [];
  if (setting !== undefined) return setting === "up" ? "modelUp" : setting;
  return row === undefined
    ? fieldPath || "source"
    : nodeFieldId(NODE_FIELD_BY_PATH[part] ?? "nodeX", Number(row));
}

/** Returns the errors of a schema by the ids of the form's fields. */
export function sourceErrors(issues: readonly z.core.$ZodIssue[]): SourceErrors {
  const errors: Record<string, string[]> = {};
  for (const { path, message } of issues) {
    const id = sourceFieldId(path.join("."));
    const messages = errors[id] ?? [];
    if (!messages.includes(message)) errors[id] = [...messages, message];
  }
  return errors;
}
