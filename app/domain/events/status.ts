import type { Event, EventStatusId, LinkMode } from "../shared/model";

/** The four statuses of an event (specification §4) by name. */
export const EVENT_STATUS = {
  unpublished: 1,
  preview: 2,
  published: 3,
  archived: 4,
} as const satisfies Record<string, EventStatusId>;

/** The four statuses in the order of the form (specification §2). */
export const EVENT_STATUS_IDS: readonly EventStatusId[] = [1, 2, 3, 4];

/** The fields of an event that statusAt needs. A missing or null flag counts as true (specification §3). */
export type EventTiming = Pick<Event, "statusId" | "startDate" | "endDate"> & {
  readonly enableAutoChangeStatus?: boolean | null;
};

/** Returns milliseconds since 1970, or null for a missing or invalid date. */
function instantMs(date: string | null): number | null {
  if (date === null) return null;
  const ms = Date.parse(date);
  return Number.isNaN(ms) ? null : ms;
}

/**
 * Returns the status that applies at `now` (milliseconds since 1970). An event whose status changes automatically is Published from its start date and
 * Archived from its end date; one that was saved as Archived stays so. No other code decides a status (specification §4). The result depends only on
 * the event's fields and the clock, never on which job has run. At the exact millisecond of a date, that date has passed.
 */
export function statusAt(event: EventTiming, now: number): EventStatusId {
  const { statusId } = event;
  if (event.enableAutoChangeStatus === false || statusId === EVENT_STATUS.archived) return statusId;
  const end = instantMs(event.endDate);
  if (end !== null && now >= end) return EVENT_STATUS.archived;
  const start = instantMs(event.startDate);
  if (start !== null && now >= start) return EVENT_STATUS.published;
  return statusId;
}

/**
 * Returns the status that applies at `now` (milliseconds since 1970) instead of the chosen one, because of the dates and the automatic
 * change; null if the chosen one applies.
 */
export function overruledStatus(event: EventTiming, now: number): EventStatusId | null {
  const effectiveStatus = statusAt(event, now);
  return effectiveStatus === event.statusId ? null : effectiveStatus;
}

/** Returns the next time at which statusAt returns another status, in milliseconds since 1970; null if the status does not change automatically. */
export function nextStatusChange(event: EventTiming, now: number): number | null {
  const current = statusAt(event, now);
  let next: number | null = null;
  for (const date of [event.startDate, event.endDate]) {
    const ms = instantMs(date);
    if (ms === null || ms <= now || (next !== null && ms >= next)) continue;
    if (statusAt(event, ms) !== current) next = ms;
  }
  return next;
}

/** Whether links of a mode are open in a status: preview links in Preview and Published, public links in Published (specification §4). */
export function isLinkOpen(status: EventStatusId, mode: LinkMode): boolean {
  if (status === EVENT_STATUS.published) return true;
  return mode === "preview" && status === EVENT_STATUS.preview;
}

/**
 * Returns the time after `now` at which links of a mode next open automatically, in milliseconds since 1970; null if they are open, or will not open.
 */
export function linkOpensAt(event: EventTiming, mode: LinkMode, now: number): number | null {
  if (isLinkOpen(statusAt(event, now), mode)) return null;
  for (
    let changesAt = nextStatusChange(event, now);
    changesAt !== null;
    changesAt = nextStatusChange(event, changesAt)
  )
    if (isLinkOpen(statusAt(event, changesAt), mode)) return changesAt;
  return null;
}

/** Whether a link of a mode is open at `now` or will open automatically. Until then its page shows visitors the time. */
export const worksNowOrLater = (event: EventTiming, mode: LinkMode, now: number): boolean =>
  isLinkOpen(statusAt(event, now), mode) || linkOpensAt(event, mode, now) !== null;

/** Returns the start date, in milliseconds since 1970, if it is after `now` although the event is already Published; null otherwise. */
export function futureStartIfPublished(event: EventTiming, now: number): number | null {
  const start = instantMs(event.startDate);
  return start !== null && now < start && statusAt(event, now) === EVENT_STATUS.published ? start : null;
}
