import type { FileRejection } from "#functions/services/library/uploads-ports";
import { decodeLatin1 } from "~/domain/library/formats/decode-text";
import { readGltfSplats, type SplatField } from "~/domain/library/formats/gltf-splats";
import { SPLAT_TYPES } from "~/domain/library/formats/mime-types";
import { PLY_NUMBER_BYTES } from "~/domain/library/formats/ply-header";
import { readSog } from "~/domain/library/formats/sog";
import { SPLATS_MAX } from "~/domain/library/formats/splats-max";
import { readSpzFileHeader, readSpzToc, spzBytes, spzTocEnd } from "~/domain/library/formats/spz";
import { SNIFF_BYTES } from "~/domain/library/sniff-media";
import type { Ranges } from "../range-reader";

/** Size of a point in a `.splat` file in bytes. It begins with its position as three floats (antimatter15/splat). */
const SPLAT_POINT = 32;
/** Number of points that are sampled for a finite position. */
const SAMPLED_POINTS = 2048;

/**
 * Size of a point in a `.ksplat` file at its highest compression, and of the header, in bytes
 * (mkkellogg/GaussianSplats3D).
 */
const KSPLAT_POINT = 24;
const KSPLAT_HEADER_BYTES = 4096;

/**
 * Checks a splat file: all points that its header counts must be present, and their number must be within the limit. In
 * PLY and .splat files, one of the points at the beginning, middle and end must have a finite position.
 */
export async function inspectSplat(file: Ranges, mimeType: string): Promise<FileRejection | null> {
  const count = await POINT_COUNTERS[mimeType]?.(file);
  if (count === undefined || count === null) return "damaged";
  return count > SPLATS_MAX ? "splats" : null;
}

/** Maximum number of parts whose positions are sampled, because each costs reads of R2. A file with more parts needs no finite position. */
const SAMPLED_PARTS = 32;
/** Component type of 32-bit floats (glTF 2.0 §3.6.2.2). */
const FLOAT_COMPONENT = 5126;

/**
 * Inspects the splats of a GLB file. Rejects a faulty JSON chunk, too many splats, embedded SPZ files that are damaged or
 * have another number of splats, and files in which no sampled splat has a finite position.
 * @param json the GLB file's JSON chunk
 * @param binary position of the binary chunk
 */
export async function inspectGltfSplats(
  json: Readonly<Record<string, unknown>>,
  file: Ranges,
  binary: { readonly start: number; readonly length: number },
): Promise<FileRejection | null> {
  const splats = readGltfSplats(json, binary.length);
  if (typeof splats === "string") return splats;
  if (splats.count > SPLATS_MAX) return "splats";
  let hasFinitePoint = false;
  for (const [index, part] of splats.parts.entries()) {
    if ("spz" in part.data) {
      const rejection = await inspectSpzPart(part.count, part.data.spz, file, binary.start);
      if (rejection) return rejection;
      hasFinitePoint = true;
    } else if (!hasFinitePoint)
      hasFinitePoint =
        index >= SAMPLED_PARTS ||
        (await hasFinitePositionIn(file, binary.start, part.data.fields.position, part.count));
  }
  return hasFinitePoint ? null : "damaged";
}

async function inspectSpzPart(
  count: number,
  { offset, length }: { readonly offset: number; readonly length: number },
  file: Ranges,
  start: number,
): Promise<FileRejection | null> {
  const spzCount = await countSpz({
    size: length,
    read: (first, bytes) => file.read(start + offset + first, Math.max(0, Math.min(bytes, length - first))),
  });
  if (spzCount === null) return "damaged";
  return spzCount === count ? null : "splat_attributes";
}

/** Returns whether one of the sampled positions is finite. Integers always are. */
const hasFinitePositionIn = async (
  file: Ranges,
  start: number,
  { offset, stride, type }: SplatField,
  count: number,
): Promise<boolean> =>
  type !== FLOAT_COMPONENT || hasFinitePosition(file, { first: start + offset, stride, count });

