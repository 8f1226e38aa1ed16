import { IMAGE_TOOL_MAX } from "~/domain/shared/limits";
import type { ImageType } from "./image-type";

/** How a picture is made. */
export interface ImageSettings {
  /** Pixels; it is at most four times as high as wide. */
  readonly width: number;
  readonly type: ImageType;
  /** Quality from 0 to 100. PNG ignores it. */
  readonly quality: number;
}

/** An image converter. */
export interface ImageConverter {
  /** Whether it reads files of a type at all: what it does not read is not even opened. */
  canRead(mimeType: string): boolean;
  convert: ConvertImage;
  /**
   * Pixels of a copy of exactly this size, whatever the file's aspect ratio, with four bytes (RGBA) each.
   * @throws as `convert` does
   */
  readPixels(
    file: ReadableStream<Uint8Array>,
    size: { readonly width: number; readonly height: number },
  ): Promise<Uint8ClampedArray>;
}

/** Whether a file is within the limits of the Images binding. A size that is not known counts as within them. */
export const isWithinConverterLimits = (file: {
  readonly byteSize: number;
  readonly width: number | null;
  readonly height: number | null;
}): boolean => {
  const [width, height] = [file.width ?? 0, file.height ?? 0];
  const { bytes, pixels, side } = IMAGE_TOOL_MAX;
  return file.byteSize <= bytes && width * height <= pixels && Math.max(width, height) <= side;
};

/**
 * Makes a picture of a file: no wider than asked and never larger than it is, upright, without what cameras write into it,
 * of moving ones the first, on white where the type has no transparent parts.
 * @throws when the bytes are no picture it can read, or it cannot work
 */
export type ConvertImage = (
  file: ReadableStream<Uint8Array>,
  making: ImageSettings,
) => Promise<{ readonly bytes: ArrayBuffer; readonly type: string }>;

const heightOf = (width: number) => width * 4;

/** Cloudflare's Images read neither; whether AVIF and HEIC, they must be asked. */
const UNREAD_BY_IMAGES = /^image\/(tiff|bmp)$/;
/** Neither is in sharp's own build. */
const UNREAD_LOCALLY = /^image\/(heic|bmp)$/;

/** Cloudflare's Images, which turn pictures upright and drop what cameras write of themselves. */
export const cloudflareImageConverter = (images: ImagesBinding): ImageConverter => ({
  canRead: (mimeType) => !UNREAD_BY_IMAGES.test(mimeType),
  convert: async (file, { width, type, quality }) => {
    const result = await images
      .input(file)
      .transform({
        width,
        height: heightOf(width),
        fit: "scale-down",
        ...(type === "image/jpeg" && { background: "#ffffff" }),
      })
      .output({ format: type, anim: false, ...(type !== "image/png" && { quality }) });
    return { bytes: await new Response(result.image()).arrayBuffer(), type: result.contentType() };
  },
  readPixels: async (file, size) => {
    const result = await images
      .input(file)
      .transform({ ...size, fit: "squeeze" })
      .output({ format: "rgba", anim: false });
    return new Uint8ClampedArray(await new Response(result.image()).arrayBuffer());
  },
});

/** The same on a developer's machine (scripts/lib/pictures.ts). */
export const localImageConverter = (service: Fetcher): ImageConverter => ({
  canRead: (mimeType) => !UNREAD_LOCALLY.test(mimeType),
  convert: async (file, { width, type, quality }) => {
    const query = new URLSearchParams({
      width: String(width),
      height: String(heightOf(width)),
      type,
      quality: String(quality),
    });
    const result = await service.fetch(`http://pictures/?${query}`, { method: "POST", body: file });
    if (!result.ok) throw new Error(await result.text());
    return { bytes: await result.arrayBuffer(), type };
  },
  readPixels: async (file, { width, height }) => {
    const query = new URLSearchParams({ width: String(width), height: String(height), type: "rgba" });
    const result = await service.fetch(`http://pictures/?${query}`, { method: "POST", body: file });
    if (!result.ok) throw new Error(await result.text());
    return new Uint8ClampedArray(await result.arrayBuffer());
  },
});
