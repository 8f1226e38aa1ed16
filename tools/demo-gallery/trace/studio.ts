/** The lit gallery: bakes once, then renders images and textures of it. */
import sharp from "sharp";
import type { Rgb } from "../color";
import { type PrintId, prints } from "../prints/prints";
import { type MaterialId, materialOf } from "../scene/materials";
import { buildScene, type GalleryScene } from "../scene/scene";
import { surfaces } from "../scene/surfaces";
import { channels } from "./bake";
import type { Camera } from "./camera";
import { type Grids, layOutSamples } from "./grids";
import { finishImage, newImage, type SharedImage, shareImage } from "./images";
import { gatherLight, type VariantId } from "./light";
import { Pool } from "./pool";

/** Pixels of an image: three sRGB bytes each, top row first. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** The rectangle of a texture for one face's light and colour. */
export interface TexturePart {
  readonly face: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The gallery and the threads that compute its light and its images. */
export class Studio {
  readonly scene: GalleryScene;
  readonly grids: Grids;
  /** Six numbers per fine sample (see bake.ts). */
  readonly light: Float32Array;
  private readonly images = new Map<string, SharedImage>();
  private readonly meanColors = new Map<string, Rgb>();
  private readonly memory;

  private constructor(
    private readonly pool: Pool,
    rays: number,
  ) {
    this.scene = buildScene();
    this.grids = layOutSamples(this.scene);
    const { fineCount, coarseCount } = this.grids;
    this.memory = {
      fineDirect: new SharedArrayBuffer(fineCount * 2 * 4),
      coarseDirect: new SharedArrayBuffer(coarseCount * 2 * 4),
      hits: new SharedArrayBuffer(coarseCount * rays * 4),
      light: new SharedArrayBuffer(fineCount * channels * 4),
    };
    this.light = new Float32Array(this.memory.light);
  }

  /**
   * Starts the threads and gives them the memory that they share.
   * @param rays number of rays with which a coarse sample gathers light
   */
  static async open(rays: number): Promise<Studio> {
    const pool = await Pool.start();
    const studio = new Studio(pool, rays);
    await pool.runOnAllWorkers({ kind: "memory", memory: studio.memory });
    return studio;
  }

  /** Draws the surfaces and traces the paths of light. It does not need the images that `addImage` adds. */
  async trace(): Promise<void> {
    const { pool, grids } = this;
    const traceDirect = (isSecondPass: boolean) =>
      pool.split(0, grids.fineCount, 24, (from, to) => ({ kind: "direct", from, to, isSecondPass }));
    const jobs: Promise<void>[] = [];
    for (const { id, width, height } of surfaces()) {
      const image = newImage(width, height);
      const painting = pool
        .split(0, height, 6, (from, to) => ({ kind: "surface", id, image, from, to }))
        .then(() => this.storeImage(id, image));
      jobs.push(painting);
    }
    jobs.push(
      pool.split(0, grids.coarseCount, 24, (from, to) => ({ kind: "gather", from, to })),
      traceDirect(false).then(() => traceDirect(true)),
    );
    await Promise.all(jobs);
  }

  /** Adds an image that a face shows. */
  addImage(id: string, { data, width, height }: Pixels): void {
    this.storeImage(id, shareImage(data, width, height));
  }

  private storeImage(id: string, image: SharedImage): void {
    this.meanColors.set(id, finishImage(image));
    this.images.set(id, image);
  }

  /** Combines the light. All images must have been added. */
  async combineLight(): Promise<void> {
    const albedoOf = (material: MaterialId, image: string | undefined): Rgb => {
      const ownAlbedo = materialOf(material).albedo;
      const mean = image ? this.meanColors.get(image) : undefined;
      return mean ? [ownAlbedo[0] * mean[0], ownAlbedo[1] * mean[1], ownAlbedo[2] * mean[2]] : ownAlbedo;
    };
    gatherLight(
      this.scene,
      this.grids,
      new Float32Array(this.memory.fineDirect),
      new Float32Array(this.memory.coarseDirect),
      new Uint32Array(this.memory.hits),
      albedoOf,
      this.light,
    );
    await this.pool.runOnAllWorkers({ kind: "images", images: [...this.images] });
  }

  /**
   * Makes a print.
   * @param longest longer side in pixels
   */
  async print(id: PrintId, aspect: number, longest: number): Promise<Pixels> {
    const width = Math.round(aspect >= 1 ? longest : longest * aspect);
    const height = Math.round(aspect >= 1 ? longest / aspect : longest);
    const masks = await Promise.all(
      prints[id].blocks(width, height).map(async (block) => {
        const pixels = await sharp(Buffer.from(block), { limitInputPixels: false })
          .removeAlpha()
          .toColourspace("b-w")
          .raw()
          .toBuffer();
        const mask = new SharedArrayBuffer(width * height);
        new Uint8Array(mask).set(pixels.subarray(0, width * height));
        return mask;
      }),
    );
    const out = new SharedArrayBuffer(width * height * 3);
    await this.pool.split(0, height, 4, (from, to) => ({
      kind: "print",
      id,
      width,
      height,
      masks,
      from,
      to,
      out,
    }));
    return { width, height, data: new Uint8Array(out) };
  }

  async renderImage(
    camera: Camera,
    width: number,
    height: number,
    variant: VariantId,
    open = false,
  ): Promise<Pixels> {
    const out = new SharedArrayBuffer(width * height * 3);
    await this.pool.split(0, height, Math.max(4, Math.ceil(height / 96)), (from, to) => ({
      kind: "render",
      camera,
      variant,
      width,
      height,
      from,
      to,
      out,
      open,
    }));
    return { width, height, data: new Uint8Array(out) };
  }

  /** Bakes faces into one texture. */
  async bakeTexture(
    width: number,
    height: number,
    parts: readonly TexturePart[],
    padding: number,
    inclusive: boolean,
  ): Promise<Pixels> {
    const out = new SharedArrayBuffer(width * height * 3);
    await Promise.all(
      parts.map((part) =>
        this.pool.run({ kind: "texture", ...part, out, stride: width, padding, inclusive }),
      ),
    );
    return { width, height, data: new Uint8Array(out) };
  }

  close(): Promise<void> {
    return this.pool.stop();
  }
}
