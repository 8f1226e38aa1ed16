/** Where things stand in the space, and the edits that put them elsewhere. */

import { fullPlacement } from "~/domain/content/placement";
import type { EventMedia, EventTag, Vec3 } from "~/domain/shared/model";
import type { Edit } from "~/editor/content";
import { PLACED_WIDTH } from "~/forms/medium-input";
import { normalOf } from "~/forms/tag-input";

/** A point on a surface, and where that faces. */
export interface Spot {
  readonly position: Vec3;
  readonly normal: Vec3;
}

/** Where something stands; null while it has no place. */
export function spotOf(item: EventTag | EventMedia): Spot | null {
  if ("placement" in item) return item.placement;
  return item.position && { position: item.position, normal: normalOf(item.stem) };
}

/** A stem of the same length on another surface. */
function stemOn(normal: Vec3, stem: Vec3): Vec3 {
  const length = Math.hypot(...stem);
  return [normal[0] * length, normal[1] * length, normal[2] * length];
}

/** Puts a tag or medium on a spot; what else is said of how it stands there stays. */
export function placeEdit(item: EventTag | EventMedia, { position, normal }: Spot): Edit {
  if (!("placement" in item))
    return { op: "update_tag", id: item.id, values: { position, stem: stemOn(normal, item.stem) } };
  const usual = fullPlacement({ position, normal, width: PLACED_WIDTH });
  return {
    op: "update_media",
    id: item.id,
    values: { placement: { ...usual, ...item.placement, position, normal } },
  };
}
