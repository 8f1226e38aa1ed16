/** What fits into a device: asked before it is tried, because a tab that runs out of memory is gone without a word. */
import { SPLATS_MAX } from "~/domain/library/formats/splat-limits";
import type { ModelHead } from "./model-head";

/** A device, as far as browsers tell of it. */
export interface Device {
  /** One with little memory: a telephone, or a computer that says so. */
  readonly isSmall: boolean;
  /** Pixels of the longer side of what its graphics hold. */
  readonly maxTextureSize: number;
}

const MEGABYTE = 1024 * 1024;
/** Bytes that a model may take of the graphics memory and of the page's own. */
const MODEL_ROOM = 1024 * MEGABYTE;
const MODEL_ROOM_SMALL = 192 * MEGABYTE;
/** Bytes that walking and picking keep of each triangle (core/triangles): points, middle, order and boxes. */
const TRIANGLE_BYTES = 72;
/** Graphics memory has a copy of the points while the page still has its own. */
const COPIES = 2;
/** About 40 bytes of each splat reach the graphics memory. */
const SPLATS_MAX_SMALL = 1_500_000;
/** Spark keeps splats in layers of this side. */
const SPLAT_LAYER_SIDE = 2048;

/** Whether a device has room for a model. */
export function hasRoomForModel(
  { triangles, bytes }: Pick<ModelHead, "triangles" | "bytes">,
  { isSmall }: Device,
): boolean {
  return triangles * TRIANGLE_BYTES + bytes * COPIES <= (isSmall ? MODEL_ROOM_SMALL : MODEL_ROOM);
}

/** Whether a device has room for so many splats. */
export function hasRoomForSplats(count: number, { isSmall, maxTextureSize }: Device): boolean {
  return count <= (isSmall ? SPLATS_MAX_SMALL : SPLATS_MAX) && maxTextureSize >= SPLAT_LAYER_SIDE;
}
