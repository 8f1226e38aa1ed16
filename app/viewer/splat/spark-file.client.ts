/**
 * Files that Spark does not read itself, as files that it reads: SPZ of version 4, SPZ that is not packed, and SOG whose pictures are
 * deflated. Nothing is unpacked beyond what the file's header asks for.
 */
import { readSog, unpack } from "~/domain/sog";
import {
  readSpzHeader,
  readSpzToc,
  SPZ_HEADER,
  SPZ_MAGIC,
  type SpzHeader,
  spzBytes,
  spzTocEnd,
} from "~/domain/spz";
import type { Readable } from "~/domain/zip-directory";
import type { Breath } from "../core/breath";
import type { SplatFormat } from "../core/splat-file";

/** Zstandard frames begin with this (RFC 8878 §3.1.1). */
const ZSTD_MAGIC = 0xfd2fb528;
/** Bytes of the shortest frame: magic, descriptor, size, and the header of a block. */
const ZSTD_LEAST = 9;
/** Spark reads spherical harmonics up to the third degree. */
const DEGREE_MAX = 3;
const HARMONICS = { all: 72, read: 45 } as const;
/** Bytes of a deflate block that is stored (RFC 1951 §3.2.4), and of its header. */
const STORED_MAX = 0xffff;
const STORED_HEADER = 5;
const GZIP_HEADER = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
const GZIP_TRAILER = 8;

/**
 * The bytes that Spark is given for a file. Files that it reads itself come back as they are.
 * @throws Error for files that are damaged, or larger inside than they say; AbortError when the signal is aborted
 */
export async function sparkFile(
  bytes: Uint8Array<ArrayBuffer>,
  format: SplatFormat,
  breath: Breath,
): Promise<Uint8Array<ArrayBuffer>> {
  if (format === "sog") return storedSog(bytes);
  if (format !== "spz" || bytes[0] === 0x1f) return bytes;
  const header = readSpzHeader(bytes);
  if (!header) throw new Error("The file is no SPZ.");
  if (header.version === 4) return packedAsVersion3(header, bytes, breath);
  const length = spzBytes(header);
  if (bytes.length < length) throw new Error("The SPZ file is cut off.");
  return gzipStored([bytes.subarray(0, length)], length);
}

/** A file of version 4 as one of version 3, which has the same properties in the same order. */
async function packedAsVersion3(
  header: SpzHeader,
  bytes: Uint8Array,
  breath: Breath,
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
    const found = decompress(frame, new Uint8Array(length));
    const isCut = name === "harmonics" && header.degree > DEGREE_MAX;
    parts.push(isCut ? firstDegrees(found, header.count) : (found as Uint8Array<ArrayBuffer>));
    await breath.pause();
  }
  return gzipStored(
    parts,
    parts.reduce((sum, part) => sum + part.length, 0),
  );
}

/** Checks that a frame which states its unpacked size states the expected one (RFC 8878 §3.1.1.1). */
function checkFrame(frame: Uint8Array, bytes: number): void {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  if (frame.length < ZSTD_LEAST || view.getUint32(0, true) !== ZSTD_MAGIC)
    throw new Error("The SPZ file is damaged.");
  const descriptor = view.getUint8(4);
  const isSingle = (descriptor & 0x20) !== 0;
  const at = 5 + (isSingle ? 0 : 1) + ([0, 1, 2, 4][descriptor & 3] ?? 0);
  const kind = descriptor >> 6;
  const said =
    kind === 0
      ? isSingle
        ? view.getUint8(at)
        : null
      : kind === 1
        ? view.getUint16(at, true) + 256
        : kind === 2
          ? view.getUint32(at, true)
          : Number(view.getBigUint64(at, true));
  if (said !== null && said !== bytes) throw new Error("The SPZ file is larger inside than it says.");
}

function firstDegrees(harmonics: Uint8Array, count: number): Uint8Array<ArrayBuffer> {
  const found = new Uint8Array(count * HARMONICS.read);
  for (let index = 0; index < count; index++) {
    const at = index * HARMONICS.all;
    found.set(harmonics.subarray(at, at + HARMONICS.read), index * HARMONICS.read);
  }
  return found;
}

/** Bytes as a gzip file in which they are stored as they are. Its checksum is left out: Spark reads none. */
function gzipStored(parts: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const blocks = Math.max(1, Math.ceil(length / STORED_MAX));
  const file = new Uint8Array(GZIP_HEADER.length + length + blocks * STORED_HEADER + GZIP_TRAILER);
  const view = new DataView(file.buffer);
  file.set(GZIP_HEADER);
  let at = GZIP_HEADER.length;
  let left = length;
  let room = 0;
  for (const part of parts)
    for (let from = 0; from < part.length; ) {
      if (room === 0) {
        room = Math.min(STORED_MAX, left);
        view.setUint8(at, left === room ? 1 : 0);
        view.setUint16(at + 1, room, true);
        view.setUint16(at + 3, ~room & 0xffff, true);
        at += STORED_HEADER;
      }
      const some = Math.min(room, part.length - from);
      file.set(part.subarray(from, from + some), at);
      at += some;
      from += some;
      room -= some;
      left -= some;
    }
  view.setUint32(file.length - 4, length >>> 0, true);
  return file;
}

/** An archive whose files are stored: Spark unpacks deflated ones without a limit. */
async function storedSog(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
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
