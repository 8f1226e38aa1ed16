/** Computes the colour of a point of the scene: its material in the baked light. */
import { linearOfByte } from "../color";
import type { SceneFace } from "../scene/geometry";
import { type Material, materialOf } from "../scene/materials";
import type { GalleryScene } from "../scene/scene";
import { channels } from "./bake";
import type { Grid, Grids } from "./grids";
import type { ImageLevel, SharedImage } from "./images";
import type { Variant } from "./light";

interface MaterialImage {
  readonly data: Uint8Array;
  readonly image: SharedImage;
}

/** Computes colours in one variant of the light. The result is in fields, so that no object is created per point. */
export class Shader {
  /** The last result: linear and exposed, before the tone curve. */
  r = 0;
  g = 0;
  b = 0;
  private readonly faceMaterials: readonly Required<Material>[];
  private readonly meshMaterials: readonly Required<Material>[];
  private readonly faceImages: readonly (MaterialImage | null)[];
  /** Daylight and lamplight of the variant, times its exposure. */
  private readonly daylightR: number;
  private readonly daylightG: number;
  private readonly daylightB: number;
  private readonly lamplightR: number;
  private readonly lamplightG: number;
  private readonly lamplightB: number;
  /** Albedo of the current point. */
  private albedoR = 0;
  private albedoG = 0;
  private albedoB = 0;

  constructor(
    private readonly scene: GalleryScene,
    private readonly grids: Grids,
    private readonly light: Float32Array,
    images: ReadonlyMap<string, SharedImage>,
    variant: Variant,
  ) {
    this.faceMaterials = scene.faces.map((face) => materialOf(face.material));
    this.meshMaterials = scene.meshes.map((mesh) => materialOf(mesh.material));
    const openedImages = new Map(
      [...images].map(([id, image]) => [id, { image, data: new Uint8Array(image.buffer) }]),
    );
    this.faceImages = scene.faces.map((face) =>
      face.image ? (openedImages.get(face.image.id) ?? null) : null,
    );
    const e = variant.exposure;
    this.daylightR = variant.daylight[0] * e;
    this.daylightG = variant.daylight[1] * e;
    this.daylightB = variant.daylight[2] * e;
    this.lamplightR = variant.lamplight[0] * e;
    this.lamplightG = variant.lamplight[1] * e;
    this.lamplightB = variant.lamplight[2] * e;
  }

  materialOfFace(face: number): Required<Material> {
    return this.faceMaterials[face] as Required<Material>;
  }

  /** Returns whether a face has the same albedo everywhere and no reflection, so that its colour changes only with the light. */
  isPlain(face: number): boolean {
    return !this.faceImages[face] && this.materialOfFace(face).gloss === 0;
  }

  materialOfMesh(mesh: number): Required<Material> {
    return this.meshMaterials[mesh] as Required<Material>;
  }

  /**
   * Shades a point of a face.
   * @param u,v metres
   * @param footprint size of a pixel on the face across the direction (du, dv), in metres
   * @param stretch size of a pixel on the face along that direction, in metres
   * @param du,dv direction of the line of sight, projected onto the face; unit length
   */
  shadeFace(
    index: number,
    u: number,
    v: number,
    footprint: number,
    stretch: number,
    du: number,
    dv: number,
  ): void {
    const face = this.scene.faces[index] as SceneFace;
    const m = this.faceMaterials[index] as Required<Material>;
    if (m.flat) {
      this.r = m.albedo[0];
      this.g = m.albedo[1];
      this.b = m.albedo[2];
      return;
    }
    this.readAlbedo(index, face, m, u, v, footprint, stretch, du, dv);
    const grid = this.grids.fine[index] as Grid;
    const x = Math.min(1, Math.max(0, u / face.width)) * (grid.nu - 1);
    const y = Math.min(1, Math.max(0, v / face.height)) * (grid.nv - 1);
    const x0 = Math.min(grid.nu - 2, x | 0);
    const y0 = Math.min(grid.nv - 2, y | 0);
    const fx = x - x0;
    const fy = y - y0;
    const p = (grid.firstSample + y0 * grid.nu + x0) * channels;
    const q = p + grid.nu * channels;
    const a = (1 - fx) * (1 - fy);
    const b = fx * (1 - fy);
    const c = (1 - fx) * fy;
    const d = fx * fy;
    this.applyLight(m, p, p + channels, q, q + channels, a, b, c, d);
  }

  /** Shades a point of a mesh by its triangle and the weights of the triangle's second and third corner. */
  shadeMesh(index: number, triangle: number, b1: number, b2: number): void {
    const mesh = this.scene.meshes[index];
    if (!mesh) return;
    const m = this.meshMaterials[index] as Required<Material>;
    this.albedoR = m.albedo[0];
    this.albedoG = m.albedo[1];
    this.albedoB = m.albedo[2];
    const first = this.grids.meshFine[index] as number;
    const p = (first + (mesh.indices[triangle * 3] as number)) * channels;
    const q = (first + (mesh.indices[triangle * 3 + 1] as number)) * channels;
    const s = (first + (mesh.indices[triangle * 3 + 2] as number)) * channels;
    this.applyLight(m, p, q, s, p, 1 - b1 - b2, b1, b2, 0);
  }

