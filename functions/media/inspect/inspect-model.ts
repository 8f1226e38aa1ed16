import type { FileRejection, FileRejectionReason } from "#functions/services/library/uploads-ports";
import { dracoBytes } from "~/domain/library/formats/draco-bytes";
import { COMPONENT_BYTES, COMPONENTS } from "~/domain/library/formats/gltf-components";
import { gltfFault, gltfFaultValues, splatShare } from "~/domain/library/formats/gltf-faults";
import { readImageSize } from "~/domain/library/formats/image-size";
import {
  KTX2_HEAD_BYTES,
  ktx2Head,
  ZSTD_HEAD_BYTES,
  zstdFrameBytes,
} from "~/domain/library/formats/ktx2-head";
import { gltfTriangles, isHeavyModel } from "~/domain/library/heavy-model";
import { SNIFF_BYTES, sniffMedia } from "~/domain/library/sniff-media";
import { isRecord } from "~/domain/shared/is-record";
import { MODEL_JSON_MAX_BYTES, MODEL_UNPACKED_MAX_BYTES } from "~/domain/shared/limits";
import { type Ranges, rangesOver } from "../range-reader";
import { inspectGltfSplats } from "./inspect-splat";

/** Maximum number of commas and opening brackets in a model's description. Each one may become an object in memory. */
const TOKENS_MAX = 1_000_000;
/** Maximum number of images in one model; no real model has that many. */
const IMAGES_MAX = 256;

type TooLarge = (width: number, height: number) => boolean;
type Json = Readonly<Record<string, unknown>>;

/** Kind of a GLB file's content, or the reason for which the file is rejected. */
export type GlbInspection =
  | { readonly kind: "splat" }
  | { readonly kind: "model"; readonly isHeavy: boolean }
  | FileRejectionReason;

/**
 * Inspects a GLB file (glTF 2.0 §4.4): a header, the model's description (a JSON chunk), and one binary chunk that the description may point into.
 */
export async function inspectGlb(file: Ranges, isTooLarge: TooLarge): Promise<GlbInspection> {
  const glb = await readGlb(file);
  if (typeof glb === "string") return { rejection: glb };
  const { json, binary } = glb;
  if (hasVersion(json) && splatShare(json) === "all") {
    const rejection = await inspectGltfSplats(json, file, binary);
    return rejection === null ? { kind: "splat" } : createReason(rejection, json);
  }
  const scene = await inspectScene(json, file, binary, isTooLarge);
  if (typeof scene === "string") return createReason(scene, json);
  const weight = { bytes: file.size, triangles: gltfTriangles(json), pixels: scene.pixels };
  return { kind: "model", isHeavy: isHeavyModel(weight) };
}

interface Glb {
  readonly json: Json;
  readonly binary: { readonly start: number; readonly length: number };
}

async function readGlb(file: Ranges): Promise<Glb | FileRejection> {
  const head = await file.read(0, 20);
  if (head.byteLength < 20) return "damaged";
  const view = new DataView(head.buffer, head.byteOffset, 20);
  const [total, jsonLength, jsonType] = [8, 12, 16].map((offset) => view.getUint32(offset, true)) as [
    number,
    number,
    number,
  ];
  if (total !== file.size) return "damaged";
  if (jsonType !== 0x4e4f534a || 20 + jsonLength > total) return "damaged";
  if (jsonLength > MODEL_JSON_MAX_BYTES) return "model";
  const chunkHead = await file.read(20 + jsonLength, 8);
  let binary = { start: 0, length: 0 };
  if (chunkHead.byteLength === 8) {
    const chunk = new DataView(chunkHead.buffer, chunkHead.byteOffset, 8);
    const length = chunk.getUint32(0, true);
    if (28 + jsonLength + length > total) return "damaged";
    if (chunk.getUint32(4, true) === 0x004e4942) binary = { start: 28 + jsonLength, length };
  }
  const json = parseJson(await file.read(20, jsonLength));
  return json === null ? "damaged" : { json, binary };
}

