import { PLACEMENT_REACH } from "../shared/limits";
import type { Placement } from "../shared/model";

/** A placement as it is stored: older ones have no more than their place and width. */
export type StoredPlacement = Pick<Placement, "position" | "normal" | "width"> & Partial<Placement>;

/** A placement as it was stored, with what placements did not have when it was. */
export function fullPlacement(stored: StoredPlacement): Placement {
  return { rotation: 0, play: "click", reach: PLACEMENT_REACH.usual, ...stored };
}
