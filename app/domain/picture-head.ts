/** Reads the size of a picture from its first bytes, so that one that is too large is refused before it is uploaded. */
import { PICTURE_PIXELS_MAX, PICTURE_SIDE_MAX } from "./limits";

/** Bytes at the beginning of a picture in which its size is looked for: cameras write a preview before it. */
export const PICTURE_HEAD_BYTES = 256 * 1024;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Whether a picture is too large to be stored. */
export const isPictureTooLarge = ({ width, height }: Size): boolean =>
  Math.max(width, height) > PICTURE_SIDE_MAX || width * height > PICTURE_PIXELS_MAX;

type Reader = (view: DataView) => Size | null;

/** ITU-T T.81 §B.1: the frame's header among the segments before the first scan. */
const jpeg: Reader = (view) => {
  for (let at = 2; at + 9 <= view.byteLength; ) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (marker === 0xda) return null;
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    at += 2 + view.getUint16(at + 2);
  }
  return null;
};

const READERS: Readonly<Record<string, Reader>> = {
  "image/png": (view) => ({ width: view.getUint32(16), height: view.getUint32(20) }),
  "image/bmp": (view) =>
    view.getUint32(14, true) === 12
      ? { width: view.getUint16(18, true), height: view.getUint16(20, true) }
      : { width: view.getInt32(18, true), height: Math.abs(view.getInt32(22, true)) },
  "image/gif": (view) => ({ width: view.getUint16(6, true), height: view.getUint16(8, true) }),
  "image/jpeg": jpeg,
};

/**
 * The size of a picture in pixels as it is stored, without turning it upright.
 * @returns null where the first bytes do not tell it: the server looks at the whole file
 */
export function pictureHeadSize(head: Uint8Array, mimeType: string): Size | null {
  try {
    return READERS[mimeType]?.(new DataView(head.buffer, head.byteOffset, head.byteLength)) ?? null;
  } catch {
    // The head is shorter than the format's.
    return null;
  }
}
