/**
 * The triangles of a space with an index, so that a ray or a box tests only a few of them: a bounding volume hierarchy that is
 * split at the median (Ericson, Real-Time Collision Detection, 2005, §6.2). All triangles are two-sided, because scanned and
 * hand-made models have walls that face the wrong way.
 */
import type { Vec3 } from "./contract";
import type { TimeSlicer } from "./time-slicer";

/** The point where a ray first meets a triangle. */
export interface RayHit {
  readonly distance: number;
  readonly position: Vec3;
  /** Unit length, facing the ray's origin. */
  readonly normal: Vec3;
  readonly triangle: number;
}

/** Maximum number of triangles in a leaf. */
const LEAF_SIZE = 8;
/** Number of triangles in a node above which the builder yields after the node, and above which it also yields within the node. */
const YIELD_AFTER_NODE_MIN = 2000;
const YIELD_WITHIN_NODE_MIN = 200_000;
/** A ray is parallel to a triangle if the determinant of their intersection is at most this, which is floating-point noise. */
const PARALLEL_DETERMINANT_MAX = 1e-24;

/**
 * Answers ray, box and nearest-point queries for triangles in metres. The bounding volume hierarchy is built once over a flat
 * list. Three consecutive corners are one triangle.
 */
export class Triangles {
  readonly count: number;
  private readonly points: Float32Array;
  private readonly layers: Uint8Array;
  /** Numbers of the triangles in the order of the leaves. Triangles with numbers that are not finite are absent. */
  private readonly order: Uint32Array;
  /** For each node: the low and the high corner of its box. */
  private readonly bounds: Float32Array;
  /** For each node: the first slot in `order` and the count of a leaf, or the right child and 0 (the left child follows its parent). */
  private readonly links: Uint32Array;

  /**
   * @param points nine numbers for each triangle, in the space's frame. Triangles with numbers that are not finite are never hit.
   * @param layers a bit mask for each triangle. A query has a mask of the bits that it includes. Default: 1 for all triangles.
   */
  constructor(points: Float32Array, layers?: Uint8Array);
  constructor(points: Float32Array, layers: Uint8Array | undefined, buildsNow: false);
  constructor(points: Float32Array, layers?: Uint8Array, buildsNow = true) {
    this.points = points;
    this.count = Math.floor(points.length / 9);
    this.layers = layers ?? new Uint8Array(this.count).fill(1);
    const usableTriangles = new Uint32Array(this.count);
    let usableCount = 0;
    for (let index = 0; index < this.count; index++) {
      let sum = 0;
      for (let offset = 0; offset < 9; offset++) sum += points[index * 9 + offset] ?? 0;
      if (Number.isFinite(sum)) usableTriangles[usableCount++] = index;
    }
    this.order = usableTriangles.slice(0, usableCount);
    // The split at the median leaves at least LEAF_SIZE / 2 triangles in a leaf, and a tree with n leaves has 2n − 1 nodes.
    const nodes = Math.max(1, 2 * Math.ceil(usableCount / (LEAF_SIZE / 2)) + 1);
    this.bounds = new Float32Array(nodes * 6);
    this.links = new Uint32Array(nodes * 2);
    if (buildsNow) for (const _ of this.build());
  }

  /** Builds the index in slices, between which the page can respond. Rejects when the work is aborted. */
  static async buildInSlices(
    points: Float32Array,
    layers: Uint8Array,
    slicer: TimeSlicer,
  ): Promise<Triangles> {
    const triangles = new Triangles(points, layers, false);
    for (const _ of triangles.build()) if (slicer.isDue) await slicer.pause();
    return triangles;
  }

  /** Corners of the box around all triangles. */
  get min(): Vec3 {
    return this.corner(0);
  }

  get max(): Vec3 {
    return this.corner(3);
  }

  private corner(offset: number): Vec3 {
    const { bounds } = this;
    return [bounds[offset] ?? 0, bounds[offset + 1] ?? 0, bounds[offset + 2] ?? 0];
  }

