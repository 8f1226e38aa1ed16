import type { Actor } from "~/domain/auth/actor";
import { DAY_MS } from "~/domain/shared/day";
import { TRASH_DAYS } from "~/domain/shared/limits";
import type { Uuid } from "~/domain/shared/model";
import { can } from "~/domain/shared/permissions";
import { bindUseCases } from "../shared/bind";
import { ConflictError, ForbiddenError, InvalidError, limitReached, NotFoundError } from "../shared/errors";
import { toInstant } from "../shared/instant";
import { auditEntry } from "../users/audit-entry";
import type { TrashedEvent } from "./event-ports";
import { EVENT_NAME_TAKEN, type EventDeps, eventResource } from "./events";

/** Maximum number of deleted events in a list. */
const DELETED_EVENTS_MAX = 50;

const trashStart = (deps: Pick<EventDeps, "clock">) => toInstant(deps.clock.now() - TRASH_DAYS * DAY_MS);

/**
 * Moves an event to the trash for 30 days; its links are closed at once.
 * @param input.spaceId space to which the event must belong, if given
 * @throws NotFoundError when it is not visible, ForbiddenError when the actor may not delete it
 * @throws InvalidError last_event: every space has at least one (specification §8)
 * @throws ConflictError with the saved event, when it has another version
 */
export async function deleteEvent(
  deps: EventDeps,
  input: {
    readonly actor: Actor;
    readonly eventId: Uuid;
    readonly spaceId?: Uuid;
    /** Expected version; any if absent or null. */
    readonly version?: number | null;
  },
): Promise<void> {
  const { actor, eventId, spaceId, version = null } = input;
  const stored = await deps.events.find(eventId);
  if (!stored || !can(actor, "read", eventResource(stored.space))) throw new NotFoundError("event");
  const { event, space } = stored;
  if (spaceId !== undefined && spaceId !== space.id) throw new NotFoundError("event");
  if (!can(actor, "delete", eventResource(space))) throw new ForbiddenError("delete event");
  const entry = auditEntry(deps, actor, "event_deleted", "event", eventId, { spaceId: event.spaceId });
  const outcome = await deps.events.trash(eventId, actor.userId, toInstant(deps.clock.now()), entry, version);
  if (outcome === "stale") throw new ConflictError((await deps.events.find(eventId))?.event ?? event, null);
  if (outcome === "last")
    throw new InvalidError({ "": [{ key: "events:errors.event.lastOfSpace" }] }, "last_event");
  if (outcome === "gone") throw new NotFoundError("event");
  deps.onEventChanged(eventId);
  deps.publishWebhookEvents({ eventId });
}

/** Lists a space's events that were deleted in the last 30 days, latest first, at most 50. Empty for readers who may not restore them. */
export async function listDeletedEvents(
  deps: EventDeps,
  input: { readonly actor: Actor; readonly spaceId: Uuid },
): Promise<readonly TrashedEvent[]> {
  const [space, deleted] = await Promise.all([
    deps.spaces.find(input.spaceId),
    deps.events.listTrash({ spaceId: input.spaceId }, trashStart(deps), DELETED_EVENTS_MAX),
  ]);
  return space && can(input.actor, "restore", eventResource(space)) ? deleted : [];
}

/** Lists an owner's events that were deleted in the last 30 days, latest first, at most 50. Empty for readers who may not restore them. */
export async function listOwnerDeletedEvents(
  deps: EventDeps,
  input: { readonly actor: Actor; readonly ownerId: Uuid },
): Promise<readonly TrashedEvent[]> {
  const { actor, ownerId } = input;
  if (!can(actor, "restore", eventResource({ ownerId, groupId: null }))) return [];
  return deps.events.listTrash({ ownerId }, trashStart(deps), DELETED_EVENTS_MAX);
}

/**
 * Restores an event from the trash.
 * @throws NotFoundError when it is not in the trash, or the actor may not restore it
 * @throws InvalidError event_name_taken when another event of the space has its name now
 * @throws LimitError too_many_space_events
 */
export async function restoreEvent(
  deps: EventDeps,
  input: { readonly actor: Actor; readonly eventId: Uuid; readonly spaceId?: Uuid },
): Promise<void> {
  const { actor, eventId, spaceId } = input;
  const since = trashStart(deps);
  const event = await deps.events.findTrashed(eventId, since);
  if (!event || !can(actor, "restore", eventResource(event.space))) throw new NotFoundError("event");
  if (spaceId !== undefined && spaceId !== event.space.id) throw new NotFoundError("event");
  const entry = auditEntry(deps, actor, "event_restored", "event", eventId, { spaceId: event.space.id });
  const outcome = await deps.events.restore(eventId, since, toInstant(deps.clock.now()), entry);
  if (outcome === "name_taken") throw new InvalidError(EVENT_NAME_TAKEN, "event_name_taken");
  if (outcome === "gone") throw new NotFoundError("event");
  if (outcome !== "restored") throw limitReached(outcome);
  deps.onEventChanged(eventId);
  deps.publishWebhookEvents({ eventId });
}

/** Use cases in `context.services.events`. */
export const eventTrashServices = (deps: EventDeps) =>
  bindUseCases(deps, { deleteEvent, listDeletedEvents, listOwnerDeletedEvents, restoreEvent });
