/** The gallery, lit: bakes once, then takes pictures and textures of it. */
import sharp from "sharp";
import type { Rgb } from "../color";
import { type PrintId, prints } from "../prints/prints";
import type { Face } from "../scene/geometry";
import { type MaterialId, materialOf } from "../scene/materials";
import { buildScene, type Scene } from "../scene/scene";
import { surfaces } from "../scene/surfaces";
import { channels } from "./bake";
import type { Camera } from "./camera";
import { type Grids, layOut } from "./grids";
import { finishImage, newImage, type SharedImage, shareImage } from "./images";
import { gatherLight, type VariantId } from "./light";
import { Pool } from "./pool";

/** Pixels of a picture: three sRGB bytes each, first row on top. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** A rectangle of a texture that one face's light and colour go to. */
export interface TexturePart {
  readonly face: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export class Studio {
  readonly scene: Scene;
  readonly grids: Grids;
  /** Six numbers a fine sample (see bake.ts). */
  readonly light: Float32Array;
  private readonly images = new Map<string, SharedImage>();
  private readonly means = new Map<string, Rgb>();
  private readonly memory;

  private constructor(
    private readonly pool: Pool,
    rays: number,
  ) {
    this.scene = buildScene();
    this.grids = layOut(this.scene);
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
   * Starts the threads, draws the floors and sends light through the rooms; independent of the pictures on the walls.
   * @param rays how many a coarse sample sends out to see what lights it
   */
  static async open(rays: number): Promise<Studio> {
    const pool = await Pool.start();
    const studio = new Studio(pool, rays);
    await pool.everywhere({ kind: "memory", memory: studio.memory });
    return studio;
  }

  /** Traces where light goes. Needs no colours yet, so it can run while the pictures are being made. */
  async trace(): Promise<void> {
    const { pool, grids } = this;
    const direct = (between: boolean) =>
      pool.split(0, grids.fineCount, 24, (from, to) => ({ kind: "direct", from, to, between }));
    const jobs: Promise<void>[] = [];
    for (const { id, width, height } of surfaces()) {
      const image = newImage(width, height);
      const painted = pool
        .split(0, height, 6, (from, to) => ({ kind: "surface", id, image, from, to }))
        .then(() => this.keep(id, image));
      jobs.push(painted);
    }
    jobs.push(
      pool.split(0, grids.coarseCount, 24, (from, to) => ({ kind: "gather", from, to })),
      direct(false).then(() => direct(true)),
    );
    await Promise.all(jobs);
  }

  /** Hands in a picture that a face shows. */
  addImage(id: string, { data, width, height }: Pixels): void {
    this.keep(id, shareImage(data, width, height));
  }

  private keep(id: string, image: SharedImage): void {
    this.means.set(id, finishImage(image));
    this.images.set(id, image);
  }

  /** Adds the light up, once all pictures are there. */
  async settle(): Promise<void> {
    const albedoOf = (material: MaterialId, image: string | undefined): Rgb => {
      const own = materialOf(material).albedo;
      const mean = image ? this.means.get(image) : undefined;
      return mean ? [own[0] * mean[0], own[1] * mean[1], own[2] * mean[2]] : own;
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
    await this.pool.everywhere({ kind: "images", images: [...this.images] });
  }

  /**
   * Makes a print.
   * @param longest pixels of its longer side
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

  async photograph(
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

  face(index: number): Face {
    return this.scene.faces[index] as Face;
  }

  close(): Promise<void> {
    return this.pool.stop();
  }
}