  private computeCentres(): Float32Array {
    const { points } = this;
    const centres = new Float32Array(this.count * 3);
    for (let index = 0; index < centres.length; index++) {
      const first = Math.floor(index / 3) * 9 + (index % 3);
      centres[index] = ((points[first] ?? 0) + (points[first + 3] ?? 0) + (points[first + 6] ?? 0)) / 3;
    }
    return centres;
  }

  /** Computes the box of a node around its triangles. It is a function of its own because browsers optimise such loops after many calls. */
  private enclose(node: number, from: number, to: number): void {
    const { order, bounds, points } = this;
    const base = node * 6;
    for (let axis = 0; axis < 3; axis++) {
      let low = Number.POSITIVE_INFINITY;
      let high = Number.NEGATIVE_INFINITY;
      for (let slot = from; slot < to; slot++) {
        const first = (order[slot] as number) * 9 + axis;
        const a = points[first] as number;
        const b = points[first + 3] as number;
        const c = points[first + 6] as number;
        if (a < low) low = a;
        if (b < low) low = b;
        if (c < low) low = c;
        if (a > high) high = a;
        if (b > high) high = b;
        if (c > high) high = c;
      }
      bounds[base + axis] = low;
      bounds[base + 3 + axis] = high;
    }
  }

  /** Returns the axis along which a node is longest. */
  private findLongestAxis(node: number): number {
    const { bounds } = this;
    let axis = 0;
    let longestSide = -1;
    for (let candidate = 0; candidate < 3; candidate++) {
      const width = (bounds[node * 6 + 3 + candidate] ?? 0) - (bounds[node * 6 + candidate] ?? 0);
      if (width > longestSide) {
        longestSide = width;
        axis = candidate;
      }
    }
    return axis;
  }

  /** Builds the hierarchy, parents before children and left before right. Yields where the caller may pause. */
  private *build(): Generator<void, void> {
    const { order, links } = this;
    if (order.length === 0) return;
    const centres = this.computeCentres();
    yield;
    let nextNode = 0;
    /** First slot in `order`, the slot after the last one, and the parent whose right child this node is, or −1. */
    const todo: (readonly [from: number, to: number, parent: number])[] = [[0, order.length, -1]];
    for (let task = todo.pop(); task; task = todo.pop()) {
      const [from, to, parent] = task;
      const node = nextNode++;
      if (parent >= 0) links[parent * 2] = node;
      this.enclose(node, from, to);
      if (to - from <= LEAF_SIZE) {
        links[node * 2] = from;
        links[node * 2 + 1] = to - from;
        continue;
      }
      const axis = this.findLongestAxis(node);
      if (to - from > YIELD_WITHIN_NODE_MIN) yield;
      const middle = (from + to) >> 1;
      selectMedian(order, from, to - 1, middle, centres, axis);
      links[node * 2 + 1] = 0;
      todo.push([middle, to, node], [from, middle, -1]);
      if (to - from > YIELD_AFTER_NODE_MIN) yield;
    }
  }

