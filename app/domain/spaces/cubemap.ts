/**
 * Cubemaps: panoramas as six square faces. Directions: x to the right, y up, and the front face towards −z. Each face is drawn as seen from
 * the inside. The lower edge of the top face and the upper edge of the bottom face touch the front.
 */
import type { Vec3 } from "../shared/model";

/** Front, right, back, left, up, down. */
export const FACES = ["f", "r", "b", "l", "u", "d"] as const;
/** A face of a cube by its first letter. */
export type Face = (typeof FACES)[number];

/** A square part of an image that shows a face. */
export interface FaceArea {
  readonly face: Face;
  /** Column and row, in face sizes. */
  readonly column: number;
  readonly row: number;
  /** True if the face is upside down, as the back face of an upright cross is. */
  readonly isTurned: boolean;
}

/** An arrangement of the faces in one image. */
export type CubeLayout = readonly FaceArea[];

const area = (face: Face, column: number, row: number, isTurned = false): FaceArea => ({
  face,
  column,
  row,
  isTurned,
});

/**
 * Orders in which programs write six faces: pannellum; OpenGL (+x −x +y −y +z −z) with +z in front; Photo Sphere Viewer; OpenGL with +z behind; pannellum
 * with the bottom before the top; OpenGL with the left before the right.
 */
const ORDERS = ["frblud", "rludfb", "lfrbud", "rludbf", "frbldu", "lrudfb"] as const;

const LYING_CROSS: CubeLayout = [
  ...[area("u", 1, 0), area("l", 0, 1), area("f", 1, 1)],
  ...[area("r", 2, 1), area("b", 3, 1), area("d", 1, 2)],
];
const UPRIGHT_CROSS: CubeLayout = [
  ...[area("u", 1, 0), area("l", 0, 1), area("f", 1, 1)],
  ...[area("r", 2, 1), area("d", 1, 2), area("b", 1, 3, true)],
];

const layoutInOrder = (order: string, cellOf: (index: number) => readonly [number, number]): CubeLayout =>
  [...order].map((face, index) => area(face as Face, ...cellOf(index)));

/** Layouts by the numbers of columns and rows of the image. */
const SHAPES: readonly (readonly [columns: number, rows: number, layouts: readonly CubeLayout[]])[] = [
  [4, 3, [LYING_CROSS]],
  [3, 4, [UPRIGHT_CROSS]],
  [6, 1, ORDERS.map((order) => layoutInOrder(order, (index) => [index, 0]))],
  [1, 6, ORDERS.map((order) => layoutInOrder(order, (index) => [0, index]))],
];

/** Returns the cubemap layouts that fit an image of this size, and the size of a face in pixels; null if none fits. */
export function cubeLayouts(
  width: number,
  height: number,
): { readonly size: number; readonly layouts: readonly CubeLayout[] } | null {
  for (const [columns, rows, layouts] of SHAPES) {
    const size = Math.floor(width / columns);
    if (size >= 16 && width - size * columns < columns && Math.abs(height - size * rows) < rows)
      return { size: Math.min(size, Math.floor(height / rows)), layouts };
  }
  return null;
}

const FACE_NAMES: Readonly<Record<Face, RegExp>> = {
  f: /^(f|front|pz|posz)$/,
  r: /^(r|right|px|posx)$/,
  b: /^(b|back|nz|negz)$/,
  l: /^(l|left|nx|negx)$/,
  u: /^(u|up|top|py|posy)$/,
  d: /^(d|down|bottom|ny|negy)$/,
};

/** File extensions of images. Titles of library items have none, so any other dot belongs to the name. */
const IMAGE_EXTENSION = /\.(jpe?g|png|webp|tiff?|avif|hei[cf]|bmp)$/i;

/** Returns the face that a file's name ends or begins with ("hall_front.jpg", "px.png"); null for any other name. */
export function faceOfName(fileName: string): Face | null {
  const nameParts = fileName
    .toLowerCase()
    .replace(IMAGE_EXTENSION, "")
    .split(/[^a-z0-9]+/)
    .filter((namePart) => namePart !== "");
  for (const namePart of [nameParts.at(-1), nameParts[0]])
    for (const face of FACES) if (namePart !== undefined && FACE_NAMES[face].test(namePart)) return face;
  return null;
}

/**
 * Assigns six files to the faces of a cube.
 * @returns one order of the files by FACES if all names state their faces; otherwise all usual orders of numbered files; an empty list for
 * other names
 */
export function faceOrders(fileNames: readonly string[]): readonly (readonly number[])[] {
  if (fileNames.length !== 6) return [];
  const faces = fileNames.map(faceOfName);
  if (new Set(faces).size === 6 && !faces.includes(null)) return [FACES.map((face) => faces.indexOf(face))];
  const sorted = fileNames
    .map((name, index) => ({
      index,
      number: Number(/(\d+)\D*$/.exec(name.replace(IMAGE_EXTENSION, ""))?.[1] ?? NaN),
    }))
    .sort((a, b) => a.number - b.number);
  const [firstFile] = sorted;
  if (!firstFile || sorted.some(({ number }, index) => number !== firstFile.number + index)) return [];
  return ORDERS.map((order) => FACES.map((face) => sorted[order.indexOf(face)]?.index ?? 0));
}

