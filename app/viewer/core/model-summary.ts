/** Reads a glTF model's memory needs and names from the JSON at the beginning of its file (glTF 2.0, §3.6 accessors and §4 GLB). */
import { COMPONENT_BYTES, COMPONENTS } from "~/domain/library/formats/gltf-components";

/** Amount of geometry in a model. */
export interface ModelSummary {
  /** Number of triangles, with every copy of a mesh counted. */
  readonly triangles: number;
  /** Bytes of the unpacked vertices and indices, with each mesh counted once. */
  readonly bytes: number;
  /** Names of the used extensions. Each may need a decoder. */
  readonly extensions: readonly string[];
}

interface Gltf {
  readonly extensionsUsed?: readonly unknown[];
  readonly bufferViews?: readonly {
    extensions?: Readonly<Record<string, { count?: number; byteStride?: number } | undefined>>;
  }[];
  readonly accessors?: readonly { count?: number; componentType?: number; type?: string }[];
  readonly meshes?: readonly {
    primitives?: readonly { indices?: number; mode?: number; attributes?: Record<string, number> }[];
  }[];
  readonly nodes?: readonly {
    mesh?: number;
    children?: readonly number[];
    extensions?: { EXT_mesh_gpu_instancing?: { attributes?: Record<string, number> } };
  }[];
  readonly scene?: number;
  readonly scenes?: readonly { nodes?: readonly number[] }[];
}

/** First number of a GLB file, type of its JSON chunk, and bytes of its header with the header of that chunk. */
const GLB_MAGIC = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const HEADER_BYTES = 20;
/** Maximum depth of the node tree. A deeper tree probably contains a cycle. */
const DEPTH_MAX = 200;
/** Maximum number of visited nodes. A description with more is not plausible. */
const NODES_MAX = 2_000_000;

/**
 * Reads the amount of geometry from the received part of a model's file.
 * @returns null while the JSON is incomplete, and for files that are not models, which the loader reports
 */
export function readModelSummary(bytes: Uint8Array): ModelSummary | null {
  const text = readModelJson(bytes);
  if (text === null) return null;
  let gltf: Gltf;
  try {
    gltf = JSON.parse(text) as Gltf;
  } catch {
    return null;
  }
  return typeof gltf === "object" && gltf !== null ? summarizeModel(gltf) : null;
}

/**
 * Returns the JSON text of a model from the received part of its file: null while a GLB's JSON is incomplete, and for files that are not models. The
 * text of a .gltf may be incomplete.
 */
export function readModelJson(bytes: Uint8Array): string | null {
  if (bytes.length < HEADER_BYTES) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const decode = (part: Uint8Array) => new TextDecoder().decode(part);
  if (view.getUint32(0, true) !== GLB_MAGIC) return bytes[0] === 0x7b ? decode(bytes) : null;
  const end = HEADER_BYTES + view.getUint32(12, true);
  return view.getUint32(16, true) === JSON_CHUNK && end <= bytes.length
    ? decode(bytes.subarray(HEADER_BYTES, end))
    : null;
}

/** Returns the unpacked bytes of meshopt data. Accessors may state less. */
function countMeshoptBytes({ bufferViews = [] }: Gltf): number {
  return bufferViews.reduce((sum, view) => {
    const packed = view?.extensions?.KHR_meshopt_compression ?? view?.extensions?.EXT_meshopt_compression;
    return sum + Math.max(0, Number(packed?.count) || 0) * Math.max(0, Number(packed?.byteStride) || 0);
  }, 0);
}

function summarizeModel(gltf: Gltf): ModelSummary {
  const { accessors = [], meshes = [], nodes = [], scenes = [], scene = 0, extensionsUsed = [] } = gltf;
  const readCount = (index: number | undefined) =>
    index === undefined ? 0 : Math.max(0, Number(accessors[index]?.count) || 0);
  const meshTriangles = meshes.map(({ primitives = [] }) =>
    primitives.reduce((sum, { indices, attributes, mode = 4 }) => {
      const corners = readCount(indices ?? attributes?.POSITION);
      if (mode === 4) return sum + Math.floor(corners / 3);
      // Lines and points have no triangles. A strip or fan of n corners has n − 2.
      return mode > 4 ? sum + Math.max(0, corners - 2) : sum;
    }, 0),
  );
  let triangles = 0;
  let nodesLeft = NODES_MAX;
  const visit = (index: number, depth: number): void => {
    const node = nodes[index];
    if (!node || depth > DEPTH_MAX || nodesLeft-- <= 0) return;
    const instanceAttributes = node.extensions?.EXT_mesh_gpu_instancing?.attributes;
    const instanceCount = instanceAttributes
      ? Math.max(...Object.values(instanceAttributes).map(readCount), 0)
      : 1;
    if (node.mesh !== undefined) triangles += (meshTriangles[node.mesh] ?? 0) * instanceCount;
    for (const child of node.children ?? []) visit(child, depth + 1);
  };
  for (const index of scenes[scene]?.nodes ?? []) visit(index, 0);
  const bytes = accessors.reduce(
    (sum, { count = 0, componentType = 0, type = "" }) =>
      sum + Math.max(0, Number(count) || 0) * (COMPONENT_BYTES[componentType] ?? 4) * (COMPONENTS[type] ?? 1),
    0,
  );
  const extensions = Array.isArray(extensionsUsed)
    ? extensionsUsed.filter((name): name is string => typeof name === "string")
    : [];
  return { triangles, bytes: Math.max(bytes, countMeshoptBytes(gltf)), extensions };
}

/** Names of the scenes, animations and variants that can be chosen in a model. Unnamed ones are named by their number. */
export interface ModelNames {
  readonly scenes: readonly string[];
  readonly animations: readonly string[];
  readonly variants: readonly string[];
}

/** Reads the names of a model from the beginning of its file; null when its JSON is incomplete or invalid, and for files that are not models. */
export function readModelNames(bytes: Uint8Array): ModelNames | null {
  const text = readModelJson(bytes);
  if (text === null) return null;
  try {
    const gltf = JSON.parse(text) as {
      scenes?: unknown;
      animations?: unknown;
      extensions?: { KHR_materials_variants?: { variants?: unknown } };
    };
    const variants = gltf.extensions?.KHR_materials_variants?.variants;
    return {
      scenes: readNames(gltf.scenes),
      animations: readNames(gltf.animations),
      variants: readNames(variants),
    };
  } catch {
    return null;
  }
}

/** Maximum number of names that are offered. */
const NAMES_MAX = 200;

const readNames = (list: unknown): string[] =>
  (Array.isArray(list) ? list : []).slice(0, NAMES_MAX).map((entry: { name?: unknown } | null, index) => {
    const name = typeof entry?.name === "string" ? entry.name.trim() : "";
    return name === "" ? String(index + 1) : name;
  });
