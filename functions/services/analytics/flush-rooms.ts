/**
 * Visits that are in the events' rooms (Durable Objects that collect visits) and not yet in D1. A report asks the rooms to write them before it reads
 * D1 (decision 095).
 */
import type { Repositories } from "#functions/data/shared/repositories";
import type { LocalDate } from "~/domain/analytics/report-period";
import type { Instant } from "~/domain/shared/model";
import { toInstant } from "../shared/instant";
import type { Clock } from "../shared/ports";
import type { ReportScope } from "./report-ports";
import type { EventRooms } from "./visit-ports";

/** Maximum number of events of a space or an account whose rooms a report asks to write: the most visited events of the day. */
const ROOMS_MAX = 20;

/** Visits that are missing in a report. */
export interface MissingVisits {
  /** All visits up to this instant are in the report; null if no such instant is known. */
  readonly since: Instant | null;
}

/** Single visits that were deleted before R2 had them, because the room's storage was full and R2 did not respond. The numbers contain them. */
export interface LostVisits {
  readonly since: Instant;
  readonly until: Instant;
}

/** Dependencies of flushRooms. */
export interface FlushDeps extends Pick<Repositories, "reports"> {
  readonly rooms: Pick<EventRooms, "flush">;
  readonly clock: Clock;
}

/**
 * Asks rooms to write their visits to D1: the room of an event, or those of the ROOMS_MAX most visited events of a space or an account today.
 * @param today in the owner's time zone
 */
export async function flushRooms(
  { rooms, reports, clock }: FlushDeps,
  scope: ReportScope,
  today: LocalDate,
): Promise<{
  /** The visits that are missing because a room did not write them; null if none are missing. */
  readonly missing: MissingVisits | null;
  /** The single visits that are missing in the export of an event; null if none are missing, and for other scopes. */
  readonly lost: LostVisits | null;
}> {
  const eventIds = scope.kind === "event" ? [scope.id] : await reports.visitedOn(scope, today, ROOMS_MAX);
  const { failed, lost } = await rooms.flush(eventIds);
  const range = scope.kind === "event" ? lost.get(scope.id) : undefined;
  return {
    missing:
      failed.length === 0 ? null : { since: notInFuture(await reports.flushedAt(failed), clock.now()) },
    lost: range ? { since: toInstant(range.since), until: toInstant(range.until) } : null,
  };
}

/** Returns null for a time in the future: the clock of a room jumped when it stored the time. */
const notInFuture = (time: Instant | null, now: number): Instant | null =>
  time !== null && Date.parse(time) > now ? null : time;
