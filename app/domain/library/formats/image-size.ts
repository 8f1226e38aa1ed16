/** Reads the size of an image from its headers. The browser does so before an upload, and the server for stored files. */

import { IMAGE_PIXELS_MAX, IMAGE_SIDE_MAX } from "../../shared/limits";
import { decodeLatin1 } from "./decode-text";

/** A file that is read in parts. */
export interface ImageBytes {
  /** Bytes of the whole file. */
  readonly size: number;
  /** Returns bytes from an offset; fewer at the file's end. */
  read(first: number, length: number): Promise<Uint8Array>;
}

/** Size of an image in upright orientation, in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Returns whether an image is too large to be stored. */
export const isImageTooLarge = ({ width, height }: ImageSize): boolean =>
  Math.max(width, height) > IMAGE_SIDE_MAX || width * height > IMAGE_PIXELS_MAX;

/** An image's size; null when it states none; "damaged" for an invalid or incomplete file. */
export type ImageSizeResult = ImageSize | null | "damaged";

/**
 * Returns the size of an image of a type that sniffMedia detects. Throws RangeError when a field points outside the file.
 * @param checksEnd whether the end of the file is checked too; false for many images when only their size matters
 */
export async function readImageSize(
  file: ImageBytes,
  mimeType: string,
  checksEnd = true,
): Promise<ImageSizeResult> {
  const read = READERS[mimeType];
  const size = read ? await read(file, checksEnd) : null;
  if (size === null || size === "damaged") return size;
  return size.width > 0 && size.height > 0 ? size : "damaged";
}

type Reader = (file: ImageBytes, checksEnd: boolean) => Promise<ImageSizeResult>;

