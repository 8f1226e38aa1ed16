/** Reads the cameras of a glTF file as viewpoints (glTF 2.0 §3.10), from the JSON at the beginning of the file. */
import { MODEL_DISPLAY, type ModelDisplay, type ModelUp } from "~/domain/spaces/model-display";
import { lookAt } from "./angles";
import type { Vec3, Viewpoint } from "./contract";
import { readModelJson } from "./model-summary";

/** A camera of a model's file. */
export interface ModelView {
  /** Name from the file, or an empty string. */
  readonly name: string;
  readonly viewpoint: Viewpoint;
}

interface Node {
  readonly name?: unknown;
  readonly camera?: unknown;
  readonly mesh?: unknown;
  readonly children?: unknown;
  readonly matrix?: unknown;
  readonly translation?: unknown;
  readonly rotation?: unknown;
  readonly scale?: unknown;
}

interface Gltf {
  readonly scene?: number;
  readonly scenes?: readonly { readonly nodes?: readonly number[] }[];
  readonly nodes?: readonly Node[];
  readonly cameras?: readonly { readonly name?: unknown }[];
  readonly meshes?: readonly { readonly primitives?: readonly { attributes?: { POSITION?: number } }[] }[];
  readonly accessors?: readonly { readonly min?: unknown; readonly max?: unknown }[];
}

/** Maximum number of views that are offered. */
const VIEWS_MAX = 50;
/** Maximum number of visited nodes, and maximum depth of the node tree. */
const NODES_MAX = 100_000;
const DEPTH_MAX = 200;
/** Maximum length of a name, in characters. */
const NAME_MAX = 80;

/** Columns of a transform without its last row: the x, y and z axes and the translation. */
type Transform = readonly [x: Vec3, y: Vec3, z: Vec3, translation: Vec3];
const IDENTITY: Transform = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
  [0, 0, 0],
];

const readNumbers = (value: unknown, count: number): readonly number[] | null =>
  Array.isArray(value) && value.length === count && value.every(Number.isFinite) ? value : null;

const transformVector = ([x, y, z]: Transform, [a, b, c]: Vec3): Vec3 => [
  x[0] * a + y[0] * b + z[0] * c,
  x[1] * a + y[1] * b + z[1] * c,
  x[2] * a + y[2] * b + z[2] * c,
];
const transformPoint = (frame: Transform, point: Vec3): Vec3 => {
  const [a, b, c] = transformVector(frame, point);
  return [a + frame[3][0], b + frame[3][1], c + frame[3][2]];
};

function readNodeTransform(node: Node): Transform {
  const matrix = readNumbers(node.matrix, 16) as number[] | null;
  if (matrix) {
    const column = (offset: number): Vec3 => [
      matrix[offset] ?? 0,
      matrix[offset + 1] ?? 0,
      matrix[offset + 2] ?? 0,
    ];
    return [column(0), column(4), column(8), column(12)];
  }
  const [x = 0, y = 0, z = 0, w = 1] = readNumbers(node.rotation, 4) ?? [];
  const [sx = 1, sy = 1, sz = 1] = readNumbers(node.scale, 3) ?? [];
  const [tx = 0, ty = 0, tz = 0] = readNumbers(node.translation, 3) ?? [];
  return [
    [sx * (1 - 2 * (y * y + z * z)), sx * 2 * (x * y + z * w), sx * 2 * (x * z - y * w)],
    [sy * 2 * (x * y - z * w), sy * (1 - 2 * (x * x + z * z)), sy * 2 * (y * z + x * w)],
    [sz * 2 * (x * z + y * w), sz * 2 * (y * z - x * w), sz * (1 - 2 * (x * x + y * y))],
    [tx, ty, tz],
  ];
}

/** Directions of the file's x, y and z axes in the space, for each axis of the file that can point upwards. They match the rotations in arrange-model.client.ts. */
const UPRIGHT: Readonly<Record<ModelUp, readonly [Vec3, Vec3, Vec3]>> = {
  y: [IDENTITY[0], IDENTITY[1], IDENTITY[2]],
  "-y": [
    [1, 0, 0],
    [0, -1, 0],
    [0, 0, -1],
  ],
  z: [
    [1, 0, 0],
    [0, 0, -1],
    [0, 1, 0],
  ],
  "-z": [
    [1, 0, 0],
    [0, 0, 1],
    [0, -1, 0],
  ],
  x: [
    [0, 1, 0],
    [-1, 0, 0],
    [0, 0, 1],
  ],
  "-x": [
    [0, -1, 0],
    [1, 0, 0],
    [0, 0, 1],
  ],
};

/** Returns the transform from the file to the space. */
function createArrangementTransform({ scale, up, turn: angle }: ModelArrangement): Transform {
  const [cos, sin] = [scale * Math.cos(angle), scale * Math.sin(angle)];
  const arrange = ([x, y, z]: Vec3): Vec3 => [x * cos + z * sin, y * scale, z * cos - x * sin];
  const [x, y, z] = UPRIGHT[up];
  return [arrange(x), arrange(y), arrange(z), [0, 0, 0]];
}

/** Settings of a model on which its views depend. */
export type ModelArrangement = Pick<ModelDisplay, "scale" | "up" | "turn" | "scene">;

