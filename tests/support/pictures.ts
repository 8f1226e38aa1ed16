/** What makes pictures in tests: the program of a developer's machine, and a cache that is emptied with its maker. */
import { Request as MiniflareRequest } from "miniflare";
import { type ImageConverter, localImageConverter } from "#functions/media/images/image-converter";
import { ImageResizer, type ImageResizerOptions } from "#functions/media/images/image-resizer";
import { localPictures } from "../../scripts/lib/pictures";

/** Resizes in this process. */
export const testTool: ImageConverter = localImageConverter({
  fetch: async (url: string, init: RequestInit) =>
    localPictures(new MiniflareRequest(url, { ...init, duplex: "half" } as never)),
} as unknown as Fetcher);

/** Pictures of what lies in a bucket, with what was made and what went wrong. */
export function testPictures(files: R2Bucket, options: Partial<ImageResizerOptions> = {}) {
  const kept = new Map<string, Response>();
  const seen = { made: 0, errors: 0, kept };
  const pictures = new ImageResizer({
    tool: {
      ...testTool,
      convert: (file, picture) => {
        seen.made++;
        return testTool.convert(file, picture);
      },
    },
    cache: async () => ({
      match: async (name) => kept.get(String(name))?.clone(),
      put: async (name, response) => void kept.set(String(name), response),
    }),
    open: async (key) => (await files.get(key))?.body ?? null,
    now: () => performance.now(),
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    onError: () => seen.errors++,
    ...options,
  });
  return { pictures, seen };
}
