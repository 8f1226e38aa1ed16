import type { AppLoadContext } from "@remix-run/cloudflare";
import type { Actor } from "~/domain/auth/actor";
import { textIn } from "~/domain/shared/localized";
import type { Localized, Uuid } from "~/domain/shared/model";

interface ComparisonInput {
  readonly eventId: Uuid;
  readonly space: { readonly id: Uuid; readonly ownerId: Uuid };
}

/** Events whose names, or the names of their spaces, contain a text. */
export async function searchComparable(context: AppLoadContext, actor: Actor, eventId: Uuid, text: string) {
  const events = await context.services.reports.findComparable({ actor, eventId, query: text });
  return events.map(({ id, name, spaceName }) => ({
    id,
    name: `${textIn(name, context.lang)} – ${spaceName}`,
  }));
}

/** Events that this one can be compared with: the results of a search, otherwise those of its space and, for the owner, the most visited ones. */
export async function readComparableEvents(
  context: AppLoadContext,
  actor: Actor,
  { eventId, space }: ComparisonInput,
  searchText: string,
) {
  if (searchText !== "") return searchComparable(context, actor, eventId, searchText);
  const { reports, events } = context.services;
  const textOf = (name: Localized) => textIn(name, context.lang);
  const isOwn = space.ownerId === actor.userId;
  const [eventsOfSpace, mostVisitedEvents] = await Promise.all([
    events.listEvents({ actor, spaceId: space.id, pageSize: 100 }),
    isOwn ? reports.mostVisited({ actor, scope: { kind: "account", id: space.ownerId } }) : [],
  ]);
  const names = new Map<Uuid, string>();
  for (const { id, eventName } of eventsOfSpace.events.items) names.set(id, textOf(eventName));
  for (const { id, name, spaceName } of mostVisitedEvents)
    if (!names.has(id)) names.set(id, `${textOf(name)} – ${spaceName}`);
  names.delete(eventId);
  return [...names].map(([id, name]) => ({ id, name }));
}

export type ComparableEvents = Awaited<ReturnType<typeof readComparableEvents>>;
