import { gunzipHead } from "~/domain/inflate";
import { SNIFF_BYTES, SPLAT_TYPES } from "~/domain/media-kind";
import type { Ranges } from "./ranges";

/** Bytes of a number, by the names that PLY files have for them. */
const NUMBERS: Readonly<Record<string, number>> = {
  ...{ char: 1, uchar: 1, int8: 1, uint8: 1, short: 2, ushort: 2, int16: 2, uint16: 2 },
  ...{ int: 4, uint: 4, int32: 4, uint32: 4, float: 4, float32: 4, double: 8, float64: 8 },
};

/** Whether all the points that a splat's header counts are there. */
export async function isWholeSplat(file: Ranges, mimeType: string): Promise<boolean> {
  if (mimeType === SPLAT_TYPES.ply) return isWholePly(file);
  if (mimeType === SPLAT_TYPES.spz) return isWholeSpz(file);
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
  for (const line of text.slice(0, end.index).split(/\r?\n/)) {
    const [word, type = "", amount = ""] = line.split(" ");
    if (word === "element") {
      count = Number(amount);
      if (type === "vertex") points = count;
    }
    // A list has no fixed length; splats have none.
    if (word === "property") bytes += count * (NUMBERS[type] ?? Number.NaN);
  }
  return points > 0 && bytes <= file.size;
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
