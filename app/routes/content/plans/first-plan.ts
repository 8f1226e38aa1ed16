import { mapAround } from "~/domain/content/plan-map";
import type { EventMedia, EventTag, FloorPlan, Vec3 } from "~/domain/shared/model";

/** Metres around what is known to be in the space. */
const MARGIN = 2;
/** As wide as a room, where nothing is known. */
const USUAL_WIDTH = 10;

/** A picture as a floor plan before anybody has laid it under the space: around all that has a place there. */
export function firstPlan(
  picture: Pick<EventMedia, "id" | "width" | "height">,
  { tags, media }: { readonly tags: readonly EventTag[]; readonly media: readonly EventMedia[] },
): FloorPlan {
  const places: Vec3[] = [
    ...tags.flatMap(({ position }) => (position ? [position] : [])),
    ...media.flatMap(({ placement }) => (placement ? [placement.position] : [])),
  ];
  const around = mapAround(places, MARGIN);
  if (!around) return { mediaId: picture.id, center: [0, 0], width: USUAL_WIDTH, rotation: 0 };
  const aspect = picture.width && picture.height ? picture.height / picture.width : 1;
  const width = Math.max(around.width, around.height / aspect);
  return { mediaId: picture.id, center: around.center, width, rotation: 0 };
}
