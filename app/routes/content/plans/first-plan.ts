import { mapAround } from "~/domain/content/plan-map";
import type { EventMedia, EventTag, FloorPlan, Vec3 } from "~/domain/shared/model";

/** Margin around the known positions in the space, in metres. */
const MARGIN = 2;
/** Width of the plan if no positions are known, in metres; about the width of a room. */
const DEFAULT_WIDTH = 10;

/** Initial position of a floor plan: around all items that have a position in the space. */
export function firstPlan(
  image: Pick<EventMedia, "id" | "width" | "height">,
  { tags, media }: { readonly tags: readonly EventTag[]; readonly media: readonly EventMedia[] },
): FloorPlan {
  const positions: Vec3[] = [
    ...tags.flatMap(({ position }) => (position ? [position] : [])),
    ...media.flatMap(({ placement }) => (placement ? [placement.position] : [])),
  ];
  const bounds = mapAround(positions, MARGIN);
  if (!bounds) return { mediaId: image.id, center: [0, 0], width: DEFAULT_WIDTH, rotation: 0 };
  const aspect = image.width && image.height ? image.height / image.width : 1;
  const width = Math.max(bounds.width, bounds.height / aspect);
  return { mediaId: image.id, center: bounds.center, width, rotation: 0 };
}
