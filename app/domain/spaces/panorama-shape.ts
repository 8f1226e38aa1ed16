/**
 * How far a picture's width may be from twice its height, as a share, and it still covers the whole sphere. Others have no place
 * on it: no viewer shows them, so no space is made of them.
 */
const SPHERE_TOLERANCE = 0.02;

/** Whether pixels have the shape of an equirectangular panorama. */
export const isEquirectangular = (width: number, height: number): boolean =>
  width > 0 && height > 0 && Math.abs(width / (2 * height) - 1) <= SPHERE_TOLERANCE;

/** The size of a picture that cannot be a panorama; null for one that can, and while its size is not known. */
export const oddShape = ({
  width,
  height,
}: {
  readonly width: number | null;
  readonly height: number | null;
}): { readonly width: number; readonly height: number } | null =>
  width === null || height === null || isEquirectangular(width, height) ? null : { width, height };

/** What is said of a picture that cannot be a panorama, wherever it is met. */
export const oddPanorama = (
  place: string,
  { width, height }: { readonly width: number; readonly height: number },
) => ({
  key: "spaces:sources.errors.shape" as const,
  values: { place, width, height },
});
