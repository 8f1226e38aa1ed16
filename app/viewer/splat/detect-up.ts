/**
 * Detects the up axis of a capture whose file does not declare it, from its floor and from the usual axis of its format. A floor is a plane with
 * nearly all splats on one side. The same sample of splats is used each time, so that the result for a file never changes.
 */
import type { Vec3 } from "../core/contract";
import { cross, dot, normalize, scale } from "../core/vec";

/** Splats as flat lists. */
export interface SplatSamples {
  /** Three numbers for each splat, in the file's frame. */
  readonly positions: Float32Array;
  /** Unit normal of a flat splat. Zeros for a round one. */
  readonly normals: Float32Array;
  /** Visible area: opacity multiplied by area. */
  readonly weights: Float32Array;
}

/** Usual up axis of a format, and its weight against the detected floor. */
export interface UsualAxis {
  readonly up: Vec3;
  /** Weight of the usual axis, 0…1. */
  readonly trust: number;
}

/**
 * Captures that were trained from photographs have the axes of the cameras, in which y points downwards. Tools copy these axes unchanged to .splat,
 * .ksplat, SOG and compressed PLY. SPZ defines that y points upwards, but half of the tools that write it do not convert the axes either. GLB
 * declares y.
 */
export const USUAL_AXES = {
  ply: { up: [0, -1, 0], trust: 0.2 },
  splat: { up: [0, -1, 0], trust: 0.2 },
  ksplat: { up: [0, -1, 0], trust: 0.2 },
  sog: { up: [0, -1, 0], trust: 0.2 },
  spz: { up: [0, 1, 0], trust: 0.1 },
  glb: { up: [0, 1, 0], trust: 0.2 },
} as const satisfies Readonly<Record<string, UsualAxis>>;

/**
 * Axes along which a floor's normal may point. Files have y upwards or downwards, or z upwards. A plane at the upper end of z is usually a façade
 * that was photographed from the front.
 */
const AXES: readonly { readonly axis: Vec3; readonly isAlwaysUp: boolean }[] = [
  { axis: [0, 1, 0], isAlwaysUp: false },
  { axis: [0, 0, 1], isAlwaysUp: true },
];
/** Factor for an axis that is not the usual up axis of the format. */
const UNUSUAL_AXIS_FACTOR = 0.65;
/** Share of stray splats at either end of each axis. */
const STRAY_SHARE = 0.02;
/** Number of bins of a height histogram. */
const BINS = 80;
/** Thickness of a floor in bins, and share of the height, at either end, in which a floor is searched. */
const FLOOR_BINS = 3;
const END_SHARE = 0.45;
/** Cosines of the cones around an axis within which normals are averaged. Each cone is narrower than the previous one. */
const CONE_COSINES = [0.86, 0.93, 0.97];
/** Cosine of the lean below which the axis is not corrected. */
const STRAIGHT_COSINE = Math.cos((3 * Math.PI) / 180);
/** Cosine of the maximum lean. */
const LEAN_COSINE_MIN = Math.cos((32 * Math.PI) / 180);
/** Share of the weight from which a plane counts fully as a floor or ceiling. */
const FLOOR_CLEAR_SHARE = 0.03;
/** Minimum share of the weight of a floor by which a leaning capture is corrected. */
const FLOOR_SHARE_MIN = 0.12;

interface Profile {
  /** Score of the best plane near the lower end and near the upper end: its share of the weight, reduced by the weight beyond it. */
  readonly low: number;
  readonly high: number;
  /** Positive when the lower end is the floor, by weight and by number of splats. */
  readonly floorScore: number;
}

