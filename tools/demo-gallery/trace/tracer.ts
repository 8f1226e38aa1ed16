/**
 * Finds what a ray meets: axis-aligned rectangles and triangles in one bounding-volume tree, built with the surface area heuristic (Wald,
 * "On fast construction of SAH-based bounding volume hierarchies", 2007). It is optimised for speed: flat arrays, and results in fields
 * instead of new objects.
 */
import type { Mesh, SceneFace } from "../scene/geometry";
import { bestSplit } from "./best-split";

/** Number of primitives up to which a node of the tree is not split. */
const leafSize = 3;

/** Numbers per rectangle: axis, plane, low and high on the two other axes, sign of the normal, first hole, and the hole after the last one. */
const rectStride = 9;

/** Numbers per triangle: a corner and the two edges from it. */
const triangleStride = 9;

/** The geometry that rays can meet. */
export interface TracerInput {
  readonly faces: readonly SceneFace[];
  readonly meshes: readonly Mesh[];
}

/** Traces rays through one set of faces and meshes. */
export class Tracer {
  /** The last hit: distance, the face's index or −1, the mesh's index or −1 with triangle and weights of its second and third corner. */
  t = 0;
  face = -1;
  mesh = -1;
  triangle = 0;
  b1 = 0;
  b2 = 0;

  private readonly rects: Float64Array;
  private readonly holes: Float64Array;
  private readonly triangles: Float64Array;
  private readonly meshOf: Int32Array;
  private readonly triangleOf: Int32Array;
  private readonly faceOf: Int32Array;
  /** Primitive numbers in tree order. Rectangles have the first numbers, triangles the following ones. */
  private readonly order: Int32Array;
  /** For each node: the low and the high corner of its box. */
  private readonly nodeBounds: Float32Array;
  /** For each node: the first child, which the second one follows, or the first primitive; the number of primitives (0 for inner nodes). */
  private readonly links: Int32Array;
  /** For each primitive: the low and the high corner of its box. */
  private readonly primitiveBounds: Float64Array;
  private readonly rectCount: number;
  /** Nodes that are still to be visited, and the distances at which the ray enters their boxes. */
  private readonly stack = new Int32Array(128);
  private readonly entryDistances = new Float64Array(128);

  constructor(
    input: TracerInput,
    faceFilter: (index: number) => boolean = () => true,
    meshFilter: (index: number) => boolean = () => true,
  ) {
    const faces = input.faces
      .map((face, index) => ({ face, index }))
      .filter(({ index }) => faceFilter(index));
    const meshes = input.meshes
      .map((mesh, index) => ({ mesh, index }))
      .filter(({ index }) => meshFilter(index));
    const triangleCount = meshes.reduce((n, { mesh }) => n + mesh.indices.length / 3, 0);
    this.rectCount = faces.length;
    const total = faces.length + triangleCount;
    this.rects = new Float64Array(faces.length * rectStride);
    this.triangles = new Float64Array(triangleCount * triangleStride);
    this.meshOf = new Int32Array(triangleCount);
    this.triangleOf = new Int32Array(triangleCount);
    this.faceOf = new Int32Array(faces.length);
    const primitiveBounds = new Float64Array(total * 6);
    this.primitiveBounds = primitiveBounds;
    const holes: number[] = [];

    faces.forEach(({ face, index }, i) => {
      const end: [number, number, number] = [face.origin[0], face.origin[1], face.origin[2]];
      end[face.uAxis] += face.uSign * face.width;
      end[face.vAxis] += face.vSign * face.height;
      const a = face.normalAxis;
      const p = ((a + 1) % 3) as 0 | 1 | 2;
      const q = ((a + 2) % 3) as 0 | 1 | 2;
      const firstHole = holes.length / 4;
      for (const hole of face.holes) {
        const u: [number, number] = [
          face.origin[face.uAxis] + face.uSign * hole.u0,
          face.origin[face.uAxis] + face.uSign * hole.u1,
        ];
        const v: [number, number] = [
          face.origin[face.vAxis] + face.vSign * hole.v0,
          face.origin[face.vAxis] + face.vSign * hole.v1,
        ];
        const [onP, onQ] = face.uAxis === p ? [u, v] : [v, u];
        holes.push(Math.min(...onP), Math.max(...onP), Math.min(...onQ), Math.max(...onQ));
      }
      const low = [0, 1, 2].map((k) => Math.min(face.origin[k] as number, end[k] as number)) as [
        number,
        number,
        number,
      ];
      const high = [0, 1, 2].map((k) => Math.max(face.origin[k] as number, end[k] as number)) as [
        number,
        number,
        number,
      ];
      this.rects.set(
        [a, face.origin[a], low[p], high[p], low[q], high[q], face.normalSign, firstHole, holes.length / 4],
        i * rectStride,
      );
      this.faceOf[i] = index;
      primitiveBounds.set([...low, ...high], i * 6);
    });
    this.holes = Float64Array.from(holes);

    let k = 0;
    for (const { mesh, index } of meshes) {
      const { positions, indices } = mesh;
      for (let t = 0; t < indices.length; t += 3) {
        const corners = [0, 1, 2].map((c) => {
          const offset = (indices[t + c] as number) * 3;
          return [positions[offset], positions[offset + 1], positions[offset + 2]] as [
            number,
            number,
            number,
          ];
        }) as [[number, number, number], [number, number, number], [number, number, number]];
        const [a, b, c] = corners;
        this.triangles.set(
          [...a, b[0] - a[0], b[1] - a[1], b[2] - a[2], c[0] - a[0], c[1] - a[1], c[2] - a[2]],
          k * triangleStride,
        );
        this.meshOf[k] = index;
        this.triangleOf[k] = t / 3;
        const offset = (faces.length + k) * 6;
        for (let axis = 0; axis < 3; axis++) {
          primitiveBounds[offset + axis] = Math.min(...corners.map((p) => p[axis] as number));
          primitiveBounds[offset + 3 + axis] = Math.max(...corners.map((p) => p[axis] as number));
        }
        k++;
      }
    }
    this.order = Int32Array.from({ length: total }, (_, i) => i);
    this.nodeBounds = new Float32Array(Math.max(1, total * 2) * 6);
    this.links = new Int32Array(Math.max(1, total * 2) * 2);
    this.build(primitiveBounds, total);
  }

