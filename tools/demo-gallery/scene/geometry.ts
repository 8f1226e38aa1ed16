/** The geometry of a scene: axis-aligned rectangles with light maps, and meshes that are lit by vertex. */
import type { Vec3 } from "~/domain/shared/model";
import { add, cross, dot, scale, subtract } from "~/viewer/core/vec";
import type { MaterialId } from "./materials";

/** Axis number: 0 = x, 1 = y, 2 = z. */
export type Axis = 0 | 1 | 2;
/** Direction along an axis. */
export type Sign = 1 | -1;

/** A rectangle in a face, in metres along u and v. */
export interface FaceRectangle {
  readonly u0: number;
  readonly u1: number;
  readonly v0: number;
  readonly v1: number;
}

/** Image of a face: its name, and whether it is fitted to the face or measured in metres. */
export interface FaceImage {
  readonly id: string;
  /** Size of the image in metres, after which it is repeated. If absent, the image is fitted to the face. */
  readonly repeatSize?: readonly [number, number];
  /** Position of the face's origin in the image, in metres. */
  readonly offset?: readonly [number, number];
  /** Rotates the image by 90°, for grain that runs along v. */
  readonly turned?: boolean;
}

/** A rectangle that is visible from the side of its normal. u × v = normal. */
export interface SceneFace {
  /** Name of the model's node that contains the face. */
  readonly node: string;
  /** The corner at u = v = 0. */
  readonly origin: Vec3;
  readonly uAxis: Axis;
  readonly uSign: Sign;
  readonly vAxis: Axis;
  readonly vSign: Sign;
  readonly normalAxis: Axis;
  readonly normalSign: Sign;
  readonly width: number;
  readonly height: number;
  readonly holes: readonly FaceRectangle[];
  readonly material: MaterialId;
  readonly image?: FaceImage;
  /** Distance between samples of direct light, in metres. */
  readonly grain: number;
  /** Pixels per metre of the baked texture; 0 for a work, whose texture gets a size of its own. */
  readonly pixels: number;
}

/** Triangles with one normal and one light value per vertex. */
export interface Mesh {
  readonly node: string;
  readonly positions: Float32Array;
  readonly normals: Float32Array;
  /** Points at which light is sampled, by vertex. Corners of flat polygons use a point a little inside, because they may touch a wall. */
  readonly samples: Float32Array;
  readonly indices: Uint32Array;
  readonly material: MaterialId;
  /** Gives all parts with the same direction the same light, for thin lattices, where single samples would be visible. */
  readonly even: boolean;
}

/** Optional properties of a face (see SceneFace). */
export interface FaceStyle {
  readonly grain?: number;
  readonly pixels?: number;
  readonly image?: FaceImage;
  readonly holes?: readonly FaceRectangle[];
}

type Direction = "+x" | "-x" | "+y" | "-y" | "+z" | "-z";

/** Axes and signs of a face by the direction of its normal. Upright faces have v up and u to the viewer's right. */
const frames: Readonly<Record<Direction, readonly [Axis, Sign, Axis, Sign, Axis, Sign]>> = {
  "+x": [2, -1, 1, 1, 0, 1],
  "-x": [2, 1, 1, 1, 0, -1],
  "+y": [0, 1, 2, -1, 1, 1],
  "-y": [0, 1, 2, 1, 1, -1],
  "+z": [0, 1, 1, 1, 2, 1],
  "-z": [0, -1, 1, 1, 2, -1],
};

/** Returns a face that fills the rectangle between two opposite corners, visible from `direction`. */
export function createFace(
  node: string,
  direction: Direction,
  low: Vec3,
  high: Vec3,
  material: MaterialId,
  style: FaceStyle = {},
): SceneFace {
  const [uAxis, uSign, vAxis, vSign, normalAxis, normalSign] = frames[direction];
  const origin: [number, number, number] = [low[0], low[1], low[2]];
  origin[uAxis] = uSign > 0 ? low[uAxis] : high[uAxis];
  origin[vAxis] = vSign > 0 ? low[vAxis] : high[vAxis];
  return {
    node,
    origin,
    uAxis,
    uSign,
    vAxis,
    vSign,
    normalAxis,
    normalSign,
    width: high[uAxis] - low[uAxis],
    height: high[vAxis] - low[vAxis],
    holes: style.holes ?? [],
    material,
    grain: style.grain ?? 0.05,
    pixels: style.pixels ?? 40,
    ...(style.image ? { image: style.image } : {}),
  };
}