/** Returns the face that a direction meets, and the point on it: u to the right and v downwards, both 0…1. */
export function faceAt([x, y, z]: Vec3): { readonly face: Face; readonly u: number; readonly v: number } {
  const [ax, ay, az] = [Math.abs(x), Math.abs(y), Math.abs(z)];
  const faceDirection = (face: Face, right: number, down: number, far: number) => ({
    face,
    u: (right / far + 1) / 2,
    v: (down / far + 1) / 2,
  });
  if (az >= ax && az >= ay) return z < 0 ? faceDirection("f", x, -y, az) : faceDirection("b", -x, -y, az);
  if (ax >= ay) return x > 0 ? faceDirection("r", z, -y, ax) : faceDirection("l", -z, -y, ax);
  return y > 0 ? faceDirection("u", x, -z, ay) : faceDirection("d", x, z, ay);
}

/** Returns the direction that a point of an equirectangular panorama shows; the centre is the front. u, v: 0…1 from the top left. */
export function panoramaDirection(u: number, v: number): Vec3 {
  const [longitude, latitude] = [(u - 0.5) * 2 * Math.PI, (0.5 - v) * Math.PI];
  const horizontal = Math.cos(latitude);
  return [Math.sin(longitude) * horizontal, Math.sin(latitude), -Math.cos(longitude) * horizontal];
}

/** Pixels of a face, four bytes each, row by row. */
export interface FacePixels {
  readonly size: number;
  readonly data: Uint8ClampedArray;
}

const nearestPixel = ({ size, data }: FacePixels, u: number, v: number, channel: number): number => {
  const toPixel = (fraction: number) => Math.min(size - 1, Math.max(0, Math.floor(fraction * size)));
  return data[(toPixel(v) * size + toPixel(u)) * 4 + channel] ?? 0;
};

/** Number of samples along each of the twelve edges. */
const EDGE_SAMPLES = 24;

/**
 * Returns the mean colour difference across the cube's edges, per channel, 0…255; infinite if no two of the faces share an edge. It is close to 0
 * when the faces are in their correct positions.
 */
export function seamError(faces: ReadonlyMap<Face, FacePixels>): number {
  let sum = 0;
  let count = 0;
  const size = Math.min(...[...faces.values()].map((face) => face.size));
  const inset = 1 - 1 / size;
  for (const along of [0, 1, 2] as const)
    for (const a of [-1, 1])
      for (const b of [-1, 1])
        for (let step = 0; step < EDGE_SAMPLES; step++) {
          // The samples stay away from the corners, where three faces meet.
          const t = ((step + 0.5) / EDGE_SAMPLES) * 1.9 - 0.95;
          const point = (first: number, second: number): Vec3 => {
            const parts: [number, number, number] = [0, 0, 0];
            parts[along] = t;
            parts[(along + 1) % 3] = first;
            parts[(along + 2) % 3] = second;
            return parts;
          };
          const [pointA, pointB] = [faceAt(point(a, b * inset)), faceAt(point(a * inset, b))];
          const [left, right] = [faces.get(pointA.face), faces.get(pointB.face)];
          if (!left || !right) continue;
          for (const channel of [0, 1, 2])
            sum += Math.abs(
              nearestPixel(left, pointA.u, pointA.v, channel) -
                nearestPixel(right, pointB.u, pointB.v, channel),
            );
          count += 3;
        }
  return count === 0 ? Number.POSITIVE_INFINITY : sum / count;
}

/** Mean difference above which the faces do not fit together, so that the image is not a cubemap. */
export const SEAM_ERROR_MAX = 24;

/** Interpolates a colour of a face between its pixels, and writes its four bytes into `into` at `offset`. */
function writeSample(
  { size, data }: FacePixels,
  u: number,
  v: number,
  into: Uint8ClampedArray,
  offset: number,
): void {
  const x = Math.min(size - 1, Math.max(0, u * size - 0.5));
  const y = Math.min(size - 1, Math.max(0, v * size - 0.5));
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const [right, bottom] = [Math.min(size - 1, left + 1), Math.min(size - 1, top + 1)];
  const [fx, fy] = [x - left, y - top];
  const [a, b] = [(top * size + left) * 4, (top * size + right) * 4];
  const [c, d] = [(bottom * size + left) * 4, (bottom * size + right) * 4];
  for (let channel = 0; channel < 4; channel++) {
    const above = (data[a + channel] ?? 0) * (1 - fx) + (data[b + channel] ?? 0) * fx;
    const below = (data[c + channel] ?? 0) * (1 - fx) + (data[d + channel] ?? 0) * fx;
    into[offset + channel] = above * (1 - fy) + below * fy;
  }
}

/**
 * Returns rows of the equirectangular panorama that the faces show.
 * @param width width of the whole panorama in pixels, twice its height
 * @returns the pixels of the rows from `first` to before `last`, four bytes each
 */
export function equirectRows(
  faces: ReadonlyMap<Face, FacePixels>,
  width: number,
  first: number,
  last: number,
): Uint8ClampedArray<ArrayBuffer> {
  const pixels = new Uint8ClampedArray(width * (last - first) * 4);
  const height = width / 2;
  for (let row = first; row < last; row++)
    for (let column = 0; column < width; column++) {
      const { face, u, v } = faceAt(panoramaDirection((column + 0.5) / width, (row + 0.5) / height));
      const facePixels = faces.get(face);
      if (facePixels) writeSample(facePixels, u, v, pixels, ((row - first) * width + column) * 4);
    }
  return pixels;
}
