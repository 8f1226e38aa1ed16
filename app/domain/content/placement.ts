import { PLACEMENT_REACH } from "../shared/limits";
import type { Placement } from "../shared/model";

/** A stored placement. Older ones have only a position, a normal and a width. */
export type StoredPlacement = Pick<Placement, "position" | "normal" | "width"> & Partial<Placement>;

/** Adds the defaults of newer fields to a stored placement. */
export function fullPlacement(stored: StoredPlacement): Placement {
  return { rotation: 0, play: "click", reach: PLACEMENT_REACH.usual, ...stored };
}
