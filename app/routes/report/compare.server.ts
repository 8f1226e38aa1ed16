import type { AppLoadContext } from "@remix-run/cloudflare";
import type { Actor, Uuid } from "~/domain/model";

interface Compared {
  readonly eventId: Uuid;
  readonly space: { readonly id: Uuid; readonly ownerId: Uuid };
}

/** The events that this one can be put beside: those of its space, and what of its owner's had the most visits. */
export async function readComparable(context: AppLoadContext, actor: Actor, { eventId, space }: Compared) {
  const { reports, events } = context.services;
  const isOwn = space.ownerId === actor.userId;
  const [near, all] = await Promise.all([
    events.listEvents({ actor, spaceId: space.id, pageSize: 100 }),
    isOwn ? reports.report({ actor, scope: { kind: "account", id: space.ownerId }, period: "all" }) : null,
  ]);
  const names = new Map<Uuid, string>();
  for (const { id, eventName } of near.events.items) names.set(id, eventName);
  for (const { id, name, spaceName } of all?.events ?? [])
    if (!names.has(id)) names.set(id, `${name} – ${spaceName}`);
  names.delete(eventId);
  return [...names].map(([id, name]) => ({ id, name }));
}

export type Comparable = Awaited<ReturnType<typeof readComparable>>;
