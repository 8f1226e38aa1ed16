/** The header of SPZ files of Gaussian splats (github.com/nianticlabs/spz, versions 1 to 4). */

import type { Vec3 } from "../../shared/model";
import { inflateHead } from "./inflate";

/** "NGSP", little-endian. */
export const SPZ_MAGIC = 0x5053474e;
/** Size of the header of versions 1 to 3, in bytes. */
export const SPZ_HEADER = 16;
/** Size of the header of version 4, in bytes. */
export const SPZ_HEADER_4 = 32;
/** Size of an entry of version 4's table of contents, in bytes: two 64-bit numbers. */
const TOC_ENTRY = 16;
/** Size of the spherical harmonics of a splat in bytes, by their degree. */
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
  /** Unpacked size of each property of all splats in bytes, in file order. */
  readonly streams: readonly (readonly [SpzStream, number])[];
  /** Offset of the table of contents; 0 before version 4. */
  readonly tocOffset: number;
}

/**
 * Parses the header of an SPZ file without gzip, or of gunzip's output.
 * @param bytes its first 16 bytes, or 32 for version 4
 * @returns null for other data, for unknown versions and degrees, and for an invalid header
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

/** Number of bytes of a compressed file that are unpacked for its header. */
const PACKED_HEAD = 64 * 1024;

/** Parses the header of an SPZ file of any version, with or without gzip; null for other data. */
export async function readSpzFileHeader(file: Uint8Array): Promise<SpzHeader | null> {
  if (file[0] !== 0x1f) return readSpzHeader(file);
  return readSpzHeader(await inflateHead(file.subarray(0, PACKED_HEAD), SPZ_HEADER, "gzip"));
}

const isVersion = (value: number): value is SpzHeader["version"] => value >= 1 && value <= 4;

/** Size of an uncompressed file of versions 1 to 3 in bytes, including levels of detail (Spark's flag). */
export const spzBytes = ({ streams, flags, count }: SpzHeader): number =>
  streams.reduce((sum, [, bytes]) => sum + bytes, SPZ_HEADER) + (flags & 0x80 ? count * 6 : 0);

/** One compressed property of a file of version 4. */
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
 * Parses the table of contents of a version 4 file.
 * @param head the file's bytes up to spzTocEnd, or more
 * @param size size of the whole file in bytes
 * @returns null if its sizes contradict the header or the file's size; such a file must not be unpacked
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
    const position = header.tocOffset + index * TOC_ENTRY;
    const packedBytes = Number(view.getBigUint64(position, true));
    if (
      Number(view.getBigUint64(position + 8, true)) !== bytes ||
      packedBytes === 0 ||
      offset + packedBytes > size
    )
      return null;
    streams.push({ name, offset, packed: packedBytes, bytes });
    offset += packedBytes;
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
  for (let offset = SPZ_HEADER_4; offset + 8 <= tocOffset; ) {
    const [type, length] = [view.getUint32(offset, true), view.getUint32(offset + 4, true)];
    if (type === COORDINATE_SYSTEM && length >= 4 && offset + 12 <= tocOffset)
      return SYSTEM_UPS[view.getUint32(offset + 8, true)] ?? null;
    offset += 8 + length;
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

/** Pattern of the gzip comment (RFC 1952 §2.3) in which conversions store the up axis of the original file. */
const UP_COMMENT = /^hiroba up (-?[\d.]+) (-?[\d.]+) (-?[\d.]+)$/;
/** The flag of a gzip header that announces a comment. */
const GZIP_COMMENT = 0x10;

/** Adds a comment with the up axis to a gzip file without optional header fields. Other readers skip it. */
export function writeUpComment(gzip: Uint8Array, up: Vec3): Uint8Array<ArrayBuffer> {
  const comment = new TextEncoder().encode(`hiroba up ${up.map((value) => value.toFixed(5)).join(" ")}\0`);
  const withComment = new Uint8Array(gzip.length + comment.length);
  withComment.set(gzip.subarray(0, GZIP_HEADER));
  withComment[3] = GZIP_COMMENT;
  withComment.set(comment, GZIP_HEADER);
  withComment.set(gzip.subarray(GZIP_HEADER), GZIP_HEADER + comment.length);
  return withComment;
}

/** Returns the up axis that writeUpComment wrote; null if there is none. */
export function readUpComment(gzip: Uint8Array): Vec3 | null {
  if (gzip[0] !== 0x1f || gzip[1] !== 0x8b || gzip[3] !== GZIP_COMMENT) return null;
  const text = String.fromCharCode(...gzip.subarray(GZIP_HEADER, GZIP_HEADER + 64));
  const [, x, y, z] = UP_COMMENT.exec(text.split("\0")[0] ?? "") ?? [];
  const up: Vec3 = [Number(x), Number(y), Number(z)];
  return Math.abs(Math.hypot(...up) - 1) < 0.01 ? up : null;
}

/** Size of a gzip header without optional fields, in bytes. */
const GZIP_HEADER = 10;
