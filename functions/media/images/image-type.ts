import type { PictureWidth } from "~/domain/library/media-address";

/** In what a picture is sent, by its type. */
export const IMAGE_TYPES = {
  "image/avif": "avif",
  "image/webp": "webp",
  "image/jpeg": "jpg",
  "image/png": "png",
} as const;

/** One of the types. */
export type ImageType = keyof typeof IMAGE_TYPES;

/** AVIF takes long to make, and Cloudflare makes none above 1,200 pixels: large pictures are sent as WebP. */
const AVIF_WIDTH = 640;

/** Whether an Accept header names a type itself: a browser that takes AVIF or WebP says so; "*" says nothing about either. */
function accepts(header: string, type: string): boolean {
  return header.split(",").some((part) => {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
    return name === type && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}

/**
 * The best type for a picture that the reader takes.
 * @param accept the request's header
 * @param mimeType of the file that the picture is made of: what may have transparent parts keeps them
 */
export function negotiateImageType(accept: string | null, width: PictureWidth, mimeType: string): ImageType {
  const header = accept ?? "";
  if (width <= AVIF_WIDTH && accepts(header, "image/avif")) return "image/avif";
  if (accepts(header, "image/webp")) return "image/webp";
  return /^image\/(jpeg|hei[cf])$/.test(mimeType) ? "image/jpeg" : "image/png";
}
