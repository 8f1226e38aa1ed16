import type { ImageWidth } from "~/domain/library/media-url";

/** MIME types of resized images, with their file extensions. */
export const IMAGE_TYPES = {
  "image/avif": "avif",
  "image/webp": "webp",
  "image/jpeg": "jpg",
  "image/png": "png",
} as const;

/** One of the types. */
export type ImageType = keyof typeof IMAGE_TYPES;

/**
 * Largest width for AVIF, in pixels. Larger images are sent as WebP, because AVIF takes long to make and Cloudflare
 * makes none above 1,200 pixels.
 */
const AVIF_WIDTH = 640;

/**
 * Returns whether an Accept header names a type explicitly. Browsers that support AVIF or WebP name them; a wildcard
 * says nothing about either.
 */
function accepts(header: string, type: string): boolean {
  return header.split(",").some((part) => {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
    return name === type && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}

/**
 * Returns the best image type that the client accepts.
 * @param accept the request's Accept header
 * @param mimeType type of the source file, which decides whether transparency must be kept
 */
export function negotiateImageType(accept: string | null, width: ImageWidth, mimeType: string): ImageType {
  const header = accept ?? "";
  if (width <= AVIF_WIDTH && accepts(header, "image/avif")) return "image/avif";
  if (accepts(header, "image/webp")) return "image/webp";
  return /^image\/(jpeg|hei[cf])$/.test(mimeType) ? "image/jpeg" : "image/png";
}