/** Inspects a glTF file: the description alone, with embedded data. Splats are read from GLB files only. */
export async function inspectGltf(file: Ranges, isTooLarge: TooLarge): Promise<FileRejectionReason | null> {
  if (file.size > MODEL_JSON_MAX_BYTES) return { rejection: "model" };
  const json = parseJson(await file.read(0, file.size));
  if (json === null) return { rejection: "damaged" };
  const scene = await inspectScene(json, file, { start: 0, length: 0 }, isTooLarge);
  if (typeof scene === "string") return createReason(scene, json);
  return splatShare(json) === "all" ? { rejection: "model_splats" } : null;
}

/** Adds the values of the rejection's message: the names of missing files or unsupported extensions. */
function createReason(rejection: FileRejection, json: Json): FileRejectionReason {
  const values = gltfFaultValues(rejection, json);
  return values ? { rejection, values } : { rejection };
}

/** Returns whether a description states version 2 of glTF. */
const hasVersion = ({ asset }: Json) => isRecord(asset) && /^2\.\d+$/.test(String(asset.version));

function parseJson(bytes: Uint8Array): Json | null {
  let tokens = 0;
  for (const byte of bytes) if (byte === 0x2c || byte === 0x5b || byte === 0x7b) tokens++;
  if (tokens > TOKENS_MAX) return null;
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

/** Returns the objects of a list in the description; an empty list if the value is not a list. */
const readList = (json: Json, name: string): readonly Json[] => {
  const list = json[name];
  return Array.isArray(list) ? list.map((item) => (isRecord(item) ? item : {})) : [];
};

/**
 * Reads a count or an offset: a non-negative integer. Returns `missing` if the value is absent, and NaN for anything
 * else.
 */
const readCount = (value: unknown, missing = Number.NaN): number => {
  if (value === undefined) return missing;
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : Number.NaN;
};

/**
 * Checks that the description references no external file, that its views lie inside their buffers, that its memory and
 * images stay within the limits, and that positions are finite.
 * @returns the reason for the rejection, or the number of texture pixels; KTX2 textures do not count, because they stay
 * compressed in the graphics card
 */
async function inspectScene(
  json: Json,
  file: Ranges,
  binary: { readonly start: number; readonly length: number },
  isTooLarge: TooLarge,
): Promise<FileRejection | { readonly pixels: number }> {
  if (!hasVersion(json)) return "damaged";
  const [buffers, views, images] = [
    readList(json, "buffers"),
    readList(json, "bufferViews"),
    readList(json, "images"),
  ];
  const fault = gltfFault(json);
  if (fault === "model_files") return fault;
  const lengths = buffers.map(({ byteLength }) => readCount(byteLength));
  // Some writers pad the binary chunk, or include the padding only in the buffer's length. Both are accepted.
  if (
    buffers.some(
      (item, i) =>
        item.uri === undefined && !isEmptyFallback(item) && !((lengths[i] ?? 0) <= binary.length + 3),
    )
  )
    return "damaged";
  const isInside = (view: Json) =>
    readCount(view.byteOffset, 0) + readCount(view.byteLength) <=
    (lengths[readCount(view.buffer)] ?? Number.NaN);
  if (!views.every(isInside)) return "damaged";
  const unpackedSize = unpackedBytes(json, views, lengths);
  if (Number.isNaN(unpackedSize)) return "damaged";
  if (unpackedSize > MODEL_UNPACKED_MAX_BYTES || images.length > IMAGES_MAX) return "model";
  if (fault !== null) return fault;
  const source = { json, file, binary };
  const dracoFault = await findDracoFault(source);
  if (dracoFault !== null) return dracoFault;
  let pixels = 0;
  for (const image of images) {
    const imageFile = await openImage(image, views, file, binary, buffers);
    if (imageFile === null) continue;
    const head = await imageFile.read(0, Math.max(SNIFF_BYTES, KTX2_HEAD_BYTES));
    const texture = ktx2Head(head);
    if (texture && isTooLarge(texture.width, texture.height)) return "model_pixels";
    if (texture && texture.unpackedBytes > MODEL_UNPACKED_MAX_BYTES) return "model";
    for (const { first, bytes } of texture?.zstdLevels ?? []) {
      const content = zstdFrameBytes(await imageFile.read(first, ZSTD_HEAD_BYTES));
      if (content !== null && content > bytes) return "damaged";
    }
    // Only the beginning of an image that is embedded as a data URL was decoded.
    if (texture && image.uri === undefined && texture.leastBytes > imageFile.size) return "damaged";
    const type = (await sniffMedia(head.subarray(0, SNIFF_BYTES), ""))?.mimeType ?? "";
    // No viewer shows an SVG file as a texture.
    if (type === "image/svg+xml") continue;
    const size = await readImageSize(imageFile, type, false);
    if (size === null || size === "damaged") continue;
    if (isTooLarge(size.width, size.height)) return "model_pixels";
    pixels += size.width * size.height;
  }
  return (await hasNonFinitePositions(source)) ? "model_positions" : { pixels };
}

/** A model and the position of its binary data. */
interface Source {
  readonly json: Json;
  readonly file: Ranges;
  readonly binary: { readonly start: number };
}

/** Returns the primitives of all meshes. */
const listPrimitives = (json: Json) =>
  readList(json, "meshes").flatMap((mesh) => readList(mesh, "primitives"));

/** Range of a buffer view in the file's binary chunk; null for a view of another buffer and for a compressed view. */
function findPlainView({ json, binary }: Source, index: unknown): { first: number; length: number } | null {
  const view = readList(json, "bufferViews")[readCount(index)];
  if (!view || readCount(view.buffer) !== 0 || readList(json, "buffers")[0]?.uri !== undefined) return null;
  if (isRecord(view.extensions)) return null;
  return { first: binary.start + readCount(view.byteOffset, 0), length: readCount(view.byteLength) };
}

/** Number of bytes at the beginning of a Draco mesh that state its size. */
const DRACO_HEAD_BYTES = 32;
/** Maximum number of Draco meshes whose headers are read. */
const DRACO_MESHES_MAX = 64;

/**
 * Rejects Draco meshes that decode to much more than all accessors of the model state, and bitstreams that glTF does
 * not allow.
 */
async function findDracoFault(source: Source): Promise<FileRejection | null> {
  const declaredBytes = unpackedBytes(source.json, readList(source.json, "bufferViews"), []);
  let remaining = (Number.isNaN(declaredBytes) ? 0 : declaredBytes) * 1.5 + 1024 * 1024;
  const viewIndexes = listPrimitives(source.json).flatMap(({ extensions }) => {
    const draco = isRecord(extensions) ? extensions.KHR_draco_mesh_compression : undefined;
    return isRecord(draco) ? [draco.bufferView] : [];
  });
  for (const viewIndex of [...new Set(viewIndexes)].slice(0, DRACO_MESHES_MAX)) {
    const range = findPlainView(source, viewIndex);
    if (!range) continue;
    const head = await source.file.read(range.first, Math.min(DRACO_HEAD_BYTES, range.length));
    const bytes = dracoBytes(head);
    if (bytes === null) return "model_extension";
    remaining -= bytes;
  }
  return remaining < 0 ? "model" : null;
}

/** Maximum number of bytes of positions that are read in one model, and in each of its accessors. */
const POSITION_BYTES_MAX = 8 * 1024 * 1024;
const ACCESSOR_POSITION_BYTES_MAX = 1024 * 1024;
/** Component type of 32-bit floats (glTF 2.0 §3.6.2.2). */
const FLOAT_COMPONENT = 5126;
/** Maximum number of accessors whose positions are checked. Each one costs a read of the store. */
const POSITION_READS_MAX = 64;

/** Returns whether the checked positions include one that is not finite. */
async function hasNonFinitePositions(source: Source): Promise<boolean> {
  const accessors = readList(source.json, "accessors");
  const positionIndexes = new Set(
    listPrimitives(source.json).flatMap(({ attributes }) =>
      isRecord(attributes) ? [readCount(attributes.POSITION)] : [],
    ),
  );
  let remaining = POSITION_BYTES_MAX;
  for (const index of [...positionIndexes].slice(0, POSITION_READS_MAX)) {
    const accessor = accessors[index];
    const range = accessor && findPlainView(source, accessor.bufferView);
    if (!range || readCount(accessor.componentType) !== FLOAT_COMPONENT || remaining <= 0) continue;
    const stride =
      readCount(readList(source.json, "bufferViews")[readCount(accessor.bufferView)]?.byteStride, 12) || 12;
    const offset = readCount(accessor.byteOffset, 0);
    const length = Math.min(
      ACCESSOR_POSITION_BYTES_MAX,
      range.length - offset,
      readCount(accessor.count) * stride,
    );
    if (!(length >= 12)) continue;
    remaining -= length;
    const bytes = await source.file.read(range.first + offset, length);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let position = 0; position + 12 <= bytes.byteLength; position += stride)
      for (const axis of [0, 4, 8]) if (!Number.isFinite(view.getFloat32(position + axis, true))) return true;
  }
  return false;
}

