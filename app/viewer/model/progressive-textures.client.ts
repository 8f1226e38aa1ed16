import { type Camera, LoaderUtils, type Material, Mesh, type Object3D, Texture, Vector3 } from "three";
import type { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";
import { nextTask } from "../core/time-slicer";
import type { Stage } from "../shared/stage.client";

/** Side of a low-resolution texture in pixels. Texture coordinates are relative, so the image's own aspect does not matter. */
const LOW_SIDE = 128;
/** Decoding options of three's glTF loader. */
const FULL_DECODING: ImageBitmapOptions = { premultiplyAlpha: "none", colorSpaceConversion: "none" };
/** A better resize quality would block the main thread for longer than all other work on an image. */
const LOW_DECODING: ImageBitmapOptions = {
  ...FULL_DECODING,
  resizeWidth: LOW_SIDE,
  resizeHeight: LOW_SIDE,
  resizeQuality: "low",
};

/** The members of the loader's parser that are used here. The published types lack some of them. */
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

interface TextureJob {
  readonly file: Blob;
  readonly textures: Texture[];
  /** Distance in metres from the camera to the bounding sphere of the nearest mesh with the texture, negative inside of it. */
  distance: number;
}

/**
 * Loads a model's textures in two steps, because uploading all of them in full resolution before the first frame would block the page for longer than
 * the rest of the load. The model starts with low-resolution textures, and each of them is made sharp in a task of its own.
 */
export class ProgressiveTextures {
  private readonly files = new Map<Texture["source"], Blob>();
  private readonly pendingImages: Promise<void>[] = [];
  private readonly unreadableSources = new Set<Texture["source"]>();

  /** Prevents a glTF loader from waiting for images, in browsers that decode images outside of the main thread. */
  attach(loader: GLTFLoader): void {
    loader.register((loaderParser) => {
      const parser = loaderParser as unknown as Parser;
      const texturesByImage = new Map<number, Texture>();
      const loadOriginal = parser.loadImageSource.bind(parser);
      if (parser.textureLoader.isImageBitmapLoader)
        parser.loadImageSource = async (index, loader) => {
          // KTX2 images have another loader.
          if (loader !== parser.textureLoader) return loadOriginal(index, loader);
          const existingTexture = texturesByImage.get(index);
          // Textures that share an image may have different wrapping and transforms.
          if (existingTexture) return existingTexture.clone();
          const texture = this.createLowResolution(parser, index);
          texturesByImage.set(index, texture);
          return texture;
        };
      return { name: "progressive_textures" };
    });
  }

  /** Resolves when every texture is loaded in low resolution. Removes unreadable ones from the materials. */
  async waitForLowResolution(root: Object3D): Promise<void> {
    await Promise.all(this.pendingImages);
    if (this.unreadableSources.size === 0) return;
    root.traverse((object) => {
      if (!(object instanceof Mesh)) return;
      for (const material of [object.material].flat() as Material[])
        for (const [slot, texture] of Object.entries(material)) {
          if (!(texture instanceof Texture) || !this.unreadableSources.has(texture.source)) continue;
          Object.assign(material, { [slot]: null });
          material.needsUpdate = true;
        }
    });
  }

  /** Makes all textures sharp, the nearest first. A texture that cannot be decoded stays in low resolution. */
  async sharpen(root: Object3D, stage: Stage, signal: AbortSignal): Promise<void> {
    await nextTask();
    const jobs = this.listJobs(root, stage.camera);
    let nextBitmap = decode(jobs[0]);
    for (const [index, { textures }] of jobs.entries()) {
      const sharpBitmap = await nextBitmap;
      nextBitmap = decode(jobs[index + 1]);
      if (sharpBitmap) await stage.waitForGpu();
      if (signal.aborted) {
        sharpBitmap?.close();
        (await nextBitmap)?.close();
        return;
      }
      const source = textures[0]?.source;
      if (!sharpBitmap || !source) continue;
      const lowBitmap = source.data as ImageBitmap;
      source.data = sharpBitmap;
      // The texture's graphics memory has the size of the low-resolution image, so it must be allocated again. The memory is freed with the last
      // texture that uses it.
      for (const texture of textures) texture.dispose();
      for (const texture of textures) {
        texture.needsUpdate = true;
        stage.renderer.initTexture(texture);
      }
      lowBitmap.close();
      stage.invalidate();
    }
  }

  private createLowResolution(parser: Parser, index: number): Texture {
    const { uri, bufferView, mimeType } = parser.json.images[index] ?? {};
    // The texture is white until the image is loaded.
    const texture: Texture = new Texture<unknown>(new ImageData(new Uint8ClampedArray(4).fill(255), 1, 1));
    texture.needsUpdate = true;
    const fetchFile = async () => {
      if (bufferView !== undefined)
        return new Blob([await parser.getDependency("bufferView", bufferView)], { type: mimeType });
      return (await fetch(LoaderUtils.resolveURL(uri ?? "", parser.options.path))).blob();
    };
    const loadLowResolution = async () => {
      const file = await fetchFile();
      texture.source.data = await createImageBitmap(file, LOW_DECODING);
      this.files.set(texture.source, file);
    };
    this.pendingImages.push(
      loadLowResolution().catch(() => {
        this.unreadableSources.add(texture.source);
        console.warn("An image of the model could not be read:", uri ?? index);
      }),
    );
    return texture;
  }

  private listJobs(root: Object3D, camera: Camera): TextureJob[] {
    const jobs = new Map<Texture["source"], TextureJob>();
    const centre = new Vector3();
    root.traverse((object) => {
      if (!(object instanceof Mesh)) return;
      const { boundingSphere } = object.geometry;
      if (!boundingSphere) object.geometry.computeBoundingSphere();
      const { center, radius } = object.geometry.boundingSphere;
      const cameraDistance = object.localToWorld(centre.copy(center)).distanceTo(camera.position) - radius;
      for (const material of [object.material].flat())
        for (const texture of Object.values(material)) {
          const file = texture instanceof Texture && this.files.get(texture.source);
          if (!file) continue;
          const job = jobs.get(texture.source) ?? { file, textures: [], distance: cameraDistance };
          job.distance = Math.min(job.distance, cameraDistance);
          if (!job.textures.includes(texture)) job.textures.push(texture);
          jobs.set(texture.source, job);
        }
    });
    return [...jobs.values()].sort((a, b) => a.distance - b.distance);
  }
}

const decode = async (job: TextureJob | undefined): Promise<ImageBitmap | null> =>
  job ? createImageBitmap(job.file, FULL_DECODING).catch(() => null) : null;
