/** Reads the background of the map of visitors' positions. */
import type { AppLoadContext } from "@remix-run/cloudflare";
import type { Actor } from "~/domain/auth/actor";
import { inLanguage } from "~/domain/shared/localized";
import type { Uuid } from "~/domain/shared/model";
import { fileUrl } from "../../content/placement/use-stage-content";
import { scenePlan } from "../../visitors/scene/scene-guides";
import type { HeatPlan, Landmark } from "./heat.server";

export interface Ground {
  /** Floor plan of the event; null if there is none. */
  readonly plan: HeatPlan | null;
  /** Tags of the event. */
  readonly landmarks: readonly Landmark[];
}

/** Reads the floor plan and the landmarks of an event. */
export async function readGround(context: AppLoadContext, actor: Actor, eventId: Uuid): Promise<Ground> {
  const { media, scene, tags } = await context.services.content.getContent({ actor, eventId });
  const drawn = scenePlan({ eventScene: scene, media, fileUrl });
  return {
    plan: drawn && {
      picture: drawn.picture,
      frame: { ...drawn, height: drawn.width * drawn.aspect },
    },
    landmarks: tags.flatMap(({ id, title, position }) => {
      const { text: name } = inLanguage(title, context.lang);
      return name === "" || !position ? [] : [{ id, name, position }];
    }),
  };
}

/** Maximal number of a space's events that are searched for a plan. */
const LOOKED_AT = 3;

/** The same for a space, which has no plan of its own: from the first of its most visited events that has one. */
export async function readGroundOf(
  context: AppLoadContext,
  actor: Actor,
  events: readonly { readonly id: Uuid }[],
): Promise<Ground> {
  let first: Ground | null = null;
  for (const { id } of events.slice(0, LOOKED_AT)) {
    const read = await context.attempt(readGround(context, actor, id));
    // An event that was deleted meanwhile must not make the report of its space fail.
    if (!read.ok) continue;
    if (read.value.plan) return read.value;
    first ??= read.value;
  }
  return first ?? { plan: null, landmarks: [] };
}
