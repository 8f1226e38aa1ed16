/** Computes the periods of reports: their first and last days, the points of their charts, and the ranges with which they are compared. */

import { DAY_MS } from "../shared/day";
import type { Grain } from "./visit";

/** A calendar day in some time zone: YYYY-MM-DD. */
export type LocalDate = string;
/** The kinds of periods that a report can have (specification §9). A week begins on Monday (ISO 8601). */
export const REPORT_PERIODS = ["all", "daily", "weekly", "monthly", "yearly"] as const;
/** A kind of period. */
export type ReportPeriod = (typeof REPORT_PERIODS)[number];
/** The periods that have a beginning and an end. */
export type BoundPeriod = Exclude<ReportPeriod, "all">;

/** Days from the first to the last, both included. */
export interface DayRange {
  readonly from: LocalDate;
  readonly to: LocalDate;
}

/** A range of hours, days, months or years for which totals are stored, both ends included: 2026-04-01T09, 2026-04-01, 2026-04 or 2026. */
export interface GrainRange {
  readonly grain: Grain;
  readonly from: string;
  readonly to: string;
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;
/** Earliest and latest day of reports. No visits are older, and later days are not supported. */
const FIRST_DAY = "2000-01-01";
const LAST_DAY = "2199-12-31";

const dayToMs = (date: LocalDate) => Date.parse(`${date}T00:00:00.000Z`);
const msToDay = (ms: number): LocalDate => new Date(ms).toISOString().slice(0, 10);
const twoDigits = (value: number) => String(value).padStart(2, "0");

/** Whether a value is an existing calendar day within the years that reports support. */
export const isLocalDate = (value: string): value is LocalDate =>
  DATE.test(value) &&
  value >= FIRST_DAY &&
  value <= LAST_DAY &&
  !Number.isNaN(dayToMs(value)) &&
  // Date.parse turns a day that the month does not have into another day.
  msToDay(dayToMs(value)) === value;

/** Returns the day that is `days` days later. */
export const addDays = (date: LocalDate, days: number): LocalDate => msToDay(dayToMs(date) + days * DAY_MS);

/** Returns the period that contains a day. */
export function periodAround(period: BoundPeriod, date: LocalDate): DayRange {
  const [year = 0, month = 0] = date.split("-").map(Number);
  if (period === "daily") return { from: date, to: date };
  if (period === "weekly") {
    const from = addDays(date, -((new Date(dayToMs(date)).getUTCDay() + 6) % 7));
    return { from, to: addDays(from, 6) };
  }
  if (period === "monthly")
    return { from: msToDay(Date.UTC(year, month - 1, 1)), to: msToDay(Date.UTC(year, month, 0)) };
  return { from: `${year}-01-01`, to: `${year}-12-31` };
}

/** Returns the period before another one. */
export const periodBefore = (period: BoundPeriod, { from }: DayRange): DayRange =>
  periodAround(period, addDays(from, -1));

/** Returns the points of a period's chart, in order: its hours, days or months. */
export function listPeriodPoints(period: BoundPeriod, { from, to }: DayRange): readonly string[] {
  if (period === "daily") return Array.from({ length: 24 }, (_, hour) => `${from}T${twoDigits(hour)}`);
  if (period === "yearly")
    return Array.from({ length: 12 }, (_, month) => `${from.slice(0, 4)}-${twoDigits(month + 1)}`);
  const days: LocalDate[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}

/** The length of time that one point of each period's chart covers. */
export const POINT_GRAINS: Readonly<Record<BoundPeriod, Grain>> = {
  daily: "hour",
  weekly: "day",
  monthly: "day",
  yearly: "month",
};

/** Returns the range of stored totals that covers a period, with as few rows as possible. */
export function getStoredRange(period: BoundPeriod, { from, to }: DayRange): GrainRange {
  if (period === "monthly") return { grain: "month", from: from.slice(0, 7), to: from.slice(0, 7) };
  if (period === "yearly") return { grain: "year", from: from.slice(0, 4), to: from.slice(0, 4) };
  return { grain: "day", from, to };
}

/**
 * Returns the ranges of the previous period with which a period is compared: the whole previous period if the period is over, otherwise the part of it
 * up to and including the same hour of the day, day of the week or month, or date of the year as now.
 * The ranges contain hours for a day, days for a week or month, and months for a year. A running year also has a range of days for its current month.
 * @param now the current hour: 2026-04-01T09
 */
export function comparisonRanges(period: BoundPeriod, range: DayRange, now: string): readonly GrainRange[] {
  const previous = periodBefore(period, range);
  const today = now.slice(0, 10);
  const isRunning = range.from <= today && today <= range.to;
  if (period === "daily")
    return [
      {
        grain: "hour",
        from: `${previous.from}T00`,
        to: `${previous.from}T${isRunning ? now.slice(11, 13) : "23"}`,
      },
    ];
  if (period === "yearly") {
    const year = previous.from.slice(0, 4);
    if (!isRunning) return [{ grain: "month", from: `${year}-01`, to: `${year}-12` }];
    const month = today.slice(5, 7);
    // In January the range of months ends with month 00, so it is empty.
    return [
      { grain: "month", from: `${year}-01`, to: `${year}-${twoDigits(Number(month) - 1)}` },
      { grain: "day", from: `${year}-${month}-01`, to: `${year}-${today.slice(5)}` },
    ];
  }
  if (!isRunning) return [{ grain: "day", ...previous }];
  const elapsedDays = (dayToMs(today) - dayToMs(range.from)) / DAY_MS;
  // The previous month may have fewer days.
  const comparedDay = addDays(previous.from, elapsedDays);
  return [{ grain: "day", from: previous.from, to: comparedDay < previous.to ? comparedDay : previous.to }];
}