/** Returns the faces of a box, without those in `skip`. */
export function boxFaces(
  node: string,
  low: Vec3,
  high: Vec3,
  material: MaterialId,
  style: FaceStyle = {},
  skip: readonly Direction[] = ["-y"],
): SceneFace[] {
  return (Object.keys(frames) as Direction[])
    .filter((direction) => !skip.includes(direction))
    .map((direction) => {
      const axis = frames[direction][4];
      const planePosition = direction.startsWith("+") ? high[axis] : low[axis];
      const a: [number, number, number] = [low[0], low[1], low[2]];
      const b: [number, number, number] = [high[0], high[1], high[2]];
      a[axis] = planePosition;
      b[axis] = planePosition;
      return createFace(node, direction, a, b, material, style);
    });
}

/** Returns the point of a face at (u, v) metres, moved along the normal by `lift`. */
export function pointOf(f: SceneFace, u: number, v: number, lift = 0): [number, number, number] {
  const p: [number, number, number] = [f.origin[0], f.origin[1], f.origin[2]];
  p[f.uAxis] += f.uSign * u;
  p[f.vAxis] += f.vSign * v;
  p[f.normalAxis] += f.normalSign * lift;
  return p;
}

/** Divides the part of a face outside of its holes into rectangles. */
export function splitAroundHoles(f: SceneFace): FaceRectangle[] {
  const cuts = (from: number, to: number, marks: readonly number[]): number[] =>
    [...new Set([from, to, ...marks.filter((m) => m > from && m < to)])].sort((a, b) => a - b);
  const us = cuts(
    0,
    f.width,
    f.holes.flatMap((h) => [h.u0, h.u1]),
  );
  const rectangles: FaceRectangle[] = [];
  for (let i = 0; i + 1 < us.length; i++) {
    const u0 = us[i] as number;
    const u1 = us[i + 1] as number;
    const middle = (u0 + u1) / 2;
    // Columns between the cuts keep their full height, which gives few and large rectangles.
    const inColumn = f.holes.filter((h) => h.u0 < middle && h.u1 > middle).sort((a, b) => a.v0 - b.v0);
    let v = 0;
    for (const h of inColumn) {
      if (h.v0 > v) rectangles.push({ u0, u1, v0: v, v1: h.v0 });
      v = Math.max(v, h.v1);
    }
    if (v < f.height) rectangles.push({ u0, u1, v0: v, v1: f.height });
  }
  return rectangles;
}

/** Collects triangles. */
export class MeshBuilder {
  readonly positions: number[] = [];
  readonly normals: number[] = [];
  readonly indices: number[] = [];
  private readonly samples = new Map<number, Vec3>();

  vertex(p: Vec3, n: Vec3, sample?: Vec3): number {
    if (sample) this.samples.set(this.positions.length / 3, sample);
    this.positions.push(...p);
    this.normals.push(...n);
    return this.positions.length / 3 - 1;
  }

  /** Adds a flat polygon whose corners are counter-clockwise as seen from its front. */
  polygon(...corners: readonly Vec3[]): void {
    const [a, b, c] = corners;
    if (!a || !b || !c) return;
    const n = toUnitVector(cross(subtract(b, a), subtract(c, a)));
    const centre = scale(corners.reduce(add), 1 / corners.length);
    const ids = corners.map((p) => {
      const inwards = subtract(centre, p);
      return this.vertex(p, n, add(p, scale(inwards, Math.min(0.45, 0.025 / Math.hypot(...inwards)))));
    });
    for (let i = 1; i + 1 < ids.length; i++)
      this.indices.push(ids[0] as number, ids[i] as number, ids[i + 1] as number);
  }

  /** Adds a grid of smooth vertices that joins each row to the next; `closed` joins the last column to the first. */
  grid(rows: readonly (readonly { readonly p: Vec3; readonly n: Vec3 }[])[], closed: boolean): void {
    const ids = rows.map((row) => row.map(({ p, n }) => this.vertex(p, n)));
    for (let r = 0; r + 1 < ids.length; r++) {
      const low = ids[r] as number[];
      const high = ids[r + 1] as number[];
      const columns = closed ? low.length : low.length - 1;
      for (let c = 0; c < columns; c++) {
        const d = (c + 1) % low.length;
        const [a, b, e, f] = [low[c], low[d], high[d], high[c]] as [number, number, number, number];
        this.indices.push(a, b, e, a, e, f);
      }
    }
  }

