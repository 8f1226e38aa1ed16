import type { PackedSplats } from "@sparkjsdev/spark";
import { type Quaternion, Vector3 } from "three";
import type { Vec3 } from "../core/contract";
import type { Extent } from "../core/orbit";
import type { TimeSlicer } from "../core/time-slicer";
import { Triangles } from "../core/triangles";
import { pointNormals, squareSides } from "../shared/point-normals";

/** Maximum number of splats that are sampled for surfaces. More make walking and picking slower, not better. */
const SAMPLES_MAX = 60_000;
/** Minimum opacity of a splat that carries and stops a visitor. */
const OPACITY_MIN = 0.4;
/** Radius to which a splat is visible, in standard deviations. */
const VISIBLE_DEVIATIONS = 1.5;
/** Minimum ratio of a round splat's thickness to its width. A round splat has no normal of its own. */
const ROUND_RATIO = 0.5;
/** Share of the splats at either end of each axis that are ignored, because captures contain stray splats. */
const STRAY_SHARE = 0.005;
/** Maximum half length of a splat's rectangle as a share of the space's size. Longer ones are sky or fog. */
const HALF_LENGTH_MAX = 0.2;

interface Rectangle {
  readonly centre: Vector3;
  readonly halfSides: readonly [Vector3, Vector3];
  readonly isRound: boolean;
}

/**
 * Computes the surfaces of splats for rays and walking: a flat rectangle for each of the more opaque splats. Of many splats, only some are sampled,
 * and their rectangles are enlarged to cover the rest. Also returns the box that the overview shows.
 * @param rotation rotation from the file's frame to the space's
 */
export async function computeSplatSurfaces(
  splats: PackedSplats,
  rotation: Quaternion,
  slicer: TimeSlicer,
): Promise<SplatSurfaces> {
  const stride = Math.max(1, Math.ceil(splats.numSplats / SAMPLES_MAX));
  const growth = VISIBLE_DEVIATIONS * Math.min(3, Math.sqrt(stride));
  const rectangles: Rectangle[] = [];
  for (let index = 0; index < splats.numSplats; index += stride) {
    if (slicer.isDue) await slicer.pause();
    const { center, scales, quaternion, opacity } = splats.getSplat(index);
    // Captures contain splats with invalid positions or sizes.
    if (!(opacity >= OPACITY_MIN) || ![...center, ...scales].every(Number.isFinite)) continue;
    // The shortest axis is the normal; the two others span the rectangle.
    const [u, v, normal] = [
      new Vector3(scales.x, 0, 0),
      new Vector3(0, scales.y, 0),
      new Vector3(0, 0, scales.z),
    ].sort((a, b) => b.lengthSq() - a.lengthSq());
    if (!u || !v || !normal) continue;
    const isRound = normal.length() >= v.length() * ROUND_RATIO;
    for (const side of [u, v])
      side.multiplyScalar(growth).applyQuaternion(quaternion).applyQuaternion(rotation);
    rectangles.push({ centre: center.clone().applyQuaternion(rotation), halfSides: [u, v], isRound });
  }
  const { contains, size } = computeInnerRegion(rectangles);
  const innerRectangles = rectangles.filter(
    ({ centre, halfSides }) => contains(centre) && halfSides[0].length() < HALF_LENGTH_MAX * size,
  );
  await alignRoundRectangles(innerRectangles, slicer);
  const points = new Float32Array(innerRectangles.length * 18);
  let offset = 0;
  const corner = new Vector3();
  for (const { centre, halfSides } of innerRectangles)
    for (const [a, b] of [
      [-1, -1],
      [1, -1],
      [1, 1],
      [-1, -1],
      [1, 1],
      [-1, 1],
    ] as const) {
      corner
        .copy(centre)
        .addScaledVector(halfSides[0], a)
        .addScaledVector(halfSides[1], b)
        .toArray(points, offset);
      offset += 3;
    }
  const triangles = await Triangles.buildInSlices(points, new Uint8Array(points.length / 9).fill(1), slicer);
  return { triangles, extent: computeExtent(innerRectangles) };
}

/** Rotates the rectangles of round splats to be parallel to the surface that the neighbouring splats form. */
async function alignRoundRectangles(rectangles: readonly Rectangle[], slicer: TimeSlicer): Promise<void> {
  if (!rectangles.some(({ isRound }) => isRound)) return;
  const positions = Float32Array.from(rectangles.flatMap(({ centre }) => centre.toArray()));
  const normals = await pointNormals(positions, slicer);
  for (const [index, { halfSides, isRound }] of rectangles.entries()) {
    const normal: Vec3 = [normals[index * 3] ?? 0, normals[index * 3 + 1] ?? 0, normals[index * 3 + 2] ?? 0];
    if (!isRound || Math.hypot(...normal) === 0) continue;
    for (const [i, direction] of squareSides(normal).entries())
      halfSides[i]?.copy(new Vector3(...direction).multiplyScalar(halfSides[i]?.length() ?? 0));
  }
}

/** Surfaces that visitors walk on and collide with, and the extent of the capture. */
export interface SplatSurfaces {
  readonly triangles: Triangles;
  readonly extent: Extent;
}

/** Returns the box around nearly all rectangles, weighted by visible area. With the stray splats, the overview would show a small capture. */
function computeExtent(rectangles: readonly Rectangle[]): Extent {
  const areas = rectangles.map(({ halfSides }) => halfSides[0].length() * halfSides[1].length());
  const strayArea = areas.reduce((sum, area) => sum + area, 0) * STRAY_SHARE;
  const range = (axis: number): readonly [number, number] => {
    const sortedCentres = rectangles.map(({ centre }, index) => ({
      coordinate: centre.getComponent(axis),
      area: areas[index] ?? 0,
    }));
    sortedCentres.sort((a, b) => a.coordinate - b.coordinate);
    return [findBound(sortedCentres, strayArea), findBound(sortedCentres.reverse(), strayArea)];
  };
  const [x, y, z] = [range(0), range(1), range(2)];
  return { min: [x[0], y[0], z[0]], max: [x[1], y[1], z[1]] };
}

/** Returns the first coordinate after the stray splats of one end. @param sortedCentres centres in their order from that end */
function findBound(
  sortedCentres: readonly { readonly coordinate: number; readonly area: number }[],
  strayArea: number,
): number {
  let remainingStray = strayArea;
  const bound = sortedCentres.find(({ area }) => {
    remainingStray -= area;
    return remainingStray < 0;
  });
  return bound?.coordinate ?? 0;
}

/** Returns the region that contains nearly all rectangles, with a margin. */
function computeInnerRegion(rectangles: readonly Rectangle[]) {
  const min = [0, 0, 0];
  const max = [0, 0, 0];
  for (const axis of [0, 1, 2]) {
    const sorted = Float32Array.from(rectangles, ({ centre }) => centre.getComponent(axis)).sort();
    const low = sorted[Math.floor(sorted.length * STRAY_SHARE)] ?? 0;
    const high = sorted[Math.ceil(sorted.length * (1 - STRAY_SHARE)) - 1] ?? 0;
    const margin = (high - low) * 0.1 + 0.5;
    min[axis] = low - margin;
    max[axis] = high + margin;
  }
  const contains = (point: Vector3) =>
    [0, 1, 2].every((axis) => {
      const value = point.getComponent(axis);
      return value >= (min[axis] ?? 0) && value <= (max[axis] ?? 0);
    });
  const size = Math.hypot(...max.map((value, axis) => value - (min[axis] ?? 0)));
  return { contains, size };
}
