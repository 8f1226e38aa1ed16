import { cubeLayouts } from "./cubemap";

/**
 * Maximum deviation of an image's width from twice its height, as a fraction, for an image that covers the whole sphere. Viewers cannot
 * show other images as panoramas, so no space can use them.
 */
const SPHERE_TOLERANCE = 0.02;

/** Returns whether an image of this size in pixels can be an equirectangular panorama. */
export const isEquirectangular = (width: number, height: number): boolean =>
  width > 0 && height > 0 && Math.abs(width / (2 * height) - 1) <= SPHERE_TOLERANCE;

/** Returns the size of an image that cannot be a panorama; null for one that can, and for an unknown size. */
export const invalidPanoramaSize = ({
  width,
  height,
}: {
  readonly width: number | null;
  readonly height: number | null;
}): { readonly width: number; readonly height: number } | null =>
  width === null || height === null || isEquirectangular(width, height) ? null : { width, height };

/** Returns what an image that is not 2:1 may be: one face of a cube, a whole cubemap, or neither, such as a cropped panorama. */
export function panoramaPart(width: number, height: number): "face" | "cubemap" | "other" {
  if (width === height) return "face";
  return cubeLayouts(width, height) ? "cubemap" : "other";
}

/** Returns the error for an image that cannot be a panorama. @param title title of the image */
export const invalidPanoramaError = (
  title: string,
  { width, height }: { readonly width: number; readonly height: number },
) => ({
  key: "spaces:sources.errors.shape" as const,
  values: { title, width, height },
});
