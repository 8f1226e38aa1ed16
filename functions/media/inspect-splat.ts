import { gunzipHead } from "~/domain/inflate";
import { SNIFF_BYTES, SPLAT_TYPES } from "~/domain/media-kind";
import type { Ranges } from "./ranges";

/** Bytes of a number, by the names that PLY files have for them. */
const NUMBERS: Readonly<Record<string, number>> = {
  ...{ char: 1, uchar: 1, int8: 1, uint8: 1, short: 2, ushort: 2, int16: 2, uint16: 2 },
  ...{ int: 4, uint: 4, int32: 4, uint32: 4, float: 4, float32: 4, double: 8, float64: 8 },
};

/** Bytes of a point in a `.splat` file, which begins with its place as three floats (antimatter15/splat). */
const SPLAT_POINT = 32;
/** So many points tell whether any of a file is somewhere. */
const POINTS_LOOKED_AT = 2048;

/** Whether all the points that a splat's header counts are there, and any of those at its beginning, middle and end is somewhere. */
export async function isWholeSplat(file: Ranges, mimeType: string): Promise<boolean> {
  if (mimeType === SPLAT_TYPES.ply) return isWholePly(file);
  if (mimeType === SPLAT_TYPES.spz) return isWholeSpz(file);
  if (mimeType === SPLAT_TYPES.splat)
    return hasPlaces(file, { first: 0, stride: SPLAT_POINT, count: Math.floor(file.size / SPLAT_POINT) });
  // The others have no header, or none that tells: their sizes were asked for when they were recognised.
  return true;
}

async function isWholePly(file: Ranges): Promise<boolean> {
  const text = new TextDecoder("latin1").decode(await file.read(0, SNIFF_BYTES));
  const end = /\nend_header\r?\n/.exec(text);
  if (!end || !/^format binary_(little|big)_endian 1\.0\r?$/m.test(text)) return false;
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
    if (element === "vertex") stride += NUMBERS[type] ?? Number.NaN;
    bytes += count * (NUMBERS[type] ?? Number.NaN);
  }
  if (points <= 0 || !(bytes <= file.size)) return false;
  const places = ["x", "y", "z"].flatMap((axis) => floats.get(axis) ?? []);
  // Packed ones have whole numbers, which are always somewhere.
  if (places.length < 3) return true;
  const isBig = /^format binary_big_endian/m.test(text);
  return hasPlaces(file, { first, stride, count: points, places, isBig });
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

/** Bytes of the harmonics of a point, by their degree. */
const HARMONICS = [0, 9, 24, 45];
const SPZ_HEADER = 16;

/** A gzip file's last four bytes say how long it is unpacked (RFC 1952 §2.3.1), and the header how long it ought to be. */
async function isWholeSpz(file: Ranges): Promise<boolean> {
  const header = gunzipHead(await file.read(0, SNIFF_BYTES), SPZ_HEADER);
  const tail = await file.read(file.size - 4, 4);
  if (header.byteLength < SPZ_HEADER || tail.byteLength < 4) return false;
  const view = new DataView(header.buffer);
  const [version, points] = [view.getUint32(4, true), view.getUint32(8, true)];
  const harmonics = HARMONICS[view.getUint8(12)];
  if (harmonics === undefined) return false;
  // Place, opacity, colour, size, turn.
  const point = (version === 1 ? 6 : 9) + 1 + 3 + 3 + (version === 3 ? 4 : 3) + harmonics;
  const unpacked = new DataView(tail.buffer, tail.byteOffset, 4).getUint32(0, true);
  return unpacked === SPZ_HEADER + points * point;
}