/** Returns the up axis of a capture as a unit vector, in the file's frame. */
export function detectUp(samples: SplatSamples, usualAxis: UsualAxis): Vec3 {
  const inliers = listInliers(samples);
  let best:
    | (Profile & { readonly axis: Vec3; readonly plane: Vec3; readonly isUp: boolean; score: number })
    | null = null;
  for (const { axis, isAlwaysUp } of AXES) {
    const factor = dot(axis, usualAxis.up) === 0 ? UNUSUAL_AXIS_FACTOR : 1;
    const plane = findPlaneNormal(samples, inliers, axis);
    const profile = measureProfile(samples, inliers, plane);
    const isUp = isAlwaysUp || profile.floorScore + dot(axis, usualAxis.up) * usualAxis.trust >= 0;
    const score = factor * (0.03 + (isAlwaysUp ? profile.low : Math.max(profile.low, profile.high)));
    if (!best || score > best.score) best = { ...profile, axis, plane, isUp, score };
  }
  if (!best) return usualAxis.up;
  const { axis, plane, isUp, low, high } = best;
  const isLeaning = dot(plane, axis) < STRAIGHT_COSINE && (isUp ? low : high) >= FLOOR_SHARE_MIN;
  return scale(isLeaning ? plane : axis, isUp ? 1 : -1);
}

/** Returns the indices of all splats except strays. */
function listInliers({ positions, weights }: SplatSamples): Uint32Array {
  const count = weights.length;
  const bounds = [0, 1, 2].map((axis) => {
    const sorted = Float32Array.from(
      { length: count },
      (_, index) => positions[index * 3 + axis] ?? 0,
    ).sort();
    const low = sorted[Math.floor(count * STRAY_SHARE)] ?? 0;
    const high = sorted[Math.ceil(count * (1 - STRAY_SHARE)) - 1] ?? 0;
    const margin = (high - low) * 0.15;
    return [low - margin, high + margin] as const;
  });
  const inliers = new Uint32Array(count);
  let inlierCount = 0;
  for (let index = 0; index < count; index++)
    if (
      bounds.every(([low, high], axis) => {
        const value = positions[index * 3 + axis] ?? 0;
        return value >= low && value <= high;
      })
    )
      inliers[inlierCount++] = index;
  return inliers.slice(0, inlierCount);
}

const pointAt = (list: Float32Array, index: number): Vec3 => [
  list[index * 3] ?? 0,
  list[index * 3 + 1] ?? 0,
  list[index * 3 + 2] ?? 0,
];

/** Returns the mean normal of the surfaces that are roughly perpendicular to an axis, or the axis itself when they are too few or lean too far. */
function findPlaneNormal({ normals, weights }: SplatSamples, inliers: Uint32Array, axis: Vec3): Vec3 {
  let direction = axis;
  for (const cone of CONE_COSINES) {
    let sum: [number, number, number] = [0, 0, 0];
    let total = 0;
    for (const index of inliers) {
      const normal = pointAt(normals, index);
      const cosine = dot(normal, direction);
      const weight = weights[index] ?? 0;
      total += weight;
      if (Math.abs(cosine) < cone) continue;
      const signedWeight = cosine < 0 ? -weight : weight;
      sum = [
        sum[0] + normal[0] * signedWeight,
        sum[1] + normal[1] * signedWeight,
        sum[2] + normal[2] * signedWeight,
      ];
    }
    if (Math.hypot(...sum) < 0.03 * total) return axis;
    direction = normalize(sum);
  }
  return dot(direction, axis) < LEAN_COSINE_MIN ? axis : direction;
}

/** Measures how splats are distributed along a direction. */
function measureProfile(samples: SplatSamples, inliers: Uint32Array, direction: Vec3): Profile {
  const { positions, normals, weights } = samples;
  const heights = Float32Array.from(inliers, (index) => dot(pointAt(positions, index), direction));
  const sorted = heights.slice().sort();
  const bottom = sorted[Math.floor(sorted.length * STRAY_SHARE)] ?? 0;
  const top = sorted[Math.ceil(sorted.length * (1 - STRAY_SHARE)) - 1] ?? 0;
  const range = top - bottom;
  if (!(range > 0)) return { low: 0, high: 0, floorScore: 0 };
  const weighted = new HeightHistogram();
  const counted = new HeightHistogram();
  const groundU = normalize(cross(direction, Math.abs(direction[0]) < 0.7 ? [1, 0, 0] : [0, 1, 0]));
  const groundV = cross(direction, groundU);
  inliers.forEach((index, order) => {
    const height = ((heights[order] ?? 0) - bottom) / range;
    const share = Math.abs(dot(pointAt(normals, index), direction)) > 0.8 ? 1 : 0.25;
    const position = pointAt(positions, index);
    const ground = [dot(position, groundU), dot(position, groundV)] as const;
    weighted.add(height, ground, weights[index] ?? 0, share);
    counted.add(height, ground, 1, share);
  });
  // Floors and the objects on them have more detail than ceilings, and therefore more splats.
  return {
    low: weighted.measurePlane(false),
    high: weighted.measurePlane(true),
    floorScore: weighted.floorScore() + counted.floorScore(),
  };
}

