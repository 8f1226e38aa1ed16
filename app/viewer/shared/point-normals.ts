/**
 * Surfaces of sampled points: the normal of a point is the direction in which its neighbours vary least (Hoppe et al., Surface Reconstruction from
 * Unorganized Points, SIGGRAPH 1992, §3.1).
 */
import type { Vec3 } from "../core/contract";
import type { TimeSlicer } from "../core/time-slicer";
import { cross, dot, length, scale } from "../core/vec";

/** Radius in which neighbours are searched, as a multiple of the distance between points. */
const RADIUS_FACTOR = 2.5;
/** Minimum number of points, including the point itself, that determine a normal, and about their maximum number on a surface. */
const NEIGHBOURS_MIN = 5;
const NEIGHBOURS_MAX = 24;

/**
 * Estimates the distance between neighbouring points, in the unit of the positions, as if all points were on the sides of their bounding box.
 * @param positions three numbers for each point
 */
export function pointSpacing(positions: Float32Array): number {
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  for (let index = 0; index < positions.length; index++) {
    const axis = index % 3;
    min[axis] = Math.min(min[axis] ?? 0, positions[index] ?? 0);
    max[axis] = Math.max(max[axis] ?? 0, positions[index] ?? 0);
  }
  const [x = 0, y = 0, z = 0] = max.map((value, axis) => value - (min[axis] ?? 0));
  const area = 2 * (x * y + y * z + z * x) || Math.max(x, y, z) ** 2;
  return Math.sqrt(Math.max(area, 1e-9) / Math.max(1, positions.length / 3));
}

/**
 * Estimates the normals of points. Rejects when the signal of `slicer` is aborted.
 * @param positions three numbers for each point
 * @returns three numbers for each point: a unit normal that faces the centre of all points, or zeros for a point with too few neighbours
 */
export async function pointNormals(positions: Float32Array, slicer: TimeSlicer): Promise<Float32Array> {
  const count = Math.floor(positions.length / 3);
  const normals = new Float32Array(count * 3);
  const radius = pointSpacing(positions) * RADIUS_FACTOR;
  const point = (index: number): Vec3 => [
    positions[index * 3] ?? 0,
    positions[index * 3 + 1] ?? 0,
    positions[index * 3 + 2] ?? 0,
  ];
  const cells = new Map<number, number[]>();
  // 2^17 cells along each axis: their product stays an exact number.
  const key = (x: number, y: number, z: number) => ((x + 65_536) * 131_072 + y + 65_536) * 131_072 + z;
  // The cells are as wide as the radius, so that all neighbours are in adjacent cells.
  const toCell = (value: number) => Math.floor(value / radius);
  let centre: Vec3 = [0, 0, 0];
  for (let index = 0; index < count; index++) {
    const [x, y, z] = point(index);
    centre = [centre[0] + x / count, centre[1] + y / count, centre[2] + z / count];
    const cellKey = key(toCell(x), toCell(y), toCell(z));
    const members = cells.get(cellKey);
    if (members) members.push(index);
    else cells.set(cellKey, [index]);
    if (slicer.isDue) await slicer.pause();
  }
  for (let index = 0; index < count; index++) {
    if (slicer.isDue) await slicer.pause();
    const [x, y, z] = point(index);
    const neighbourhood = new PointCovariance();
    for (let dx = -1; dx <= 1; dx++)
      for (let dy = -1; dy <= 1; dy++)
        for (let dz = -1; dz <= 1; dz++) {
          const members = cells.get(key(toCell(x) + dx, toCell(y) + dy, toCell(z) + dz)) ?? [];
          const step = Math.max(1, Math.ceil((members.length * 9) / NEIGHBOURS_MAX));
          for (let offset = 0; offset < members.length; offset += step) {
            const [px, py, pz] = point(members[offset] ?? 0);
            if (Math.hypot(px - x, py - y, pz - z) <= radius) neighbourhood.add(px - x, py - y, pz - z);
          }
        }
    if (neighbourhood.count < NEIGHBOURS_MIN) continue;
    const normal = neighbourhood.flattestDirection();
    const towardsCentre = dot(normal, [centre[0] - x, centre[1] - y, centre[2] - z]);
    normals.set(towardsCentre < 0 ? scale(normal, -1) : normal, index * 3);
  }
  return normals;
}

/** Sums over points, from which their covariance is computed. */
export class PointCovariance {
  count = 0;
  private readonly sums = new Float64Array(9);

  add(x: number, y: number, z: number): void {
    const { sums } = this;
    this.count++;
    const products = [x, y, z, x * x, x * y, x * z, y * y, y * z, z * z];
    for (let index = 0; index < 9; index++) sums[index] = (sums[index] ?? 0) + (products[index] ?? 0);
  }

