/**
 * Converts files that Spark cannot read, or reads incorrectly: SPZ version 4, SPZ without compression, SOG with deflated images, GLB and .splat. No
 * file is unpacked beyond the sizes in its header.
 */
import { type PackedSplats, SplatFileType } from "@sparkjsdev/spark";
import { openGlb } from "~/domain/library/formats/gltf-splats";
import { readSog, unpack } from "~/domain/library/formats/sog";
import {
  readSpzFileHeader,
  readSpzToc,
  SPZ_HEADER,
  SPZ_MAGIC,
  type SpzHeader,
  spzBytes,
  spzTocEnd,
} from "~/domain/library/formats/spz";
import type { Readable } from "~/domain/library/formats/zip-directory";
import type { SplatFormat } from "../core/splat-file";
import type { TimeSlicer } from "../core/time-slicer";
import { packSplat } from "./pack-splat.client";

/** Magic number of a Zstandard frame (RFC 8878 §3.1.1). */
const ZSTD_MAGIC = 0xfd2fb528;
/** Minimum length of a Zstandard frame in bytes: magic number, descriptor, size, and the header of a block. */
const ZSTD_LEAST = 9;
/** Maximum degree of spherical harmonics that Spark reads. */
const DEGREE_MAX = 3;
const HARMONICS = { all: 72, read: 45 } as const;
/** Maximum length of a stored deflate block, and length of its header, in bytes (RFC 1951 §3.2.4). */
const STORED_MAX = 0xffff;
const STORED_HEADER = 5;
const GZIP_HEADER = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
const GZIP_TRAILER = 8;

const TYPES: Readonly<Record<Exclude<SplatFormat, "glb" | "splat">, SplatFileType>> = {
  ply: SplatFileType.PLY,
  spz: SplatFileType.SPZ,
  ksplat: SplatFileType.KSPLAT,
  sog: SplatFileType.PCSOGSZIP,
};

/** A file that Spark can read, or its splats in Spark's own form. */
export type SparkFile =
  | { readonly fileBytes: Uint8Array<ArrayBuffer>; readonly fileType: SplatFileType }
  | { readonly packedSplats: PackedSplats };

/**
 * Converts a file for Spark. Files that Spark can read are returned unchanged.
 * @throws Error for files that are damaged, or larger than they declare after unpacking; AbortError when the signal is aborted
 */
export async function convertForSpark(
  bytes: Uint8Array<ArrayBuffer>,
  format: SplatFormat,
  slicer: TimeSlicer,
): Promise<SparkFile> {
  if (format === "glb") return fromGlb(bytes, slicer);
  if (format === "splat") return { packedSplats: await packSplat(bytes, slicer) };
  const fileType = TYPES[format];
  if (format === "sog") return { fileBytes: await storeSog(bytes), fileType };
  if (format === "spz" && bytes[0] === 0x1f) await checkGzip(bytes);
  if (format !== "spz" || bytes[0] === 0x1f) return { fileBytes: bytes, fileType };
  const content = await spzContent(bytes, slicer);
  return { fileBytes: gzipStored(content), fileType };
}

async function fromGlb(bytes: Uint8Array<ArrayBuffer>, slicer: TimeSlicer): Promise<SparkFile> {
  const glb = openGlb(bytes);
  if (!glb) throw new Error("The file is no GLB with splats.");
  const { convertGltfSplats } = await import("./gltf-splats.client");
  const splats = await convertGltfSplats(glb, (file) => spzContent(file, slicer), slicer);
  if ("ply" in splats) return { fileBytes: splats.ply, fileType: SplatFileType.PLY };
  return convertForSpark(splats.spz.slice(), "spz", slicer);
}

/** Returns the unpacked content of an SPZ file in the format of versions 1 to 3. */
async function spzContent(bytes: Uint8Array, slicer: TimeSlicer): Promise<Uint8Array<ArrayBuffer>> {
  const isPacked = bytes[0] === 0x1f;
  const header = await readSpzFileHeader(bytes);
  if (!header) throw new Error("The file is no SPZ.");
  if (header.version === 4) return contentAsVersion3(header, bytes, slicer);
  const length = spzBytes(header);
  if (isPacked) return gunzip(bytes, length);
  if (bytes.length < length) throw new Error("The SPZ file is cut off.");
  return bytes.slice(0, length);
}

/**
 * Checks that a gzip file can be unpacked completely and has the right checksum. Spark checks neither, so splats of a damaged file would be missing.
 */
async function checkGzip(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  await unpacked.pipeTo(new WritableStream()).catch((cause: unknown) => {
    throw new Error("The SPZ file is damaged.", { cause });
  });
}

/** Unpacks a gzip file to a known number of bytes. */
async function gunzip(bytes: Uint8Array, length: number): Promise<Uint8Array<ArrayBuffer>> {
  const unpacked = new Blob([bytes as BlobPart]).stream().pipeThrough(new DecompressionStream("gzip"));
  const content = new Uint8Array(length);
  let at = 0;
  for (const reader = unpacked.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) break;
    if (at + value.length > length) {
      await reader.cancel();
      throw new Error("The SPZ file is larger inside than it says.");
    }
    content.set(value, at);
    at += value.length;
  }
  if (at < length) throw new Error("The SPZ file is cut off.");
  return content;
}

