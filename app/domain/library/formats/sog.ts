/** SOG: splats as a ZIP archive of WebP images and a description, meta.json (developer.playcanvas.com, "SOG format"; versions 1 and 2). */

import { isRecord } from "../../shared/is-record";
import { inflateHead } from "./inflate";
import { SPLATS_MAX } from "./splats-max";
import { inflateRaw, type Readable, readZip, type ZipEntry, zipDataOffset } from "./zip/zip-directory";

/** Maximum number of files in an archive, and maximum size of its directory in bytes. */
const BOUNDS = { entries: 64, directory: 64 * 1024 } as const;
/** Maximum size of meta.json in bytes. It contains a few numbers, and three tables of 256. */
const META_MAX = 1024 * 1024;
/** Number of bytes at the beginning of a WebP file that contain the image's width and height. */
const WEBP_HEAD = 32;
/** Maximum number of pixels of the table of spherical harmonics: twice its 65,536 rows of 15. */
const CENTROIDS_MAX = 65_536 * 15 * 2;
/** Number of pixels that may belong to no splat, because images are rectangular. */
const SPARE_PIXELS = 64 * 1024;

/** An archive whose parts are complete and have the expected sizes. */
export interface Sog {
  /** Number of splats. */
  readonly count: number;
  readonly meta: { readonly entry: ZipEntry; readonly offset: number };
  /** The images that meta.json names, and the offset of their bytes. */
  readonly images: readonly { readonly entry: ZipEntry; readonly offset: number }[];
}

interface Meta {
  readonly count: number;
  /** Names of the images with one pixel per splat, and of the tables. */
  readonly maps: readonly string[];
  readonly tables: readonly string[];
}

const readFileNames = (part: unknown, count: number): readonly string[] | null => {
  const files = isRecord(part) ? part.files : null;
  return Array.isArray(files) && files.length === count && files.every((file) => typeof file === "string")
    ? files
    : null;
};

/** Parses a meta.json of SOG version 1 or 2; null if it is invalid. Both versions name the same images. */
export function readSogMeta(text: string): Meta | null {
  let meta: unknown;
  try {
    meta = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isRecord(meta)) return null;
  const shape = isRecord(meta.means) ? meta.means.shape : null;
  const count = meta.version === 2 ? meta.count : Array.isArray(shape) ? shape[0] : null;
  const [means, scales, quats, sh0] = [
    readFileNames(meta.means, 2),
    readFileNames(meta.scales, 1),
    readFileNames(meta.quats, 1),
    readFileNames(meta.sh0, 1),
  ];
  if (typeof count !== "number" || !Number.isInteger(count) || count < 1) return null;
  if (!means || !scales || !quats || !sh0) return null;
  const [centroids, labels] = readFileNames(meta.shN, 2) ?? [];
  if (meta.shN !== undefined && meta.shN !== null && (!centroids || !labels)) return null;
  return {
    count,
    maps: [...means, ...scales, ...quats, ...sh0, ...(labels ? [labels] : [])],
    tables: centroids ? [centroids] : [],
  };
}

/** Number of pixels of a WebP image, from its head (RFC 9649 §2.5 to §2.7); null if it is not WebP. */
export function webpPixels(head: Uint8Array): number | null {
  if (head.length < 30) return null;
  const text = (offset: number) => String.fromCharCode(...head.subarray(offset, offset + 4));
  if (text(0) !== "RIFF" || text(8) !== "WEBP") return null;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const kind = text(12);
  if (kind === "VP8L") {
    const bits = view.getUint32(21, true);
    return ((bits & 0x3fff) + 1) * (((bits >>> 14) & 0x3fff) + 1);
  }
  const u24 = (offset: number) => view.getUint16(offset, true) + view.getUint8(offset + 2) * 65536;
  if (kind === "VP8X") return (u24(24) + 1) * (u24(27) + 1);
  // Lossy images store numbers inexactly, but they are accepted.
  return kind === "VP8 " ? (view.getUint16(26, true) & 0x3fff) * (view.getUint16(28, true) & 0x3fff) : null;
}

/**
 * Checks whether an archive is SOG, and whether its unpacked size matches its number of splats.
 * @returns "other" for another archive, "damaged", or the number of splats as `tooMany` if it exceeds SPLATS_MAX
 */
export async function readSog(
  file: Readable,
): Promise<Sog | "other" | "damaged" | { readonly tooMany: number }> {
  const entries = await readZip(file, BOUNDS);
  const metaEntry = entries?.find(({ name }) => /(^|\/)meta\.json$/.test(name));
  if (!entries || !metaEntry || metaEntry.bytes > META_MAX || metaEntry.packed > META_MAX) return "other";
  const offset = await zipDataOffset(file, metaEntry);
  const text = offset === null ? null : await unpack(file, metaEntry, offset).catch(() => null);
  const meta = text && readSogMeta(new TextDecoder().decode(text));
  if (!meta || offset === null) return "other";
  if (meta.count > SPLATS_MAX) return { tooMany: meta.count };
  const folder = metaEntry.name.slice(0, -"meta.json".length);
  const images: { entry: ZipEntry; offset: number }[] = [];
  for (const name of [...meta.maps, ...meta.tables]) {
    const entry = entries.find((zipEntry) => zipEntry.name === folder + name);
    const position = entry ? await zipDataOffset(file, entry) : null;
    if (!entry || position === null || (entry.method !== 0 && entry.method !== 8)) return "damaged";
    const maxPixels = meta.tables.includes(name) ? CENTROIDS_MAX : meta.count * 2 + SPARE_PIXELS;
    // A pixel has four bytes, and a compressed image is not larger than its pixels.
    if (entry.bytes > maxPixels * 4 + META_MAX || (entry.method === 0 && entry.bytes !== entry.packed))
      return "damaged";
    const head =
      entry.method === 0 ? await file.read(position, WEBP_HEAD) : await unpackHead(file, entry, position);
    const pixels = head && webpPixels(head);
    if (!pixels || pixels > maxPixels) return "damaged";
    if (!meta.tables.includes(name) && pixels < meta.count) return "damaged";
    images.push({ entry, offset: position });
  }
  return { count: meta.count, meta: { entry: metaEntry, offset }, images };
}

/** Unpacks a file of an archive. Rejects if the size of a deflated file differs from the directory's. */
export async function unpack(file: Readable, entry: ZipEntry, offset: number): Promise<Uint8Array> {
  const packed = await file.read(offset, entry.packed);
  return entry.method === 0 ? packed : inflateRaw(packed, entry.bytes);
}

/** Unpacks the first bytes of a deflated file. */
async function unpackHead(file: Readable, entry: ZipEntry, offset: number): Promise<Uint8Array> {
  const packed = await file.read(offset, Math.min(entry.packed, 4096));
  return inflateHead(packed, WEBP_HEAD, "deflate-raw");
}