  private build(primitiveBounds: Float64Array, total: number): void {
    const order = this.order;
    const nodeBounds = this.nodeBounds;
    const links = this.links;
    let nodeCount = 1;
    const setBounds = (node: number, first: number, count: number): void => {
      for (let axis = 0; axis < 3; axis++) {
        let low = Infinity;
        let high = -Infinity;
        for (let i = first; i < first + count; i++) {
          const offset = (order[i] as number) * 6 + axis;
          low = Math.min(low, primitiveBounds[offset] as number);
          high = Math.max(high, primitiveBounds[offset + 3] as number);
        }
        // Boxes are slightly enlarged, because the numbers are rounded, and flat boxes must not vanish.
        nodeBounds[node * 6 + axis] = low - 1e-4;
        nodeBounds[node * 6 + 3 + axis] = high + 1e-4;
      }
    };
    const centreOf = (prim: number, axis: number): number =>
      ((primitiveBounds[prim * 6 + axis] as number) + (primitiveBounds[prim * 6 + 3 + axis] as number)) / 2;
    const todo: [node: number, first: number, count: number][] = [[0, 0, total]];
    for (let job = todo.pop(); job; job = todo.pop()) {
      const [node, first, count] = job;
      setBounds(node, first, count);
      links[node * 2] = first;
      links[node * 2 + 1] = count;
      if (count <= leafSize) continue;
      const split = bestSplit(primitiveBounds, order, first, count, centreOf);
      if (!split) continue;
      let i = first;
      let j = first + count - 1;
      while (i <= j) {
        if (centreOf(order[i] as number, split.axis) < split.position) i++;
        else {
          const swap = order[i] as number;
          order[i] = order[j] as number;
          order[j--] = swap;
        }
      }
      if (i === first || i === first + count) continue;
      const left = nodeCount;
      nodeCount += 2;
      links[node * 2] = left;
      links[node * 2 + 1] = 0;
      todo.push([left, first, i - first], [left + 1, i, first + count - i]);
    }
  }

  /** Finds the nearest hit closer than `limit`. The direction has unit length. */
  closest(ox: number, oy: number, oz: number, dx: number, dy: number, dz: number, limit: number): boolean {
    return this.traverse(ox, oy, oz, dx, dy, dz, limit, false);
  }

  /** Returns whether anything is closer than `limit`. */
  occluded(ox: number, oy: number, oz: number, dx: number, dy: number, dz: number, limit: number): boolean {
    return this.traverse(ox, oy, oz, dx, dy, dz, limit, true);
  }

  /** Records a hit of a known face. */
  recordHit(
    index: number,
    face: SceneFace,
    ox: number,
    oy: number,
    oz: number,
    dx: number,
    dy: number,
    dz: number,
  ): void {
    const axis = face.normalAxis;
    const plane = face.origin[axis];
    this.t = axis === 0 ? (plane - ox) / dx : axis === 1 ? (plane - oy) / dy : (plane - oz) / dz;
    this.face = index;
    this.mesh = -1;
  }