  /**
   * Finds the nearest triangle that a ray meets, or null.
   * @param direction unit vector
   * @param mask only triangles whose layer shares a bit with it are tested
   */
  raycast(origin: Vec3, direction: Vec3, maxDistance = Number.POSITIVE_INFINITY, mask = 0xff): RayHit | null {
    if (this.order.length === 0) return null;
    const [ox, oy, oz] = origin;
    const [dx, dy, dz] = direction;
    const ix = 1 / dx;
    const iy = 1 / dy;
    const iz = 1 / dz;
    const { bounds, links, order, points, layers } = this;
    let best = maxDistance;
    let hitTriangle = -1;
    // The slab test of Kay and Kajiya, Ray Tracing Complex Scenes, 1986.
    const enters = (node: number): boolean => {
      const base = node * 6;
      let entry = 0;
      let exit = best;
      for (let axis = 0; axis < 3; axis++) {
        const start = axis === 0 ? ox : axis === 1 ? oy : oz;
        const inverse = axis === 0 ? ix : axis === 1 ? iy : iz;
        const first = ((bounds[base + axis] ?? 0) - start) * inverse;
        const second = ((bounds[base + 3 + axis] ?? 0) - start) * inverse;
        // 0 × ∞ is NaN: the ray runs inside this face of the box.
        if (Number.isNaN(first) || Number.isNaN(second)) continue;
        const low = Math.min(first, second);
        const high = Math.max(first, second);
        if (low > entry) entry = low;
        if (high < exit) exit = high;
      }
      // Rounding must not lose a triangle that lies in its box's face.
      return entry <= exit * (1 + 1e-6) + 1e-6;
    };
    const stack = [0];
    while (stack.length > 0) {
      const node = stack.pop() ?? 0;
      if (!enters(node)) continue;
      const first = links[node * 2] ?? 0;
      const size = links[node * 2 + 1] ?? 0;
      if (size === 0) {
        stack.push(first, node + 1);
        continue;
      }
      for (let slot = first; slot < first + size; slot++) {
        const triangle = order[slot] ?? 0;
        if (((layers[triangle] ?? 0) & mask) === 0) continue;
        // Möller and Trumbore, Fast, Minimum Storage Ray/Triangle Intersection, 1997, without culling.
        const offset = triangle * 9;
        const ax = points[offset] ?? 0;
        const ay = points[offset + 1] ?? 0;
        const az = points[offset + 2] ?? 0;
        const e1x = (points[offset + 3] ?? 0) - ax;
        const e1y = (points[offset + 4] ?? 0) - ay;
        const e1z = (points[offset + 5] ?? 0) - az;
        const e2x = (points[offset + 6] ?? 0) - ax;
        const e2y = (points[offset + 7] ?? 0) - ay;
        const e2z = (points[offset + 8] ?? 0) - az;
        const px = dy * e2z - dz * e2y;
        const py = dz * e2x - dx * e2z;
        const pz = dx * e2y - dy * e2x;
        const determinant = e1x * px + e1y * py + e1z * pz;
        if (Math.abs(determinant) < PARALLEL_DETERMINANT_MAX) continue;
        const inverse = 1 / determinant;
        const tx = ox - ax;
        const ty = oy - ay;
        const tz = oz - az;
        const u = (tx * px + ty * py + tz * pz) * inverse;
        if (u < -1e-6 || u > 1 + 1e-6) continue;
        const qx = ty * e1z - tz * e1y;
        const qy = tz * e1x - tx * e1z;
        const qz = tx * e1y - ty * e1x;
        const v = (dx * qx + dy * qy + dz * qz) * inverse;
        if (v < -1e-6 || u + v > 1 + 1e-6) continue;
        const hit = (e2x * qx + e2y * qy + e2z * qz) * inverse;
        if (hit >= 0 && hit < best) {
          best = hit;
          hitTriangle = triangle;
        }
      }
    }
    if (hitTriangle < 0) return null;
    return {
      distance: best,
      position: [ox + dx * best, oy + dy * best, oz + dz * best],
      normal: this.normal(hitTriangle, direction),
      triangle: hitTriangle,
    };
  }

  /** Nine numbers for each triangle, in the space's frame. Callers must not write to it. */
  get corners(): Float32Array {
    return this.points;
  }

  /** Returns the layer of a triangle. */
  layer(triangle: number): number {
    return this.layers[triangle] ?? 0;
  }

  /** Whether the front of a triangle is visible along a direction. The corners of a front run counter-clockwise. */
  isFacing(triangle: number, direction: Vec3): boolean {
    const [x, y, z] = this.edgeProduct(triangle);
    return x * direction[0] + y * direction[1] + z * direction[2] < 0;
  }

