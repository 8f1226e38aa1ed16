/** Estimates whether content fits into a device before it is loaded, because a tab that runs out of memory closes without a message. */
import { SPLATS_MAX } from "~/domain/library/formats/splats-max";
import type { ModelSummary } from "./model-summary";

/** Properties of a device that browsers report. */
export interface DeviceCapacity {
  /** Whether the device has little memory: a phone, or another device that reports it. */
  readonly isSmall: boolean;
  /** Largest side of a texture, in pixels. */
  readonly maxTextureSize: number;
}

const MEGABYTE = 1024 * 1024;
/** Bytes that a model may use of the graphics memory and of the page's memory together. */
const MODEL_BYTES_MAX = 1024 * MEGABYTE;
const MODEL_BYTES_MAX_SMALL = 192 * MEGABYTE;
/** Bytes that walking and picking need for each triangle (core/triangles): corners, centre, order and boxes. */
const TRIANGLE_BYTES = 72;
/** Number of copies of the geometry: one in graphics memory and one in the page. */
const GEOMETRY_COPIES = 2;
/** Maximum number of splats on a small device. Each splat uses about 40 bytes of graphics memory. */
const SPLATS_MAX_SMALL = 1_500_000;
/** Spark, the library that draws splats, stores them in texture layers of this side, in pixels. */
const SPLAT_TEXTURE_SIDE = 2048;

/** Returns whether a device has room for a model. */
export function hasRoomForModel(
  { triangles, bytes }: Pick<ModelSummary, "triangles" | "bytes">,
  { isSmall }: DeviceCapacity,
): boolean {
  return (
    triangles * TRIANGLE_BYTES + bytes * GEOMETRY_COPIES <=
    (isSmall ? MODEL_BYTES_MAX_SMALL : MODEL_BYTES_MAX)
  );
}

/** Returns whether a device has room for this number of splats. */
export function hasRoomForSplats(count: number, { isSmall, maxTextureSize }: DeviceCapacity): boolean {
  return count <= (isSmall ? SPLATS_MAX_SMALL : SPLATS_MAX) && maxTextureSize >= SPLAT_TEXTURE_SIDE;
}
