/** Images on surfaces, in memory that all threads share, with smaller levels for distant surfaces. */
import { linearOfByte, type Rgb } from "../color";

/** One size of an image. */
export interface ImageLevel {
  readonly width: number;
  readonly height: number;
  /** Offset of the level's first byte. */
  readonly offset: number;
}

/** Levels of an image in its buffer: three bytes per pixel, sRGB, top row first. */
export interface SharedImage {
  readonly buffer: SharedArrayBuffer;
  readonly levels: readonly ImageLevel[];
}

/** Returns the levels of an image, each half as large as the one before it, and the number of bytes of all. */
function planLevels(width: number, height: number): { levels: ImageLevel[]; size: number } {
  const levels: ImageLevel[] = [];
  let [w, h, offset] = [width, height, 0];
  for (;;) {
    levels.push({ width: w, height: h, offset });
    offset += w * h * 3;
    if (w <= 2 && h <= 2) break;
    w = Math.max(1, w >> 1);
    h = Math.max(1, h >> 1);
  }
  return { levels, size: offset };
}

/** Allocates an image of this size. */
export function newImage(width: number, height: number): SharedImage {
  const { levels, size } = planLevels(width, height);
  return { buffer: new SharedArrayBuffer(size), levels };
}

/** Makes the smaller levels from the first one, and returns the mean colour. */
export function finishImage(image: SharedImage): Rgb {
  const data = new Uint8Array(image.buffer);
  for (let i = 1; i < image.levels.length; i++) {
    const source = image.levels[i - 1] as ImageLevel;
    const target = image.levels[i] as ImageLevel;
    for (let y = 0; y < target.height; y++) {
      const upper = source.offset + Math.min(source.height - 1, y * 2) * source.width * 3;
      const lower = source.offset + Math.min(source.height - 1, y * 2 + 1) * source.width * 3;
      for (let x = 0; x < target.width; x++) {
        const left = Math.min(source.width - 1, x * 2) * 3;
        const right = Math.min(source.width - 1, x * 2 + 1) * 3;
        const offset = target.offset + (y * target.width + x) * 3;
        for (let c = 0; c < 3; c++) {
          const sum =
            (data[upper + left + c] as number) +
            (data[upper + right + c] as number) +
            (data[lower + left + c] as number) +
            (data[lower + right + c] as number);
          data[offset + c] = (sum + 2) >> 2;
        }
      }
    }
  }
  const smallest = image.levels.at(-1) as ImageLevel;
  const sum = [0, 0, 0];
  const pixels = smallest.width * smallest.height;
  for (let i = 0; i < pixels * 3; i++)
    sum[i % 3] = (sum[i % 3] as number) + (linearOfByte[data[smallest.offset + i] as number] as number);
  return [(sum[0] as number) / pixels, (sum[1] as number) / pixels, (sum[2] as number) / pixels];
}

/** Copies decoded pixels into shared memory. */
export function shareImage(pixels: Uint8Array, width: number, height: number): SharedImage {
  const image = newImage(width, height);
  new Uint8Array(image.buffer).set(pixels.subarray(0, width * height * 3));
  return image;
}
