/** Positions of items in the space, and the edits that change them. */

import { fullPlacement } from "~/domain/content/placement";
import type { EventMedia, EventTag, Vec3 } from "~/domain/shared/model";
import type { Edit } from "~/features/content/editor/content";
import { PLACED_WIDTH } from "~/forms/content/media-item-input";
import { getStemDirection } from "~/forms/content/tag-form-input";

/** Point on a surface, with the surface's normal. */
export interface SurfacePoint {
  readonly position: Vec3;
  readonly normal: Vec3;
}

/** Position of an item; null while it has none. */
export function getSurfacePoint(item: EventTag | EventMedia): SurfacePoint | null {
  if ("placement" in item) return item.placement;
  return item.position && { position: item.position, normal: getStemDirection(item.stem) };
}

/** Stem (line from a tag's position to its pin) of the same length on another surface. */
function stemAlong(normal: Vec3, stem: Vec3): Vec3 {
  const length = Math.hypot(...stem);
  return [normal[0] * length, normal[1] * length, normal[2] * length];
}

/** Placement of a media item that had none, at a point on a surface. */
export const createPlacement = ({ position, normal }: SurfacePoint) =>
  fullPlacement({ position, normal, width: PLACED_WIDTH });

/** Edit that moves a tag or media item to a point on a surface; its other placement values stay the same. */
export function placeEdit(item: EventTag | EventMedia, { position, normal }: SurfacePoint): Edit {
  if (!("placement" in item))
    return { op: "update_tag", id: item.id, values: { position, stem: stemAlong(normal, item.stem) } };
  const defaultPlacement = createPlacement({ position, normal });
  return {
    op: "update_media",
    id: item.id,
    values: { placement: { ...defaultPlacement, ...item.placement, position, normal } },
  };
}
