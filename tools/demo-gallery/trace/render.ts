/** Renders images: one ray per pixel, fewer on plain surfaces, more on edges, and reflections in polished surfaces. */
import { byteOfLinear, tone } from "../color";
import { random } from "../noise";
import type { SceneFace } from "../scene/geometry";
import type { GalleryScene } from "../scene/scene";
import { type Camera, createRaySetter, type Ray } from "./camera";
import { addReflections, margin, type RowBuffer } from "./reflections";
import type { Shader } from "./shade";
import type { Tracer } from "./tracer";

/** Side of the tiles that are first examined as a whole, in pixels. */
const tileSize = 16;

/** Side to which tiles with more than one surface are divided, in pixels. */
const smallTile = 8;

/** Share of a panorama's height, at its top and at its bottom, in which every pixel is examined, because the rays through a tile's corners nearly coincide there. */
const poles = 0.02;

/** Reflections weaker than this share are traced in one pixel of four, which is enough after the blur. */
const faint = 0.05;

/** Rays of a pixel on an edge, evenly distributed over it. */
const edgeRays: readonly (readonly [number, number])[] = [
  [0.08, 0.58],
  [0.25, 0.08],
  [0.42, 0.75],
  [0.58, 0.25],
  [0.75, 0.92],
  [0.92, 0.42],
];

type SetRay = (x: number, y: number, ray: Ray) => void;

/** Renders rows of an image. */
export class Renderer {
  private readonly ray: Ray = { ox: 0, oy: 0, oz: 0, dx: 0, dy: 0, dz: 0, spread: 0, perspective: true };
  private readonly corners = new Float64Array(12);
  private readonly sidePlanes = new Float64Array(12);
  private readonly bounds = new Float64Array(6);
  private readonly cornerColors = new Float64Array(12);
  /** Longer side in metres of the face's part in the last tile that one face fills. */
  private span = 0;
  /** Result of the last ray: its surface, its colour, and the share and colour of its reflection if there is one. */
  private id = 0;
  private r = 0;
  private g = 0;
  private b = 0;
  private share = 0;
  private hasMirror = false;
  private mr = 0;
  private mg = 0;
  private mb = 0;

  constructor(
    private readonly scene: GalleryScene,
    private readonly tracer: Tracer,
    private readonly shader: Shader,
    private readonly background: readonly [number, number, number],
  ) {}

  /**
   * Renders rows `from`…`to` of an image.
   * @param out three sRGB bytes per pixel for the whole image
   */
  renderRows(camera: Camera, width: number, height: number, from: number, to: number, out: Uint8Array): void {
    const top = Math.max(0, from - margin);
    const bottom = Math.min(height, to + margin);
    const count = (bottom - top) * width;
    const rows: RowBuffer = {
      width,
      height: bottom - top,
      ids: new Int32Array(count),
      base: new Float32Array(count * 3),
      shares: new Float32Array(count),
      mirror: new Float32Array(count * 4),
    };
    const { ids, base } = rows;
    const setRay = createRaySetter(camera, width, height);
    const isPanorama = camera.kind === "panorama";
    for (let ty = top; ty < bottom; ty += tileSize)
      for (let tx = 0; tx < width; tx += tileSize)
        this.renderTile(rows, camera, height, setRay, top, tx, ty, tileSize);
    addReflections(rows);
    for (let y = from; y < to; y++) {
      for (let x = 0; x < width; x++) {
        const i = (y - top) * width + x;
        const id = ids[i];
        const left = x > 0 ? i - 1 : isPanorama ? i + width - 1 : i;
        const right = x < width - 1 ? i + 1 : isPanorama ? i - width + 1 : i;
        const up = y > top ? i - width : i;
        const down = y < bottom - 1 ? i + width : i;
        const isEdge = ids[left] !== id || ids[right] !== id || ids[up] !== id || ids[down] !== id;
        let r: number;
        let g: number;
        let b: number;
        if (isEdge) {
          r = g = b = 0;
          for (let k = 0; k < edgeRays.length; k++) {
            const offset = edgeRays[k] as readonly [number, number];
            setRay(x + offset[0], y + offset[1], this.ray);
            this.traceRay(y * width + x, -1, true);
            const ownShare = this.hasMirror ? 1 - this.share : 1;
            // Rays are averaged after the tone curve; otherwise a bright surface would outweigh a dark one beside it.
            r += tone(this.r * ownShare + this.mr * this.share);
            g += tone(this.g * ownShare + this.mg * this.share);
            b += tone(this.b * ownShare + this.mb * this.share);
          }
          r /= edgeRays.length;
          g /= edgeRays.length;
          b /= edgeRays.length;
        } else {
          r = tone(base[i * 3] as number);
          g = tone(base[i * 3 + 1] as number);
          b = tone(base[i * 3 + 2] as number);
        }
        // Noise of half a level prevents visible bands in wide gradients.
        const byteOffset = (y * width + x) * 3;
        const dither = random(x, y, 7) - 0.5;
        out[byteOffset] = clampByte(byteOfLinear(r) + dither);
        out[byteOffset + 1] = clampByte(byteOfLinear(g) + dither);
        out[byteOffset + 2] = clampByte(byteOfLinear(b) + dither);
      }
    }
  }

