/** Vectors in metres, or of unit length. */
import type { Vec3 } from "~/domain/shared/model";

/** Returns the sum of two vectors. */
export const add = (a: Vec3, b: Vec3): Vec3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
/** Returns the vector from b to a. */
export const subtract = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
/** Returns the vector multiplied by a factor. */
export const scale = (a: Vec3, factor: number): Vec3 => [a[0] * factor, a[1] * factor, a[2] * factor];
/** Returns the scalar product: m² for two lengths, the cosine of the angle for two unit vectors. */
export const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
/** Returns the vector that is perpendicular to both: x × y is z. */
export const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
/** Returns the length in metres. */
export const length = (a: Vec3): number => Math.hypot(a[0], a[1], a[2]);
/** Returns the distance of two points in metres. */
export const distance = (a: Vec3, b: Vec3): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
/** Returns the point at a share t (0…1) of the straight line from a to b. */
export const mix = (a: Vec3, b: Vec3, t: number): Vec3 => [
  a[0] + (b[0] - a[0]) * t,
  a[1] + (b[1] - a[1]) * t,
  a[2] + (b[2] - a[2]) * t,
];

/** Returns the vector with length 1. A vector without length becomes `fallback`. */
export function normalize(a: Vec3, fallback: Vec3 = [0, 1, 0]): Vec3 {
  const size = length(a);
  return size > 1e-12 ? scale(a, 1 / size) : fallback;
}

/** Whether all three numbers are finite. */
export function isFinitePoint(a: Vec3): boolean {
  return a.every((value) => Number.isFinite(value));
}
