/**
 * Converts files that Spark cannot read, reads incorrectly, or unpacks without a size limit: SPZ version 4, SPZ without compression, SOG with
 * deflated files, GLB and .splat. Converted files are not unpacked beyond the sizes in their headers.
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
import type { Readable } from "~/domain/library/formats/zip/zip-directory";
import type { SplatFormat } from "../core/splat-file";
import type { TimeSlicer } from "../core/time-slicer";
import { packSplatFile } from "./pack-splat.client";

/** Magic number of a Zstandard frame (RFC 8878 §3.1.1). */
const ZSTD_MAGIC = 0xfd2fb528;
/** Minimum length of a Zstandard frame in bytes: magic number, descriptor, size, and the header of a block. */
const ZSTD_FRAME_MIN = 9;
/** Maximum degree of the spherical harmonics that Spark can read. */
const DEGREE_MAX = 3;
/** Bytes of the spherical harmonics of one splat: 24 coefficients of degrees 1 to 4, or 15 of degrees 1 to 3, in three colours. */
const HARMONICS_BYTES = { degree4: 72, degree3: 45 } as const;
/** Maximum length of a stored deflate block, and length of its header, in bytes (RFC 1951 §3.2.4). */
const STORED_BLOCK_MAX = 0xffff;
const STORED_BLOCK_HEADER = 5;
/** Header without a name or time, and length of the trailer in bytes: checksum and size (RFC 1952 §2.3). */
const GZIP_HEADER = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
const GZIP_TRAILER = 8;

const FILE_TYPES: Readonly<Record<Exclude<SplatFormat, "glb" | "splat">, SplatFileType>> = {
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
 * Converts a file for Spark. Files that need no conversion are returned unchanged.
 * @throws Error for files that are damaged, or larger than they declare after unpacking; AbortError when the signal is aborted
 */
export async function convertForSpark(
  bytes: Uint8Array<ArrayBuffer>,
  format: SplatFormat,
  slicer: TimeSlicer,
): Promise<SparkFile> {
  if (format === "glb") return convertGlb(bytes, slicer);
  if (format === "splat") return { packedSplats: await packSplatFile(bytes, slicer) };
  const fileType = FILE_TYPES[format];
  if (format === "sog") return { fileBytes: await storeSog(bytes), fileType };
  if (format === "spz" && bytes[0] === 0x1f) await checkGzip(bytes);
  if (format !== "spz" || bytes[0] === 0x1f) return { fileBytes: bytes, fileType };
  const content = await readSpzContent(bytes, slicer);
  return { fileBytes: gzipStored(content), fileType };
}

async function convertGlb(bytes: Uint8Array<ArrayBuffer>, slicer: TimeSlicer): Promise<SparkFile> {
  const glb = openGlb(bytes);
  if (!glb) throw new Error("The file is not a GLB file with splats.");
  const { convertGltfSplats } = await import("./gltf-splats.client");
  const splats = await convertGltfSplats(glb, (file) => readSpzContent(file, slicer), slicer);
  if ("ply" in splats) return { fileBytes: splats.ply, fileType: SplatFileType.PLY };
  return convertForSpark(splats.spz.slice(), "spz", slicer);
}

/** Returns the unpacked content of an SPZ file in the format of versions 1 to 3. */
async function readSpzContent(bytes: Uint8Array, slicer: TimeSlicer): Promise<Uint8Array<ArrayBuffer>> {
  const isGzip = bytes[0] === 0x1f;
  const header = await readSpzFileHeader(bytes);
  if (!header) throw new Error("The file is not an SPZ file.");
  if (header.version === 4) return convertToVersion3(header, bytes, slicer);
  const length = spzBytes(header);
  if (isGzip) return gunzip(bytes, length);
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
  let offset = 0;
  for (const reader = unpacked.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) break;
    if (offset + value.length > length) {
      await reader.cancel();
      throw new Error("The SPZ file has another unpacked size than it declares.");
    }
    content.set(value, offset);
    offset += value.length;
  }
  if (offset < length) throw new Error("The SPZ file is cut off.");
  return content;
}