  /** Returns |normal.y| of a triangle: 1 is horizontal, 0 is vertical. */
  flatness(triangle: number): number {
    return Math.abs(this.normal(triangle, [0, -1, 0])[1]);
  }

  /** Returns the cross product of the two edges from a triangle's first corner: a normal on the triangle's front. */
  private edgeProduct(triangle: number): Vec3 {
    const coordinate = (offset: number) => this.points[triangle * 9 + offset] ?? 0;
    const [ax, ay, az] = [
      coordinate(3) - coordinate(0),
      coordinate(4) - coordinate(1),
      coordinate(5) - coordinate(2),
    ];
    const [bx, by, bz] = [
      coordinate(6) - coordinate(0),
      coordinate(7) - coordinate(1),
      coordinate(8) - coordinate(2),
    ];
    return [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx];
  }

  /** Returns the unit normal of a triangle, on the side that faces the start of a ray with the direction `against`. */
  private normal(triangle: number, against: Vec3): Vec3 {
    const [x, y, z] = this.edgeProduct(triangle);
    const normalLength = Math.hypot(x, y, z) || 1;
    const side = x * against[0] + y * against[1] + z * against[2] > 0 ? -1 : 1;
    return [(x / normalLength) * side, (y / normalLength) * side, (z / normalLength) * side];
  }

  /** Calls `visit` with the number of every triangle whose box may touch the given one. */
  visitBox(min: Vec3, max: Vec3, visit: (triangle: number) => void): void {
    if (this.order.length === 0) return;
    const { bounds, links, order } = this;
    const stack = [0];
    while (stack.length > 0) {
      const node = stack.pop() ?? 0;
      const base = node * 6;
      let isApart = false;
      for (let axis = 0; axis < 3; axis++)
        if (
          (bounds[base + axis] ?? 0) > (max[axis] ?? 0) ||
          (bounds[base + 3 + axis] ?? 0) < (min[axis] ?? 0)
        )
          isApart = true;
      if (isApart) continue;
      const first = links[node * 2] ?? 0;
      const size = links[node * 2 + 1] ?? 0;
      if (size === 0) stack.push(first, node + 1);
      else for (let slot = first; slot < first + size; slot++) visit(order[slot] ?? 0);
    }
  }

  /** Returns the point of a triangle that is nearest to p. */
  findNearestPoint(triangle: number, p: Vec3): Vec3 {
    this.writeNearestPoint(triangle, p[0], p[1], p[2], SCRATCH);
    return [SCRATCH.x, SCRATCH.y, SCRATCH.z];
  }

  /**
   * Whether an upright capsule may touch a triangle. Fast, and never false for a triangle that the capsule touches.
   * @param low height of the lower end of the capsule's axis
   * @param high height of the upper end of the capsule's axis
   */
  mayTouchCapsule(
    triangle: number,
    x: number,
    z: number,
    low: number,
    high: number,
    radius: number,
  ): boolean {
    const { points } = this;
    const offset = triangle * 9;
    const ax = points[offset] ?? 0;
    const ay = points[offset + 1] ?? 0;
    const az = points[offset + 2] ?? 0;
    const by = points[offset + 4] ?? 0;
    const cy = points[offset + 7] ?? 0;
    if (Math.max(ay, by, cy) < low - radius || Math.min(ay, by, cy) > high + radius) return false;
    const ux = (points[offset + 3] ?? 0) - ax;
    const uy = by - ay;
    const uz = (points[offset + 5] ?? 0) - az;
    const vx = (points[offset + 6] ?? 0) - ax;
    const vy = cy - ay;
    const vz = (points[offset + 8] ?? 0) - az;
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const reach = radius * Math.sqrt(nx * nx + ny * ny + nz * nz);
    const flat = nx * (x - ax) + nz * (z - az);
    const bottom = flat + ny * (low - ay);
    const top = flat + ny * (high - ay);
    return Math.min(bottom, top) <= reach && Math.max(bottom, top) >= -reach;
  }

