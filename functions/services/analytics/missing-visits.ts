/** Visits that are in the events' rooms and not yet in D1. A report asks the rooms to write them before it reads D1 (decision 095). */
import type { Repositories } from "#functions/data/shared/repositories";
import type { LocalDate } from "~/domain/analytics/report-period";
import type { Instant } from "~/domain/shared/model";
import type { ReportScope } from "./report-ports";
import type { EventRooms } from "./visit-ports";

/** Maximum number of events of a space or an account whose rooms a report asks to write: the most visited events of the day. */
const ROOMS_MAX = 20;

/** Visits that are missing in a report. */
export interface MissingVisits {
  /** The last instant up to which all visits are known to be in the report; null if that is unknown. */
  readonly since: Instant | null;
}

/** Dependencies of flushRooms. */
export interface FlushDeps extends Pick<Repositories, "reports"> {
  readonly rooms: Pick<EventRooms, "flush">;
}

/** Asks the rooms of a scope to write their visits to D1. Returns the visits that are missing because a room did not; null if none are missing. */
export async function flushRooms(
  { rooms, reports }: FlushDeps,
  scope: ReportScope,
  today: LocalDate,
): Promise<MissingVisits | null> {
  const eventIds = scope.kind === "event" ? [scope.id] : await reports.visitedOn(scope, today, ROOMS_MAX);
  const failed = await rooms.flush(eventIds);
  return failed.length === 0 ? null : { since: await reports.flushedAt(failed) };
}
