/**
 * Gaussian splats in a GLB file: KHR_gaussian_splatting (release candidate) and KHR_gaussian_splatting_compression_spz_2 (draft). Reads
 * only the JSON, and checks that the data of the splats is inside the file.
 */

import { isRecord } from "../../shared/is-record";
import { type GltfFault, gltfFault, splatShare } from "./gltf-faults";

const SPLATTING = "KHR_gaussian_splatting";
/** Extensions of the splatting extension that replace the attributes by an SPZ file. */
const SPZ_EXTENSIONS = [`${SPLATTING}_compression_spz_2`, `${SPLATTING}_compression_spz`];
/** Required extensions with which splats can be shown: those that this module reads, and those that do not affect splats. */
const READABLE = new Set([SPLATTING, ...SPZ_EXTENSIONS, "KHR_mesh_quantization", "KHR_materials_unlit"]);
/** Maximum number of parts (primitives) with splats, each counted once per node that shows it. */
const SPLAT_PARTS_MAX = 256;
/** Numbers of attributes of the spherical harmonics of degree 1, 2 and 3. */
const COEFFICIENTS = [3, 5, 7];

/** One attribute: the position and format of its numbers. */
export interface SplatField {
  /** Offset of the first splat's first number in the binary chunk, in bytes. */
  readonly offset: number;
  /** Distance from one splat to the next, in bytes. */
  readonly stride: number;
  /** Number of values per splat. */
  readonly size: number;
  /** glTF component type; integers may be normalized. */
  readonly type: number;
  readonly isNormalized: boolean;
}

/** The attributes of uncompressed splats. */
export interface SplatAttributes {
  readonly position: SplatField;
  /** Quaternions: x, y, z, w. */
  readonly rotation: SplatField;
  /** Standard deviations; drafts of the extension stored their logarithms. */
  readonly scale: SplatField;
  /** 0…1; null if the fourth number of `color` contains it. */
  readonly opacity: SplatField | null;
  /** COLOR_0 of files without the first harmonic or the opacity (drafts of the extension). */
  readonly color: SplatField | null;
  /** Spherical harmonics from degree 0: 0, 1, 4, 9 or 16 attributes. */
  readonly harmonics: readonly SplatField[];
}

/** Transformation of a node: a matrix of 16 numbers in column order, or translation, rotation and scale. */
export type NodeTransform =
  | { readonly matrix: readonly number[] }
  | {
      readonly translation: readonly number[];
      readonly rotation: readonly number[];
      readonly scale: readonly number[];
    };

/** The splats of one primitive, as one node shows it. */
export interface SplatPart {
  readonly count: number;
  /** Transformations of the node and its parents, from the root. */
  readonly nodes: readonly NodeTransform[];
  /** True if the colours are linear (lin_rec709_display). */
  readonly isLinear: boolean;
  readonly data:
    | { readonly fields: SplatAttributes }
    /**
     * An SPZ file in the binary chunk. `isTurned`: its splats were converted from the axes of glTF to those of SPZ, half a turn about y. Files
     * without the properties of the current draft (Cesium's) are not converted.
     */
    | { readonly spz: { readonly offset: number; readonly length: number }; readonly isTurned: boolean };
}

/**
 * splat_attributes: an attribute is missing, sparse or of an unexpected type, or has another count than the positions. splat_parts: the scene
 * shows more parts than SPLAT_PARTS_MAX.
 */
export type SplatFault = GltfFault | "damaged" | "splat_attributes" | "splat_parts";

type Json = Readonly<Record<string, unknown>>;

const toObject = (value: unknown): Json => (isRecord(value) ? value : {});
const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const toWholeNumber = (value: unknown, missing = Number.NaN): number => {
  if (value === undefined) return missing;
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : Number.NaN;
};

class SplatFaultError extends Error {
  constructor(readonly fault: SplatFault) {
    super(fault);
  }
}

/**
 * Finds the splats of a GLB file.
 * @param binaryLength size of its binary chunk in bytes
 * @returns the fault if the splats cannot be shown. The caller must check the number of splats
 */
export function readGltfSplats(
  json: Json,
  binaryLength: number,
): { readonly parts: readonly SplatPart[]; readonly count: number } | SplatFault {
  const fault = gltfFault(json);
  if (fault) return fault;
  if (splatShare(json) !== "all") return "model_splats";
  if (toList(json.extensionsRequired).some((name) => !READABLE.has(String(name)))) return "model_extension";
  try {
    const parts: SplatPart[] = [];
    for (const { mesh, nodes } of listMeshNodes(json))
      for (const primitive of toList(toObject(toList(json.meshes)[mesh]).primitives)) {
        if (parts.length === SPLAT_PARTS_MAX) return "splat_parts";
        parts.push(readPart(json, binaryLength, toObject(primitive), nodes));
      }
    if (parts.length === 0) return "model_empty";
    return { parts, count: parts.reduce((sum, { count }) => sum + count, 0) };
  } catch (error) {
    if (error instanceof SplatFaultError) return error.fault;
    throw error;
  }
}

