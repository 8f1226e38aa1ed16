import { type Camera, Mesh, type Object3D, type Source, Texture, Vector3 } from "three";
import type { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";
import type { Stage } from "./stage.client";

/** Pixels of a side of what a picture begins as. Surfaces name places of it by shares, so its own shape does not matter. */
const SOFT = 128;
/** As the loader itself decodes them. */
const AS_STORED: ImageBitmapOptions = { premultiplyAlpha: "none", colorSpaceConversion: "none" };

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
  private readonly files = new WeakMap<ImageBitmap, Blob>();

  /** Makes a loader of models give soft pictures, where the browser can make them beside the page's own work. */
  attach(loader: GLTFLoader): void {
    loader.register((parser) => {
      const own = parser as unknown as { textureLoader: { isImageBitmapLoader?: boolean } };
      if (own.textureLoader.isImageBitmapLoader)
        own.textureLoader = Object.assign(own.textureLoader, {
          load: (url: string, onLoad: (made: ImageBitmap) => void, _: unknown, onError: (why: unknown) => void) =>
            this.soften(url).then(onLoad, onError),
        });
      return { name: "soft_textures" };
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
      for (const texture of textures) {
        // Its place on the graphics has the soft one's size.
        texture.dispose();
        texture.needsUpdate = true;
        stage.renderer.initTexture(texture);
      }
      soft.close();
      stage.invalidate();
    }
  }

  private async soften(url: string): Promise<ImageBitmap> {
    const file = await (await fetch(url)).blob();
    const soft = await createImageBitmap(file, {
      ...AS_STORED,
      ...{ resizeWidth: SOFT, resizeHeight: SOFT, resizeQuality: "medium" },
    });
    this.files.set(soft, file);
    return soft;
  }

  private jobsOf(root: Object3D, camera: Camera): Job[] {
    const jobs = new Map<Source<unknown>, Job>();
    const centre = new Vector3();
    root.traverse((object) => {
      if (!(object instanceof Mesh)) return;
      const { boundingSphere } = object.geometry;
      if (!boundingSphere) object.geometry.computeBoundingSphere();
      const { center, radius } = object.geometry.boundingSphere;
      const away = object.localToWorld(centre.copy(center)).distanceTo(camera.position) - radius;
      for (const material of [object.material].flat())
        for (const texture of Object.values(material)) {
          const file = texture instanceof Texture && this.files.get(texture.source.data as ImageBitmap);
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