/** Converts the content of version 4 to that of version 3, which has the same properties in the same order. */
async function convertToVersion3(
  header: SpzHeader,
  bytes: Uint8Array,
  slicer: TimeSlicer,
): Promise<Uint8Array<ArrayBuffer>> {
  const toc = readSpzToc(header, bytes.subarray(0, spzTocEnd(header)), bytes.length);
  if (!toc) throw new Error("The SPZ file's table of contents is damaged.");
  const { decompress } = await import("fzstd");
  const version3Header = new Uint8Array(SPZ_HEADER);
  const view = new DataView(version3Header.buffer);
  view.setUint32(0, SPZ_MAGIC, true);
  view.setUint32(4, 3, true);
  view.setUint32(8, header.count, true);
  version3Header.set([Math.min(DEGREE_MAX, header.degree), header.fractionBits, header.flags & 1, 0], 12);
  const parts = [version3Header];
  for (const { name, offset, packed, bytes: length } of toc) {
    const frame = bytes.subarray(offset, offset + packed);
    checkFrame(frame, length);
    const content = decompress(frame, new Uint8Array(length));
    const hasUnreadableDegree = name === "harmonics" && header.degree > DEGREE_MAX;
    parts.push(
      hasUnreadableDegree ? keepReadableDegrees(content, header.count) : (content as Uint8Array<ArrayBuffer>),
    );
    await slicer.pause();
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** Checks that the unpacked size in a frame's header, if the header contains it, is the expected size (RFC 8878 §3.1.1.1). */
function checkFrame(frame: Uint8Array, expectedSize: number): void {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  if (frame.length < ZSTD_FRAME_MIN || view.getUint32(0, true) !== ZSTD_MAGIC)
    throw new Error("The SPZ file is damaged.");
  const descriptor = view.getUint8(4);
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const sizeOffset = 5 + (isSingleSegment ? 0 : 1) + ([0, 1, 2, 4][descriptor & 3] ?? 0);
  const sizeReaders = [
    () => (isSingleSegment ? view.getUint8(sizeOffset) : null),
    () => view.getUint16(sizeOffset, true) + 256,
    () => view.getUint32(sizeOffset, true),
    () => Number(view.getBigUint64(sizeOffset, true)),
  ];
  const statedSize = sizeReaders[descriptor >> 6]?.() ?? null;
  if (statedSize !== null && statedSize !== expectedSize)
    throw new Error("The SPZ file has another unpacked size than it declares.");
}

/** Removes the harmonics of degree 4, which Spark cannot read. */
function keepReadableDegrees(harmonics: Uint8Array, count: number): Uint8Array<ArrayBuffer> {
  const coefficients = new Uint8Array(count * HARMONICS_BYTES.degree3);
  for (let index = 0; index < count; index++) {
    const offset = index * HARMONICS_BYTES.degree4;
    coefficients.set(
      harmonics.subarray(offset, offset + HARMONICS_BYTES.degree3),
      index * HARMONICS_BYTES.degree3,
    );
  }
  return coefficients;
}

/** Wraps bytes in a gzip file without compression. Its checksum is 0, because Spark does not read it. */
function gzipStored(content: Uint8Array): Uint8Array<ArrayBuffer> {
  const { length } = content;
  const blocks = Math.max(1, Math.ceil(length / STORED_BLOCK_MAX));
  const file = new Uint8Array(GZIP_HEADER.length + length + blocks * STORED_BLOCK_HEADER + GZIP_TRAILER);
  const view = new DataView(file.buffer);
  file.set(GZIP_HEADER);
  let offset = GZIP_HEADER.length;
  for (let start = 0; start < length; start += STORED_BLOCK_MAX) {
    const blockLength = Math.min(STORED_BLOCK_MAX, length - start);
    view.setUint8(offset, start + blockLength === length ? 1 : 0);
    view.setUint16(offset + 1, blockLength, true);
    view.setUint16(offset + 3, ~blockLength & 0xffff, true);
    file.set(content.subarray(start, start + blockLength), offset + STORED_BLOCK_HEADER);
    offset += STORED_BLOCK_HEADER + blockLength;
  }
  view.setUint32(file.length - 4, length >>> 0, true);
  return file;
}

/** Rewrites a SOG archive without compression, because Spark unpacks deflated files without a size limit (ZIP: APPNOTE §4.3). */
async function storeSog(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const file: Readable = {
    size: bytes.length,
    read: async (first, length) => bytes.subarray(first, first + length),
  };
  const sog = await readSog(file);
  if (typeof sog === "string" || "tooMany" in sog) throw new Error("The SOG archive is damaged.");
  const parts = [sog.meta, ...sog.images];
  if (parts.every(({ entry }) => entry.method === 0)) return bytes;
  const localEntries: Uint8Array[] = [];
  const directoryEntries: Uint8Array[] = [];
  let localOffset = 0;
  for (const { entry, offset } of parts) {
    const content = await unpack(file, entry, offset);
    const name = new TextEncoder().encode(entry.name);
    const sharedFields = new Uint8Array(26);
    const view = new DataView(sharedFields.buffer);
    view.setUint16(0, 20, true);
    view.setUint16(2, 0x800, true);
    view.setUint32(10, entry.crc, true);
    for (const sizeOffset of [14, 18]) view.setUint32(sizeOffset, content.length, true);
    view.setUint16(22, name.length, true);
    localEntries.push(Uint8Array.of(0x50, 0x4b, 3, 4), sharedFields, name, content);
    const directoryFields = new Uint8Array(14);
    new DataView(directoryFields.buffer).setUint32(10, localOffset, true);
    directoryEntries.push(Uint8Array.of(0x50, 0x4b, 1, 2, 20, 0), sharedFields, directoryFields, name);
    localOffset += 30 + name.length + content.length;
  }
  const directoryLength = directoryEntries.reduce((sum, part) => sum + part.length, 0);
  const end = new Uint8Array(22);
  const view = new DataView(end.buffer);
  view.setUint32(0, 0x06054b50, true);
  for (const countOffset of [8, 10]) view.setUint16(countOffset, parts.length, true);
  view.setUint32(12, directoryLength, true);
  view.setUint32(16, localOffset, true);
  return new Uint8Array(
    await new Blob([...localEntries, ...directoryEntries, end] as BlobPart[]).arrayBuffer(),
  );
}
