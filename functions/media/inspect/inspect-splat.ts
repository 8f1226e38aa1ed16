import type { FileRejection } from "#functions/services/library/uploads-ports";
import { readGltfSplats, type SplatField } from "~/domain/library/formats/gltf-splats";
import { PLY_NUMBER_BYTES } from "~/domain/library/formats/ply-header";
import { readSog } from "~/domain/library/formats/sog";
import { SPLATS_MAX } from "~/domain/library/formats/splat-limits";
import { readSpzFileHeader, readSpzToc, spzBytes, spzTocEnd } from "~/domain/library/formats/spz";
import { SNIFF_BYTES, SPLAT_TYPES } from "~/domain/library/media-kind";
import type { Ranges } from "../range-reader";

/** Bytes of a point in a `.splat` file, which begins with its place as three floats (antimatter15/splat). */
const SPLAT_POINT = 32;
/** So many points tell whether any of a file is somewhere. */
const POINTS_LOOKED_AT = 2048;

/** Bytes of a point in a `.ksplat` file at its highest compression, and of the header (mkkellogg/GaussianSplats3D). */
const KSPLAT_POINT = 24;
const KSPLAT_HEADER = 4096;

/**
 * Whether all the points that a splat's header counts are there, any of those at its beginning, middle and end is somewhere, and
 * they are no more than can be shown.
 */
export async function inspectSplat(file: Ranges, mimeType: string): Promise<FileRejection | null> {
  const count = await COUNTS[mimeType]?.(file);
  if (count === undefined || count === null) return "damaged";
  return count > SPLATS_MAX ? "splats" : null;
}

/** Number of parts whose positions are sampled. Each one costs reads of R2. */
const PARTS_LOOKED_AT = 32;
const FLOAT = 5126;

/**
 * Inspects the splats of a GLB file. Rejects a faulty description, SPZ files in it with another number of splats, and files in which
 * no splat has a finite position.
 * @param json its description
 * @param binary where its binary chunk is
 */
export async function inspectGltfSplats(
  json: Readonly<Record<string, unknown>>,
  file: Ranges,
  binary: { readonly start: number; readonly length: number },
): Promise<FileRejection | null> {
  const splats = readGltfSplats(json, binary.length);
  if (typeof splats === "string") return splats;
  if (splats.count > SPLATS_MAX) return "splats";
  let isSomewhere = false;
  for (const [index, part] of splats.parts.entries()) {
    if ("spz" in part.data) {
      const refusal = await inspectSpzPart(part.count, part.data.spz, file, binary.start);
      if (refusal) return refusal;
      isSomewhere = true;
    } else if (!isSomewhere)
      isSomewhere =
        index >= PARTS_LOOKED_AT ||
        (await isSomewhereIn(file, binary.start, part.data.fields.position, part.count));
  }
  return isSomewhere ? null : "damaged";
}

async function inspectSpzPart(
  count: number,
  { offset, length }: { readonly offset: number; readonly length: number },
  file: Ranges,
  start: number,
): Promise<FileRejection | null> {
  const gaussians = await countSpz({
    size: length,
    read: (first, bytes) => file.read(start + offset + first, Math.max(0, Math.min(bytes, length - first))),
  });
  if (gaussians === null) return "damaged";
  return gaussians === count ? null : "splat_attributes";
}

/** Returns whether one of the sampled positions is finite. Integers always are. */
const isSomewhereIn = async (
  file: Ranges,
  start: number,
  { offset, stride, type }: SplatField,
  count: number,
): Promise<boolean> => type !== FLOAT || hasPlaces(file, { first: start + offset, stride, count });

/** How many points a whole file has, or null where it is damaged. By type. */
const COUNTS: Readonly<Record<string, (file: Ranges) => Promise<number | null>>> = {
  [SPLAT_TYPES.ply]: countPly,
  [SPLAT_TYPES.spz]: countSpz,
  async [SPLAT_TYPES.splat](file) {
    const count = Math.floor(file.size / SPLAT_POINT);
    return (await hasPlaces(file, { first: 0, stride: SPLAT_POINT, count })) ? count : null;
  },
  async [SPLAT_TYPES.ksplat](file) {
    const head = await file.read(0, 20);
    const count = new DataView(head.buffer, head.byteOffset, head.byteLength).getUint32(16, true);
    // Files of several sections count up to a whole bucket: those are taken by their size alone.
    return file.size >= KSPLAT_HEADER + count * KSPLAT_POINT ? count : null;
  },
  async [SPLAT_TYPES.sog](file) {
    const sog = await readSog(file);
    if (sog === "damaged" || sog === "other") return null;
    return "tooMany" in sog ? sog.tooMany : sog.count;
  },
};

