/** The header of SPZ files of Gaussian splats (github.com/nianticlabs/spz, versions 1 to 4). */

import type { Vec3 } from "../../shared/model";
import { inflateHead } from "./inflate";

/** "NGSP", little-endian. */
export const SPZ_MAGIC = 0x5053474e;
/** Bytes of the header of versions 1 to 3. */
export const SPZ_HEADER = 16;
/** Bytes of the header of version 4. */
export const SPZ_HEADER_4 = 32;
/** Bytes of an entry of version 4's table of contents: two 64-bit numbers. */
const TOC_ENTRY = 16;
/** Bytes of the spherical harmonics of a splat, by their degree. */
const HARMONICS = [0, 9, 24, 45, 72] as const;
/** Maximum size of the extensions between the header and the table of contents, in bytes. Vendors store camera limits there. */
const EXTENSIONS_MAX = 64 * 1024;
/** The extension that states the coordinate system of the splats (extensions/README.md). */
const COORDINATE_SYSTEM = 0xadbe0003;

/** The properties of a splat, in the order of the file. */
export type SpzStream = "positions" | "alphas" | "colors" | "scales" | "rotations" | "harmonics";

/** The contents of a header. */
export interface SpzHeader {
  readonly version: 1 | 2 | 3 | 4;
  /** Number of splats. */
  readonly count: number;
  /** Degree of the spherical harmonics, 0 to 4. */
  readonly degree: number;
  readonly fractionBits: number;
  readonly flags: number;
  /** Bytes of each property of all splats, unpacked, in their order. */
  readonly streams: readonly (readonly [SpzStream, number])[];
  /** Version 4: where the table of contents begins. */
  readonly tocOffset: number;
}

/**
 * Reads the header of an SPZ file that is not packed by gzip, or of what gunzip made of one.
 * @param bytes its first 16 bytes; of version 4 its first 32
 * @returns null for anything else, and for versions and degrees that do not exist
 */
export function readSpzHeader(bytes: Uint8Array): SpzHeader | null {
  if (bytes.length < SPZ_HEADER) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [version, count] = [view.getUint32(4, true), view.getUint32(8, true)];
  const [degree, fractionBits, flags] = [view.getUint8(12), view.getUint8(13), view.getUint8(14)];
  const harmonics = HARMONICS[degree];
  if (view.getUint32(0, true) !== SPZ_MAGIC || count === 0 || harmonics === undefined) return null;
  if (!isVersion(version)) return null;
  if (degree === 4 && version < 4) return null;
  const sizes = {
    positions: version === 1 ? 6 : 9,
    alphas: 1,
    colors: 3,
    scales: 3,
    rotations: version < 3 ? 3 : 4,
    harmonics,
  };
  const streams = (Object.keys(sizes) as SpzStream[]).flatMap((name) =>
    sizes[name] > 0 ? [[name, sizes[name] * count] as const] : [],
  );
  const header = { version, count, degree, fractionBits, flags, streams } as const;
  if (version < 4) return { ...header, tocOffset: 0 };
  if (bytes.length < SPZ_HEADER_4 || view.getUint8(15) !== streams.length) return null;
  const tocOffset = view.getUint32(16, true);
  if (tocOffset < SPZ_HEADER_4 || tocOffset > SPZ_HEADER_4 + EXTENSIONS_MAX) return null;
  return { ...header, tocOffset };
}

/** Bytes of a packed file that are unpacked for its header. */
const PACKED_HEAD = 64 * 1024;

/** Reads the header of an SPZ file of any version, packed by gzip or not; null for anything else. */
export async function readSpzFileHeader(file: Uint8Array): Promise<SpzHeader | null> {
  if (file[0] !== 0x1f) return readSpzHeader(file);
  return readSpzHeader(await inflateHead(file.subarray(0, PACKED_HEAD), SPZ_HEADER, "gzip"));
}

const isVersion = (value: number): value is SpzHeader["version"] => value >= 1 && value <= 4;

/** Bytes of a file of versions 1 to 3 that is not packed, levels of detail (Spark's flag) included. */
export const spzBytes = ({ streams, flags, count }: SpzHeader): number =>
  streams.reduce((sum, [, bytes]) => sum + bytes, SPZ_HEADER) + (flags & 0x80 ? count * 6 : 0);

/** One packed property of a file of version 4. */
export interface PackedStream {
  readonly name: SpzStream;
  /** Offset and size of its Zstandard frame in the file, in bytes. */
  readonly offset: number;
  readonly packed: number;
  /** Unpacked size in bytes. */
  readonly bytes: number;
}

