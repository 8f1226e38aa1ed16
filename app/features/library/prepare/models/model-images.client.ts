/** Loads the textures of a model from its companions and from the model itself, in a worker. It sends no requests. */
import { type DataTexture, ImageLoader, LoadingManager, Texture } from "three";
import { TGALoader } from "three/examples/jsm/loaders/TGALoader.js";
import type { Work } from "../time-limit";
import { baseName, findCompanion } from "./companion-files";

/** Number of pixels that every texture is assumed to have when its time limit is computed: those of the largest usual texture. */
const ASSUMED_TEXTURE_PIXELS = 4096 * 4096;

/** A loading manager whose images come from files in memory. */
export class ModelImages extends LoadingManager {
  /** Names of textures and material libraries that were not found or cannot be read. */
  readonly missing = new Set<string>();
  private readonly pending: Promise<void>[] = [];
  private readonly types = new WeakMap<object, string>();
  /** Files inside the model, by the blob URL that a loader created for them. */
  private readonly embeddedFiles = new Map<string, Blob>();

  constructor(private readonly companions: ReadonlyMap<string, Blob>) {
    super();
    this.addHandler(/\.tga$/i, new TGALoader(this));
  }

  /** Runs a loader, and keeps the blobs for which it creates URLs, because their images are read later. */
  collect<T>(load: () => T): T {
    const createObjectUrl = URL.createObjectURL;
    URL.createObjectURL = (source) => {
      const url = `blob:model-${this.embeddedFiles.size}`;
      if (source instanceof Blob) this.embeddedFiles.set(url, source);
      return url;
    };
    try {
      return load();
    } finally {
      URL.createObjectURL = createObjectUrl;
    }
  }

  /**
   * Resolves when all requested images are read or reported as missing.
   * @param onNext called before each image with the work from which its time limit is computed
   */
  async settled(onNext: (work: Work) => void): Promise<void> {
    for (let index = 0; index < this.pending.length; index++) {
      onNext({ pixels: ASSUMED_TEXTURE_PIXELS });
      await this.pending[index];
    }
  }

  /** Returns image/jpeg for an image that was read from a JPEG file, image/png for any other image, and "" for an unknown one. */
  typeOf(image: object): string {
    return this.types.get(image) ?? "";
  }

  /** Reads an image for a loader. */
  read(url: string, onImage: (image: ImageBitmap) => void, onError: (error: unknown) => void): void {
    this.pending.push(
      this.decode(url).then(onImage, (error) => {
        this.missing.add(/^(blob|data):/.test(url) ? "texture" : baseName(url));
        onError(error);
      }),
    );
  }

  private async decode(url: string): Promise<ImageBitmap> {
    const blob = await this.findImage(url);
    if (!blob) throw new Error("The texture was not found.");
    const [first, second] = new Uint8Array(await blob.slice(0, 2).arrayBuffer());
    const type = first === 0xff && second === 0xd8 ? "image/jpeg" : "image/png";
    const image = await createImageBitmap(blob, {
      premultiplyAlpha: "none",
      colorSpaceConversion: "none",
    }).catch(async () => {
      const { data = [], width = 0, height = 0 } = new TGALoader().parse(await blob.arrayBuffer());
      return createImageBitmap(new ImageData(Uint8ClampedArray.from(data), width, height));
    });
    this.types.set(image, type);
    return image;
  }

  private async findImage(url: string): Promise<Blob | null> {
    if (url.startsWith("blob:")) return this.embeddedFiles.get(url) ?? null;
    const data = /^data:([^,;]*)[^,]*;base64,([\s\S]*)$/.exec(url);
    if (!data) return findCompanion(this.companions, url);
    const bytes = Uint8Array.from(atob(data[2]?.replace(/\s/g, "") ?? ""), (letter) => letter.charCodeAt(0));
    return new Blob([bytes], { type: data[1] ?? "" });
  }
}

const loadImage = ImageLoader.prototype.load;

// ImageLoader creates <img> elements, which workers do not have. Loaders with another manager are unchanged.
ImageLoader.prototype.load = function (this: ImageLoader, url, onLoad, onProgress, onError) {
  const { manager } = this;
  if (!(manager instanceof ModelImages)) return loadImage.call(this, url, onLoad, onProgress, onError);
  const href = /^(blob|data):/.test(url) ? url : `${this.path ?? ""}${url}`;
  manager.read(
    href,
    (image) => onLoad?.(image as unknown as HTMLImageElement),
    (error) => onError?.(error),
  );
  return null as unknown as HTMLImageElement;
};

const loadTga = TGALoader.prototype.load;

// TGALoader would send a request for the file.
TGALoader.prototype.load = function (this: TGALoader, url, onLoad, onProgress, onError) {
  const { manager } = this;
  if (!(manager instanceof ModelImages)) return loadTga.call(this, url, onLoad, onProgress, onError);
  const texture = new Texture() as DataTexture;
  manager.read(
    /^(blob|data):/.test(url) ? url : `${this.path ?? ""}${url}`,
    (image) => {
      texture.image = image as unknown as DataTexture["image"];
      onLoad?.(texture, texture.image as never);
    },
    (error) => onError?.(error),
  );
  return texture;
};