async function countPly(file: Ranges): Promise<number | null> {
  const text = new TextDecoder("latin1").decode(await file.read(0, SNIFF_BYTES));
  const end = /\nend_header\r?\n/.exec(text);
  if (!end || !/^format binary_(little|big)_endian 1\.0\r?$/m.test(text)) return null;
  let bytes = end.index + end[0].length;
  let count = 0;
  let points = 0;
  let element = "";
  let stride = 0;
  let first = 0;
  const floats = new Map<string, number>();
  for (const line of text.slice(0, end.index).split(/\r?\n/)) {
    const [word, type = "", amount = ""] = line.split(" ");
    if (word === "element") {
      [element, count] = [type, Number(amount)];
      if (type === "vertex") [points, first] = [count, bytes];
    }
    // A list has no fixed length; splats have none.
    if (word !== "property") continue;
    if (element === "vertex" && /^float/.test(type)) floats.set(amount, stride);
    if (element === "vertex") stride += PLY_NUMBER_BYTES[type] ?? Number.NaN;
    bytes += count * (PLY_NUMBER_BYTES[type] ?? Number.NaN);
  }
  // A file that says that it has too many need not be whole.
  if (points > SPLATS_MAX) return points;
  if (points <= 0 || !(bytes <= file.size)) return null;
  const places = ["x", "y", "z"].flatMap((axis) => floats.get(axis) ?? []);
  // Packed ones have whole numbers, which are always somewhere.
  if (places.length < 3) return points;
  const isBig = /^format binary_big_endian/m.test(text);
  return (await hasPlaces(file, { first, stride, count: points, places, isBig })) ? points : null;
}

interface Points {
  /** Where the first one begins, and how far it is to the next, in bytes. */
  readonly first: number;
  readonly stride: number;
  readonly count: number;
  /** Where in a point its three floats are. */
  readonly places?: readonly number[];
  readonly isBig?: boolean;
}

/** Whether any of the points at the beginning, in the middle and at the end is at numbers. */
async function hasPlaces(file: Ranges, points: Points): Promise<boolean> {
  const { first, stride, count, places = [0, 4, 8], isBig = false } = points;
  const some = Math.min(count, Math.ceil(POINTS_LOOKED_AT / 3));
  for (const from of [0, Math.floor((count - some) / 2), count - some]) {
    const bytes = await file.read(first + from * stride, some * stride);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = 0; at + stride <= bytes.byteLength; at += stride)
      if (places.every((place) => Number.isFinite(view.getFloat32(at + place, !isBig)))) return true;
  }
  return false;
}

/**
 * Counts the splats of an SPZ file; null when it is damaged. The last four bytes of a gzip file give its unpacked length
 * (RFC 1952 §2.3.1), and the header gives the expected one. Version 4 has a table of contents. A file that would unpack to more
 * than its splats need is thus refused before it is unpacked.
 */
async function countSpz(file: Ranges): Promise<number | null> {
  const head = await file.read(0, SNIFF_BYTES);
  const isPacked = head[0] === 0x1f;
  const header = await readSpzFileHeader(head);
  if (!header) return null;
  if (header.count > SPLATS_MAX) return header.count;
  if (header.version === 4) {
    const toc = readSpzToc(header, await file.read(0, spzTocEnd(header)), file.size);
    return toc ? header.count : null;
  }
  if (!isPacked) return file.size >= spzBytes(header) ? header.count : null;
  const tail = await file.read(file.size - 4, 4);
  if (tail.byteLength < 4) return null;
  const unpacked = new DataView(tail.buffer, tail.byteOffset, 4).getUint32(0, true);
  return unpacked === spzBytes(header) ? header.count : null;
}