  /**
   * Returns whether a bundle of rays from one point towards one face reaches it without an obstacle.
   * @param planes the bundle's four sides: normals that point inwards, three numbers each
   * @param around the low and the high corner of a box around the bundle
   */
  isClear(
    ox: number,
    oy: number,
    oz: number,
    planes: Float64Array,
    around: Float64Array,
    face: SceneFace,
  ): boolean {
    const { nodeBounds, links, order, stack } = this;
    const axis = face.normalAxis;
    const plane = face.origin[axis];
    const sign = face.normalSign;
    let depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
      const node = stack[--depth] as number;
      if (!this.touches(nodeBounds, node * 6, ox, oy, oz, planes, around, axis, plane, sign)) continue;
      const first = links[node * 2] as number;
      const count = links[node * 2 + 1] as number;
      if (count === 0) {
        stack[depth++] = first;
        stack[depth++] = first + 1;
        continue;
      }
      for (let i = first; i < first + count; i++) {
        if (
          this.touches(
            this.primitiveBounds,
            (order[i] as number) * 6,
            ox,
            oy,
            oz,
            planes,
            around,
            axis,
            plane,
            sign,
          )
        )
          return false;
      }
    }
    return true;
  }

  /** Returns whether a box may reach into a bundle in front of a face's plane. */
  private touches(
    boxes: Float32Array | Float64Array,
    at: number,
    ox: number,
    oy: number,
    oz: number,
    planes: Float64Array,
    around: Float64Array,
    axis: number,
    plane: number,
    sign: number,
  ): boolean {
    const front = sign > 0 ? (boxes[at + 3 + axis] as number) - plane : plane - (boxes[at + axis] as number);
    if (front <= 1e-6) return false;
    for (let k = 0; k < 3; k++) {
      if ((boxes[at + 3 + k] as number) < (around[k] as number)) return false;
      if ((boxes[at + k] as number) > (around[k + 3] as number)) return false;
    }
    for (let k = 0; k < 12; k += 3) {
      const nx = planes[k] as number;
      const ny = planes[k + 1] as number;
      const nz = planes[k + 2] as number;
      // This is the corner that lies farthest inwards.
      const x = (boxes[nx > 0 ? at + 3 : at] as number) - ox;
      const y = (boxes[ny > 0 ? at + 4 : at + 1] as number) - oy;
      const z = (boxes[nz > 0 ? at + 5 : at + 2] as number) - oz;
      if (nx * x + ny * y + nz * z < -0.01) return false;
    }
    return true;
  }

  private traverse(
    ox: number,
    oy: number,
    oz: number,
    dirX: number,
    dirY: number,
    dirZ: number,
    limit: number,
    stopsAtFirst: boolean,
  ): boolean {
    const dx = Math.abs(dirX) < 1e-9 ? 1e-9 : dirX;
    const dy = Math.abs(dirY) < 1e-9 ? 1e-9 : dirY;
    const dz = Math.abs(dirZ) < 1e-9 ? 1e-9 : dirZ;
    const ix = 1 / dx;
    const iy = 1 / dy;
    const iz = 1 / dz;
    const nx = ox * ix;
    const ny = oy * iy;
    const nz = oz * iz;
    // These are the indices of the box sides that a ray of this direction meets first.
    const x0 = dx < 0 ? 3 : 0;
    const y0 = dy < 0 ? 4 : 1;
    const z0 = dz < 0 ? 5 : 2;
    const x1 = 3 - x0;
    const y1 = 5 - y0;
    const z1 = 7 - z0;
    const { nodeBounds, links, order, stack, entryDistances, rects, holes, triangles, rectCount } = this;
    let best = limit;
    let hitRect = -1;
    let hitTriangle = -1;
    let hitB1 = 0;
    let hitB2 = 0;
    let depth = 0;
    let node = 0;
    for (;;) {
      const link = node * 2;
      const first = links[link] as number;
      const count = links[link + 1] as number;
      if (count === 0) {
        // Both children's boxes are tested before either is entered; the nearer one comes first.
        const l = first * 6;
        let lowL = (nodeBounds[l + x0] as number) * ix - nx;
        let highL = (nodeBounds[l + x1] as number) * ix - nx;
        let a = (nodeBounds[l + y0] as number) * iy - ny;
        let b = (nodeBounds[l + y1] as number) * iy - ny;
        if (a > lowL) lowL = a;
        if (b < highL) highL = b;
        a = (nodeBounds[l + z0] as number) * iz - nz;
        b = (nodeBounds[l + z1] as number) * iz - nz;
        if (a > lowL) lowL = a;
        if (b < highL) highL = b;
        const r = l + 6;
        let lowR = (nodeBounds[r + x0] as number) * ix - nx;
        let highR = (nodeBounds[r + x1] as number) * ix - nx;
        a = (nodeBounds[r + y0] as number) * iy - ny;
        b = (nodeBounds[r + y1] as number) * iy - ny;
        if (a > lowR) lowR = a;
        if (b < highR) highR = b;
        a = (nodeBounds[r + z0] as number) * iz - nz;
        b = (nodeBounds[r + z1] as number) * iz - nz;
        if (a > lowR) lowR = a;
        if (b < highR) highR = b;
        const intoLeft = lowL <= highL && highL >= 0 && lowL <= best;
        const intoRight = lowR <= highR && highR >= 0 && lowR <= best;
        if (intoLeft) {
          if (intoRight) {
            if (lowL <= lowR) {
              entryDistances[depth] = lowR;
              stack[depth++] = first + 1;
              node = first;
            } else {
              entryDistances[depth] = lowL;
              stack[depth++] = first;
              node = first + 1;
            }
          } else node = first;
          continue;
        }
        if (intoRight) {
          node = first + 1;
          continue;
        }
      } else {
        for (let i = first; i < first + count; i++) {
          const prim = order[i] as number;
          if (prim < rectCount) {
            const r = prim * rectStride;
            const axis = rects[r] as number;
            const plane = rects[r + 1] as number;
            let t: number;
            let p: number;
            let q: number;
            if (axis === 0) {
              t = (plane - ox) * ix;
              if (t <= 1e-6 || t >= best) continue;
              p = oy + dy * t;
              q = oz + dz * t;
            } else if (axis === 1) {
              t = (plane - oy) * iy;
              if (t <= 1e-6 || t >= best) continue;
              p = oz + dz * t;
              q = ox + dx * t;
            } else {
              t = (plane - oz) * iz;
              if (t <= 1e-6 || t >= best) continue;
              p = ox + dx * t;
              q = oy + dy * t;
            }
            if (p < (rects[r + 2] as number) || p > (rects[r + 3] as number)) continue;
            if (q < (rects[r + 4] as number) || q > (rects[r + 5] as number)) continue;
            let isInHole = false;
            const endOfHoles = rects[r + 8] as number;
            for (let h = rects[r + 7] as number; h < endOfHoles; h++) {
              const o = h * 4;
              if (
                p > (holes[o] as number) &&
                p < (holes[o + 1] as number) &&
                q > (holes[o + 2] as number) &&
                q < (holes[o + 3] as number)
              ) {
                isInHole = true;
                break;
              }
            }
            if (isInHole) continue;
            if (stopsAtFirst) return true;
            best = t;
            hitRect = prim;
          } else {
            // Algorithm of Möller & Trumbore, "Fast, minimum storage ray/triangle intersection", 1997.
            const k = prim - rectCount;
            const o = k * triangleStride;
            const e1x = triangles[o + 3] as number;
            const e1y = triangles[o + 4] as number;
            const e1z = triangles[o + 5] as number;
            const e2x = triangles[o + 6] as number;
            const e2y = triangles[o + 7] as number;
            const e2z = triangles[o + 8] as number;
            const px = dy * e2z - dz * e2y;
            const py = dz * e2x - dx * e2z;
            const pz = dx * e2y - dy * e2x;
            const det = e1x * px + e1y * py + e1z * pz;
            if (det > -1e-14 && det < 1e-14) continue;
            const inv = 1 / det;
            const sx = ox - (triangles[o] as number);
            const sy = oy - (triangles[o + 1] as number);
            const sz = oz - (triangles[o + 2] as number);
            const u = (sx * px + sy * py + sz * pz) * inv;
            if (u < 0 || u > 1) continue;
            const qx = sy * e1z - sz * e1y;
            const qy = sz * e1x - sx * e1z;
            const qz = sx * e1y - sy * e1x;
            const v = (dx * qx + dy * qy + dz * qz) * inv;
            if (v < 0 || u + v > 1) continue;
            const t = (e2x * qx + e2y * qy + e2z * qz) * inv;
            if (t <= 1e-6 || t >= best) continue;
            if (stopsAtFirst) return true;
            best = t;
            hitRect = -1;
            hitTriangle = k;
            hitB1 = u;
            hitB2 = v;
          }
        }
      }
      // Boxes farther away than the current nearest hit are skipped.
      for (;;) {
        if (depth === 0) {
          node = -1;
          break;
        }
        depth--;
        if ((entryDistances[depth] as number) <= best) {
          node = stack[depth] as number;
          break;
        }
      }
      if (node < 0) break;
    }
    if (hitRect < 0 && hitTriangle < 0) return false;
    this.t = best;
    if (hitRect >= 0) {
      this.face = this.faceOf[hitRect] as number;
      this.mesh = -1;
    } else {
      this.face = -1;
      this.mesh = this.meshOf[hitTriangle] as number;
      this.triangle = this.triangleOf[hitTriangle] as number;
      this.b1 = hitB1;
      this.b2 = hitB2;
    }
    return true;
  }
}