  /** Renders a tile: by interpolation, in smaller tiles, or by pixel. */
  private renderTile(
    rows: RowBuffer,
    camera: Camera,
    height: number,
    setRay: SetRay,
    top: number,
    x0: number,
    y0: number,
    size: number,
  ): void {
    const { width, ids, base, shares, mirror } = rows;
    const x1 = Math.min(width, x0 + size);
    const y1 = Math.min(top + rows.height, y0 + size);
    const soleFace = this.findSoleFace(camera, height, setRay, x0, y0, x1, y1);
    if (soleFace < 0 && size > smallTile) {
      const half = size / 2;
      for (const [x, y] of [
        [x0, y0],
        [x0 + half, y0],
        [x0, y0 + half],
        [x0 + half, y0 + half],
      ] as const)
        if (x < x1 && y < y1) this.renderTile(rows, camera, height, setRay, top, x, y, half);
      return;
    }
    if (soleFace >= 0 && this.shader.isPlain(soleFace)) {
      // Light is known at each sample of a face, and is linear between two samples.
      const cells = this.span / (this.scene.faces[soleFace] as SceneFace).grain;
      const partSize = Math.max(cells <= 1 ? size : 1, 2 ** Math.floor(Math.log2(size / cells)));
      if (partSize > 2) {
        for (let y = y0; y < y1; y += partSize)
          for (let x = x0; x < x1; x += partSize)
            this.fillInterpolated(
              rows,
              soleFace,
              setRay,
              top,
              x,
              y,
              Math.min(x1, x + partSize),
              Math.min(y1, y + partSize),
            );
        return;
      }
    }
    for (let y = y0; y < y1; y++) {
      for (let x = x0; x < x1; x++) {
        setRay(x + 0.5, y + 0.5, this.ray);
        this.traceRay(y * width + x, soleFace, ((x | y) & 1) === 0);
        const i = (y - top) * width + x;
        ids[i] = this.id;
        base[i * 3] = this.r;
        base[i * 3 + 1] = this.g;
        base[i * 3 + 2] = this.b;
        shares[i] = this.share;
        if (this.hasMirror) {
          mirror[i * 4] = this.mr;
          mirror[i * 4 + 1] = this.mg;
          mirror[i * 4 + 2] = this.mb;
          mirror[i * 4 + 3] = 1;
        }
      }
    }
  }

