import { type Camera, LoaderUtils, type Material, Mesh, type Object3D, Texture, Vector3 } from "three";
import type { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";
import type { Stage } from "./stage.client";

/** Pixels of a side of what a picture begins as. Surfaces name places of it by shares, so its own shape does not matter. */
const SOFT = 128;
/** As the loader itself decodes them. */
const AS_STORED: ImageBitmapOptions = { premultiplyAlpha: "none", colorSpaceConversion: "none" };
/** Averaging well takes the page's own thread longer than all the rest of a picture. */
const AS_SOFT: ImageBitmapOptions = {
  ...AS_STORED,
  resizeWidth: SOFT,
  resizeHeight: SOFT,
  resizeQuality: "low",
};

/** What is used of a loader's parser; its types leave some of it out. */
interface Parser {
  readonly json: { readonly images: readonly ImageOfFile[] };
  readonly options: { readonly path: string };
  readonly textureLoader: { readonly isImageBitmapLoader?: boolean };
  getDependency(type: "bufferView", index: number): Promise<ArrayBuffer>;
  loadImageSource(index: number, loader: unknown): Promise<Texture>;
}

interface ImageOfFile {
  readonly uri?: string;
  readonly bufferView?: number;
  readonly mimeType?: string;
}

interface Job {
  readonly file: Blob;
  readonly textures: Texture[];
  /** How near it is to the camera: what is seen first is sharp first. */
  away: number;
}

/**
 * The pictures of a model in two helpings. To hand over all of them before anything is seen would hold up the page for longer than all
 * the rest of the space's start; so it begins with soft ones, and each becomes sharp in a task of its own.
 */
export class SoftTextures {
  private readonly files = new Map<Texture["source"], Blob>();
  private readonly coming: Promise<void>[] = [];
  private readonly unreadable = new Set<Texture["source"]>();

  /** Makes a loader of models wait for no picture, where the browser decodes them beside the page's own work. */
  attach(loader: GLTFLoader): void {
    loader.register((given) => {
      const parser = given as unknown as Parser;
      const made = new Map<number, Texture>();
      const loadOther = parser.loadImageSource.bind(parser);
      if (parser.textureLoader.isImageBitmapLoader)
        parser.loadImageSource = async (index, loader) => {
          // KTX2 has a decoder of its own.
          if (loader !== parser.textureLoader) return loadOther(index, loader);
          const before = made.get(index);
          // What shares a picture may repeat or place it in another way.
          if (before) return before.clone();
          const texture = this.begin(parser, index);
          made.set(index, texture);
          return texture;
        };
      return { name: "soft_textures" };
    });
  }

  /** Resolves when every picture is there, soft. Takes those that cannot be read out of the materials of a tree. */
  async soft(root: Object3D): Promise<void> {
    await Promise.all(this.coming);
    if (this.unreadable.size === 0) return;
    root.traverse((object) => {
      if (!(object instanceof Mesh)) return;
      for (const material of [object.material].flat() as Material[])
        for (const [slot, texture] of Object.entries(material)) {
          if (!(texture instanceof Texture) || !this.unreadable.has(texture.source)) continue;
          Object.assign(material, { [slot]: null });
          material.needsUpdate = true;
        }
    });
  }

  /** Makes everything in a tree sharp, the nearest first. A picture that cannot be decoded stays soft. */
  async sharpen(root: Object3D, stage: Stage, signal: AbortSignal): Promise<void> {
    const jobs = this.jobsOf(root, stage.camera);
    let next = decode(jobs[0]);
    for (const [at, { textures }] of jobs.entries()) {
      const sharp = await next;
      next = decode(jobs[at + 1]);
      if (sharp) await stage.hasRoom();
      if (signal.aborted) {
        sharp?.close();
        (await next)?.close();
        return;
      }
      const source = textures[0]?.source;
      if (!sharp || !source) continue;
      const soft = source.data as ImageBitmap;
      source.data = sharp;
      // Their place on the graphics has the soft one's size. It is given up with the last texture that uses it.
      for (const texture of textures) texture.dispose();
      for (const texture of textures) {
        texture.needsUpdate = true;
        stage.renderer.initTexture(texture);
      }
      soft.close();
      stage.invalidate();
    }
  }

  private begin(parser: Parser, index: number): Texture {
    const { uri, bufferView, mimeType } = parser.json.images[index] ?? {};
    // White until the picture is there.
    const texture: Texture = new Texture<unknown>(new ImageData(new Uint8ClampedArray(4).fill(255), 1, 1));
    texture.needsUpdate = true;
    const fetchFile = async () => {
      if (bufferView !== undefined)
        return new Blob([await parser.getDependency("bufferView", bufferView)], { type: mimeType });
      return (await fetch(LoaderUtils.resolveURL(uri ?? "", parser.options.path))).blob();
    };
    const soften = async () => {
      const file = await fetchFile();
      texture.source.data = await createImageBitmap(file, AS_SOFT);
      this.files.set(texture.source, file);
    };
    this.coming.push(
      soften().catch(() => {
        this.unreadable.add(texture.source);
        console.warn("A picture of the model could not be read:", uri ?? index);
      }),
    );
    return texture;
  }

  private jobsOf(root: Object3D, camera: Camera): Job[] {
    const jobs = new Map<Texture["source"], Job>();
    const centre = new Vector3();
    root.traverse((object) => {
      if (!(object instanceof Mesh)) return;
      const { boundingSphere } = object.geometry;
      if (!boundingSphere) object.geometry.computeBoundingSphere();
      const { center, radius } = object.geometry.boundingSphere;
      const away = object.localToWorld(centre.copy(center)).distanceTo(camera.position) - radius;
      for (const material of [object.material].flat())
        for (const texture of Object.values(material)) {
          const file = texture instanceof Texture && this.files.get(texture.source);
          if (!file) continue;
          const job = jobs.get(texture.source) ?? { file, textures: [], away };
          job.away = Math.min(job.away, away);
          if (!job.textures.includes(texture)) job.textures.push(texture);
          jobs.set(texture.source, job);
        }
    });
    return [...jobs.values()].sort((a, b) => a.away - b.away);
  }
}

const decode = async (job: Job | undefined): Promise<ImageBitmap | null> =>
  job ? createImageBitmap(job.file, AS_STORED).catch(() => null) : null;
