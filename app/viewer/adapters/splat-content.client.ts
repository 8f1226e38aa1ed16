import type { PackedSplats } from "@sparkjsdev/spark";
import { type Quaternion, Vector3 } from "three";
import type { Vec3 } from "../core/contract";
import type { Extent } from "../core/orbit";
import { pointNormals, squareSides } from "../core/point-normals";
import type { TimeSlicer } from "../core/time-slicer";
import { Triangles } from "../core/triangles";

/** Splats that are looked at to find surfaces: more make walking and picking slower, not better. */
const SAMPLES_MAX = 60_000;
/** What is fainter carries and stops nobody. */
const OPACITY_MIN = 0.4;
/** A splat is seen to about this many deviations from its middle. */
const REACH = 1.5;
/** A splat that is not thinner than this share of its width is round: it has no normal of its own. */
const ROUND = 0.5;
/** The share of the splats that may lie far outside, at either end of each axis, as captures have them. */
const STRAY = 0.005;
/** A splat that is longer than this share of the space is sky or fog. */
const HUGE = 0.2;

interface Square {
  readonly centre: Vector3;
  readonly sides: readonly [Vector3, Vector3];
  readonly isRound: boolean;
}

/**
 * The surfaces of splats, as a flat square for each of the denser ones: what rays meet and what carries and stops a visitor. Of
 * many splats a part is taken, enlarged to cover for the rest. Also returns the box that the overview shows.
 * @param turn from the file's frame to the space's
 */
export async function splatSurfaces(
  splats: PackedSplats,
  turn: Quaternion,
  breath: TimeSlicer,
): Promise<SplatSurfaces> {
  const stride = Math.max(1, Math.ceil(splats.numSplats / SAMPLES_MAX));
  const grow = REACH * Math.min(3, Math.sqrt(stride));
  const squares: Square[] = [];
  for (let index = 0; index < splats.numSplats; index += stride) {
    if (breath.isDue) await breath.pause();
    const { center, scales, quaternion, opacity } = splats.getSplat(index);
    // Captures have splats that are nowhere, or of no size.
    if (!(opacity >= OPACITY_MIN) || ![...center, ...scales].every(Number.isFinite)) continue;
    // The shortest axis is the normal; the two others span the square.
    const [u, v, normal] = [
      new Vector3(scales.x, 0, 0),
      new Vector3(0, scales.y, 0),
      new Vector3(0, 0, scales.z),
    ].sort((a, b) => b.lengthSq() - a.lengthSq());
    if (!u || !v || !normal) continue;
    const isRound = normal.length() >= v.length() * ROUND;
    for (const side of [u, v]) side.multiplyScalar(grow).applyQuaternion(quaternion).applyQuaternion(turn);
    squares.push({ centre: center.clone().applyQuaternion(turn), sides: [u, v], isRound });
  }
  const { holds, size } = middleOf(squares);
  const kept = squares.filter(({ centre, sides }) => holds(centre) && sides[0].length() < HUGE * size);
  await alignRoundSquares(kept, breath);
  const points = new Float32Array(kept.length * 18);
  let at = 0;
  const corner = new Vector3();
  for (const { centre, sides } of kept)
    for (const [a, b] of [
      [-1, -1],
      [1, -1],
      [1, 1],
      [-1, -1],
      [1, 1],
      [-1, 1],
    ] as const) {
      corner.copy(centre).addScaledVector(sides[0], a).addScaledVector(sides[1], b).toArray(points, at);
      at += 3;
    }
  const triangles = await Triangles.buildInSlices(points, new Uint8Array(points.length / 9).fill(1), breath);
  return { triangles, extent: extentOf(kept) };
}

/** Turns the squares of round splats along the surface that the splats around them show. */
async function alignRoundSquares(squares: readonly Square[], breath: TimeSlicer): Promise<void> {
  if (!squares.some(({ isRound }) => isRound)) return;
  const positions = Float32Array.from(squares.flatMap(({ centre }) => centre.toArray()));
  const normals = await pointNormals(positions, breath);
  for (const [index, { sides, isRound }] of squares.entries()) {
    const normal: Vec3 = [normals[index * 3] ?? 0, normals[index * 3 + 1] ?? 0, normals[index * 3 + 2] ?? 0];
    if (!isRound || Math.hypot(...normal) === 0) continue;
    for (const [at, direction] of squareSides(normal).entries())
      sides[at]?.copy(new Vector3(...direction).multiplyScalar(sides[at]?.length() ?? 0));
  }
}

/** Surfaces that visitors walk on and collide with, and the extent of the capture. */
export interface SplatSurfaces {
  readonly triangles: Triangles;
  readonly extent: Extent;
}

/** Box around nearly all squares, weighted by visible area. A few stray splats would make the capture small in the overview. */
function extentOf(squares: readonly Square[]): Extent {
  const areas = squares.map(({ sides }) => sides[0].length() * sides[1].length());
  const total = areas.reduce((sum, area) => sum + area, 0);
  const range = (axis: number): readonly [number, number] => {
    const order = squares.map(({ centre }, index) => ({
      at: centre.getComponent(axis),
      area: areas[index] ?? 0,
    }));
    order.sort((a, b) => a.at - b.at);
    const reach = (list: typeof order) => {
      let left = total * STRAY;
      return list.find(({ area }) => {
        left -= area;
        return left < 0;
      })?.at;
    };
    return [reach(order) ?? 0, reach(order.reverse()) ?? 0];
  };
  const [x, y, z] = [range(0), range(1), range(2)];
  return { min: [x[0], y[0], z[0]], max: [x[1], y[1], z[1]] };
}

/** Where nearly all squares are, with some room around: few strays would make every overview a view from far away. */
function middleOf(squares: readonly Square[]) {
  const min = [0, 0, 0];
  const max = [0, 0, 0];
  for (const axis of [0, 1, 2]) {
    const sorted = Float32Array.from(squares, ({ centre }) => centre.getComponent(axis)).sort();
    const low = sorted[Math.floor(sorted.length * STRAY)] ?? 0;
    const high = sorted[Math.ceil(sorted.length * (1 - STRAY)) - 1] ?? 0;
    const room = (high - low) * 0.1 + 0.5;
    min[axis] = low - room;
    max[axis] = high + room;
  }
  const holds = (point: Vector3) =>
    [0, 1, 2].every((axis) => {
      const value = point.getComponent(axis);
      return value >= (min[axis] ?? 0) && value <= (max[axis] ?? 0);
    });
  const size = Math.hypot(...max.map((value, axis) => value - (min[axis] ?? 0)));
  return { holds, size };
}
