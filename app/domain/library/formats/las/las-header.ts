/** The header of LAS and LAZ point clouds (ASPRS LAS specification 1.4 R15, table 3). */

/** Fields of the header that are needed to read points. */
export interface LasHeader {
  readonly isCompressed: boolean;
  /** Offset of the first point, in bytes. */
  readonly pointsOffset: number;
  /** Point data record format, 0…10. */
  readonly format: number;
  /** Size of a point in bytes. */
  readonly recordLength: number;
  readonly count: number;
  /** A coordinate is integer × scale + offset, in the file's unit, with z up. */
  readonly scale: readonly [number, number, number];
  readonly offset: readonly [number, number, number];
  readonly min: readonly [number, number, number];
  readonly max: readonly [number, number, number];
}

/** Size of the longest header, that of LAS 1.4, in bytes. readLasHeader needs no more. */
export const LAS_HEADER_BYTES = 375;

/** Offset of the red, green and blue values in a point, by its format; missing for formats without colours. */
const COLOUR_OFFSETS: Readonly<Record<number, number>> = { 2: 20, 3: 28, 5: 28, 7: 30, 8: 30, 10: 30 };

/** Returns the byte offset of a point's red value in its record; null when the format has no colours. */
export const getColourOffset = (format: number): number | null => COLOUR_OFFSETS[format] ?? null;

/** Returns whether points of a format have waveforms (LAS specification 1.4 R15, §2.6). */
export const hasWaveforms = (format: number): boolean => [4, 5, 9, 10].includes(format);

/** Smallest record of each format, in bytes. */
const RECORD_MIN = [20, 28, 26, 34, 57, 63, 30, 36, 38, 59, 67];

/** Reads a header; null when it is missing or inconsistent. */
export function readLasHeader(bytes: Uint8Array): LasHeader | null {
  if (bytes.length < 227) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0) !== 0x4c415346 || view.getUint8(24) !== 1) return null;
  const minor = view.getUint8(25);
  const formatByte = view.getUint8(104);
  const format = formatByte & 0x3f;
  const recordLength = view.getUint16(105, true);
  let count = view.getUint32(107, true);
  if (minor >= 4 && bytes.length >= 255) count = Number(view.getBigUint64(247, true)) || count;
  const readTriple = (position: number, step = 8) =>
    [0, 1, 2].map((axis) => view.getFloat64(position + axis * step, true)) as [number, number, number];
  const scale = readTriple(131);
  const offset = readTriple(155);
  const max = readTriple(179, 16);
  const min = readTriple(187, 16);
  const isConsistent =
    recordLength >= (RECORD_MIN[format] ?? Number.POSITIVE_INFINITY) &&
    Number.isSafeInteger(count) &&
    [...scale, ...offset, ...min, ...max].every(Number.isFinite) &&
    scale.every((value) => value > 0) &&
    min.every((value, axis) => value <= (max[axis] ?? 0));
  if (!isConsistent) return null;
  return {
    isCompressed: (formatByte & 0xc0) !== 0,
    pointsOffset: view.getUint32(96, true),
    format,
    recordLength,
    count,
    scale,
    offset,
    min,
    max,
  };
}
