import type { Ranges } from "./ranges";

/** Pixels of a picture, the right way up. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** A picture's size; null where it says none; "damaged" when it is none, or not all of it is there. */
export type PictureAnswer = PictureSize | null | "damaged";

/**
 * The size of a picture of a type that sniffMedia names. Throws RangeError where a field points outside of the file.
 * @param isAllAsked whether its end is looked for as well: false where many are looked at, and their size alone matters
 */
export async function pictureSize(file: Ranges, mimeType: string, isAllAsked = true): Promise<PictureAnswer> {
  const read = READERS[mimeType];
  const size = read ? await read(file, isAllAsked) : null;
  if (size === null || size === "damaged") return size;
  return size.width > 0 && size.height > 0 ? size : "damaged";
}

type Reader = (file: Ranges, isAllAsked: boolean) => Promise<PictureAnswer>;

/** Bytes of a file that must be there. */
async function view(file: Ranges, first: number, length: number): Promise<DataView> {
  const bytes = await file.read(first, length);
  if (bytes.byteLength < length) throw new RangeError("a field points outside of the file");
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Text in a file, of which ASCII alone is looked at. */
const ascii = (bytes: Uint8Array) => new TextDecoder("latin1").decode(bytes);

/** The last bytes of a file as such a text. */
const tailOf = async (file: Ranges, length: number) =>
  ascii(await file.read(Math.max(0, file.size - length), length));

/** Whether bytes stand somewhere in others. */
function hasBytes(bytes: Uint8Array, mark: readonly number[]): boolean {
  const [first = 0] = mark;
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1))
    if (mark.every((byte, i) => bytes[at + i] === byte)) return true;
  return false;
}

const TAIL = 64 * 1024;

/** "IEND" and its check sum. */
const PNG_END = [0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82];

/** PNG §5.6: begins with IHDR and ends with IEND; some writers leave something behind it. */
const png: Reader = async (file, isAllAsked) => {
  const head = await view(file, 0, 24);
  const isWhole = !isAllAsked || hasBytes(await file.read(Math.max(0, file.size - TAIL), TAIL), PNG_END);
  return isWhole ? { width: head.getUint32(16), height: head.getUint32(20) } : "damaged";
};

/** The end of a trimmed file; some writers fill up with zeros. */
const gif: Reader = async (file, isAllAsked) => {
  const head = await view(file, 0, 10);
  const isWhole = !isAllAsked || /;[\0\s]*$/.test(await tailOf(file, 1024));
  return isWhole ? { width: head.getUint16(6, true), height: head.getUint16(8, true) } : "damaged";
};

