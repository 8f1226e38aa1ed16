/** Changes of single values of a saved event, without a form. */

import type { Actor } from "~/domain/auth/actor";
import { EVENT_FIELDS } from "~/domain/events/event-changes";
import { type EventFormValue, waitForStartValues } from "~/domain/events/event-form";
import { futureStartIfPublished } from "~/domain/events/status";
import type { Event, EventStatusId, Uuid } from "~/domain/shared/model";
import { bindUseCases } from "../shared/bind";
import { type EventDeps, getEvent, updateEvent } from "./events";

/** Number of attempts to save while others save the event, too. */
const ATTEMPTS_MAX = 3;

interface EventRef {
  readonly actor: Actor;
  readonly eventId: Uuid;
}

/**
 * Changes only some values of an event.
 * @param createPatch returns the new values for the saved event, or null to change nothing
 * @returns whether the event has the new values; false if there are none, or if others keep saving the event
 * @throws NotFoundError when the event is not visible, and the errors of `updateEvent`
 */
export async function patchEvent(
  deps: EventDeps,
  { actor, eventId }: EventRef,
  createPatch: (event: Event) => Partial<EventFormValue> | null,
): Promise<boolean> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const { event } = await getEvent(deps, { actor, eventId });
    const patch = createPatch(event);
    if (!patch) return false;
    const values = {
      ...Object.fromEntries(EVENT_FIELDS.map((field) => [field, event[field as keyof Event]])),
      version: event.version,
      publishPassword: { action: "keep" },
      ...patch,
    } as EventFormValue;
    const { status } = await updateEvent(deps, { actor, eventId, values });
    if (status !== "conflict") return true;
  }
  return false;
}

/**
 * Makes an event that was opened before its start wait for the start again.
 * @param input `statusId`: the status before the event was opened
 * @returns whether the event waits; false if it is not Published before a start any more, or if others keep saving it
 */
export function waitUntilStart(
  deps: EventDeps,
  { statusId: previousStatus, ...ref }: EventRef & { readonly statusId: EventStatusId },
): Promise<boolean> {
  return patchEvent(deps, ref, (event) =>
    futureStartIfPublished(event, deps.clock.now()) !== null
      ? { statusId: waitForStartValues({ statusId: previousStatus }).statusId, enableAutoChangeStatus: true }
      : null,
  );
}

/** Use cases in `context.services.events`. */
export const eventPatchServices = (deps: EventDeps) => bindUseCases(deps, { waitUntilStart });