/** Offset of the end of a version 4 file's table of contents, in bytes. readSpzToc needs the bytes up to there. */
export const spzTocEnd = ({ tocOffset, streams }: SpzHeader): number =>
  tocOffset + streams.length * TOC_ENTRY;

/**
 * The table of contents of a version 4 file.
 * @param head the file's bytes up to spzTocEnd, or more
 * @param size bytes of the whole file
 * @returns null when its sizes contradict the header; such a file must not be unpacked
 */
export function readSpzToc(
  header: SpzHeader,
  head: Uint8Array,
  size: number,
): readonly PackedStream[] | null {
  const end = spzTocEnd(header);
  if (head.length < end) return null;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  let offset = end;
  const streams: PackedStream[] = [];
  for (const [index, [name, bytes]] of header.streams.entries()) {
    const at = header.tocOffset + index * TOC_ENTRY;
    const packed = Number(view.getBigUint64(at, true));
    if (Number(view.getBigUint64(at + 8, true)) !== bytes || packed === 0 || offset + packed > size)
      return null;
    streams.push({ name, offset, packed, bytes });
    offset += packed;
  }
  return streams;
}

/**
 * Returns the up axis that a version 4 file states (SPZ_ADOBE_coordinate_system); null when it states none.
 * @param head the file's bytes up to spzTocEnd, or more
 */
export function spzUp({ version, flags, tocOffset }: SpzHeader, head: Uint8Array): Vec3 | null {
  if (version < 4 || !(flags & 2) || head.length < tocOffset) return null;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  for (let at = SPZ_HEADER_4; at + 8 <= tocOffset; ) {
    const [type, length] = [view.getUint32(at, true), view.getUint32(at + 4, true)];
    if (type === COORDINATE_SYSTEM && length >= 4 && at + 12 <= tocOffset)
      return SYSTEM_UPS[view.getUint32(at + 8, true)] ?? null;
    at += 8 + length;
  }
  return null;
}

const Y: Vec3 = [0, 1, 0];
const Z: Vec3 = [0, 0, 1];
const MINUS_Y: Vec3 = [0, -1, 0];
const MINUS_Z: Vec3 = [0, 0, -1];
/** The up axes of the coordinate systems by their numbers (splat-types.h): LDB, RDB, LUB, RUB, LDF, RDF, LUF, RUF, LFD, RFD, LFU, RFU, LBD, RBD, LBU, RBU. */
const SYSTEM_UPS: readonly (Vec3 | null)[] = [
  null,
  ...[MINUS_Y, MINUS_Y, Y, Y, MINUS_Y, MINUS_Y, Y, Y],
  ...[MINUS_Z, MINUS_Z, Z, Z, MINUS_Z, MINUS_Z, Z, Z],
];

/** Up axis of the original file, which conversions write into the gzip comment of their result (RFC 1952 §2.3). */
const UP_COMMENT = /^hiroba up (-?[\d.]+) (-?[\d.]+) (-?[\d.]+)$/;
const GZIP_COMMENT = 0x10;

/** Adds the note of the up axis to a gzip file that has no optional header fields. Other readers skip it. */
export function noteUp(gzip: Uint8Array, up: Vec3): Uint8Array<ArrayBuffer> {
  const comment = new TextEncoder().encode(`hiroba up ${up.map((value) => value.toFixed(5)).join(" ")}\0`);
  const noted = new Uint8Array(gzip.length + comment.length);
  noted.set(gzip.subarray(0, GZIP_HEADER));
  noted[3] = GZIP_COMMENT;
  noted.set(comment, GZIP_HEADER);
  noted.set(gzip.subarray(GZIP_HEADER), GZIP_HEADER + comment.length);
  return noted;
}

/** Returns the up axis that noteUp wrote; null when there is none. */
export function notedUp(gzip: Uint8Array): Vec3 | null {
  if (gzip[0] !== 0x1f || gzip[1] !== 0x8b || gzip[3] !== GZIP_COMMENT) return null;
  const text = String.fromCharCode(...gzip.subarray(GZIP_HEADER, GZIP_HEADER + 64));
  const [, x, y, z] = UP_COMMENT.exec(text.split("\0")[0] ?? "") ?? [];
  const up: Vec3 = [Number(x), Number(y), Number(z)];
  return Math.abs(Math.hypot(...up) - 1) < 0.01 ? up : null;
}

/** Bytes of a gzip file's header without optional fields. */
const GZIP_HEADER = 10;