  /**
   * Writes into `out` the point of a triangle that is nearest to (px, py, pz) (Ericson, Real-Time Collision Detection, 2005, §5.1.5). It
   * creates no objects, because walking computes thousands of points.
   */
  writeNearestPoint(triangle: number, px: number, py: number, pz: number, out: MutablePoint): void {
    const { points } = this;
    const offset = triangle * 9;
    const ax = points[offset] ?? 0;
    const ay = points[offset + 1] ?? 0;
    const az = points[offset + 2] ?? 0;
    const bx = points[offset + 3] ?? 0;
    const by = points[offset + 4] ?? 0;
    const bz = points[offset + 5] ?? 0;
    const cx = points[offset + 6] ?? 0;
    const cy = points[offset + 7] ?? 0;
    const cz = points[offset + 8] ?? 0;
    const abx = bx - ax;
    const aby = by - ay;
    const abz = bz - az;
    const acx = cx - ax;
    const acy = cy - ay;
    const acz = cz - az;
    const d1 = (px - ax) * abx + (py - ay) * aby + (pz - az) * abz;
    const d2 = (px - ax) * acx + (py - ay) * acy + (pz - az) * acz;
    const d3 = (px - bx) * abx + (py - by) * aby + (pz - bz) * abz;
    const d4 = (px - bx) * acx + (py - by) * acy + (pz - bz) * acz;
    const d5 = (px - cx) * abx + (py - cy) * aby + (pz - cz) * abz;
    const d6 = (px - cx) * acx + (py - cy) * acy + (pz - cz) * acz;
    // Shares of the sides ab and ac that lead from a to the nearest point.
    let v = 0;
    let w = 0;
    const vc = d1 * d4 - d3 * d2;
    const vb = d5 * d2 - d1 * d6;
    const va = d3 * d6 - d5 * d4;
    if (d1 <= 0 && d2 <= 0) {
      // The nearest point is corner a.
    } else if (d3 >= 0 && d4 <= d3) v = 1;
    else if (vc <= 0 && d1 >= 0 && d3 <= 0) v = d1 / (d1 - d3);
    else if (d6 >= 0 && d5 <= d6) w = 1;
    else if (vb <= 0 && d2 >= 0 && d6 <= 0) w = d2 / (d2 - d6);
    else if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
      w = (d4 - d3) / (d4 - d3 + (d5 - d6));
      v = 1 - w;
    } else {
      const sum = va + vb + vc;
      // For a triangle without an area, corner a is used.
      if (sum !== 0) {
        v = vb / sum;
        w = vc / sum;
      }
    }
    out.x = ax + abx * v + acx * w;
    out.y = ay + aby * v + acy * w;
    out.z = az + abz * v + acz * w;
  }
}

/** A point that is overwritten to avoid allocations. */
export interface MutablePoint {
  x: number;
  y: number;
  z: number;
}

const SCRATCH: MutablePoint = { x: 0, y: 0, z: 0 };

/**
 * Hoare's selection: afterwards, `order[middle]` is the element that sorting by the centres along an axis would put there.
 * @param to the last slot, which is included
 */
function selectMedian(
  order: Uint32Array,
  from: number,
  to: number,
  middle: number,
  centres: Float32Array,
  axis: number,
): void {
  const centreAt = (slot: number) => centres[(order[slot] as number) * 3 + axis] as number;
  let left = from;
  let right = to;
  while (left < right) {
    const pivot = centreAt((left + right) >> 1);
    let low = left;
    let high = right;
    while (low <= high) {
      while (centreAt(low) < pivot) low++;
      while (centreAt(high) > pivot) high--;
      if (low <= high) {
        const swap = order[low] ?? 0;
        order[low] = order[high] ?? 0;
        order[high] = swap;
        low++;
        high--;
      }
    }
    if (middle <= high) right = high;
    else if (middle >= low) left = low;
    else return;
  }
}
