import { decodeLatin1 } from "~/domain/library/formats/decode-text";
import type { OverwriteList } from "../overwrites";
import type { Ranges } from "../range-reader";
import { reduceTiff, reduceXmp } from "./exif";

/** Bytes of image data that are read at once. */
const READ_BYTES = 1024 * 1024;
/** Number of segments after which the rest of the file is blanked, because each costs a read. */
const SEGMENTS_MAX = 20_000;
const SPACE_CODE = 0x20;

/**
 * Returns the next marker from an offset, and the offset after it; null at the end. Skips other bytes as decoders do:
 * image data with stuffed zeros and restart markers (ITU-T T.81 §B.1.1).
 */
async function nextMarker(file: Ranges, from: number): Promise<{ code: number; next: number } | null> {
  for (let offset = from; offset + 1 < file.size; ) {
    // Segments follow each other closely; only image data is long.
    const bytes = await file.read(offset, offset === from ? 4096 : READ_BYTES);
    if (bytes.byteLength < 2) return null;
    for (let i = bytes.indexOf(0xff); i >= 0 && i + 1 < bytes.byteLength; i = bytes.indexOf(0xff, i + 1)) {
      const code = bytes[i + 1] ?? 0;
      if (code === 0 || code === 1 || code === 0xff || (code >= 0xd0 && code <= 0xd8)) continue;
      return { code, next: offset + i + 2 };
    }
    // A chunk may end inside a marker, so its last byte is read again.
    offset += bytes.byteLength - 1;
  }
  return null;
}

const EXIF = "Exif\0\0";
const XMP = "http://ns.adobe.com/xap/1.0/\0";
const ICC = "ICC_PROFILE\0";
/** Number of bytes of JFIF and Adobe segments that decoders need. Thumbnails and other data follow them. */
const JFIF_BYTES = 14;
const ADOBE_BYTES = 12;

async function blankSegment(file: Ranges, list: OverwriteList, code: number, start: number, end: number) {
  const isData = (code >= 0xe0 && code <= 0xef) || code === 0xfe || (code >= 0xf0 && code <= 0xfd);
  if (!isData) return;
  const data = await file.read(start, end - start);
  const head = decodeLatin1(data.subarray(0, 64));
  if (code === 0xe0 && head.startsWith("JFIF\0")) {
    // The thumbnail's size is blanked too.
    list.fill(start + JFIF_BYTES - 2, end);
  } else if (code === 0xe1 && head.startsWith(EXIF)) {
    list.replace(start + EXIF.length, end, reduceTiff(data.subarray(EXIF.length)));
  } else if (code === 0xe1 && head.startsWith(XMP)) {
    list.replace(start + XMP.length, end, reduceXmp(data.subarray(XMP.length)), SPACE_CODE);
  } else if (code === 0xe2 && head.startsWith(ICC)) {
    return;
  } else if (code === 0xee && head.startsWith("Adobe")) {
    list.fill(start + ADOBE_BYTES, end);
  } else {
    list.fill(start, end);
  }
}

/** Blanks the metadata of a JPEG and everything after its end, where phones store previews and short videos. */
export async function blankJpeg(file: Ranges, list: OverwriteList): Promise<void> {
  let offset = 2;
  for (let i = 0; i < SEGMENTS_MAX; i++) {
    const marker = await nextMarker(file, offset);
    if (marker === null) return;
    const { code, next } = marker;
    if (code === 0xd9) return list.fill(next, file.size);
    const bytes = await file.read(next, 2);
    const length = bytes.byteLength < 2 ? 0 : (bytes[0] ?? 0) * 256 + (bytes[1] ?? 0);
    if (length >= 2) await blankSegment(file, list, code, next + 2, Math.min(next + length, file.size));
    offset = next + Math.max(length, 0);
  }
  list.fill(offset, file.size);
}