/** Functions by type that return the number of points of a complete file, or null if it is damaged. */
const POINT_COUNTERS: Readonly<Record<string, (file: Ranges) => Promise<number | null>>> = {
  [SPLAT_TYPES.ply]: countPly,
  [SPLAT_TYPES.spz]: countSpz,
  async [SPLAT_TYPES.splat](file) {
    const count = Math.floor(file.size / SPLAT_POINT);
    return (await hasFinitePosition(file, { first: 0, stride: SPLAT_POINT, count })) ? count : null;
  },
  async [SPLAT_TYPES.ksplat](file) {
    const head = await file.read(0, 20);
    const count = new DataView(head.buffer, head.byteOffset, head.byteLength).getUint32(16, true);
    return file.size >= KSPLAT_HEADER_BYTES + count * KSPLAT_POINT ? count : null;
  },
  async [SPLAT_TYPES.sog](file) {
    const sog = await readSog(file);
    if (sog === "damaged" || sog === "other") return null;
    return "tooMany" in sog ? sog.tooMany : sog.count;
  },
};

async function countPly(file: Ranges): Promise<number | null> {
  const text = decodeLatin1(await file.read(0, SNIFF_BYTES));
  const headerEnd = /\nend_header\r?\n/.exec(text);
  if (!headerEnd || !/^format binary_(little|big)_endian 1\.0\r?$/m.test(text)) return null;
  let expectedBytes = headerEnd.index + headerEnd[0].length;
  let count = 0;
  let points = 0;
  let element = "";
  let stride = 0;
  let first = 0;
  const floats = new Map<string, number>();
  for (const line of text.slice(0, headerEnd.index).split(/\r?\n/)) {
    const [keyword, type = "", name = ""] = line.split(" ");
    if (keyword === "element") {
      [element, count] = [type, Number(name)];
      if (type === "vertex") [points, first] = [count, expectedBytes];
    }
    // A list property has no fixed length. Splats have no lists.
    if (keyword !== "property") continue;
    if (element === "vertex" && /^float/.test(type)) floats.set(name, stride);
    if (element === "vertex") stride += PLY_NUMBER_BYTES[type] ?? Number.NaN;
    expectedBytes += count * (PLY_NUMBER_BYTES[type] ?? Number.NaN);
  }
  // A file whose count exceeds the limit is rejected for that, even if it is incomplete.
  if (points > SPLATS_MAX) return points;
  if (points <= 0 || !(expectedBytes <= file.size)) return null;
  const offsets = ["x", "y", "z"].flatMap((axis) => floats.get(axis) ?? []);
  // Packed positions are integers, which are always finite.
  if (offsets.length < 3) return points;
  const isBig = /^format binary_big_endian/m.test(text);
  return (await hasFinitePosition(file, { first, stride, count: points, positionOffsets: offsets, isBig }))
    ? points
    : null;
}

interface PointLayout {
  /** Offset of the first point, and the distance to the next one, in bytes. */
  readonly first: number;
  readonly stride: number;
  readonly count: number;
  /** Offsets of the position's three floats within a point. */
  readonly positionOffsets?: readonly number[];
  readonly isBig?: boolean;
}

/** Returns whether any of the points at the beginning, in the middle and at the end has a finite position. */
async function hasFinitePosition(file: Ranges, points: PointLayout): Promise<boolean> {
  const { first, stride, count, positionOffsets: offsets = [0, 4, 8], isBig = false } = points;
  const sampleCount = Math.min(count, Math.ceil(SAMPLED_POINTS / 3));
  for (const sampleStart of [0, Math.floor((count - sampleCount) / 2), count - sampleCount]) {
    const bytes = await file.read(first + sampleStart * stride, sampleCount * stride);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let position = 0; position + stride <= bytes.byteLength; position += stride)
      if (offsets.every((offset) => Number.isFinite(view.getFloat32(position + offset, !isBig)))) return true;
  }
  return false;
}

/**
 * Counts the splats of an SPZ file; null when it is damaged. The last four bytes of a gzip file give its unpacked
 * length (RFC 1952 §2.3.1), and the header gives the expected one. Version 4 has a table of contents. A file that would
 * unpack to more than its splats need is therefore rejected before it is unpacked.
 */
async function countSpz(file: Ranges): Promise<number | null> {
  const head = await file.read(0, SNIFF_BYTES);
  const isGzip = head[0] === 0x1f;
  const header = await readSpzFileHeader(head);
  if (!header) return null;
  if (header.count > SPLATS_MAX) return header.count;
  if (header.version === 4) {
    const toc = readSpzToc(header, await file.read(0, spzTocEnd(header)), file.size);
    return toc ? header.count : null;
  }
  if (!isGzip) return file.size >= spzBytes(header) ? header.count : null;
  const tail = await file.read(file.size - 4, 4);
  if (tail.byteLength < 4) return null;
  const unpackedBytes = new DataView(tail.buffer, tail.byteOffset, 4).getUint32(0, true);
  return unpackedBytes === spzBytes(header) ? header.count : null;
}
