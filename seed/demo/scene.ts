import type { Vec3, Viewpoint } from "~/domain/shared/model";
import { stopTexts } from "../demo-stop-texts";
import { eyeHeight, floorPlanFrame, hallView, viewFrom } from "../gallery-plan";
import { type DemoScene, demoId, demoIds, mediaId } from "./records";
import { findProduct } from "./tags";

/** Start of the main event's visitors, its tour, its floor plan image, and its additional products. */
export function mainScene(): DemoScene {
  const eventId = demoIds.mainEvent;
  const stop = (key: keyof typeof stopTexts, seconds: number, viewpoint: Viewpoint | null = null) => ({
    id: demoId(`stop ${eventId} ${key}`),
    tagId: key === "hall" ? null : demoId(`tag ${eventId} ${key}`),
    viewpoint,
    ...stopTexts[key],
    seconds,
  });
  const hall: Vec3 = [1.2, eyeHeight, 1.4];
  return {
    eventId,
    startView: hallView,
    tour: [
      stop("welcome", 8, viewFrom([0, eyeHeight, 7.6], [0, eyeHeight, -6.3])),
      stop("waves", 12),
      stop("hall", 10, viewFrom(hall, [-1.4, 2.2, -6.3])),
      stop("stars", 12),
      stop("enso", 15),
      stop("screens", 10),
    ],
    plan: { mediaId: mediaId(eventId, "floor-plan"), ...floorPlanFrame, rotation: 0 },
    products: ["namima-cup", "asanoha-shirt", "enso-print"].map(findProduct),
  };
}
