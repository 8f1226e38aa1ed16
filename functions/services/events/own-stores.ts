/** Connecting an event to a store that the user has already connected to another event, without its token. */

import type { Actor } from "~/domain/auth/actor";
import type { Localized, Uuid } from "~/domain/shared/model";
import { getEventStore } from "~/domain/store/event-store";
import { bindUseCases } from "../shared/bind";
import { patchEvent } from "./event-patch";
import { type EventDeps, listOwnEvents } from "./events";

/** Number of the user's newest events whose stores are offered. */
const EVENTS_MAX = 100;

/** A store, and the newest of the user's events that is connected to it. */
export interface OwnStore {
  readonly eventId: Uuid;
  readonly eventName: Localized;
  readonly host: string;
}

/** Lists the stores of the user's EVENTS_MAX newest events, each once, without tokens. */
export async function listOwnStores(
  deps: EventDeps,
  { actor }: { readonly actor: Actor },
): Promise<OwnStore[]> {
  const { items } = await listOwnEvents(deps, { actor, pageSize: EVENTS_MAX });
  const stores = new Map<string, OwnStore>();
  for (const { id, eventName, spStoreUrl, spAccessToken } of items) {
    const store = getEventStore(spStoreUrl, spAccessToken);
    const host = store && new URL(store.origin).host;
    if (host && !stores.has(host)) stores.set(host, { eventId: id, eventName, host });
  }
  return [...stores.values()];
}

/**
 * Connects an event to the store of one of the user's own events, and changes nothing else.
 * @param input `from`: the event whose store is used
 * @returns whether the event is connected; false if `from` is not an event of the user or has no store, or if others keep saving the event
 * @throws NotFoundError when the event is not visible, and the errors of `updateEvent`
 */
export async function connectOwnStore(
  deps: EventDeps,
  { actor, eventId, from }: { readonly actor: Actor; readonly eventId: Uuid; readonly from: Uuid },
): Promise<boolean> {
  const source = await deps.events.find(from);
  const store =
    source?.space.ownerId === actor.userId &&
    getEventStore(source.event.spStoreUrl, source.event.spAccessToken);
  if (!store) return false;
  return patchEvent(deps, { actor, eventId }, () => ({
    spStoreUrl: store.origin,
    spAccessToken: store.token,
  }));
}

/** Use cases in `context.services.events`. */
export const ownStoreServices = (deps: EventDeps) => bindUseCases(deps, { listOwnStores, connectOwnStore });
