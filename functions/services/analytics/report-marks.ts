/** Marks in a report's chart: changes of events that can explain their visits. */

import type { DayRange } from "~/domain/analytics/report-period";
import type { Grain } from "~/domain/analytics/visit";
import type { Uuid } from "~/domain/shared/model";
import { localHour, readTypedInstant } from "~/domain/shared/time-zone";
import type { ChangesQuery, ExplainingChange, ReportScope } from "./report-ports";

/** Changes of one kind and event in one hour, day, month or year of a chart. */
export interface ReportMark extends Pick<ExplainingChange, "eventId" | "kind" | "count"> {
  /** Label of the chart's point. */
  readonly period: string;
}

/** Number of characters in the label of a point. */
const LABEL_LENGTH: Readonly<Record<Grain, number>> = { hour: 13, day: 10, month: 7, year: 4 };

/**
 * Returns the query for the changes in a report: those of its events on its days. Times are compared as text, so "0" precedes
 * and "9" follows every time.
 * @param events the events that a report of a space or an account lists; ignored for an event
 */
export const changesQuery = (
  scope: ReportScope,
  events: readonly { readonly id: Uuid }[],
  { days, timeZone }: { readonly days: DayRange | null; readonly timeZone: string },
): ChangesQuery => ({
  events: scope.kind === "event" ? [scope.id] : events.map(({ id }) => id),
  additions: scope.kind === "event" ? scope.id : null,
  from: (days && readTypedInstant(days.from, timeZone)) ?? "0",
  to: (days && readTypedInstant(days.to, timeZone, { end: true })) ?? "9",
});

/** Adds up changes of the same kind and event in each point of a chart, in the order of the points. */
export function groupMarks(
  changes: readonly ExplainingChange[],
  grain: Grain,
  timeZone: string,
): readonly ReportMark[] {
  const marks = new Map<string, ReportMark>();
  for (const { eventId, at, kind, count } of changes) {
    const period = localHour(Date.parse(at), timeZone).slice(0, LABEL_LENGTH[grain]);
    const key = `${period} ${kind} ${eventId}`;
    marks.set(key, { period, kind, eventId, count: count + (marks.get(key)?.count ?? 0) });
  }
  return [...marks.values()].sort((a, b) => (a.period < b.period ? -1 : 1));
}
