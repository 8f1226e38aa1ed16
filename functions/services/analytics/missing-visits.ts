/** Visits that rooms have and D1 does not: a report has them written before it reads (decision 095). */
import type { Repositories } from "#functions/data/shared/repositories";
import type { LocalDate } from "~/domain/analytics/report-period";
import type { Instant } from "~/domain/shared/model";
import type { ReportScope } from "./report-ports";
import type { EventRooms } from "./visit-ports";

/** Maximum number of events of a space or an account whose rooms a report asks: the most visited ones of the day. */
const ROOMS_MAX = 20;

/** Visits that a report lacks. */
export interface MissingVisits {
  /** The last instant up to which all visits are known to be in the report; null if that is unknown. */
  readonly since: Instant | null;
}

/** Dependencies of having rooms write their visits. */
export interface FlushDeps extends Pick<Repositories, "reports"> {
  readonly rooms: Pick<EventRooms, "flush">;
}

/** Has the rooms of a scope write what they have. Returns the visits that are missing because some of them did not; null for none. */
export async function flushRooms(
  { rooms, reports }: FlushDeps,
  scope: ReportScope,
  today: LocalDate,
): Promise<MissingVisits | null> {
  const eventIds = scope.kind === "event" ? [scope.id] : await reports.visitedOn(scope, today, ROOMS_MAX);
  const failed = await rooms.flush(eventIds);
  return failed.length === 0 ? null : { since: await reports.flushedAt(failed) };
}