/**
 * Returns whether a buffer is empty because its compressed data is in another buffer (EXT_meshopt_compression,
 * "Fallback buffers").
 */
const isEmptyFallback = ({ extensions }: Json) =>
  isRecord(extensions) &&
  ["EXT_meshopt_compression", "KHR_meshopt_compression"].some((name) => {
    const extension = extensions[name];
    return isRecord(extension) && extension.fallback === true;
  });

/**
 * Number of bytes that the description declares: buffers, decompressed views and accessors. NaN if the description is
 * invalid.
 */
function unpackedBytes(json: Json, views: readonly Json[], lengths: readonly number[]): number {
  const accessorBytes = readList(json, "accessors").map((accessor) => {
    const bytes =
      readCount(accessor.count) *
      (COMPONENT_BYTES[readCount(accessor.componentType)] ?? Number.NaN) *
      (COMPONENTS[String(accessor.type)] ?? Number.NaN);
    const view = readCount(accessor.bufferView, -1);
    return view >= views.length ? Number.NaN : bytes;
  });
  const viewBytes = views.flatMap(({ extensions }) => {
    const extension = isRecord(extensions)
      ? (extensions.EXT_meshopt_compression ?? extensions.KHR_meshopt_compression)
      : undefined;
    return isRecord(extension) ? [readCount(extension.count) * readCount(extension.byteStride)] : [];
  });
  return [...lengths, ...accessorBytes, ...viewBytes].reduce((sum, bytes) => sum + bytes, 0);
}

