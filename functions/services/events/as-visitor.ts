import type { Actor } from "~/domain/auth/actor";
import { isLinkOpen, linkOpensAt, publishedBefore, statusAt } from "~/domain/events/status";
import type { EventStatusId, Instant, LinkMode, Localized, Uuid } from "~/domain/shared/model";
import { can } from "~/domain/shared/permissions";
import { bindUseCases } from "../shared/bind";
import { NotFoundError } from "../shared/errors";
import { type ClosedEvent, type ClosedEventDeps, closedEventAt } from "../visitors/closed-event";
import { toVisitorEvent, type VisitorEvent } from "../visitors/event-access";
import { eventResource } from "./events";

/** Dependencies of a preview as a visitor. */
type AsVisitorDeps = Pick<ClosedEventDeps, "readRecord" | "users">;

/** The actor, the event, the link's mode and the time of a preview as a visitor. */
export interface AsVisitorInput {
  readonly actor: Actor;
  readonly eventId: Uuid;
  readonly mode: LinkMode;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The content of a link at a given time. */
export interface AsVisitorResult {
  readonly eventName: Localized;
  /** In which the event's dates are meant: an IANA name. */
  readonly timeZone: string;
  /** Status at that time. */
  readonly statusId: EventStatusId;
  readonly asksPassword: boolean;
  /** The event as visitors see it then; null when the link is closed. */
  readonly event: VisitorEvent | null;
  /** The page of a closed link for visitors with the right token; null when it is open, and when they see no such page. */
  readonly closed: ClosedEvent | null;
  /** When a closed link opens by itself; null when it is open, or never will. */
  readonly opensAt: Instant | null;
  /** The start of an event that is Published before it by hand; null otherwise. */
  readonly startsAt: Instant | null;
}

/**
 * The event as visitors see it at a given time, for users who may edit it, with its current content. It applies the rule of visitors' links without
 * needing or returning a token.
 * @throws NotFoundError when the actor does not see the event
 */
export async function readAsVisitor(
  deps: AsVisitorDeps,
  { actor, eventId, mode, at }: AsVisitorInput,
): Promise<AsVisitorResult> {
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
    asksPassword: record.publishPasswordHash !== null,
    event: isLinkOpen(statusId, mode) ? toVisitorEvent(record, at) : null,
    closed: closed.state === "closed" ? closed : null,
    opensAt: instant(opensAt),
    startsAt: instant(publishedBefore(event, at)),
  };
}

const instant = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

/** Use cases in `context.services.visitors`. */
export const asVisitorServices = (deps: AsVisitorDeps) => bindUseCases(deps, { readAsVisitor });