/** Converts the content of version 4 to that of version 3, which has the same properties in the same order. */
async function contentAsVersion3(
  header: SpzHeader,
  bytes: Uint8Array,
  slicer: TimeSlicer,
): Promise<Uint8Array<ArrayBuffer>> {
  const toc = readSpzToc(header, bytes.subarray(0, spzTocEnd(header)), bytes.length);
  if (!toc) throw new Error("The SPZ file's table of contents is damaged.");
  const { decompress } = await import("fzstd");
  const head = new Uint8Array(SPZ_HEADER);
  const view = new DataView(head.buffer);
  view.setUint32(0, SPZ_MAGIC, true);
  view.setUint32(4, 3, true);
  view.setUint32(8, header.count, true);
  head.set([Math.min(DEGREE_MAX, header.degree), header.fractionBits, header.flags & 1, 0], 12);
  const parts = [head];
  for (const { name, offset, packed, bytes: length } of toc) {
    const frame = bytes.subarray(offset, offset + packed);
    checkFrame(frame, length);
    const content = decompress(frame, new Uint8Array(length));
    const isCut = name === "harmonics" && header.degree > DEGREE_MAX;
    parts.push(isCut ? firstDegrees(content, header.count) : (content as Uint8Array<ArrayBuffer>));
    await slicer.pause();
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** Checks that the unpacked size in a frame's header, if there is one, is the expected one (RFC 8878 §3.1.1.1). */
function checkFrame(frame: Uint8Array, bytes: number): void {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  if (frame.length < ZSTD_LEAST || view.getUint32(0, true) !== ZSTD_MAGIC)
    throw new Error("The SPZ file is damaged.");
  const descriptor = view.getUint8(4);
  const isSingle = (descriptor & 0x20) !== 0;
  const at = 5 + (isSingle ? 0 : 1) + ([0, 1, 2, 4][descriptor & 3] ?? 0);
  const kind = descriptor >> 6;
  const statedSize =
    kind === 0
      ? isSingle
        ? view.getUint8(at)
        : null
      : kind === 1
        ? view.getUint16(at, true) + 256
        : kind === 2
          ? view.getUint32(at, true)
          : Number(view.getBigUint64(at, true));
  if (statedSize !== null && statedSize !== bytes)
    throw new Error("The SPZ file is larger inside than it says.");
}

function firstDegrees(harmonics: Uint8Array, count: number): Uint8Array<ArrayBuffer> {
  const coefficients = new Uint8Array(count * HARMONICS.read);
  for (let index = 0; index < count; index++) {
    const at = index * HARMONICS.all;
    coefficients.set(harmonics.subarray(at, at + HARMONICS.read), index * HARMONICS.read);
  }
  return coefficients;
}

/** Wraps bytes in a gzip file without compression. Its checksum is 0, because Spark does not read it. */
function gzipStored(content: Uint8Array): Uint8Array<ArrayBuffer> {
  const { length } = content;
  const blocks = Math.max(1, Math.ceil(length / STORED_MAX));
  const file = new Uint8Array(GZIP_HEADER.length + length + blocks * STORED_HEADER + GZIP_TRAILER);
  const view = new DataView(file.buffer);
  file.set(GZIP_HEADER);
  let at = GZIP_HEADER.length;
  for (let from = 0; from < length; from += STORED_MAX) {
    const some = Math.min(STORED_MAX, length - from);
    view.setUint8(at, from + some === length ? 1 : 0);
    view.setUint16(at + 1, some, true);
    view.setUint16(at + 3, ~some & 0xffff, true);
    file.set(content.subarray(from, from + some), at + STORED_HEADER);
    at += STORED_HEADER + some;
  }
  view.setUint32(file.length - 4, length >>> 0, true);
  return file;
}

/** Rewrites an archive without compression, because Spark unpacks deflated files without a size limit. */
async function storeSog(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const file: Readable = {
    size: bytes.length,
    read: async (first, length) => bytes.subarray(first, first + length),
  };
  const sog = await readSog(file);
  if (typeof sog === "string" || "tooMany" in sog) throw new Error("The SOG archive is damaged.");
  const parts = [sog.meta, ...sog.pictures];
  if (parts.every(({ entry }) => entry.method === 0)) return bytes;
  const local: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let at = 0;
  for (const { entry, offset } of parts) {
    const content = await unpack(file, entry, offset);
    const name = new TextEncoder().encode(entry.name);
    const fields = new Uint8Array(26);
    const view = new DataView(fields.buffer);
    view.setUint16(0, 20, true);
    view.setUint16(2, 0x800, true);
    view.setUint32(10, entry.crc, true);
    for (const place of [14, 18]) view.setUint32(place, content.length, true);
    view.setUint16(22, name.length, true);
    local.push(Uint8Array.of(0x50, 0x4b, 3, 4), fields, name, content);
    const where = new Uint8Array(14);
    new DataView(where.buffer).setUint32(10, at, true);
    directory.push(Uint8Array.of(0x50, 0x4b, 1, 2, 20, 0), fields, where, name);
    at += 30 + name.length + content.length;
  }
  const length = directory.reduce((sum, part) => sum + part.length, 0);
  const end = new Uint8Array(22);
  const view = new DataView(end.buffer);
  view.setUint32(0, 0x06054b50, true);
  for (const place of [8, 10]) view.setUint16(place, parts.length, true);
  view.setUint32(12, length, true);
  view.setUint32(16, at, true);
  return new Uint8Array(await new Blob([...local, ...directory, end] as BlobPart[]).arrayBuffer());
}
