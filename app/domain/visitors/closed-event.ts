import { EVENT_STATUS, type EventTiming, isLinkOpen, linkOpensAt, statusAt } from "../events/status";
import type { Event, Instant, LinkMode } from "../shared/model";

/** The reason why a link is closed, for visitors with the right token. */
export type ClosedNotice =
  /** It will open automatically at this time. */
  | { readonly kind: "opens"; readonly at: Instant }
  /** The event is over. */
  | { readonly kind: "ended" };

/**
 * Returns the notice of a closed link for a visitor with the right token at `now` (milliseconds since 1970). Null for an open link, and for an event
 * that has not ended and will not open automatically, because its existence must not be revealed.
 */
export function closedNotice(event: EventTiming, mode: LinkMode, now: number): ClosedNotice | null {
  const status = statusAt(event, now);
  if (isLinkOpen(status, mode)) return null;
  if (status === EVENT_STATUS.archived) return { kind: "ended" };
  const opensAt = linkOpensAt(event, mode, now);
  return opensAt === null ? null : { kind: "opens", at: new Date(opensAt).toISOString() };
}

/**
 * Whether a visitor who has not entered a publish password may see the event's name and cover image: on the page that asks for the password, and on
 * the pages of an event that has not opened yet or has ended.
 */
export function showsCover(
  event: EventTiming & Pick<Event, "hasPublishPassword" | "showBeforePassword">,
  mode: LinkMode,
  now: number,
): boolean {
  if (event.hasPublishPassword && !event.showBeforePassword) return false;
  return isLinkOpen(statusAt(event, now), mode) || closedNotice(event, mode, now) !== null;
}
