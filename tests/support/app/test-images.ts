/** Image tools for tests: the local image service, and a cache that is discarded with the test. */
import { Request as MiniflareRequest } from "miniflare";
import { type ImageConverter, localImageConverter } from "#functions/media/images/image-converter";
import { ImageResizer, type ImageResizerOptions } from "#functions/media/images/image-resizer";
import { localImages } from "../../../scripts/lib/local/local-images";

/** Converts images in this process. */
export const testImageTool: ImageConverter = localImageConverter({
  fetch: async (url: string, init: RequestInit) =>
    localImages(new MiniflareRequest(url, { ...init, duplex: "half" } as never)),
} as unknown as Fetcher);

/** Images of the files in a bucket, with their cache and counters of created images and errors. */
export function testImages(files: R2Bucket, options: Partial<ImageResizerOptions> = {}) {
  const cache = new Map<string, Response>();
  const counts = { created: 0, errors: 0, cache };
  const images = new ImageResizer({
    tool: {
      ...testImageTool,
      convert: (file, options) => {
        counts.created++;
        return testImageTool.convert(file, options);
      },
    },
    cache: async () => ({
      match: async (name) => cache.get(String(name))?.clone(),
      put: async (name, response) => void cache.set(String(name), response),
    }),
    open: async (key) => (await files.get(key))?.body ?? null,
    now: () => performance.now(),
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    onError: () => counts.errors++,
    ...options,
  });
  return { images, counts };
}