  /**
   * Computes the colour of a point in the light of four weighted samples.
   * @param p,q,s,t indices of the samples in `light`; each has six values: r, g, b of daylight, then of lamplight
   * @param w0,w1,w2,w3 weights of the samples
   */
  private applyLight(
    m: Required<Material>,
    p: number,
    q: number,
    s: number,
    t: number,
    w0: number,
    w1: number,
    w2: number,
    w3: number,
  ): void {
    const light = this.light;
    const dayR =
      (light[p] as number) * w0 +
      (light[q] as number) * w1 +
      (light[s] as number) * w2 +
      (light[t] as number) * w3;
    const dayG =
      (light[p + 1] as number) * w0 +
      (light[q + 1] as number) * w1 +
      (light[s + 1] as number) * w2 +
      (light[t + 1] as number) * w3;
    const dayB =
      (light[p + 2] as number) * w0 +
      (light[q + 2] as number) * w1 +
      (light[s + 2] as number) * w2 +
      (light[t + 2] as number) * w3;
    const lampR =
      (light[p + 3] as number) * w0 +
      (light[q + 3] as number) * w1 +
      (light[s + 3] as number) * w2 +
      (light[t + 3] as number) * w3;
    const lampG =
      (light[p + 4] as number) * w0 +
      (light[q + 4] as number) * w1 +
      (light[s + 4] as number) * w2 +
      (light[t + 4] as number) * w3;
    const lampB =
      (light[p + 5] as number) * w0 +
      (light[q + 5] as number) * w1 +
      (light[s + 5] as number) * w2 +
      (light[t + 5] as number) * w3;
    this.r =
      this.albedoR * (dayR * this.daylightR + lampR * this.lamplightR) +
      m.daylight * this.daylightR +
      m.lamplight * this.lamplightR;
    this.g =
      this.albedoG * (dayG * this.daylightG + lampG * this.lamplightG) +
      m.daylight * this.daylightG +
      m.lamplight * this.lamplightG;
    this.b =
      this.albedoB * (dayB * this.daylightB + lampB * this.lamplightB) +
      m.daylight * this.daylightB +
      m.lamplight * this.lamplightB;
  }

  private readAlbedo(
    index: number,
    face: SceneFace,
    m: Required<Material>,
    u: number,
    v: number,
    footprint: number,
    stretch: number,
    du: number,
    dv: number,
  ): void {
    const faceImage = this.faceImages[index];
    const mr = m.albedo[0];
    const mg = m.albedo[1];
    const mb = m.albedo[2];
    if (!faceImage || !face.image) {
      this.albedoR = mr;
      this.albedoG = mg;
      this.albedoB = mb;
      return;
    }
    const { image, data } = faceImage;
    const base = image.levels[0];
    if (!base) return;
    const { repeatSize, offset, turned } = face.image;
    const imageWidth = repeatSize ? repeatSize[0] : face.width;
    const imageHeight = repeatSize ? repeatSize[1] : face.height;
    const pixelsPerMetre = base.width / imageWidth;
    const size = footprint * pixelsPerMetre;
    const level = size <= 1 ? 0 : Math.min(image.levels.length - 1, Math.round(Math.log2(size)));
    const taps = stretch > footprint * 1.5 ? Math.min(6, Math.ceil(stretch / footprint)) : 1;
    let r = 0;
    let g = 0;
    let b = 0;
    const { width, height, offset: start } = image.levels[level] as ImageLevel;
    for (let k = 0; k < taps; k++) {
      const shift = taps === 1 ? 0 : ((k + 0.5) / taps - 0.5) * stretch;
      let s = u + du * shift;
      let t = v + dv * shift;
      if (turned) {
        const swap = s;
        s = t;
        t = swap;
      }
      if (offset) {
        s += offset[0];
        t += offset[1];
      }
      let x = (s / imageWidth) * width - 0.5;
      let y = (1 - t / imageHeight) * height - 0.5;
      let x0 = Math.floor(x);
      let y0 = Math.floor(y);
      let x1 = x0 + 1;
      let y1 = y0 + 1;
      x -= x0;
      y -= y0;
      // An image with a size is repeated; one that is fitted to the face ends at its edge.
      if (repeatSize) {
        x0 = ((x0 % width) + width) % width;
        x1 = ((x1 % width) + width) % width;
        y0 = ((y0 % height) + height) % height;
        y1 = ((y1 % height) + height) % height;
      } else {
        x0 = x0 < 0 ? 0 : x0 >= width ? width - 1 : x0;
        x1 = x1 < 0 ? 0 : x1 >= width ? width - 1 : x1;
        y0 = y0 < 0 ? 0 : y0 >= height ? height - 1 : y0;
        y1 = y1 < 0 ? 0 : y1 >= height ? height - 1 : y1;
      }
      const p = start + (y0 * width + x0) * 3;
      const q = start + (y0 * width + x1) * 3;
      const a = start + (y1 * width + x0) * 3;
      const c = start + (y1 * width + x1) * 3;
      const wp = (1 - x) * (1 - y);
      const wq = x * (1 - y);
      const wa = (1 - x) * y;
      const wc = x * y;
      const lin = linearOfByte;
      r +=
        (lin[data[p] as number] as number) * wp +
        (lin[data[q] as number] as number) * wq +
        (lin[data[a] as number] as number) * wa +
        (lin[data[c] as number] as number) * wc;
      g +=
        (lin[data[p + 1] as number] as number) * wp +
        (lin[data[q + 1] as number] as number) * wq +
        (lin[data[a + 1] as number] as number) * wa +
        (lin[data[c + 1] as number] as number) * wc;
      b +=
        (lin[data[p + 2] as number] as number) * wp +
        (lin[data[q + 2] as number] as number) * wq +
        (lin[data[a + 2] as number] as number) * wa +
        (lin[data[c + 2] as number] as number) * wc;
    }
    this.albedoR = (r / taps) * mr;
    this.albedoG = (g / taps) * mg;
    this.albedoB = (b / taps) * mb;
  }
}