  /** Adds a box, divided along its longest side so that light can change along it. */
  box(low: Vec3, high: Vec3): void {
    const sizes = subtract(high, low);
    const axis = sizes[0] >= sizes[1] && sizes[0] >= sizes[2] ? 0 : sizes[1] >= sizes[2] ? 1 : 2;
    const parts = Math.max(1, Math.min(6, Math.round(sizes[axis] / 0.8)));
    const cutAt = (end: Vec3, k: number): Vec3 => {
      const point: [number, number, number] = [end[0], end[1], end[2]];
      point[axis] = low[axis] + (sizes[axis] * k) / parts;
      return point;
    };
    for (let k = 0; k < parts; k++) this.block(cutAt(low, k), cutAt(high, k + 1), axis, k > 0, k + 1 < parts);
  }

  private block(low: Vec3, high: Vec3, axis: number, openLow: boolean, openHigh: boolean): void {
    const [x0, y0, z0] = low;
    const [x1, y1, z1] = high;
    const hasSide = (a: number, upper: boolean): boolean => a !== axis || !(upper ? openHigh : openLow);
    if (hasSide(2, true)) this.polygon([x0, y0, z1], [x1, y0, z1], [x1, y1, z1], [x0, y1, z1]);
    if (hasSide(2, false)) this.polygon([x1, y0, z0], [x0, y0, z0], [x0, y1, z0], [x1, y1, z0]);
    if (hasSide(0, true)) this.polygon([x1, y0, z1], [x1, y0, z0], [x1, y1, z0], [x1, y1, z1]);
    if (hasSide(0, false)) this.polygon([x0, y0, z0], [x0, y0, z1], [x0, y1, z1], [x0, y1, z0]);
    if (hasSide(1, true)) this.polygon([x0, y1, z1], [x1, y1, z1], [x1, y1, z0], [x0, y1, z0]);
    if (hasSide(1, false)) this.polygon([x0, y0, z0], [x1, y0, z0], [x1, y0, z1], [x0, y0, z1]);
  }

  build(node: string, material: MaterialId, even = false): Mesh {
    const samples = Float32Array.from(this.positions);
    for (const [vertex, point] of this.samples) samples.set(point, vertex * 3);
    return {
      samples,
      even,
      node,
      positions: Float32Array.from(this.positions),
      normals: Float32Array.from(this.normals),
      indices: Uint32Array.from(this.indices),
      material,
    };
  }
}

/** Returns the vector with length 1. A vector without length stays as it is. */
export function toUnitVector(a: Vec3): Vec3 {
  const l = Math.hypot(a[0], a[1], a[2]) || 1;
  return [a[0] / l, a[1] / l, a[2] / l];
}

/** Adds a surface of revolution about the y axis through `centre`. The profile runs upwards on the outside. */
export function addLathe(
  b: MeshBuilder,
  centre: Vec3,
  profile: readonly (readonly [radius: number, y: number])[],
  segments: number,
): void {
  const rows = profile.map(([radius, y], i) => {
    const [r0, y0] = profile[Math.max(0, i - 1)] as readonly [number, number];
    const [r1, y1] = profile[Math.min(profile.length - 1, i + 1)] as readonly [number, number];
    const length = Math.hypot(r1 - r0, y1 - y0) || 1;
    const nr = (y1 - y0) / length;
    const ny = -(r1 - r0) / length;
    return Array.from({ length: segments }, (_, s) => {
      const angle = (-s / segments) * 2 * Math.PI;
      const c = Math.cos(angle);
      const d = Math.sin(angle);
      return {
        p: [centre[0] + radius * c, centre[1] + y, centre[2] + radius * d] as Vec3,
        n: [nr * c, ny, nr * d] as Vec3,
      };
    });
  });
  b.grid(rows, true);
}

/** Adds a round rod along a polyline with a radius for each point. */
export function addRod(b: MeshBuilder, points: readonly Vec3[], radii: readonly number[], sides = 6): void {
  let side: Vec3 = [1, 0, 0];
  const rows = points.map((p, i) => {
    const previousPoint = points[Math.max(0, i - 1)] as Vec3;
    const nextPoint = points[Math.min(points.length - 1, i + 1)] as Vec3;
    const along = toUnitVector(subtract(nextPoint, previousPoint));
    if (Math.abs(dot(side, along)) > 0.9) side = [0, 0, 1];
    const a = toUnitVector(subtract(side, scale(along, dot(side, along))));
    const c = cross(along, a);
    side = a;
    return Array.from({ length: sides }, (_, s) => {
      const angle = (s / sides) * 2 * Math.PI;
      const n = add(scale(a, Math.cos(angle)), scale(c, Math.sin(angle)));
      return { p: add(p, scale(n, radii[i] as number)), n };
    });
  });
  b.grid(rows, true);
}
