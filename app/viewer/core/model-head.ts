/** What a glTF model asks of a device, from the description at its beginning (glTF 2.0, §3.6 accessors and §4 GLB). */
import { COMPONENT_BYTES, COMPONENTS } from "~/domain/library/formats/gltf-accessors";

/** How much there is in a model. */
export interface ModelHead {
  /** Every copy of a mesh counted. */
  readonly triangles: number;
  /** Bytes of its points and indices when they are unpacked, each mesh once. */
  readonly bytes: number;
  /** Names of the extensions that it uses: each may need a decoder. */
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

const GLB = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const HEADER = 20;
/** A tree that is deeper than this is a circle. */
const DEEPEST = 200;
/** Nodes that are looked at: a description that needs more says too much to be believed. */
const NODES_MAX = 2_000_000;

/**
 * Reads how much there is in a model, from as much of it as has come.
 * @returns null while its description is not whole, and for what is none: whoever loads it will say so.
 */
export function readModelHead(bytes: Uint8Array): ModelHead | null {
  const text = describe(bytes);
  if (text === null) return null;
  let gltf: Gltf;
  try {
    gltf = JSON.parse(text) as Gltf;
  } catch {
    return null;
  }
  return typeof gltf === "object" && gltf !== null ? weigh(gltf) : null;
}

/** The description of a model as text, from as much of the file as has come; null while it is not whole. */
export function describe(bytes: Uint8Array): string | null {
  if (bytes.length < HEADER) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const decode = (part: Uint8Array) => new TextDecoder().decode(part);
  if (view.getUint32(0, true) !== GLB) return bytes[0] === 0x7b ? decode(bytes) : null;
  const end = HEADER + view.getUint32(12, true);
  return view.getUint32(16, true) === JSON_CHUNK && end <= bytes.length
    ? decode(bytes.subarray(HEADER, end))
    : null;
}

/** Unpacked bytes of meshopt data. Accessors may state less. */
function packedBytes({ bufferViews = [] }: Gltf): number {
  return bufferViews.reduce((sum, view) => {
    const packed = view?.extensions?.KHR_meshopt_compression ?? view?.extensions?.EXT_meshopt_compression;
    return sum + Math.max(0, Number(packed?.count) || 0) * Math.max(0, Number(packed?.byteStride) || 0);
  }, 0);
}

function weigh(gltf: Gltf): ModelHead {
  const { accessors = [], meshes = [], nodes = [], scenes = [], scene = 0, extensionsUsed = [] } = gltf;
  const countOf = (index: number | undefined) =>
    index === undefined ? 0 : Math.max(0, Number(accessors[index]?.count) || 0);
  const trianglesOf = meshes.map(({ primitives = [] }) =>
    primitives.reduce((sum, { indices, attributes, mode = 4 }) => {
      const corners = countOf(indices ?? attributes?.POSITION);
      if (mode === 4) return sum + Math.floor(corners / 3);
      // Lines and points have none; strips and fans one for each corner but two.
      return mode > 4 ? sum + Math.max(0, corners - 2) : sum;
    }, 0),
  );
  let triangles = 0;
  let left = NODES_MAX;
  const visit = (index: number, depth: number): void => {
    const node = nodes[index];
    if (!node || depth > DEEPEST || left-- <= 0) return;
    const copies = node.extensions?.EXT_mesh_gpu_instancing?.attributes;
    const count = copies ? Math.max(...Object.values(copies).map(countOf), 0) : 1;
    if (node.mesh !== undefined) triangles += (trianglesOf[node.mesh] ?? 0) * count;
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
  return { triangles, bytes: Math.max(bytes, packedBytes(gltf)), extensions };
}

/** Names of the scenes, animations and variants that can be chosen in a model. Unnamed ones are named by their number. */
export interface ModelNames {
  readonly scenes: readonly string[];
  readonly animations: readonly string[];
  readonly variants: readonly string[];
}

/** Reads the names of a model from the beginning of its file; null while its JSON is incomplete. */
export function readModelNames(bytes: Uint8Array): ModelNames | null {
  const text = describe(bytes);
  if (text === null) return null;
  try {
    const gltf = JSON.parse(text) as {
      scenes?: unknown;
      animations?: unknown;
      extensions?: { KHR_materials_variants?: { variants?: unknown } };
    };
    const variants = gltf.extensions?.KHR_materials_variants?.variants;
    return { scenes: names(gltf.scenes), animations: names(gltf.animations), variants: names(variants) };
  } catch {
    return null;
  }
}

/** Maximum number of names that are offered. */
const NAMES_MAX = 200;

const names = (list: unknown): string[] =>
  (Array.isArray(list) ? list : []).slice(0, NAMES_MAX).map((one: { name?: unknown } | null, index) => {
    const name = typeof one?.name === "string" ? one.name.trim() : "";
    return name === "" ? String(index + 1) : name;
  });
