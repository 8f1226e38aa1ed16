import type { PictureWidth } from "~/domain/library/media-address";
import { type ImageConverter, type ImageSettings, isWithinConverterLimits } from "./image-converter";
import { IMAGE_TYPES, type ImageType } from "./image-type";

/** The file and the properties of a requested image. */
export interface ImageRequest {
  /** The file's key, which names one file for ever. */
  readonly key: string;
  /** MIME type of the file. */
  readonly mimeType: string;
  readonly byteSize: number;
  /** In pixels, where they are known. */
  readonly size: { readonly width: number; readonly height: number } | null;
  readonly width: PictureWidth;
  readonly type: ImageType;
}

/** A picture as it is sent. */
export interface ResizedImage {
  readonly bytes: ArrayBuffer;
  readonly type: string;
}

/** Surroundings of the pictures of an isolate. */
export interface ImageResizerOptions {
  readonly tool: ImageConverter;
  /** Where made pictures are kept. */
  readonly cache: () => Promise<Pick<Cache, "match" | "put">>;
  /** The file's bytes; null when they are gone. */
  readonly open: (key: string) => Promise<ReadableStream<Uint8Array> | null>;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly onError: (order: ImageRequest, error: unknown) => void;
}

/** Goes up when pictures are made in another way than before: what was kept is not found any more. */
const EDITION = 2;
const QUALITY: Readonly<Record<ImageType, number>> = {
  "image/avif": 60,
  "image/webp": 78,
  "image/jpeg": 80,
  "image/png": 100,
};
/** A list shows 20 images up to this width, and may transfer 400 KB including the page's text. `bytes` is the share of each image. */
export const LIST_IMAGE = { width: 640, bytes: 13_000 } as const;
/** Pictures that an isolate makes at once: each one's file passes through its memory, which is 128 MB. */
const AT_ONCE = 4;
const PATIENCE_MS = 10_000;
/**
 * Conversions that take longer, in milliseconds, belong to a request that was cancelled. workerd then runs no more of that request's code, not even
 * `finally`.
 */
const GIVEN_UP_MS = 15_000;
const STEP_MS = 10;
const YEAR_S = 31_536_000;
const HOUR_S = 3600;
/** Kept for a while in the place of a picture that could not be made, so that not every look at a list tries it again. */
const FAILED: ResizedImage = { bytes: new TextEncoder().encode("failed").buffer, type: "text/plain" };

/** Distinguishes an image from all other images of its file; part of its etag. */
export const imageName = ({ width, type }: Pick<ImageRequest, "width" | "type">): string =>
  `${EDITION}-${width}.${IMAGE_TYPES[type]}`;

/**
 * Resized images of files, made once and cached in the Cache API. Only this worker reads these entries, so every caller must be authorized before.
 */
export class ImageResizer {
  readonly #options: ImageResizerOptions;
  /** Start times of the conversions in progress, in epoch milliseconds. */
  readonly #making = new Map<symbol, number>();

  constructor(options: ImageResizerOptions) {
    this.#options = options;
  }

  /**
   * A picture: kept, or made now. Null where none can be made: too large a file, no picture, none that the tool reads, too many at once.
   * @param defer for what the answer need not wait for
   */
  async get(order: ImageRequest, defer: (work: Promise<unknown>) => void): Promise<ResizedImage | null> {
    const cache = await this.#options.cache();
    const name = `https://pictures.invalid/${encodeURIComponent(order.key)}/${imageName(order)}`;
    const cachedResponse = await cache.match(name);
    if (cachedResponse) {
      const type = cachedResponse.headers.get("content-type") ?? order.type;
      const bytes = await cachedResponse.arrayBuffer();
      return type === FAILED.type ? null : { bytes, type };
    }
    const { byteSize, size } = order;
    const isSmall = isWithinConverterLimits({
      byteSize,
      width: size?.width ?? null,
      height: size?.height ?? null,
    });
    const isReadable = isSmall && this.#options.tool.canRead(order.mimeType);
    const resized = isReadable ? await this.#make(order) : null;
    if (resized) {
      const seconds = resized === FAILED ? HOUR_S : YEAR_S;
      const headers = { "content-type": resized.type, "cache-control": `public, max-age=${seconds}` };
      defer(cache.put(name, new Response(resized.bytes, { headers })));
    }
    return resized === FAILED ? null : resized;
  }

  #isBusy(): boolean {
    const now = this.#options.now();
    for (const [token, begun] of this.#making) if (now - begun > GIVEN_UP_MS) this.#making.delete(token);
    return this.#making.size >= AT_ONCE;
  }

  /** Null for what is not there, or not now. */
  async #make(order: ImageRequest): Promise<ResizedImage | null> {
    const { tool, open, now, sleep, onError } = this.#options;
    const since = now();
    while (this.#isBusy()) {
      if (now() - since > PATIENCE_MS) return null;
      await sleep(STEP_MS);
    }
    const token = Symbol();
    this.#making.set(token, now());
    try {
      let resized: ResizedImage | null = null;
      for (const making of attempts(order)) {
        const file = await open(order.key);
        resized = file && (await tool.convert(file, making));
        if (!resized || order.width > LIST_IMAGE.width || resized.bytes.byteLength <= LIST_IMAGE.bytes) break;
      }
      return resized;
    } catch (error) {
      onError(order, error);
      return FAILED;
    } finally {
      this.#making.delete(token);
    }
  }
}

/** In which ways a picture is tried until it is small enough for a list: with less quality, at last with fewer pixels. */
function* attempts({ width, type }: ImageRequest): Generator<ImageSettings> {
  yield { width, type, quality: QUALITY[type] };
  const lossy = type === "image/png" ? "image/jpeg" : type;
  for (const [share, part] of [
    [0.6, 1],
    [0.35, 1],
    [0.35, 2],
    [0.35, 4],
  ] as const)
    yield { width: width / part, type: lossy, quality: Math.round(QUALITY[lossy] * share) };
}