/** Returns the nodes with meshes of the default scene, or else of the first scene, or else of all nodes. */
function listMeshNodes(
  json: Json,
): readonly { readonly mesh: number; readonly nodes: readonly NodeTransform[] }[] {
  const allNodes = toList(json.nodes).map(toObject);
  const scenes = toList(json.scenes);
  const children = new Set(allNodes.flatMap((node) => toList(node.children)));
  const roots =
    scenes.length > 0
      ? toList(toObject(scenes[toWholeNumber(json.scene, 0)]).nodes)
      : allNodes.map((_, index) => index).filter((index) => !children.has(index));
  const instances: { mesh: number; nodes: readonly NodeTransform[] }[] = [];
  const visited = new Set<number>();
  const stack = roots.map((root) => ({
    index: toWholeNumber(root),
    parents: [] as readonly NodeTransform[],
  }));
  for (let entry = stack.pop(); entry; entry = stack.pop()) {
    const node = allNodes[entry.index];
    // A node has one parent (glTF 2.0 §3.5.3).
    if (!node || visited.has(entry.index)) throw new SplatFaultError("damaged");
    visited.add(entry.index);
    const transform = readTransform(node);
    const nodes = transform ? [...entry.parents, transform] : entry.parents;
    if (node.mesh !== undefined) {
      if (isRecord(toObject(node.extensions).EXT_mesh_gpu_instancing))
        throw new SplatFaultError("model_extension");
      instances.push({ mesh: toWholeNumber(node.mesh), nodes });
    }
    for (const child of toList(node.children)) stack.push({ index: toWholeNumber(child), parents: nodes });
  }
  return instances;
}

function readTransform(node: Json): NodeTransform | null {
  const { matrix, translation = [0, 0, 0], rotation = [0, 0, 0, 1], scale = [1, 1, 1] } = node;
  if (matrix !== undefined) return { matrix: readNumbers(matrix, 16) };
  if (["translation", "rotation", "scale"].every((name) => node[name] === undefined)) return null;
  return {
    translation: readNumbers(translation, 3),
    rotation: readNumbers(rotation, 4),
    scale: readNumbers(scale, 3),
  };
}

function readNumbers(value: unknown, length: number): readonly number[] {
  const numbers = toList(value).filter((number): number is number => Number.isFinite(number));
  if (numbers.length !== length) throw new SplatFaultError("damaged");
  return numbers;
}

function readPart(
  json: Json,
  binaryLength: number,
  primitive: Json,
  nodes: readonly NodeTransform[],
): SplatPart {
  const extension = toObject(toObject(primitive.extensions)[SPLATTING]);
  const attributes = toObject(primitive.attributes);
  const count = toWholeNumber(findAccessor(json, attributes.POSITION)?.count);
  if (!(count > 0)) throw new SplatFaultError("splat_attributes");
  const part = { count, nodes, isLinear: extension.colorSpace === "lin_rec709_display" };
  const packed = Object.entries(toObject(extension.extensions));
  const spz = packed.find(([name]) => SPZ_EXTENSIONS.includes(name));
  if (spz) {
    const { offset, length } = findBufferView(json, binaryLength, toObject(spz[1]).bufferView);
    return { ...part, data: { spz: { offset, length }, isTurned: extension.kernel !== undefined } };
  }
  // With another compression, the attributes are empty or incomplete.
  if (packed.some(([name]) => name.startsWith(`${SPLATTING}_compression`)))
    throw new SplatFaultError("model_extension");
  return { ...part, data: { fields: readAttributes(json, binaryLength, attributes, count) } };
}

function readAttributes(json: Json, binaryLength: number, attributes: Json, count: number): SplatAttributes {
  const optional = (name: string, ...types: readonly string[]): SplatField | null =>
    attributes[name] === undefined
      ? null
      : readField(json, binaryLength, { index: attributes[name], count, types });
  const required = (name: string, type: string): SplatField => {
    const field = optional(name, type);
    if (!field) throw new SplatFaultError("splat_attributes");
    return field;
  };
  const harmonics: SplatField[] = [];
  const firstHarmonic = optional(`${SPLATTING}:SH_DEGREE_0_COEF_0`, "VEC3");
  if (firstHarmonic) {
    harmonics.push(firstHarmonic);
    for (const [degree, coefficients] of COEFFICIENTS.entries()) {
      if (attributes[`${SPLATTING}:SH_DEGREE_${degree + 1}_COEF_0`] === undefined) break;
      for (let index = 0; index < coefficients; index++)
        harmonics.push(required(`${SPLATTING}:SH_DEGREE_${degree + 1}_COEF_${index}`, "VEC3"));
    }
  }
  const opacity = optional(`${SPLATTING}:OPACITY`, "SCALAR");
  const color = firstHarmonic && opacity ? null : optional("COLOR_0", "VEC3", "VEC4");
  if ((!firstHarmonic && !color) || (!opacity && color?.size !== 4))
    throw new SplatFaultError("splat_attributes");
  return {
    position: required("POSITION", "VEC3"),
    rotation: required(`${SPLATTING}:ROTATION`, "VEC4"),
    scale: required(`${SPLATTING}:SCALE`, "VEC3"),
    opacity,
    color,
    harmonics,
  };
}

