/** Rules that select the files that the owner's browser converts after their upload. In names, "preparation" means this conversion. */

import { IMAGE_TOOL_MAX } from "../shared/limits";
import { isEquirectangular } from "../spaces/panorama-shape";
import { tileShapeFor } from "../spaces/panorama-tiles";
import { CONVERTED_MODEL_TYPES, SPLAT_TYPES } from "./formats/mime-types";

const requiredTypes = (types: readonly string[]) =>
  Object.fromEntries(types.map((type) => [type, "required" as const]));
const offeredTypes = (types: readonly string[]) =>
  Object.fromEntries(types.map((type) => [type, "offered" as const]));

/**
 * Whether a file of a type has to be converted before visitors see it ("required"), or can be made lighter ("offered").
 * Files of other types are shown as they are, unless their codec or their size in pixels needs a conversion (getPreparationNeed).
 */
export const PREPARATION: Readonly<Record<string, "required" | "offered">> = {
  // The image binding reads no BMP.
  "image/bmp": "required",
  "image/tiff": "required",
  "image/heic": "required",
  "image/heif": "required",
  "video/x-matroska": "required",
  "video/mp2t": "required",
  ...requiredTypes(Object.values(CONVERTED_MODEL_TYPES)),
  "model/gltf-binary": "offered",
  ...offeredTypes(Object.values(SPLAT_TYPES)),
};

/** Returns whether files of this type must be converted. These include videos whose type names a codec (video-formats.ts). */
const requiresConversion = (mimeType: string): boolean =>
  PREPARATION[mimeType] === "required" || /^video\/.*; codecs=/.test(mimeType);

/** The properties of a file that decide about its conversion. */
export interface Preparable {
  readonly mimeType: string;
  /** Pixels of an image, where they are known. */
  readonly width: number | null;
  readonly height: number | null;
}

const RASTER_TYPE = /^image\/(jpeg|png|webp|avif)$/;

/**
 * Returns whether a file must be converted before visitors see it ("required"), can be made smaller ("offered"), or is shown as it
 * is (null). Images that are too large for the image binding and for phones must be reduced; wide panoramas can be cut into tiles.
 */
export function getPreparationNeed({ mimeType, width, height }: Preparable): "required" | "offered" | null {
  const byType = requiresConversion(mimeType) ? "required" : PREPARATION[mimeType];
  if (byType) return byType;
  if (!RASTER_TYPE.test(mimeType) || width === null || height === null) return null;
  if (Math.max(width, height) > IMAGE_TOOL_MAX.side || width * height > IMAGE_TOOL_MAX.pixels)
    return "required";
  return isEquirectangular(width, height) && tileShapeFor(width) !== null ? "offered" : null;
}

/** Returns whether visitors cannot see a file before its conversion. */
export const needsConversion = (file: Preparable): boolean => getPreparationNeed(file) === "required";
