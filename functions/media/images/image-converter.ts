import { IMAGE_TOOL_MAX } from "~/domain/shared/limits";
import type { ImageType } from "./image-type";

/** Size, type and quality of a converted image. */
export interface ImageSettings {
  /** Maximum width in pixels. The maximum height is four times as much. */
  readonly width: number;
  readonly type: ImageType;
  /** Quality from 0 to 100. PNG ignores it. */
  readonly quality: number;
}

/** An image converter. */
export interface ImageConverter {
  /** Returns false for a type that the converter is known not to read. Files of such types are not opened. */
  canRead(mimeType: string): boolean;
  convert: ConvertImage;
  /**
   * Returns the pixels of a copy of exactly this size, whatever the file's aspect ratio, with four bytes (RGBA) each.
   * @throws as `convert` does
   */
  readPixels(
    file: ReadableStream<Uint8Array>,
    size: { readonly width: number; readonly height: number },
  ): Promise<Uint8ClampedArray>;
}

/** Returns whether a file is within the limits of the Images binding. An unknown size counts as within them. */
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
 * Converts a file to an image: at most as wide as requested and never enlarged, upright, without camera metadata, only
 * the first frame of an animation, and on white if the type has no transparency.
 * @throws if the converter cannot read the bytes or is unavailable
 */
export type ConvertImage = (
  file: ReadableStream<Uint8Array>,
  settings: ImageSettings,
) => Promise<{ readonly bytes: ArrayBuffer; readonly type: string }>;

const heightOf = (width: number) => width * 4;

/** Cloudflare Images reads neither type. Whether it reads AVIF and HEIC is known only after a conversion. */
const UNREAD_BY_IMAGES = /^image\/(tiff|bmp)$/;
/** The prebuilt sharp reads neither type. */
const UNREAD_LOCALLY = /^image\/(heic|bmp)$/;

/** Converter that uses Cloudflare Images, which rotates images upright and removes camera metadata. */
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

/** Converter for development; it calls the local service (scripts/lib/local/local-images.ts). */
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