const SIZES: Readonly<Record<string, number>> = { SCALAR: 1, VEC3: 3, VEC4: 4 };
/** Size of a number in bytes, by glTF's component types. */
export const SPLAT_COMPONENT_BYTES: Readonly<Record<number, number>> = {
  5120: 1,
  5121: 1,
  5122: 2,
  5123: 2,
  5126: 4,
};

const findAccessor = (json: Json, index: unknown): Json | null => {
  const accessor = toList(json.accessors)[toWholeNumber(index)];
  return isRecord(accessor) ? accessor : null;
};

function readField(
  json: Json,
  binaryLength: number,
  expected: { readonly index: unknown; readonly count: number; readonly types: readonly string[] },
): SplatField {
  const accessor = findAccessor(json, expected.index);
  const [type, size] = [toWholeNumber(accessor?.componentType), SIZES[String(accessor?.type)]];
  const bytes = SPLAT_COMPONENT_BYTES[type];
  if (
    !accessor ||
    bytes === undefined ||
    size === undefined ||
    !expected.types.includes(String(accessor.type))
  )
    throw new SplatFaultError("splat_attributes");
  if (accessor.count !== expected.count || accessor.bufferView === undefined || accessor.sparse !== undefined)
    throw new SplatFaultError("splat_attributes");
  const view = findBufferView(json, binaryLength, accessor.bufferView);
  const start = toWholeNumber(accessor.byteOffset, 0);
  const stride = view.stride || bytes * size;
  if (!(start + stride * (expected.count - 1) + bytes * size <= view.length))
    throw new SplatFaultError("damaged");
  return {
    offset: view.offset + start,
    stride,
    size,
    type,
    isNormalized: accessor.normalized === true,
  };
}

/** Returns a buffer view of the binary chunk. */
function findBufferView(json: Json, binaryLength: number, index: unknown) {
  const view = toList(json.bufferViews)[toWholeNumber(index)];
  if (!isRecord(view)) throw new SplatFaultError("damaged");
  if (Object.keys(toObject(view.extensions)).some((name) => name.endsWith("_meshopt_compression")))
    throw new SplatFaultError("model_extension");
  const [offset, length] = [toWholeNumber(view.byteOffset, 0), toWholeNumber(view.byteLength)];
  const stride = toWholeNumber(view.byteStride, 0);
  if (view.buffer !== 0 || !(offset + length <= binaryLength) || Number.isNaN(stride))
    throw new SplatFaultError("damaged");
  return { offset, length, stride };
}

/** Magic number of a GLB file, which has a header of 12 bytes and chunks that begin with their length and type (glTF 2.0 §4.4). */
const GLB_MAGIC = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const BINARY_CHUNK = 0x004e4942;

/** A GLB file in memory. */
export interface OpenedGlb {
  readonly json: Json;
  /** The binary chunk, and the number of bytes that its header states. */
  readonly binary: Uint8Array;
  readonly binaryLength: number;
}

/**
 * Opens a GLB file with a binary chunk.
 * @param bytes the file, or its beginning, in which case the binary chunk is truncated
 * @returns null for other files, and if the JSON chunk is truncated
 */
export function openGlb(bytes: Uint8Array): OpenedGlb | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 20 || view.getUint32(0, true) !== GLB_MAGIC) return null;
  const jsonEnd = 20 + view.getUint32(12, true);
  if (view.getUint32(16, true) !== JSON_CHUNK || jsonEnd + 8 > bytes.length) return null;
  if (view.getUint32(jsonEnd + 4, true) !== BINARY_CHUNK) return null;
  const binaryLength = view.getUint32(jsonEnd, true);
  try {
    const json: unknown = JSON.parse(new TextDecoder().decode(bytes.subarray(20, jsonEnd)));
    const binary = bytes.subarray(jsonEnd + 8, jsonEnd + 8 + binaryLength);
    return isRecord(json) ? { json, binary, binaryLength } : null;
  } catch {
    return null;
  }
}
