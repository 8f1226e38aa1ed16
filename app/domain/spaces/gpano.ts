/**
 * Reads the area of the sphere that a panorama covers, as cameras and stitching programs write it into the file (Photo Sphere XMP metadata,
 * namespace http://ns.google.com/photos/1.0/panorama/).
 */

/** Number of bytes at the beginning of a file that are searched for the metadata. */
export const GPANO_BYTES = 256 * 1024;

/** Position and size of an image on the whole panorama, in pixels of the whole panorama. */
export interface PanoramaCrop {
  readonly fullWidth: number;
  readonly fullHeight: number;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

const NAMES = {
  fullWidth: "FullPanoWidthPixels",
  fullHeight: "FullPanoHeightPixels",
  width: "CroppedAreaImageWidthPixels",
  height: "CroppedAreaImageHeightPixels",
  left: "CroppedAreaLeftPixels",
  top: "CroppedAreaTopPixels",
} as const;

/** Maximum plausible number of pixels. Larger numbers are errors. */
const PIXELS_MAX = 1_000_000;

/**
 * Reads the crop of a panorama.
 * @param head the file's first GPANO_BYTES
 * @param size the image's real size in pixels; the metadata of a reduced image still give the size of the original
 * @returns the crop in pixels of this image; null for an image that covers the whole sphere, and for one whose metadata are missing, impossible
 * or of another aspect ratio
 */
export function readPanoramaCrop(
  head: Uint8Array,
  size: { readonly width: number; readonly height: number },
): PanoramaCrop | null {
  const text = new TextDecoder("latin1").decode(head.subarray(0, GPANO_BYTES));
  const value = (name: string): number | null => {
    const digits = new RegExp(`GPano:${name}(?:\\s*=\\s*["']|>)\\s*(-?\\d{1,9}(?:\\.\\d*)?)`).exec(text)?.[1];
    return digits === undefined ? null : Number(digits);
  };
  const fullWidth = value(NAMES.fullWidth);
  if (fullWidth === null) return null;
  const width = value(NAMES.width) ?? size.width;
  const height = value(NAMES.height) ?? size.height;
  const fullHeight = value(NAMES.fullHeight) ?? fullWidth / 2;
  // A missing position means that the image is centred.
  const left = value(NAMES.left) ?? (fullWidth - width) / 2;
  const top = value(NAMES.top) ?? (fullHeight - height) / 2;
  const numbers = [fullWidth, fullHeight, width, height];
  if (numbers.some((number) => !(number > 0 && number <= PIXELS_MAX))) return null;
  if (left < 0 || top < 0 || width > fullWidth || top + height > fullHeight + 1) return null;
  const [x, y] = [size.width / width, size.height / height];
  // An image with another aspect ratio was edited after the metadata were written.
  if (Math.abs(x / y - 1) > 0.02) return null;
  if (width === fullWidth && height * 2 === fullWidth) return null;
  // The full height must be half of the full width. Some phones write the image's own height.
  const sphereHeight = fullWidth / 2;
  return {
    fullWidth: Math.round(fullWidth * x),
    fullHeight: Math.round(sphereHeight * x),
    left: Math.round((left % fullWidth) * x),
    top: Math.round((top + (sphereHeight - fullHeight) / 2) * x),
    width: size.width,
    height: size.height,
  };
}
