/** The cameras of a glTF file as views of the viewer (glTF 2.0 §3.10), from the description at its beginning. */
import { MODEL_DISPLAY, type ModelDisplay, type ModelUp } from "~/domain/spaces/model-display";
import { lookAt } from "./angles";
import type { Vec3, Viewpoint } from "./contract";
import { describe } from "./model-head";

/** A camera of a file. */
export interface ModelView {
  /** As its author called it; empty for none. */
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

/** Views that are offered at most. */
const VIEWS_MAX = 50;
/** Nodes that are looked at, and how deep they may lie. */
const NODES_MAX = 100_000;
const DEEPEST = 200;
const NAME_MAX = 80;

/** Columns of a transform without its last row: x, y, z and the place. */
type Frame = readonly [x: Vec3, y: Vec3, z: Vec3, place: Vec3];
const IDENTITY: Frame = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
  [0, 0, 0],
];

const numbers = (value: unknown, count: number): readonly number[] | null =>
  Array.isArray(value) && value.length === count && value.every(Number.isFinite) ? value : null;

const turn = ([x, y, z]: Frame, [a, b, c]: Vec3): Vec3 => [
  x[0] * a + y[0] * b + z[0] * c,
  x[1] * a + y[1] * b + z[1] * c,
  x[2] * a + y[2] * b + z[2] * c,
];
const move = (frame: Frame, point: Vec3): Vec3 => {
  const [a, b, c] = turn(frame, point);
  return [a + frame[3][0], b + frame[3][1], c + frame[3][2]];
};

function frameOf(node: Node): Frame {
  const matrix = numbers(node.matrix, 16) as number[] | null;
  if (matrix) {
    const column = (at: number): Vec3 => [matrix[at] ?? 0, matrix[at + 1] ?? 0, matrix[at + 2] ?? 0];
    return [column(0), column(4), column(8), column(12)];
  }
  const [x = 0, y = 0, z = 0, w = 1] = numbers(node.rotation, 4) ?? [];
  const [sx = 1, sy = 1, sz = 1] = numbers(node.scale, 3) ?? [];
  const [tx = 0, ty = 0, tz = 0] = numbers(node.translation, 3) ?? [];
  return [
    [sx * (1 - 2 * (y * y + z * z)), sx * 2 * (x * y + z * w), sx * 2 * (x * z - y * w)],
    [sy * 2 * (x * y - z * w), sy * (1 - 2 * (x * x + z * z)), sy * 2 * (y * z + x * w)],
    [sz * 2 * (x * z + y * w), sz * 2 * (y * z - x * w), sz * (1 - 2 * (x * x + y * y))],
    [tx, ty, tz],
  ];
}

/** Directions of the file's x, y and z axes with each of them upwards, as arrange-model.client.ts turns a model. */
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

/** Transform from the file to the space. */
function arrangement({ scale, up, turn: angle }: ModelArrangement): Frame {
  const [cos, sin] = [scale * Math.cos(angle), scale * Math.sin(angle)];
  const place = ([x, y, z]: Vec3): Vec3 => [x * cos + z * sin, y * scale, z * cos - x * sin];
  const [x, y, z] = UPRIGHT[up];
  return [place(x), place(y), place(z), [0, 0, 0]];
}

/** Settings of a model on which its views depend. */
export type ModelArrangement = Pick<ModelDisplay, "scale" | "up" | "turn" | "scene">;

/**
 * Reads the cameras of a model.
 * @param bytes the file, or as much of its beginning as holds the description
 * @param display the owner's settings of the model
 * @returns a camera within the model's box as a view on foot, one outside as a view from outside; null while the description is not
 * whole; none for a file that cannot be read
 */
export function readModelViews(
  bytes: Uint8Array,
  display: ModelArrangement = MODEL_DISPLAY,
): readonly ModelView[] | null {
  const text = describe(bytes);
  if (text === null) return null;
  try {
    return viewsOf(JSON.parse(text) as Gltf, display);
  } catch {
    return [];
  }
}

function viewsOf(model: Gltf, display: ModelArrangement): readonly ModelView[] {
  const { scene = 0, scenes = [], nodes = [], cameras = [], meshes = [], accessors = [] } = model;
  const found: { name: string; frame: Frame }[] = [];
  const min: [number, number, number] = [Infinity, Infinity, Infinity];
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  const widen = (frame: Frame, mesh: unknown) => {
    for (const { attributes } of meshes[mesh as number]?.primitives ?? []) {
      const accessor = accessors[attributes?.POSITION as number];
      const [low, high] = [numbers(accessor?.min, 3), numbers(accessor?.max, 3)];
      if (!low || !high) continue;
      for (let corner = 0; corner < 8; corner++) {
        const pick = (axis: number) => ((corner >> axis) & 1 ? high : low)[axis] ?? 0;
        const point = move(frame, [pick(0), pick(1), pick(2)]);
        for (const axis of [0, 1, 2] as const) {
          min[axis] = Math.min(min[axis], point[axis]);
          max[axis] = Math.max(max[axis], point[axis]);
        }
      }
    }
  };
  let visited = 0;
  const visit = (index: unknown, above: Frame, depth: number): void => {
    const node = nodes[index as number];
    if (!node || depth > DEEPEST || ++visited > NODES_MAX) return;
    const [x, y, z, place] = frameOf(node);
    const frame: Frame = [turn(above, x), turn(above, y), turn(above, z), move(above, place)];
    if (node.mesh !== undefined) widen(frame, node.mesh);
    const camera = node.camera === undefined ? undefined : cameras[node.camera as number];
    if (camera && found.length < VIEWS_MAX) {
      const name = [camera.name, node.name].find((each) => typeof each === "string" && each !== "");
      found.push({ name: String(name ?? "").slice(0, NAME_MAX), frame });
    }
    for (const child of Array.isArray(node.children) ? node.children : []) visit(child, frame, depth + 1);
  };
  const { nodes: roots = [] } = scenes[display.scene ?? scene] ?? scenes[scene] ?? {};
  for (const root of roots) visit(root, arrangement(display), 0);
  return found.flatMap(({ name, frame: [, , z, position] }): ModelView[] => {
    if (![...position, ...z].every(Number.isFinite) || Math.hypot(...z) < 1e-12) return [];
    const isInside = position.every((value, axis) => value >= (min[axis] ?? 0) && value <= (max[axis] ?? 0));
    // A camera looks along its own −z.
    const ahead: Vec3 = [position[0] - z[0], position[1] - z[1], position[2] - z[2]];
    const { yaw, pitch } = lookAt(position, ahead);
    return [{ name, viewpoint: { position, yaw, pitch, mode: isInside ? "walk" : "orbit" } }];
  });
}

/** Bytes after which the search for the JSON ends. */
const LOOKED_AT = 16 * 1024 * 1024;

/** The cameras of the model at an address; reads no more of it than its description. None for what does not come. */
export async function fetchModelViews(
  url: string,
  display: ModelArrangement,
  signal: AbortSignal,
): Promise<readonly ModelView[]> {
  const response = await fetch(url, { signal });
  const reader = response.ok ? response.body?.getReader() : undefined;
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let received = 0;
  let next = 0;
  while (reader) {
    const { done, value } = await reader.read();
    if (value) parts.push(value);
    received += value?.byteLength ?? 0;
    if (!done && received < next) continue;
    next = received * 2;
    const views = readModelViews(new Uint8Array(await new Blob(parts).arrayBuffer()), display);
    if (views === null && !done && received < LOOKED_AT) continue;
    reader.cancel().catch(() => {});
    return views ?? [];
  }
  return [];
}