  /** Fills a part of a tile, which shows one face of one colour, with colours that are interpolated between the part's corners. */
  private fillInterpolated(
    { width, ids, base }: RowBuffer,
    face: number,
    setRay: SetRay,
    top: number,
    x0: number,
    y0: number,
    x1: number,
    y1: number,
  ): void {
    const { ray, cornerColors } = this;
    for (let k = 0; k < 4; k++) {
      setRay((k & 1 ? x1 : x0 + 1) - 0.5, (k & 2 ? y1 : y0 + 1) - 0.5, ray);
      this.traceRay(0, face, false);
      cornerColors[k * 3] = this.r;
      cornerColors[k * 3 + 1] = this.g;
      cornerColors[k * 3 + 2] = this.b;
    }
    const stepX = 1 / Math.max(1, x1 - x0 - 1);
    const stepY = 1 / Math.max(1, y1 - y0 - 1);
    for (let c = 0; c < 3; c++) {
      const [a, b, d, e] = [
        cornerColors[c],
        cornerColors[c + 3],
        cornerColors[c + 6],
        cornerColors[c + 9],
      ] as [number, number, number, number];
      for (let y = y0; y < y1; y++) {
        const t = (y - y0) * stepY;
        const left = a + (d - a) * t;
        const step = (b + (e - b) * t - left) * stepX;
        const row = (y - top) * width;
        for (let x = x0; x < x1; x++) base[(row + x) * 3 + c] = left + step * (x - x0);
      }
    }
    for (let y = y0; y < y1; y++) ids.fill(face, (y - top) * width + x0, (y - top) * width + x1);
  }

  /** Returns the face that alone fills a tile of the image, or −1 if there may be others. */
  private findSoleFace(
    camera: Camera,
    height: number,
    setRay: SetRay,
    x0: number,
    y0: number,
    x1: number,
    y1: number,
  ): number {
    if (camera.kind === "plan") return -1;
    if (camera.kind === "panorama" && (y0 < height * poles || y1 > height * (1 - poles))) return -1;
    const { ray, tracer, corners, sidePlanes, bounds, scene } = this;
    let index = -1;
    let u0 = Infinity;
    let u1 = -Infinity;
    let v0 = Infinity;
    let v1 = -Infinity;
    for (let k = 0; k < 4; k++) {
      setRay(k === 1 || k === 2 ? x1 : x0, k >= 2 ? y1 : y0, ray);
      if (!tracer.closest(ray.ox, ray.oy, ray.oz, ray.dx, ray.dy, ray.dz, 200)) return -1;
      if (tracer.face < 0 || (k > 0 && tracer.face !== index)) return -1;
      index = tracer.face;
      corners[k * 3] = ray.dx;
      corners[k * 3 + 1] = ray.dy;
      corners[k * 3 + 2] = ray.dz;
      const f = scene.faces[index] as SceneFace;
      const t = tracer.t;
      for (let axis = 0; axis < 3; axis++) {
        const from = axis === 0 ? ray.ox : axis === 1 ? ray.oy : ray.oz;
        const to = this.coordinateAt(axis, t);
        bounds[axis] = Math.min(k === 0 ? from : (bounds[axis] as number), to - 0.01);
        bounds[axis + 3] = Math.max(k === 0 ? from : (bounds[axis + 3] as number), to + 0.01);
      }
      const u = this.coordinateAt(f.uAxis, t) - f.origin[f.uAxis];
      const v = this.coordinateAt(f.vAxis, t) - f.origin[f.vAxis];
      u0 = Math.min(u0, u * f.uSign);
      u1 = Math.max(u1, u * f.uSign);
      v0 = Math.min(v0, v * f.vSign);
      v1 = Math.max(v1, v * f.vSign);
    }
    const f = scene.faces[index] as SceneFace;
    this.span = Math.max(u1 - u0, v1 - v0);
    if (f.holes.some((h) => h.u1 > u0 && h.u0 < u1 && h.v1 > v0 && h.v0 < v1)) return -1;
    for (let k = 0; k < 4; k++) {
      const a = k * 3;
      const b = ((k + 1) % 4) * 3;
      const c = ((k + 2) % 4) * 3;
      let nx =
        (corners[a + 1] as number) * (corners[b + 2] as number) -
        (corners[a + 2] as number) * (corners[b + 1] as number);
      let ny =
        (corners[a + 2] as number) * (corners[b] as number) -
        (corners[a] as number) * (corners[b + 2] as number);
      let nz =
        (corners[a] as number) * (corners[b + 1] as number) -
        (corners[a + 1] as number) * (corners[b] as number);
      const inwards =
        nx * (corners[c] as number) + ny * (corners[c + 1] as number) + nz * (corners[c + 2] as number);
      const l = Math.sqrt(nx * nx + ny * ny + nz * nz) * (inwards < 0 ? -1 : 1);
      nx /= l;
      ny /= l;
      nz /= l;
      sidePlanes[a] = nx;
      sidePlanes[a + 1] = ny;
      sidePlanes[a + 2] = nz;
    }
    return tracer.isClear(ray.ox, ray.oy, ray.oz, sidePlanes, bounds, f) ? index : -1;
  }

