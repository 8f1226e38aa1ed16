/** Stores of a user's other events, which the user can connect to this event without typing the token again. */
import type { AppLoadContext } from "@remix-run/cloudflare";
import type { Actor } from "~/domain/auth/actor";
import type { EventFormInput } from "~/domain/events/event-form";
import { toUuid } from "~/domain/shared/ids";
import { textIn } from "~/domain/shared/localized";
import type { Uuid } from "~/domain/shared/model";
import { getEventStore } from "~/domain/store/event-store";

/** Number of the user's newest events whose stores are offered. */
const EVENTS_MAX = 100;

/** A connected store, and the newest event of the user that has it. */
export interface OwnStore {
  readonly eventId: Uuid;
  readonly eventName: string;
  readonly host: string;
}

interface OwnStoreRead {
  readonly context: AppLoadContext;
  readonly actor: Actor;
}

/** Lists the stores of the user's own events, each once. The tokens stay on the server. */
export async function readOwnStores({ context, actor }: OwnStoreRead): Promise<readonly OwnStore[]> {
  const { items } = await context.services.events.listOwnEvents({ actor, pageSize: EVENTS_MAX });
  const stores = new Map<string, OwnStore>();
  for (const { id, eventName, spStoreUrl, spAccessToken } of items) {
    const host = getEventStore(spStoreUrl, spAccessToken) && spStoreUrl?.replace(/^https:\/\//, "");
    if (host && !stores.has(host))
      stores.set(host, { eventId: id, eventName: textIn(eventName, context.lang), host });
  }
  return [...stores.values()];
}

/** Names and values of a form's fields, as a browser submits them. */
function listFields(input: object, prefix = ""): (readonly [string, string])[] {
  return Object.entries(input).flatMap(([key, value]) => {
    const name = Array.isArray(input) ? `${prefix}[${key}]` : prefix ? `${prefix}.${key}` : key;
    if (typeof value === "object" && value !== null) return listFields(value, name);
    return [[name, String(value ?? "")] as const];
  });
}

/**
 * Replaces a form that names one of the user's own events by the event form of the saved event with the store of that event. Throws a 404 response if
 * the user does not own the named event, or if it has no store.
 */
export async function fillOwnStore(
  { context, actor }: OwnStoreRead,
  form: FormData,
  savedInput: EventFormInput,
): Promise<void> {
  const eventId = toUuid(form.get("from"));
  const source = eventId && (await context.services.events.getEvent({ actor, eventId }));
  if (!source || source.space.ownerId !== actor.userId || !source.event.spAccessToken)
    throw new Response(null, { status: 404, statusText: "Not Found" });
  const { spStoreUrl, spAccessToken } = source.event;
  for (const name of [...form.keys()]) form.delete(name);
  for (const [name, value] of listFields({ ...savedInput, spStoreUrl, spAccessToken })) form.set(name, value);
}