/** Bytes of an image in the model; null if it cannot be read here. */
async function openImage(
  image: Json,
  views: readonly Json[],
  file: Ranges,
  binary: { readonly start: number },
  buffers: readonly Json[],
): Promise<Ranges | null> {
  if (typeof image.uri === "string") {
    const [head = "", encoded = ""] = image.uri.split(",", 2);
    return /;base64$/i.test(head) ? rangesOver(decodeBase64Start(encoded)) : null;
  }
  const view = views[readCount(image.bufferView)];
  if (!view || readCount(view.buffer) !== 0 || buffers[0]?.uri !== undefined) return null;
  const [start, size] = [binary.start + readCount(view.byteOffset, 0), readCount(view.byteLength)];
  return {
    size,
    read: (offset, length) => file.read(start + offset, Math.max(0, Math.min(length, size - offset))),
  };
}

/** Maximum number of base64 characters of an image that are decoded. */
const BASE64_MAX = 4 * 1024 * 1024;

/** Decodes the beginning of an image, which is enough to read its size. */
function decodeBase64Start(text: string): Uint8Array {
  const head = text.slice(0, BASE64_MAX);
  try {
    const binaryString = atob(head.slice(0, head.length - (head.length % 4)));
    const bytes = new Uint8Array(binaryString.length);
    for (let i = 0; i < binaryString.length; i++) bytes[i] = binaryString.charCodeAt(i);
    return bytes;
  } catch {
    return new Uint8Array();
  }
}
