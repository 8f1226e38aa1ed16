import type { Report, ReportPoint } from "#functions/services/analytics/reports";
import { NO_VISITS } from "~/domain/analytics/visit-tally";

/**
 * Visits of another event in the same hours, days, months or years of its own time zone; null for points in the future, and for months if the other
 * event has only years.
 */
export function alignVisits(
  points: readonly ReportPoint[],
  { series, period: { now } }: Report,
): (number | null)[] {
  const length = points[0]?.period.length ?? 0;
  if (series.points.some(({ period }) => period.length < length)) return points.map(() => null);
  const visitsByPeriod = new Map<string, number>();
  for (const { period, numbers } of series.points) {
    const alignedPeriod = period.slice(0, length);
    visitsByPeriod.set(alignedPeriod, (visitsByPeriod.get(alignedPeriod) ?? 0) + numbers.visits);
  }
  return points.map(({ period }) =>
    period <= now.slice(0, length) ? (visitsByPeriod.get(period) ?? 0) : null,
  );
}

/** Returns the points of the first series. Two series of all time can cover different months or years; the result then contains those of both. */
export function mergePoints(
  { points, grain, before }: Report["series"],
  comparedSeries: Report["series"],
): readonly ReportPoint[] {
  // Only series of all time have no points of a previous period.
  if (before.length > 0 || grain !== comparedSeries.grain) return points;
  const pointsByPeriod = new Map(
    comparedSeries.points.map(({ period }) => [period, { period, numbers: NO_VISITS }]),
  );
  for (const point of points) pointsByPeriod.set(point.period, point);
  return [...pointsByPeriod.values()].sort((a, b) => (a.period < b.period ? -1 : 1));
}