/**
 * Reads the cameras of a model.
 * @param bytes the file, or its beginning with the whole JSON
 * @param display the owner's settings of the model
 * @param isWhole whether the bytes are the whole file
 * @returns a walk viewpoint for each camera within the model's box, and an orbit viewpoint for each camera outside; null while
 * the JSON is incomplete, and for files that are not models; an empty list for JSON that cannot be read
 */
export function readModelViews(
  bytes: Uint8Array,
  display: ModelArrangement = MODEL_DISPLAY,
  isWhole = true,
): readonly ModelView[] | null {
  const text = readModelJson(bytes);
  if (text === null) return null;
  try {
    return collectViews(JSON.parse(text) as Gltf, display);
  } catch (error) {
    // The text of a .gltf may be cut.
    return error instanceof SyntaxError && !isWhole ? null : [];
  }
}

function collectViews(model: Gltf, display: ModelArrangement): readonly ModelView[] {
  const { scene = 0, scenes = [], nodes = [], cameras = [], meshes = [], accessors = [] } = model;
  const views: { name: string; frame: Transform }[] = [];
  const min: [number, number, number] = [Infinity, Infinity, Infinity];
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  const extendBounds = (frame: Transform, mesh: unknown) => {
    for (const { attributes } of meshes[mesh as number]?.primitives ?? []) {
      const accessor = accessors[attributes?.POSITION as number];
      const [low, high] = [readNumbers(accessor?.min, 3), readNumbers(accessor?.max, 3)];
      if (!low || !high) continue;
      for (const corner of boxCorners(low, high)) {
        const point = transformPoint(frame, corner);
        for (const axis of [0, 1, 2] as const) {
          min[axis] = Math.min(min[axis], point[axis]);
          max[axis] = Math.max(max[axis], point[axis]);
        }
      }
    }
  };
  let visited = 0;
  const visit = (index: unknown, parentFrame: Transform, depth: number): void => {
    const node = nodes[index as number];
    if (!node || depth > DEPTH_MAX || ++visited > NODES_MAX) return;
    const [x, y, z, translation] = readNodeTransform(node);
    const frame: Transform = [
      transformVector(parentFrame, x),
      transformVector(parentFrame, y),
      transformVector(parentFrame, z),
      transformPoint(parentFrame, translation),
    ];
    if (node.mesh !== undefined) extendBounds(frame, node.mesh);
    const camera = node.camera === undefined ? undefined : cameras[node.camera as number];
    if (camera && views.length < VIEWS_MAX) {
      const name = [camera.name, node.name].find((text) => typeof text === "string" && text !== "");
      views.push({ name: String(name ?? "").slice(0, NAME_MAX), frame });
    }
    for (const child of Array.isArray(node.children) ? node.children : []) visit(child, frame, depth + 1);
  };
  const { nodes: roots = [] } = scenes[display.scene ?? scene] ?? scenes[scene] ?? {};
  for (const root of roots) visit(root, createArrangementTransform(display), 0);
  return views.flatMap(({ name, frame: [, , z, position] }): ModelView[] => {
    if (![...position, ...z].every(Number.isFinite) || Math.hypot(...z) < 1e-12) return [];
    const isInside = position.every((value, axis) => value >= (min[axis] ?? 0) && value <= (max[axis] ?? 0));
    // A camera looks along its own −z axis.
    const ahead: Vec3 = [position[0] - z[0], position[1] - z[1], position[2] - z[2]];
    const { yaw, pitch } = lookAt(position, ahead);
    return [{ name, viewpoint: { position, yaw, pitch, mode: isInside ? "walk" : "orbit" } }];
  });
}

/** Returns the eight corners of a box. */
const boxCorners = (low: readonly number[], high: readonly number[]): readonly Vec3[] =>
  [low[0] ?? 0, high[0] ?? 0].flatMap((x) =>
    [low[1] ?? 0, high[1] ?? 0].flatMap((y) => [low[2] ?? 0, high[2] ?? 0].map((z): Vec3 => [x, y, z])),
  );

/** Bytes after which the search for the JSON ends. */
const SEARCHED_BYTES_MAX = 16 * 1024 * 1024;

/**
 * Downloads the beginning of a model and reads its cameras. Returns an empty list for error responses and unreadable files. Rejects when the
 * download fails or is aborted.
 */
export async function fetchModelViews(
  url: string,
  display: ModelArrangement,
  signal: AbortSignal,
): Promise<readonly ModelView[]> {
  const response = await fetch(url, { signal });
  const reader = response.ok ? response.body?.getReader() : undefined;
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let received = 0;
  let nextAttemptBytes = 0;
  while (reader) {
    const { done, value } = await reader.read();
    if (value) parts.push(value);
    received += value?.byteLength ?? 0;
    if (!done && received < nextAttemptBytes) continue;
    nextAttemptBytes = received * 2;
    const views = readModelViews(new Uint8Array(await new Blob(parts).arrayBuffer()), display, done);
    if (views === null && !done && received < SEARCHED_BYTES_MAX) continue;
    reader.cancel().catch(() => {});
    return views ?? [];
  }
  return [];
}