const webp: Reader = async (file, isAllAsked) => {
  const head = await view(file, 0, 30);
  if (isAllAsked && head.getUint32(4, true) + 8 > file.size) return "damaged";
  const uint24 = (at: number) => head.getUint16(at, true) | (head.getUint8(at + 2) << 16);
  switch (head.getUint8(15)) {
    case 0x58: // VP8X
      return { width: uint24(24) + 1, height: uint24(27) + 1 };
    case 0x4c: {
      // VP8L
      const bits = head.getUint32(21, true);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    default:
      return { width: head.getUint16(26, true) & 0x3fff, height: head.getUint16(28, true) & 0x3fff };
  }
};

const bmp: Reader = async (file) => {
  const head = await view(file, 0, 26);
  const [offset, kind] = [head.getUint32(10, true), head.getUint32(14, true)];
  if (offset >= file.size) return "damaged";
  if (kind === 12) return { width: head.getUint16(18, true), height: head.getUint16(20, true) };
  const [width, height] = [head.getInt32(18, true), Math.abs(head.getInt32(22, true))];
  const rest = await view(file, 28, 6);
  const isPlain = rest.getUint32(2, true) === 0;
  const bytes = Math.ceil((width * rest.getUint16(0, true)) / 32) * 4 * height;
  return isPlain && offset + bytes > file.size ? "damaged" : { width, height };
};

/** Orientations 5 to 8 lie on their side (Exif 2.3 §4.6.4). */
const upright = (width: number, height: number, orientation: number): PictureSize =>
  orientation >= 5 && orientation <= 8 ? { width: height, height: width } : { width, height };

/** Entries of a directory that are looked at (TIFF 6.0 §2). */
const TAGS_MAX = 200;
const [TAG_WIDTH, TAG_HEIGHT, TAG_ORIENTATION] = [256, 257, 274];

/** Numbers of the first directory of a TIFF, which may lie inside of another file. */
async function tiffTags(file: Ranges, base: number): Promise<ReadonlyMap<number, number>> {
  const head = await view(file, base, 8);
  const little = head.getUint16(0) === 0x4949;
  if (head.getUint16(2, little) !== 42) throw new RangeError("no TIFF");
  const at = base + head.getUint32(4, little);
  const count = Math.min((await view(file, at, 2)).getUint16(0, little), TAGS_MAX);
  const entries = await view(file, at + 2, count * 12);
  const tags = new Map<number, number>();
  for (let i = 0; i < count; i++) {
    const type = entries.getUint16(i * 12 + 2, little);
    const value = type === 3 ? entries.getUint16(i * 12 + 8, little) : entries.getUint32(i * 12 + 8, little);
    tags.set(entries.getUint16(i * 12, little), value);
  }
  return tags;
}

const tiff: Reader = async (file) => {
  const tags = await tiffTags(file, 0);
  const [width, height] = [tags.get(TAG_WIDTH), tags.get(TAG_HEIGHT)];
  if (width === undefined || height === undefined) return "damaged";
  return upright(width, height, tags.get(TAG_ORIENTATION) ?? 1);
};

/** Segments before the picture: comments, profiles and previews of a camera. */
const SEGMENTS_MAX = 300;
/** How far before a file's end its last marker may stand: phones put a short film behind a picture. */
const JPEG_TAIL = 8 * 1024 * 1024;

/** ITU-T T.81 §B.1: segments up to the first scan; the size stands in the frame's header. */
const jpeg: Reader = async (file, isAllAsked) => {
  let size: PictureSize | null = null;
  let orientation = 1;
  let at = 2;
  for (let i = 0; i < SEGMENTS_MAX; i++) {
    const head = await view(file, at, 4);
    if (head.getUint8(0) !== 0xff) return "damaged";
    const marker = head.getUint8(1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const length = head.getUint16(2);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) {
      const frame = await view(file, at + 5, 4);
      size = { width: frame.getUint16(2), height: frame.getUint16(0) };
    }
    if (marker === 0xe1 && orientation === 1) orientation = await exifOrientation(file, at + 4);
    if (marker === 0xda) {
      if (!size || (isAllAsked && !(await hasEnd(file, at)))) return "damaged";
      return upright(size.width, size.height, orientation);
    }
    at += 2 + length;
  }
  return "damaged";
};

async function exifOrientation(file: Ranges, at: number): Promise<number> {
  if (ascii(await file.read(at, 6)) !== "Exif\0\0") return 1;
  try {
    return (await tiffTags(file, at + 6)).get(TAG_ORIENTATION) ?? 1;
  } catch (error) {
    // What a camera wrote beside its picture may be wrong and the picture right.
    if (error instanceof RangeError) return 1;
    throw error;
  }
}

/** Looks backwards for the marker with which every picture ends, down to where its data begin. */
async function hasEnd(file: Ranges, start: number): Promise<boolean> {
  const STEP = 256 * 1024;
  const lowest = Math.max(start, file.size - JPEG_TAIL);
  for (let end = file.size; end > lowest; end -= STEP) {
    const first = Math.max(lowest, end - STEP);
    // One byte more, for a marker that lies across.
    if (hasBytes(await file.read(first, end - first + 1), [0xff, 0xd9])) return true;
  }
  return false;
}

/** A box of ISO 14496-12 §4.2: its type, and where its content begins and ends. */
interface Box {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

const BOXES_MAX = 500;

/**
 * The boxes between two places, at most `max` of them. Throws RangeError where one is larger than what holds it: the file was
 * cut off.
 */
export async function boxesOf(
  file: Ranges,
  from: number,
  to: number,
  max = BOXES_MAX,
): Promise<readonly Box[]> {
  const found: Box[] = [];
  for (let at = from; at + 8 <= to && found.length < max; ) {
    const head = await view(file, at, 8);
    let [length, header] = [head.getUint32(0), 8];
    if (length === 1) {
      length = Number((await view(file, at + 8, 8)).getBigUint64(0));
      header = 16;
    } else if (length === 0) length = to - at;
    if (length < header || at + length > to) throw new RangeError("a box is cut off");
    found.push({
      type: ascii(new Uint8Array(head.buffer, head.byteOffset + 4, 4)),
      start: at + header,
      end: at + length,
    });
    at += length;
  }
  return found;
}

/** HEIF and AVIF (ISO 23008-12 §6.5.3): of all sizes the largest is the picture's; the others are tiles and previews. */
const heif: Reader = async (file) => {
  const inner = async (boxes: readonly Box[], type: string, skipped: number) => {
    const box = boxes.find((one) => one.type === type);
    return box ? boxesOf(file, box.start + skipped, box.end) : [];
  };
  const boxes = await boxesOf(file, 0, file.size);
  const meta = await inner(boxes, "meta", 4);
  if (![...boxes, ...meta].some(({ type }) => type === "mdat" || type === "idat")) return "damaged";
  const properties = await inner(await inner(meta, "iprp", 0), "ipco", 0);
  let size: PictureSize | null = null;
  let isTurned = false;
  for (const { type, start } of properties) {
    if (type === "ispe") {
      const box = await view(file, start + 4, 8);
      const one = { width: box.getUint32(0), height: box.getUint32(4) };
      if (!size || one.width * one.height > size.width * size.height) size = one;
    }
    if (type === "irot") isTurned ||= (await view(file, start, 1)).getUint8(0) % 2 === 1;
  }
  if (!size) return "damaged";
  return isTurned ? { width: size.height, height: size.width } : size;
};

const SVG_HEAD = 64 * 1024;
/** Letters of its first element that are looked at: what somebody else wrote is not to keep an expression busy. */
const SVG_ROOT = 4096;
/** A drawing's own units: of what use is its shape, not its size. */
const DRAWING_SIDE_MAX = 16_384;

const svg: Reader = async (file) => {
  const text = new TextDecoder().decode(await file.read(0, SVG_HEAD));
  const start = /<(?:\w+:)?svg[\s>]/.exec(text)?.index ?? text.length;
  const end = text.indexOf(">", start);
  const isWhole = text[end - 1] === "/" || /<\/(?:\w+:)?svg\s*>/.test(await tailOf(file, TAIL));
  if (end < 0 || !isWhole) return "damaged";
  const root = text.slice(start, Math.min(end + 1, start + SVG_ROOT));
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
