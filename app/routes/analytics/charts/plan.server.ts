/** What a map of where visitors stood is drawn on. */
import type { AppLoadContext } from "@remix-run/cloudflare";
import { inLanguage } from "~/domain/shared/localized";
import type { Actor, Uuid } from "~/domain/shared/model";
import { fileUrl } from "../../content/placement/use-stage-content";
import { planOf } from "../../visitors/scene/scene-guides";
import type { HeatPlan, Landmark } from "./heat.server";

export interface Ground {
  /** Where the event has one. */
  readonly plan: HeatPlan | null;
  /** The event's tags. */
  readonly landmarks: readonly Landmark[];
}

/** The floor plan of an event, and what it shows where. */
export async function readGround(context: AppLoadContext, actor: Actor, eventId: Uuid): Promise<Ground> {
  const { media, scene, tags } = await context.services.content.getContent({ actor, eventId });
  const drawn = planOf({ eventScene: scene, media, fileUrl });
  return {
    plan: drawn && {
      picture: drawn.picture,
      frame: { ...drawn, height: drawn.width * drawn.aspect },
    },
    landmarks: tags.flatMap(({ title, position }) => {
      const { text: name } = inLanguage(title, context.lang);
      return name === "" || !position ? [] : [{ name, position }];
    }),
  };
}

/** Events of a space of which it is looked whether they have a plan. */
const LOOKED_AT = 3;

/** The same of a space, which has no plan of its own: of the first of its most visited events that has one. */
export async function readGroundOf(
  context: AppLoadContext,
  actor: Actor,
  events: readonly { readonly id: Uuid }[],
): Promise<Ground> {
  let first: Ground | null = null;
  for (const { id } of events.slice(0, LOOKED_AT)) {
    const read = await context.attempt(readGround(context, actor, id));
    // One that went to the trash meanwhile takes its space's report not along.
    if (!read.ok) continue;
    if (read.value.plan) return read.value;
    first ??= read.value;
  }
  return first ?? { plan: null, landmarks: [] };
}