  private coordinateAt(axis: number, t: number): number {
    const ray = this.ray;
    return axis === 0 ? ray.ox + ray.dx * t : axis === 1 ? ray.oy + ray.dy * t : ray.oz + ray.dz * t;
  }

  /**
   * Traces `ray`.
   * @param knownFace the face that the ray meets, or −1 if it is not known yet
   * @param closely also traces weak reflections
   */
  private traceRay(seed: number, knownFace: number, closely: boolean): void {
    const { ray, tracer, shader } = this;
    this.mr = this.mg = this.mb = this.share = 0;
    this.hasMirror = false;
    if (knownFace >= 0)
      tracer.recordHit(
        knownFace,
        this.scene.faces[knownFace] as SceneFace,
        ray.ox,
        ray.oy,
        ray.oz,
        ray.dx,
        ray.dy,
        ray.dz,
      );
    else if (!tracer.closest(ray.ox, ray.oy, ray.oz, ray.dx, ray.dy, ray.dz, 200)) {
      this.r = this.background[0];
      this.g = this.background[1];
      this.b = this.background[2];
      this.id = -1;
      return;
    }
    const t = tracer.t;
    const face = tracer.face;
    const mesh = tracer.mesh;
    const triangle = tracer.triangle;
    const b1 = tracer.b1;
    const b2 = tracer.b2;
    this.id = face >= 0 ? face : 1_000_000 + mesh * 8 + this.facingOf(mesh, triangle);
    const x = ray.ox + ray.dx * t;
    const y = ray.oy + ray.dy * t;
    const z = ray.oz + ray.dz * t;
    const size = ray.perspective ? ray.spread * t : ray.spread;
    this.shadeHit(x, y, z, ray.dx, ray.dy, ray.dz, size, face, mesh, triangle, b1, b2);
    this.r = shader.r;
    this.g = shader.g;
    this.b = shader.b;
    const m = face >= 0 ? shader.materialOfFace(face) : shader.materialOfMesh(mesh);
    if (m.gloss === 0) return;

    let nx = 0;
    let ny = 0;
    let nz = 0;
    if (face >= 0) {
      const f = this.scene.faces[face] as SceneFace;
      if (f.normalAxis === 0) nx = f.normalSign;
      else if (f.normalAxis === 1) ny = f.normalSign;
      else nz = f.normalSign;
    } else {
      const { normals, indices } = this.scene.meshes[mesh] as { normals: Float32Array; indices: Uint32Array };
      const [i0, i1, i2] = [indices[triangle * 3], indices[triangle * 3 + 1], indices[triangle * 3 + 2]] as [
        number,
        number,
        number,
      ];
      const b0 = 1 - b1 - b2;
      nx =
        (normals[i0 * 3] as number) * b0 +
        (normals[i1 * 3] as number) * b1 +
        (normals[i2 * 3] as number) * b2;
      ny =
        (normals[i0 * 3 + 1] as number) * b0 +
        (normals[i1 * 3 + 1] as number) * b1 +
        (normals[i2 * 3 + 1] as number) * b2;
      nz =
        (normals[i0 * 3 + 2] as number) * b0 +
        (normals[i1 * 3 + 2] as number) * b1 +
        (normals[i2 * 3 + 2] as number) * b2;
      const l = Math.sqrt(nx * nx + ny * ny + nz * nz);
      nx /= l;
      ny /= l;
      nz /= l;
    }
    const cos = -(ray.dx * nx + ray.dy * ny + ray.dz * nz);
    if (cos <= 0.001) return;
    // Schlick's approximation of Fresnel's law (1994). A worn floor reflects only at a flat angle; lacquer and glaze (gloss ≥ 0.8) reflect at any angle.
    const slant = (1 - cos) * (1 - cos);
    const share = ((m.gloss >= 0.8 ? 0.04 : 0) + 0.96 * slant * slant * (1 - cos)) * m.gloss;
    if (share < 0.008) return;
    this.share = share;
    if (share < faint && !closely) return;
    const blur = m.blur;
    let rx = ray.dx + 2 * cos * nx + (random(seed, 1) + random(seed, 2) - 1) * blur;
    let ry = ray.dy + 2 * cos * ny + (random(seed, 3) + random(seed, 4) - 1) * blur;
    let rz = ray.dz + 2 * cos * nz + (random(seed, 5) + random(seed, 6) - 1) * blur;
    const l = Math.sqrt(rx * rx + ry * ry + rz * rz);
    rx /= l;
    ry /= l;
    rz /= l;
    const offset = 0.003;
    const px = x + nx * offset;
    const py = y + ny * offset;
    const pz = z + nz * offset;
    if (!tracer.closest(px, py, pz, rx, ry, rz, 60)) return;
    const d = tracer.t;
    const footprint = (ray.spread + blur) * (d + t);
    this.shadeHit(
      px + rx * d,
      py + ry * d,
      pz + rz * d,
      rx,
      ry,
      rz,
      footprint,
      tracer.face,
      tracer.mesh,
      tracer.triangle,
      tracer.b1,
      tracer.b2,
    );
    this.hasMirror = true;
    this.mr = shader.r;
    this.mg = shader.g;
    this.mb = shader.b;
  }

