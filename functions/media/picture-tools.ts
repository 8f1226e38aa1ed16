import type { PictureWidth } from "~/domain/media-address";
import type { PictureType } from "./picture-type";

/**
 * Makes a picture of a file: no wider than asked and never larger than it is, upright, without what cameras write into it,
 * of moving ones the first.
 * @throws when the bytes are no picture it can read, or it cannot work
 */
export type PictureTool = (
  file: ReadableStream<Uint8Array>,
  picture: { readonly width: PictureWidth; readonly type: PictureType },
) => Promise<{ readonly bytes: ArrayBuffer; readonly type: string }>;

/** How good pictures are, of 100. */
const QUALITY = { "image/avif": 60, "image/webp": 78, "image/jpeg": 80, "image/png": undefined } as const;

/** Cloudflare's Images, which turn pictures upright and drop what cameras write of themselves. */
export const imagesTool =
  (images: ImagesBinding): PictureTool =>
  async (file, { width, type }) => {
    const quality = QUALITY[type];
    const made = await images
      .input(file)
      .transform({ width, fit: "scale-down" })
      .output({ format: type, anim: false, ...(quality && { quality }) });
    return { bytes: await new Response(made.image()).arrayBuffer(), type: made.contentType() };
  };

/** The same on a developer's machine (scripts/lib/pictures.ts). */
export const localTool =
  (service: Fetcher): PictureTool =>
  async (file, { width, type }) => {
    const quality = QUALITY[type];
    const query = new URLSearchParams({
      width: String(width),
      type,
      ...(quality && { quality: String(quality) }),
    });
    const made = await service.fetch(`http://pictures/?${query}`, { method: "POST", body: file });
    if (!made.ok) throw new Error(await made.text());
    return { bytes: await made.arrayBuffer(), type };
  };
