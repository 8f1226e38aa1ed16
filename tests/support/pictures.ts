/** What makes pictures in tests: the program of a developer's machine, and a cache that is emptied with its maker. */
import { Request as MiniflareRequest } from "miniflare";
import { localTool, type PictureTool } from "#functions/media/picture-tools";
import { type PictureOptions, Pictures } from "#functions/media/pictures";
import { localImages } from "../../scripts/lib/local-images";

/** Resizes in this process. */
export const testTool: PictureTool = localTool({
  fetch: async (url: string, init: RequestInit) =>
    localImages(new MiniflareRequest(url, { ...init, duplex: "half" } as never)),
} as unknown as Fetcher);

/** Pictures of what lies in a bucket, with what was made and what went wrong. */
export function testPictures(files: R2Bucket, options: Partial<PictureOptions> = {}) {
  const kept = new Map<string, Response>();
  const seen = { made: 0, errors: 0, kept };
  const pictures = new Pictures({
    tool: {
      ...testTool,
      make: (file, picture) => {
        seen.made++;
        return testTool.make(file, picture);
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
