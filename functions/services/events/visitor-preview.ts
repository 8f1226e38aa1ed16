import type { Actor } from "~/domain/auth/actor";
import { futureStartIfPublished, isLinkOpen, linkOpensAt, statusAt } from "~/domain/events/status";
import type { EventStatusId, Instant, LinkMode, Localized, Uuid } from "~/domain/shared/model";
import { can } from "~/domain/shared/permissions";
import { bindUseCases } from "../shared/bind";
import { NotFoundError } from "../shared/errors";
import { type ClosedEvent, type ClosedEventDeps, closedEventAt } from "../visitors/closed-event";
import { toVisitorEvent, type VisitorEvent } from "../visitors/event-access";
import { eventResource } from "./events";

/** Dependencies of the preview of what visitors see. */
type VisitorPreviewDeps = Pick<ClosedEventDeps, "readRecord" | "users">;

/** The requested preview: the event, the link's mode and the time. */
export interface VisitorPreviewInput {
  readonly actor: Actor;
  readonly eventId: Uuid;
  readonly mode: LinkMode;
  /** Time of the preview, in milliseconds since 1970. */
  readonly at: number;
}

/** The content that a link shows at a given time. */
export interface VisitorPreviewResult {
  readonly eventName: Localized;
  /** IANA time zone of the event's dates. */
  readonly timeZone: string;
  /** Status at that time. */
  readonly statusId: EventStatusId;
  readonly requiresPassword: boolean;
  /** The event as visitors see it then; null when the link is closed. */
  readonly event: VisitorEvent | null;
  /** Page for visitors with the right token while the link is closed; null if it is open or has no such page. */
  readonly closed: ClosedEvent | null;
  /** Time at which a closed link opens automatically; null if it is open or will not open. */
  readonly opensAt: Instant | null;
  /** Start of an event that was published manually before it; otherwise null. */
  readonly startsAt: Instant | null;
}

/**
 * Reads an event as visitors see it at a given time, with its current content, for users who may see it in the editor. The rule for visitors' links
 * applies, but no token is needed or returned.
 * @throws NotFoundError when the actor does not see the event
 */
export async function readVisitorPreview(
  deps: VisitorPreviewDeps,
  { actor, eventId, mode, at }: VisitorPreviewInput,
): Promise<VisitorPreviewResult> {
  const record = await deps.readRecord(eventId);
  if (!record || !can(actor, "read", eventResource(record.space))) throw new NotFoundError("event");
  const { event } = record;
  const statusId = statusAt(event, at);
  const opensAt = linkOpensAt(event, mode, at);
  const closed = await closedEventAt(deps, record, mode, at);
  return {
    eventName: event.eventName,
    timeZone: record.timeZone,
    statusId,
    requiresPassword: record.publishPasswordHash !== null,
    event: isLinkOpen(statusId, mode) ? toVisitorEvent(record, at) : null,
    closed: closed.state === "closed" ? closed : null,
    opensAt: instantOrNull(opensAt),
    startsAt: instantOrNull(futureStartIfPublished(event, at)),
  };
}

const instantOrNull = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

/** Use cases in `context.services.visitors`. */
export const visitorPreviewServices = (deps: VisitorPreviewDeps) =>
  bindUseCases(deps, { readVisitorPreview });