/** Returns bytes of a file. Throws RangeError when the file is too short. */
async function readView(file: ImageBytes, first: number, length: number): Promise<DataView> {
  const bytes = await file.read(first, length);
  if (bytes.byteLength < length) throw new RangeError("a field points outside of the file");
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Returns the last bytes of a file as Latin-1 text. */
const readTail = async (file: ImageBytes, length: number) =>
  decodeLatin1(await file.read(Math.max(0, file.size - length), length));

/** Returns whether the bytes contain a sequence of bytes. */
function hasBytes(bytes: Uint8Array, sequence: readonly number[]): boolean {
  const [first = 0] = sequence;
  for (let offset = bytes.indexOf(first); offset >= 0; offset = bytes.indexOf(first, offset + 1))
    if (sequence.every((byte, i) => bytes[offset + i] === byte)) return true;
  return false;
}

/** Number of bytes that are read at the end of an SVG, and at once for the fill bytes of a JPEG. */
const TAIL_BYTES = 64 * 1024;
/** Maximum number of bytes after the end of a JPEG or a GIF. Phones append a short video. */
const TRAILING_MAX = 8 * 1024 * 1024;
/** Maximum number of bytes after the end of a PNG. Screenshot programs append their own data. */
const PNG_TRAILING_MAX = 512 * 1024;

/** Returns whether a file contains a sequence of bytes between `start` and its end, in its last `maxTrailing` bytes. Searches backwards. */
async function hasNearEnd(
  file: ImageBytes,
  mark: readonly number[],
  start: number,
  maxTrailing: number,
): Promise<boolean> {
  const STEP = 256 * 1024;
  const searchStart = Math.max(start, file.size - maxTrailing);
  for (let end = file.size; end > searchStart; end -= STEP) {
    const first = Math.max(searchStart, end - STEP);
    // Reads a few bytes more, for a mark across the boundary of two steps.
    if (hasBytes(await file.read(first, end - first + mark.length - 1), mark)) return true;
  }
  return false;
}

/** "IEND" and its checksum. */
const PNG_END = [0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82];

/** A PNG file begins with IHDR and ends with IEND (PNG §5.6). Some writers append data to it. */
const png: Reader = async (file, checksEnd) => {
  const head = await readView(file, 0, 24);
  const isWhole = !checksEnd || (await hasNearEnd(file, PNG_END, 24, PNG_TRAILING_MAX));
  return isWhole ? { width: head.getUint32(16), height: head.getUint32(20) } : "damaged";
};

/** Returns whether a GIF ends with ";" (GIF89a, §27). Some writers append zero bytes, possibly many. */
async function isWholeGif(file: ImageBytes): Promise<boolean> {
  const STEP = 64 * 1024;
  for (let end = file.size; end > Math.max(10, file.size - TRAILING_MAX); end -= STEP) {
    const first = Math.max(10, end - STEP);
    const text = decodeLatin1(await file.read(first, end - first)).replace(/[\0\s]+$/, "");
    if (text !== "") return text.endsWith(";");
  }
  return false;
}

const gif: Reader = async (file, checksEnd) => {
  const head = await readView(file, 0, 10);
  const isWhole = !checksEnd || (await isWholeGif(file));
  return isWhole ? { width: head.getUint16(6, true), height: head.getUint16(8, true) } : "damaged";
};

const webp: Reader = async (file, checksEnd) => {
  const head = await readView(file, 0, 30);
  if (checksEnd && head.getUint32(4, true) + 8 > file.size) return "damaged";
  const uint24 = (offset: number) => head.getUint16(offset, true) | (head.getUint8(offset + 2) << 16);
  switch (head.getUint8(15)) {
    case 0x58: // VP8X
      return { width: uint24(24) + 1, height: uint24(27) + 1 };
    case 0x4c: {
      // VP8L stores width and height in 14 bits each.
      const bits = head.getUint32(21, true);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    default:
      return { width: head.getUint16(26, true) & 0x3fff, height: head.getUint16(28, true) & 0x3fff };
  }
};

const bmp: Reader = async (file) => {
  const head = await readView(file, 0, 26);
  const [offset, headerLength] = [head.getUint32(10, true), head.getUint32(14, true)];
  if (offset >= file.size) return "damaged";
  if (headerLength === 12) return { width: head.getUint16(18, true), height: head.getUint16(20, true) };
  const [width, height] = [head.getInt32(18, true), Math.abs(head.getInt32(22, true))];
  const pixelFormat = await readView(file, 28, 6);
  const isUncompressed = pixelFormat.getUint32(2, true) === 0;
  const bytes = Math.ceil((width * pixelFormat.getUint16(0, true)) / 32) * 4 * height;
  return isUncompressed && offset + bytes > file.size ? "damaged" : { width, height };
};

/** Swaps width and height for orientations 5 to 8, which are rotated by 90° (Exif 2.3 §4.6.4). */
const upright = (width: number, height: number, orientation: number): ImageSize =>
  orientation >= 5 && orientation <= 8 ? { width: height, height: width } : { width, height };

/** Maximum number of directory entries that are read (TIFF 6.0 §2). */
const TAGS_MAX = 200;
const [TAG_WIDTH, TAG_HEIGHT, TAG_ORIENTATION] = [256, 257, 274];

/** Maximum number of directories that are read. Previews and smaller copies have directories of their own. */
const PAGES_MAX = 20;

interface Directory {
  readonly tags: ReadonlyMap<number, number>;
  /** Offset of the next directory; 0 for the last one. */
  readonly next: number;
}

/** Reads the header of a TIFF, which may be inside another file: its byte order, and whether offsets have eight bytes (BigTIFF, 43). */
async function tiffHead(file: ImageBytes, base: number) {
  const head = await readView(file, base, 8);
  const isLittleEndian = head.getUint16(0) === 0x4949;
  const version = head.getUint16(2, isLittleEndian);
  if (version === 42)
    return { isLittleEndian, isBig: false, firstDirectory: head.getUint32(4, isLittleEndian) };
  if (version !== 43) throw new RangeError("no TIFF");
  return {
    isLittleEndian,
    isBig: true,
    firstDirectory: readLongOffset(await readView(file, base + 8, 8), 0, isLittleEndian),
  };
}

/** Reads an offset that is stored in eight bytes. Throws RangeError for one that is too large for any file. */
function readLongOffset(bytes: DataView, offset: number, isLittleEndian: boolean): number {
  const value = Number(bytes.getBigUint64(offset, isLittleEndian));
  if (!Number.isSafeInteger(value)) throw new RangeError("an offset beyond any possible file size");
  return value;
}

async function readDirectory(
  file: ImageBytes,
  offset: number,
  { isLittleEndian, isBig }: { readonly isLittleEndian: boolean; readonly isBig: boolean },
): Promise<Directory> {
  const [countBytes, entryBytes, offsetBytes] = isBig ? ([8, 20, 8] as const) : ([2, 12, 4] as const);
  const start = await readView(file, offset, countBytes);
  const count = isBig ? readLongOffset(start, 0, isLittleEndian) : start.getUint16(0, isLittleEndian);
  const entryCount = Math.min(count, TAGS_MAX);
  const entries = await readView(file, offset + countBytes, entryCount * entryBytes);
  const tags = new Map<number, number>();
  for (let i = 0; i < entryCount; i++) {
    const type = entries.getUint16(i * entryBytes + 2, isLittleEndian);
    const valueOffset = i * entryBytes + (isBig ? 12 : 8);
    tags.set(
      entries.getUint16(i * entryBytes, isLittleEndian),
      type === 3
        ? entries.getUint16(valueOffset, isLittleEndian)
        : entries.getUint32(valueOffset, isLittleEndian),
    );
  }
  // A directory at the end of a file may lack the offset of the next one.
  const nextOffset = await file.read(offset + countBytes + count * entryBytes, offsetBytes);
  if (nextOffset.byteLength < offsetBytes) return { tags, next: 0 };
  const tail = new DataView(nextOffset.buffer, nextOffset.byteOffset, nextOffset.byteLength);
  return { tags, next: isBig ? readLongOffset(tail, 0, isLittleEndian) : tail.getUint32(0, isLittleEndian) };
}

/** Numeric tags of the first directory of a TIFF, which may be embedded in another file. */
async function tiffTags(file: ImageBytes, base: number): Promise<ReadonlyMap<number, number>> {
  const head = await tiffHead(file, base);
  return (await readDirectory(file, base + head.firstDirectory, head)).tags;
}

/** Reads the size of the widest image in a TIFF file. */
const tiff: Reader = async (file) => {
  const head = await tiffHead(file, 0);
  let size: ImageSize | null = null;
  let offset = head.firstDirectory;
  for (let page = 0; page < PAGES_MAX && offset > 0; page++) {
    const { tags, next } = await readDirectory(file, offset, head);
    const [width, height] = [tags.get(TAG_WIDTH), tags.get(TAG_HEIGHT)];
    if (width !== undefined && height !== undefined && width > (size?.width ?? 0))
      size = upright(width, height, tags.get(TAG_ORIENTATION) ?? 1);
    offset = next;
  }
  return size ?? "damaged";
};

/** Maximum number of segments before the image: comments, profiles and previews of a camera. */
const SEGMENTS_MAX = 300;
const JPEG_END = [0xff, 0xd9];

/** Reads the segments up to the first scan (ITU-T T.81 §B.1). The frame header contains the size. */
const jpeg: Reader = async (file, checksEnd) => {
  let size: ImageSize | null = null;
  let orientation = 1;
  let offset = 2;
  for (let i = 0; i < SEGMENTS_MAX; i++) {
    const head = await readView(file, offset, 4);
    if (head.getUint8(0) !== 0xff) return "damaged";
    const marker = head.getUint8(1);
    if (marker === 0xff) {
      // Any number of fill bytes may precede a marker.
      offset = await skipFillBytes(file, offset);
      continue;
    }
    const length = head.getUint16(2);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) {
      const frame = await readView(file, offset + 5, 4);
      size = { width: frame.getUint16(2), height: frame.getUint16(0) };
    }
    if (marker === 0xe1 && orientation === 1) orientation = await exifOrientation(file, offset + 4);
    if (marker === 0xda) {
      if (!size || (checksEnd && !(await hasNearEnd(file, JPEG_END, offset, TRAILING_MAX)))) return "damaged";
      return upright(size.width, size.height, orientation);
    }
    offset += 2 + length;
  }
  return "damaged";
};

async function skipFillBytes(file: ImageBytes, offset: number): Promise<number> {
  const bytes = await file.read(offset, TAIL_BYTES);
  const count = bytes.findIndex((byte) => byte !== 0xff);
  return offset + Math.max(1, (count < 0 ? bytes.length : count) - 1);
}

async function exifOrientation(file: ImageBytes, offset: number): Promise<number> {
  if (decodeLatin1(await file.read(offset, 6)) !== "Exif\0\0") return 1;
  try {
    return (await tiffTags(file, offset + 6)).get(TAG_ORIENTATION) ?? 1;
  } catch (error) {
    // The metadata of a camera may be invalid although the image is valid.
    if (error instanceof RangeError) return 1;
    throw error;
  }
}

/** A box of ISO 14496-12 §4.2: its type, and the offsets of the start and the end of its content. */
interface Box {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** Maximum number of boxes that are read by default from a file or from another box. */
const BOXES_MAX = 500;

/**
 * Returns at most `max` boxes between two offsets. Throws RangeError when a box is smaller than its header or larger than its container, as in a
 * file that was cut off.
 */
export async function readIsoBoxes(
  file: ImageBytes,
  from: number,
  to: number,
  max = BOXES_MAX,
): Promise<readonly Box[]> {
  const boxes: Box[] = [];
  for (let offset = from; offset + 8 <= to && boxes.length < max; ) {
    const head = await readView(file, offset, 8);
    let [length, header] = [head.getUint32(0), 8];
    if (length === 1) {
      length = Number((await readView(file, offset + 8, 8)).getBigUint64(0));
      header = 16;
    } else if (length === 0) length = to - offset;
    if (length < header || offset + length > to) throw new RangeError("a box is cut off");
    boxes.push({
      type: decodeLatin1(new Uint8Array(head.buffer, head.byteOffset + 4, 4)),
      start: offset + header,
      end: offset + length,
    });
    offset += length;
  }
  return boxes;
}

/** HEIF and AVIF (ISO 23008-12 §6.5.3). The largest size is the image's; the others belong to tiles and previews. */
const heif: Reader = async (file) => {
  const readInnerBoxes = async (boxes: readonly Box[], type: string, skippedBytes: number) => {
    const box = boxes.find((candidate) => candidate.type === type);
    return box ? readIsoBoxes(file, box.start + skippedBytes, box.end) : [];
  };
  const boxes = await readIsoBoxes(file, 0, file.size);
  const meta = await readInnerBoxes(boxes, "meta", 4);
  if (![...boxes, ...meta].some(({ type }) => type === "mdat" || type === "idat")) return "damaged";
  const properties = await readInnerBoxes(await readInnerBoxes(meta, "iprp", 0), "ipco", 0);
  let size: ImageSize | null = null;
  let isTurned = false;
  for (const { type, start } of properties) {
    if (type === "ispe") {
      const box = await readView(file, start + 4, 8);
      const boxSize = { width: box.getUint32(0), height: box.getUint32(4) };
      if (!size || boxSize.width * boxSize.height > size.width * size.height) size = boxSize;
    }
    if (type === "irot") isTurned ||= (await readView(file, start, 1)).getUint8(0) % 2 === 1;
  }
  if (!size) return "damaged";
  return isTurned ? { width: size.height, height: size.width } : size;
};

/** Number of bytes at the beginning of a drawing that must contain the start tag of its root element. */
const SVG_HEAD_BYTES = 64 * 1024;
/** Maximum number of characters of this start tag that are searched. The limit keeps a regular expression fast on untrusted input. */
const SVG_ROOT_MAX = 4096;
/** Maximum side of a drawing in its own units. Only the aspect ratio of a drawing is used, not its size. */
const DRAWING_SIDE_MAX = 16_384;

const svg: Reader = async (file) => {
  const text = new TextDecoder().decode(await file.read(0, SVG_HEAD_BYTES));
  const start = /<(?:\w+:)?svg[\s>]/.exec(text)?.index ?? text.length;
  const end = text.indexOf(">", start);
  const isWhole = text[end - 1] === "/" || /<\/(?:\w+:)?svg\s*>/.test(await readTail(file, TAIL_BYTES));
  if (end < 0 || !isWhole) return "damaged";
  const root = text.slice(start, Math.min(end + 1, start + SVG_ROOT_MAX));
  const attribute = (name: string) =>
    new RegExp(`\\s${name}\\s*=\\s*["']([^"']*)["']`).exec(root)?.[1]?.trim() ?? "";
  const length = (name: string) =>
    Number(/^(\d+(?:\.\d+)?)(?:px)?$/.exec(attribute(name))?.[1] ?? Number.NaN);
  const [, , boxWidth = Number.NaN, boxHeight = Number.NaN] = attribute("viewBox")
    .split(/[\s,]+/)
    .map(Number);
  const [width, height] =
    length("width") > 0 && length("height") > 0 ? [length("width"), length("height")] : [boxWidth, boxHeight];
  if (!(width > 0 && height > 0 && Number.isFinite(width * height))) return null;
  const scale = Math.min(1, DRAWING_SIDE_MAX / Math.max(width, height));
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
};

const READERS: Readonly<Record<string, Reader>> = {
  "image/png": png,
  "image/jpeg": jpeg,
  "image/gif": gif,
  "image/webp": webp,
  "image/bmp": bmp,
  "image/tiff": tiff,
  "image/avif": heif,
  "image/heic": heif,
  "image/heif": heif,
  "image/svg+xml": svg,
};