  /** Returns which of six directions a triangle faces. Pixels on edges between directions get more rays. */
  private facingOf(mesh: number, triangle: number): number {
    const { normals, indices } = this.scene.meshes[mesh] as { normals: Float32Array; indices: Uint32Array };
    const offset = (indices[triangle * 3] as number) * 3;
    const x = normals[offset] as number;
    const y = normals[offset + 1] as number;
    const z = normals[offset + 2] as number;
    const ax = Math.abs(x);
    const ay = Math.abs(y);
    const az = Math.abs(z);
    if (ax >= ay && ax >= az) return x > 0 ? 1 : 2;
    if (ay >= az) return y > 0 ? 3 : 4;
    return z > 0 ? 5 : 6;
  }

  private shadeHit(
    x: number,
    y: number,
    z: number,
    dx: number,
    dy: number,
    dz: number,
    size: number,
    face: number,
    mesh: number,
    triangle: number,
    b1: number,
    b2: number,
  ): void {
    const { shader } = this;
    if (face < 0) {
      shader.shadeMesh(mesh, triangle, b1, b2);
      return;
    }
    const f = this.scene.faces[face] as SceneFace;
    const along = f.normalAxis === 0 ? dx : f.normalAxis === 1 ? dy : dz;
    if (along * f.normalSign > 0) {
      shader.r = shader.g = shader.b = 0.02;
      return;
    }
    const pu = f.uAxis === 0 ? x : f.uAxis === 1 ? y : z;
    const pv = f.vAxis === 0 ? x : f.vAxis === 1 ? y : z;
    const u = (pu - f.origin[f.uAxis]) * f.uSign;
    const v = (pv - f.origin[f.vAxis]) * f.vSign;
    let du = (f.uAxis === 0 ? dx : f.uAxis === 1 ? dy : dz) * f.uSign;
    let dv = (f.vAxis === 0 ? dx : f.vAxis === 1 ? dy : dz) * f.vSign;
    const l = Math.sqrt(du * du + dv * dv) || 1;
    du /= l;
    dv /= l;
    const cos = Math.max(0.08, Math.abs(along));
    shader.shadeFace(face, u, v, size, size / cos, du, dv);
  }
}

function clampByte(x: number): number {
  return x <= 0 ? 0 : x >= 255 ? 255 : (x + 0.5) | 0;
}