/** Histogram of splat weights by height between the two ends of a direction. */
class HeightHistogram {
  private readonly planeWeights = new Float32Array(BINS);
  private readonly bins = Array.from({ length: BINS }, () => new Spread());
  private readonly total = new Spread();
  private sum = 0;

  /**
   * @param height share of the way from the lower to the upper end
   * @param ground position on the plane perpendicular to the direction
   * @param share share of the weight that counts for a plane perpendicular to the direction
   */
  add(height: number, ground: readonly [number, number], weight: number, share: number): void {
    const bin = Math.min(BINS - 1, Math.max(0, Math.floor(height * BINS)));
    this.planeWeights[bin] = (this.planeWeights[bin] ?? 0) + weight * share;
    this.bins[bin]?.add(ground, weight);
    this.total.add(ground, weight);
    this.sum += weight * Math.min(1.1, Math.max(-0.1, height));
  }

  /**
   * Returns the share of the total weight that is in the best plane near one end. It is reduced by the weight beyond that plane and by the share of
   * the capture's width that the plane does not cover, because the top of a statue is no floor.
   */
  measurePlane(isUpper: boolean): number {
    const endPlaneWeights = isUpper ? this.planeWeights.slice().reverse() : this.planeWeights;
    const bins = isUpper ? this.bins.slice().reverse() : this.bins;
    const total = this.total.weight;
    let bestShare = 0;
    let weightBeyond = 0;
    for (let bin = 0; bin + FLOOR_BINS <= BINS * END_SHARE; bin++) {
      let planeWeight = 0;
      const slab = new Spread();
      for (let i = bin; i < bin + FLOOR_BINS; i++) {
        planeWeight += endPlaneWeights[i] ?? 0;
        slab.join(bins[i]);
      }
      const cover = Math.min(1, slab.width / this.total.width) ** 2;
      bestShare = Math.max(
        bestShare,
        (planeWeight / total) * cover * Math.max(0, 1 - (3 * weightBeyond) / total),
      );
      weightBeyond += bins[bin]?.weight ?? 0;
    }
    return bestShare;
  }

  /** Returns a score: positive when the lower end is the floor, near 0 when neither end has one. */
  floorScore(): number {
    const [low, high] = [this.measurePlane(false), this.measurePlane(true)];
    const evidence = Math.min(1, Math.max(low, high) / FLOOR_CLEAR_SHARE);
    const balance = 1 - (2 * this.sum) / this.total.weight;
    return evidence * (0.3 * ((low - high) / (low + high + 0.02)) + 0.4 * balance);
  }
}

/** Sums of weighted positions on the ground plane, from which their spread is computed. */
class Spread {
  weight = 0;
  private readonly sums: [number, number] = [0, 0];
  private squares = 0;

  add([u, v]: readonly [number, number], weight: number): void {
    this.weight += weight;
    this.sums[0] += u * weight;
    this.sums[1] += v * weight;
    this.squares += (u * u + v * v) * weight;
  }

  join(other: Spread | undefined): void {
    if (!other) return;
    this.weight += other.weight;
    this.sums[0] += other.sums[0];
    this.sums[1] += other.sums[1];
    this.squares += other.squares;
  }

  /** Standard deviation of the positions. */
  get width(): number {
    const [u, v] = this.sums;
    return this.weight > 0
      ? Math.sqrt(Math.max(0, this.squares / this.weight - (u * u + v * v) / this.weight ** 2))
      : 0;
  }
}