  /** Returns the unit direction in which the points vary least: the eigenvector of the smallest eigenvalue of their covariance. */
  flattestDirection(): Vec3 {
    const [x, y, z, xx, xy, xz, yy, yz, zz] = Array.from(this.sums, (sum) => sum / this.count) as [
      ...Vec3,
      ...Vec3,
      ...Vec3,
    ];
    return flattestAxis(xx - x * x, xy - x * y, xz - x * z, yy - y * y, yz - y * z, zz - z * z);
  }
}

function flattestAxis(xx: number, xy: number, xz: number, yy: number, yz: number, zz: number): Vec3 {
  const smallest = smallestEigenvalue(xx, xy, xz, yy, yz, zz);
  // The rows of the matrix minus that eigenvalue on its diagonal are perpendicular to its eigenvector.
  const rows: readonly Vec3[] = [
    [xx - smallest, xy, xz],
    [xy, yy - smallest, yz],
    [xz, yz, zz - smallest],
  ];
  const [a, b, c] = rows as readonly [Vec3, Vec3, Vec3];
  const candidates = [cross(a, b), cross(b, c), cross(c, a)];
  const longestCross = candidates.reduce((longest, vector) =>
    length(vector) > length(longest) ? vector : longest,
  );
  if (length(longestCross) > 1e-9 * (xx + yy + zz) ** 2) return scale(longestCross, 1 / length(longestCross));
  // The two smallest eigenvalues are equal, as for points on a line, so any direction perpendicular to that line is correct.
  const lineDirection = rows.reduce((longest, row) => (length(row) > length(longest) ? row : longest));
  const perpendicular =
    Math.abs(lineDirection[1]) < 0.9 * length(lineDirection)
      ? cross(lineDirection, [0, 1, 0])
      : cross(lineDirection, [1, 0, 0]);
  return length(perpendicular) > 0 ? scale(perpendicular, 1 / length(perpendicular)) : [0, 1, 0];
}

/** Returns the smallest eigenvalue of a symmetric matrix of 3 × 3 (Smith, Communications of the ACM 4(4), 1961). */
function smallestEigenvalue(xx: number, xy: number, xz: number, yy: number, yz: number, zz: number): number {
  const mean = (xx + yy + zz) / 3;
  const [a, b, c] = [xx - mean, yy - mean, zz - mean];
  const size = Math.sqrt((a * a + b * b + c * c + 2 * (xy * xy + xz * xz + yz * yz)) / 6);
  if (size < 1e-12) return mean;
  const determinant = a * (b * c - yz * yz) - xy * (xy * c - yz * xz) + xz * (xy * yz - b * xz);
  const halfDeterminant = Math.min(1, Math.max(-1, determinant / (2 * size ** 3)));
  return mean + 2 * size * Math.cos(Math.acos(halfDeterminant) / 3 + (2 * Math.PI) / 3);
}

/**
 * Writes a square at each point, as two triangles.
 * @param halfSide half the length of a square's side
 * @param normals result of pointNormals; the square of a point without a normal faces upwards and to the front, so that rays from above and from the
 *   front hit it
 * @returns eighteen numbers for each point
 */
export function pointSquares(positions: Float32Array, normals: Float32Array, halfSide: number): Float32Array {
  const count = Math.floor(positions.length / 3);
  const corners = new Float32Array(count * 18);
  for (let index = 0; index < count; index++) {
    const offset = index * 3;
    const normal: Vec3 = [normals[offset] ?? 0, normals[offset + 1] ?? 0, normals[offset + 2] ?? 0];
    const [u, v] = squareSides(length(normal) > 0 ? normal : [0, Math.SQRT1_2, Math.SQRT1_2]);
    for (const [corner, [a, b]] of SQUARE.entries())
      for (const axis of [0, 1, 2] as const)
        corners[index * 18 + corner * 3 + axis] =
          (positions[offset + axis] ?? 0) + halfSide * (a * u[axis] + b * v[axis]);
  }
  return corners;
}

/** Corners of the two triangles of a square, along its sides. They are counter-clockwise when the normal faces the viewer. */
const SQUARE = [
  [-1, -1],
  [1, -1],
  [1, 1],
  [-1, -1],
  [1, 1],
  [-1, 1],
] as const;

/** Returns unit directions along the sides of a square. Their cross product is its normal. */
export function squareSides(normal: Vec3): readonly [Vec3, Vec3] {
  const side = Math.abs(normal[1]) < 0.9 ? cross([0, 1, 0], normal) : cross([0, 0, 1], normal);
  const u = scale(side, 1 / length(side));
  return [u, cross(normal, u)];
}
