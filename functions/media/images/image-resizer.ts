import type { ImageWidth } from "~/domain/library/media-url";
import { type ImageConverter, type ImageSettings, isWithinConverterLimits } from "./image-converter";
import { IMAGE_TYPES, type ImageType } from "./image-type";

/** The file and the properties of a requested image. */
export interface ImageRequest {
  /** Storage key. The bytes of a key never change. */
  readonly key: string;
  /** MIME type of the file. */
  readonly mimeType: string;
  readonly byteSize: number;
  /** Size in pixels; null if unknown. */
  readonly size: { readonly width: number; readonly height: number } | null;
  readonly width: ImageWidth;
  readonly type: ImageType;
}

/** A resized image that is ready to send. */
export interface ResizedImage {
  readonly bytes: ArrayBuffer;
  readonly type: string;
}

/** Dependencies of the image resizer, one per isolate. */
export interface ImageResizerOptions {
  readonly tool: ImageConverter;
  /** Cache of resized images. */
  readonly cache: () => Promise<Pick<Cache, "match" | "put">>;
  /** Opens a file; null if it is missing. */
  readonly open: (key: string) => Promise<ReadableStream<Uint8Array> | null>;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly onError: (imageRequest: ImageRequest, error: unknown) => void;
}

/**
 * Version of the conversion. Raise it when images are made differently: cached images of older versions are then
 * ignored.
 */
const EDITION = 2;
const QUALITY: Readonly<Record<ImageType, number>> = {
  "image/avif": 60,
  "image/webp": 78,
  "image/jpeg": 80,
  "image/png": 100,
};
/** A list shows 20 images up to this width, and may transfer 400 KB including the page's text. `bytes` is the share of each image. */
export const LIST_IMAGE = { width: 640, bytes: 13_000 } as const;
/** Number of concurrent conversions in an isolate. Each file passes through the isolate's memory, which is 128 MB. */
const CONCURRENT_MAX = 4;
/** Time that a request waits while CONCURRENT_MAX conversions are in progress, in milliseconds. */
const QUEUE_TIMEOUT_MS = 10_000;
/**
 * Conversions that take longer, in milliseconds, are assumed to belong to a request that was cancelled. workerd then runs no more of that request's
 * code, not even `finally`.
 */
const ABANDONED_MS = 15_000;
const POLL_MS = 10;
const YEAR_S = 31_536_000;
const HOUR_S = 3600;
/** Cached in place of an image that could not be made, so that not every request for a list tries it again. */
const FAILED: ResizedImage = { bytes: new TextEncoder().encode("failed").buffer, type: "text/plain" };

/** Distinguishes an image from all other images of its file; part of its etag. */
export const imageName = ({ width, type }: Pick<ImageRequest, "width" | "type">): string =>
  `${EDITION}-${width}.${IMAGE_TYPES[type]}`;

/**
 * Resized images of files, made once and cached in the Cache API. The cache checks no permission, so callers must be authorized before.
 */
export class ImageResizer {
  readonly #options: ImageResizerOptions;
  /** Start times of the conversions in progress, in epoch milliseconds. */
  readonly #conversions = new Map<symbol, number>();

  constructor(options: ImageResizerOptions) {
    this.#options = options;
  }

  /**
   * Returns an image from the cache, or makes it. Returns null if it cannot be made: the file is missing, too large or
   * not readable by the converter, or too many conversions are running.
   * @param defer receives work that the response need not wait for
   */
  async get(
    imageRequest: ImageRequest,
    defer: (work: Promise<unknown>) => void,
  ): Promise<ResizedImage | null> {
    const cache = await this.#options.cache();
    const name = `https://pictures.invalid/${encodeURIComponent(imageRequest.key)}/${imageName(imageRequest)}`;
    const cachedResponse = await cache.match(name);
    if (cachedResponse) {
      const type = cachedResponse.headers.get("content-type") ?? imageRequest.type;
      const bytes = await cachedResponse.arrayBuffer();
      return type === FAILED.type ? null : { bytes, type };
    }
    const { byteSize, size } = imageRequest;
    const isWithinLimits = isWithinConverterLimits({
      byteSize,
      width: size?.width ?? null,
      height: size?.height ?? null,
    });
    const isReadable = isWithinLimits && this.#options.tool.canRead(imageRequest.mimeType);
    const resized = isReadable ? await this.#convert(imageRequest) : null;
    if (resized) {
      const seconds = resized === FAILED ? HOUR_S : YEAR_S;
      const headers = { "content-type": resized.type, "cache-control": `public, max-age=${seconds}` };
      defer(cache.put(name, new Response(resized.bytes, { headers })));
    }
    return resized === FAILED ? null : resized;
  }

  #isBusy(): boolean {
    const now = this.#options.now();
    for (const [token, startedAt] of this.#conversions)
      if (now - startedAt > ABANDONED_MS) this.#conversions.delete(token);
    return this.#conversions.size >= CONCURRENT_MAX;
  }

  /** Returns null if the file is missing or too many conversions run for too long, and FAILED if opening or converting the file fails. */
  async #convert(imageRequest: ImageRequest): Promise<ResizedImage | null> {
    const { tool, open, now, sleep, onError } = this.#options;
    const waitingSince = now();
    while (this.#isBusy()) {
      if (now() - waitingSince > QUEUE_TIMEOUT_MS) return null;
      await sleep(POLL_MS);
    }
    const token = Symbol();
    this.#conversions.set(token, now());
    try {
      let resized: ResizedImage | null = null;
      for (const settings of listAttempts(imageRequest)) {
        const file = await open(imageRequest.key);
        resized = file && (await tool.convert(file, settings));
        if (!resized || imageRequest.width > LIST_IMAGE.width || resized.bytes.byteLength <= LIST_IMAGE.bytes)
          break;
      }
      return resized;
    } catch (error) {
      onError(imageRequest, error);
      return FAILED;
    } finally {
      this.#conversions.delete(token);
    }
  }
}

/** Settings to try until an image is small enough for a list: full quality, lower quality (JPEG for PNG), then fewer pixels too. */
function* listAttempts({ width, type }: ImageRequest): Generator<ImageSettings> {
  yield { width, type, quality: QUALITY[type] };
  const lossy = type === "image/png" ? "image/jpeg" : type;
  for (const [qualityShare, divisor] of [
    [0.6, 1],
    [0.35, 1],
    [0.35, 2],
    [0.35, 4],
  ] as const)
    yield { width: width / divisor, type: lossy, quality: Math.round(QUALITY[lossy] * qualityShare) };
}
