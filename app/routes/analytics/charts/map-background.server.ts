/** Reads the background of the map of visitors' positions. */
import type { AppLoadContext } from "@remix-run/cloudflare";
import type { Actor } from "~/domain/auth/actor";
import { inLanguage } from "~/domain/shared/localized";
import type { Uuid } from "~/domain/shared/model";
import { fileUrl } from "../../content/placement/use-stage-content";
import { scenePlan } from "../../visitors/scene/scene-guides";
import type { HeatPlan, Landmark } from "./heat.server";

/** Background of the map that shows where visitors were. */
export interface MapBackground {
  /** Floor plan of the event; null if there is none. */
  readonly plan: HeatPlan | null;
  /** Tags of the event that have a title and a position. */
  readonly landmarks: readonly Landmark[];
}

/** Reads the floor plan and the landmarks of an event. */
export async function readMapBackground(
  context: AppLoadContext,
  actor: Actor,
  eventId: Uuid,
): Promise<MapBackground> {
  const { media, scene, tags } = await context.services.content.getContent({ actor, eventId });
  const floorPlan = scenePlan({ eventScene: scene, media, fileUrl });
  return {
    plan: floorPlan && {
      image: floorPlan.image,
      frame: { ...floorPlan, height: floorPlan.width * floorPlan.aspect },
    },
    landmarks: tags.flatMap(({ id, title, position }) => {
      const { text: name } = inLanguage(title, context.lang);
      return name === "" || !position ? [] : [{ id, name, position }];
    }),
  };
}

/** Maximum number of a space's events that are searched for a plan. */
const SEARCHED_EVENTS_MAX = 3;

/** Reads the map background of a space, which has no plan of its own: that of its most visited event with a plan, otherwise of its most visited event. */
export async function readSpaceMapBackground(
  context: AppLoadContext,
  actor: Actor,
  events: readonly { readonly id: Uuid }[],
): Promise<MapBackground> {
  let backgroundWithoutPlan: MapBackground | null = null;
  for (const { id } of events.slice(0, SEARCHED_EVENTS_MAX)) {
    const result = await context.attempt(readMapBackground(context, actor, id));
    // An event that was just deleted must not make the report of its space fail.
    if (!result.ok) continue;
    if (result.value.plan) return result.value;
    backgroundWithoutPlan ??= result.value;
  }
  return backgroundWithoutPlan ?? { plan: null, landmarks: [] };
}
