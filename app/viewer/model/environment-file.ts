/**
 * The files of image-based light: radiance for every roughness (three's PMREM, a cube map of 256 × 256 pixels per face), stored logarithmically as
 * the difference from a prediction by the neighbouring pixels. The files are gzipped. These functions read and write the unzipped
 * content.
 */

/** Side of each stored level in pixels. The first level is blurred so much that half its resolution is sufficient. */
export const STORED_SIDES = [128, 128, 64, 32, 16, 8] as const;
/** Largest integer that represents a radiance. */
const CODE_MAX = 2047;
/** CODE_MAX represents the radiance (2^RANGE − 1) / SCALE. */
const RANGE = 14;
const SCALE = 64;

const encodeRadiance = (radiance: number): number =>
  Math.min(CODE_MAX, Math.round((Math.log2(1 + Math.max(0, radiance) * SCALE) / RANGE) * CODE_MAX));
/** Radiance that each integer represents. */
const RADIANCE = Float32Array.from(
  { length: CODE_MAX + 1 },
  (_, code) => (2 ** ((code / CODE_MAX) * RANGE) - 1) / SCALE,
);

/** Number of stored values of one channel: all pixels of all faces of all levels. */
const CHANNEL_VALUES = STORED_SIDES.reduce((sum, side) => sum + 6 * side * side, 0);

/** Predicts a pixel from its left, upper and upper left neighbours, like predictor 4 of lossless JPEG (ITU-T T.81, table H.1). */
function predictPixel(codes: Int16Array, offset: number, x: number, y: number, side: number): number {
  const left = x > 0 ? (codes[offset - 1] ?? 0) : 0;
  const up = y > 0 ? (codes[offset - side] ?? 0) : 0;
  if (y === 0) return left;
  return x === 0 ? up : left + up - (codes[offset - side - 1] ?? 0);
}

/** Calls a function for every pixel of the file, in its order. */
function forEachPixel(visit: (offset: number, x: number, y: number, side: number) => void): void {
  let offset = 0;
  for (const side of STORED_SIDES)
    for (let face = 0; face < 6; face++)
      for (let y = 0; y < side; y++) for (let x = 0; x < side; x++) visit(offset++, x, y, side);
}

/** Halves the resolution with the mean of four pixels. */
function halve(face: readonly number[], side: number): number[] {
  const small: number[] = [];
  const half = side / 2;
  for (let y = 0; y < half; y++)
    for (let x = 0; x < half; x++)
      for (let channel = 0; channel < 3; channel++) {
        const value = (dx: number, dy: number) => face[((2 * y + dy) * side + 2 * x + dx) * 3 + channel] ?? 0;
        small.push((value(0, 0) + value(1, 0) + value(0, 1) + value(1, 1)) / 4);
      }
  return small;
}

/**
 * Encodes an environment.
 * @param levels for 256, 128, 64, 32, 16 and 8 pixels: the six faces as in a render target of three, each in linear RGB
 */
export function encodeEnvironment(levels: readonly (readonly (readonly number[])[])[]): Uint8Array {
  const channels = [0, 1, 2].map(() => new Int16Array(CHANNEL_VALUES));
  let offset = 0;
  STORED_SIDES.forEach((side, level) => {
    const faces = levels[level] ?? [];
    for (let face = 0; face < 6; face++) {
      // A data texture is mirrored compared with a render target: its x faces are swapped and each row is reversed.
      const facePixels = faces[face < 2 ? 1 - face : face] ?? [];
      const pixels = level === 0 ? halve(facePixels, 256) : facePixels;
      for (let y = 0; y < side; y++)
        for (let x = 0; x < side; x++, offset++)
          channels.forEach((codes, channel) => {
            codes[offset] = encodeRadiance(pixels[(y * side + side - 1 - x) * 3 + channel] ?? 0);
          });
    }
  });
  const bytes = new Uint8Array(CHANNEL_VALUES * 6);
  channels.forEach((codes, channel) => {
    // Most light is nearly white, so each channel is stored as the difference from the previous one.
    const previousChannel = channels[channel - 1];
    const plane = previousChannel ? codes.map((code, index) => code - (previousChannel[index] ?? 0)) : codes;
    forEachPixel((index, x, y, side) => {
      const difference = (plane[index] ?? 0) - predictPixel(plane, index, x, y, side);
      // Zigzag encoding: small differences of either sign become small integers, which gzip compresses well.
      const zigzag = difference < 0 ? -2 * difference - 1 : 2 * difference;
      bytes[channel * 2 * CHANNEL_VALUES + index] = zigzag & 255;
      bytes[(channel * 2 + 1) * CHANNEL_VALUES + index] = zigzag >> 8;
    });
  });
  return bytes;
}

/**
 * Decodes an environment.
 * @returns for each of STORED_SIDES, the six faces of a cube data texture (px nx py ny pz nz) in linear RGBA
 * @throws RangeError for a file of another length
 */
export function decodeEnvironment(bytes: Uint8Array): Float32Array<ArrayBuffer>[][] {
  if (bytes.length !== CHANNEL_VALUES * 6)
    throw new RangeError(`An environment has ${CHANNEL_VALUES * 6} bytes, not ${bytes.length}.`);
  const channels = [0, 1, 2].map((channel) => {
    const plane = new Int16Array(CHANNEL_VALUES);
    forEachPixel((index, x, y, side) => {
      const zigzag =
        (bytes[channel * 2 * CHANNEL_VALUES + index] ?? 0) |
        ((bytes[(channel * 2 + 1) * CHANNEL_VALUES + index] ?? 0) << 8);
      const difference = zigzag & 1 ? -((zigzag + 1) >> 1) : zigzag >> 1;
      plane[index] = difference + predictPixel(plane, index, x, y, side);
    });
    return plane;
  });
  let faceStart = 0;
  return STORED_SIDES.map((side) =>
    Array.from({ length: 6 }, () => {
      const face = new Float32Array(side * side * 4);
      for (let pixel = 0; pixel < side * side; pixel++) {
        let code = 0;
        for (let channel = 0; channel < 3; channel++) {
          code += channels[channel]?.[faceStart + pixel] ?? 0;
          face[pixel * 4 + channel] = RADIANCE[code] ?? 0;
        }
        face[pixel * 4 + 3] = 1;
      }
      faceStart += side * side;
      return face;
    }),
  );
}
