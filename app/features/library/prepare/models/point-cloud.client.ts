/** Creates a scene from the points of a scan. */
import { BufferAttribute, type Object3D, Points } from "three";
import { TimeSlicer } from "~/viewer/core/time-slicer";
import { pointNormals } from "~/viewer/shared/point-normals";
import { detectUp, type UsualAxis } from "~/viewer/splat/detect-up";
import { ConversionError } from "../conversion";
import type { LoadedScene } from "./export-scene.client";

/** Maximum number of points of a model. Further points are omitted evenly. */
const POINTS_MAX = 3_000_000;

/** Approximate number of points that are sampled to detect the up axis. */
const UP_SAMPLES = 24_000;
/** Scanners write z upwards, but phones and cameras write y upwards or downwards. `trust` is the weight of z against the detected floor, 0…1. */
const USUAL_UP: UsualAxis = { up: [0, 0, 1], trust: 0.2 };

/** Collects points relative to a local origin, because 32-bit floats have a precision of only centimetres at coordinates of many kilometres. */
export class PointCloud {
  private readonly positions: Float32Array;
  private readonly colours: Uint16Array | null;
  private readonly step: number;
  private keptCount = 0;
  private isColoured = false;
  private origin: readonly [number, number, number] | null = null;

  constructor(
    private readonly count: number,
    hasColours: boolean,
  ) {
    this.step = Math.max(1, count / POINTS_MAX);
    const capacity = Math.min(count, POINTS_MAX + 1);
    this.positions = new Float32Array(capacity * 3);
    this.colours = hasColours ? new Uint16Array(capacity * 4) : null;
  }

  /** Whether the point at an index is kept. */
  keeps(index: number): boolean {
    return Math.floor(index / this.step) !== Math.floor((index - 1) / this.step);
  }

  /** Adds a point. @param colour linear, 0…1; undefined for black, or when the file has no colours */
  add(position: readonly [number, number, number], colour?: readonly [number, number, number]): void {
    // Scanners write NaN for points that they could not measure.
    if (!position.every(Number.isFinite)) return;
    this.origin ??= position.some((value) => Math.abs(value) > 10_000)
      ? (position.map(Math.round) as [number, number, number])
      : [0, 0, 0];
    for (let axis = 0; axis < 3; axis++)
      this.positions[this.keptCount * 3 + axis] = (position[axis] ?? 0) - (this.origin[axis] ?? 0);
    if (this.colours) {
      this.isColoured ||= colour !== undefined;
      for (let i = 0; i < 3; i++)
        this.colours[this.keptCount * 4 + i] = Math.round((colour?.[i] ?? 0) * 65_535);
      this.colours[this.keptCount * 4 + 3] = 65_535;
    }
    this.keptCount++;
  }

  /** Rotates the points so that z points upwards, if detectUp finds that y points upwards or downwards. */
  async turnZUp(): Promise<void> {
    const step = Math.max(1, Math.floor(this.keptCount / UP_SAMPLES));
    const count = Math.floor(this.keptCount / step);
    const positions = Float32Array.from(
      { length: count * 3 },
      (_, index) => this.positions[Math.floor(index / 3) * step * 3 + (index % 3)] ?? 0,
    );
    const normals = await pointNormals(positions, new TimeSlicer());
    const [, upY] = detectUp({ positions, normals, weights: new Float32Array(count).fill(1) }, USUAL_UP);
    if (Math.abs(upY) < 0.5) return;
    const direction = Math.sign(upY);
    for (let offset = 0; offset < this.keptCount * 3; offset += 3) {
      const [oldY = 0, oldZ = 0] = [this.positions[offset + 1], this.positions[offset + 2]];
      this.positions[offset + 1] = -direction * oldZ;
      this.positions[offset + 2] = direction * oldY;
    }
  }

  /**
   * Returns a scene of the kept points, with z upwards. Points that are far from the origin are centred above it.
   * @throws ConversionError empty
   */
  finish(name: string): LoadedScene {
    if (this.keptCount === 0) throw new ConversionError("empty", "The file has no points.");
    const positions = this.positions.slice(0, this.keptCount * 3);
    const geometry = new Points().geometry;
    geometry.setAttribute("position", new BufferAttribute(positions, 3));
    const colours = this.isColoured ? this.colours?.slice(0, this.keptCount * 4) : shadesByHeight(positions);
    if (colours) geometry.setAttribute("color", new BufferAttribute(colours, 4, true));
    const isMoved = this.origin?.some((value) => value !== 0) ?? false;
    if (isMoved) {
      geometry.computeBoundingBox();
      const { min, max } = geometry.boundingBox ?? { min: { x: 0, y: 0, z: 0 }, max: { x: 0, y: 0, z: 0 } };
      geometry.translate(-(min.x + max.x) / 2, -(min.y + max.y) / 2, -min.z);
    }
    const scene: Object3D = new Points(geometry);
    scene.name = name;
    const isThinned = this.step > 1;
    return {
      scene,
      isZUp: true,
      unit: 1,
      before: { points: this.count },
      notes: [
        ...(isThinned
          ? [{ key: "points_thinned" as const, values: { kept: this.keptCount, count: this.count } }]
          : []),
        ...(isMoved ? [{ key: "moved_to_origin" as const, values: {} }] : []),
      ],
    };
  }
}

/** Linear grey of the lowest and of the highest point of a cloud without colours. Both are darker than the viewer's background. */
const [LOWEST_GREY, HIGHEST_GREY] = [0.01, 0.4] as const;

/**
 * Returns a grey value for each point by its height, because a single colour would hide the shape. @param positions x, y and z of each point; z is up
 */
function shadesByHeight(positions: Float32Array): Uint16Array {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let offset = 2; offset < positions.length; offset += 3) {
    low = Math.min(low, positions[offset] ?? 0);
    high = Math.max(high, positions[offset] ?? 0);
  }
  const colours = new Uint16Array((positions.length / 3) * 4).fill(65_535);
  for (let point = 0; point * 3 < positions.length; point++) {
    const share = high > low ? ((positions[point * 3 + 2] ?? 0) - low) / (high - low) : 0.5;
    // Squaring makes the steps between the linear greys look even.
    const shade = LOWEST_GREY + (HIGHEST_GREY - LOWEST_GREY) * share ** 2;
    colours.fill(Math.round(shade * 65_535), point * 4, point * 4 + 3);
  }
  return colours;
}
