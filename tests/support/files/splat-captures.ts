/** Captures with a floor and a ceiling of different colours, so that an image shows which direction is up. In metres, y up. */
import type { Splat } from "./spz";

type Vec3 = readonly [number, number, number];
type Quaternion = readonly [number, number, number, number];

export const COLORS = {
  floor: [0.1, 0.75, 0.15],
  ceiling: [0.15, 0.2, 0.9],
  wall: [0.75, 0.72, 0.7],
  object: [0.8, 0.3, 0.1],
} as const satisfies Readonly<Record<string, Vec3>>;

/**
 * Flat splats over a rectangle.
 * @param step metres between two splats
 */
function plate(axis: 0 | 1 | 2, min: Vec3, max: Vec3, color: Vec3, step: number): Splat[] {
  const [u, v] = [0, 1, 2].filter((candidate) => candidate !== axis) as [number, number];
  const splats: Splat[] = [];
  const [columns, rows] = [u, v].map((dimension) =>
    Math.max(1, Math.round(((max[dimension] ?? 0) - (min[dimension] ?? 0)) / step)),
  );
  for (let i = 0; i < (columns ?? 1); i++)
    for (let j = 0; j < (rows ?? 1); j++) {
      const position: [number, number, number] = [min[0], min[1], min[2]];
      const scale: [number, number, number] = [0.004, 0.004, 0.004];
      for (const [dimension, cell, count] of [
        [u, i, columns ?? 1],
        [v, j, rows ?? 1],
      ] as const) {
        const width = ((max[dimension] ?? 0) - (min[dimension] ?? 0)) / count;
        position[dimension] = (min[dimension] ?? 0) + (cell + 0.5) * width;
        scale[dimension] = width * 0.6;
      }
      splats.push({ position, scale, rotation: [0, 0, 0, 1], color, opacity: 0.97 });
    }
  return splats;
}

function box(min: Vec3, max: Vec3, color: Vec3, step: number): Splat[] {
  return ([0, 1, 2] as const).flatMap((axis) =>
    [min, max].flatMap((side) => {
      const [low, high] = [[...min] as [number, number, number], [...max] as [number, number, number]];
      low[axis] = side[axis];
      high[axis] = side[axis];
      return plate(axis, low, high, color, step);
    }),
  );
}

/** A furnished room of 7 by 5 metres, 2.8 m high, with fewer splats on its ceiling than on its floor, as is usual. */
export function roomCapture(step = 0.2): readonly Splat[] {
  const [w, h, d] = [7, 2.8, 5];
  return [
    ...plate(1, [0, 0, 0], [w, 0, d], COLORS.floor, step),
    ...plate(1, [0, h, 0], [w, h, d], COLORS.ceiling, step * 1.6),
    ...plate(0, [0, 0, 0], [0, h, d], COLORS.wall, step),
    ...plate(0, [w, 0, 0], [w, h, d], COLORS.wall, step),
    ...plate(2, [0, 0, 0], [w, h, 0], COLORS.wall, step),
    ...plate(2, [0, 0, d], [w, h, d], COLORS.wall, step),
    ...box([1, 0, 0.3], [2.4, 0.75, 1.1], COLORS.object, step),
    ...box([5.6, 0, 3.4], [6.7, 0.9, 4.6], COLORS.object, step),
  ];
}

/** An object on a table, captured from all sides. Nothing encloses a visitor. */
export function objectCapture(step = 0.05): readonly Splat[] {
  return [
    ...plate(1, [-0.8, 0, -0.8], [0.8, 0, 0.8], COLORS.floor, step),
    ...box([-0.2, 0.02, -0.2], [0.2, 0.6, 0.2], COLORS.object, step),
    ...plate(1, [-0.2, 0.62, -0.2], [0.2, 0.62, 0.2], COLORS.ceiling, step / 2),
  ];
}

/** The product of two rotations: first b, then a. */
const multiply = (a: Quaternion, b: Quaternion): Quaternion => [
  a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
  a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
  a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
  a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
];

/**
 * A rotation about an axis of unit length.
 * @param degrees counterclockwise, seen from the direction in which the axis points
 */
export function rotationAbout(axis: Vec3, degrees: number): Quaternion {
  const half = (degrees * Math.PI) / 360;
  const sin = Math.sin(half);
  return [axis[0] * sin, axis[1] * sin, axis[2] * sin, Math.cos(half)];
}

/** Splats rotated about the origin. */
export const rotated = (splats: readonly Splat[], rotation: Quaternion): readonly Splat[] =>
  splats.map((splat) => {
    const [x, y, z, w] = rotation;
    const [qx, qy, qz] = multiply(multiply(rotation, [...splat.position, 0]), [-x, -y, -z, w]);
    return { ...splat, position: [qx, qy, qz], rotation: multiply(rotation, splat.rotation) };
  });

/** Rotations of a scene with y up, by the axis of the file that then points up. */
export const FRAMES = {
  y: [0, 0, 0, 1],
  "-y": rotationAbout([1, 0, 0], 180),
  z: rotationAbout([1, 0, 0], 90),
} as const satisfies Readonly<Record<string, Quaternion>>;

/** The axis of the file that points upwards after a rotation. */
export const upAxisAfter = (rotation: Quaternion): Vec3 => {
  const [x, y, z, w] = rotation;
  const [a, b, c] = multiply(multiply(rotation, [0, 1, 0, 0]), [-x, -y, -z, w]);
  return [a, b, c];
};

/** Moves and recolours splats slightly, the same way each time, so that they compress no better than captured ones. */
export function jittered(splats: readonly Splat[]): readonly Splat[] {
  let seed = 1;
  const randomOffset = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647 - 0.5;
  };
  return splats.map((splat) => {
    const [x, y, z] = splat.position;
    const [r, g, b] = splat.color;
    const light = randomOffset() * 0.1;
    return {
      ...splat,
      position: [x + randomOffset() * 0.02, y + randomOffset() * 0.02, z + randomOffset() * 0.02],
      color: [r + light, g + light, b + light],
    };
  });
}
