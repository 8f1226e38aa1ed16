/** The periods of reports (§9), as days of a calendar: which hours, days or months they are made of, and which came before. */

import { DAY_MS } from "../shared/day";
import type { Grain } from "./visit";

/** A day on some clocks: YYYY-MM-DD. */
export type LocalDate = string;
/** The periods of §9. A week begins on Monday (ISO 8601). */
export const REPORT_PERIODS = ["all", "daily", "weekly", "monthly", "yearly"] as const;
/** One of them. */
export type ReportPeriod = (typeof REPORT_PERIODS)[number];
/** The periods that have a beginning and an end. */
export type BoundPeriod = Exclude<ReportPeriod, "all">;

/** Days from the first to the last, both included. */
export interface DayRange {
  readonly from: LocalDate;
  readonly to: LocalDate;
}

/** Labels of one grain, from the first to the last. */
export interface GrainRange {
  readonly grain: Grain;
  readonly from: string;
  readonly to: string;
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;
/** Nobody came earlier, and no clock of ours goes further. */
const FIRST = "2000-01-01";
const LAST = "2199-12-31";

const utc = (date: LocalDate) => Date.parse(`${date}T00:00:00.000Z`);
const dateOf = (ms: number): LocalDate => new Date(ms).toISOString().slice(0, 10);
const two = (value: number) => String(value).padStart(2, "0");

/** Whether a value is a day that the calendar has, of the years in which reports can be. */
export const isLocalDate = (value: string): value is LocalDate =>
  DATE.test(value) &&
  value >= FIRST &&
  value <= LAST &&
  !Number.isNaN(utc(value)) &&
  // What a month does not have is another day.
  dateOf(utc(value)) === value;

/** A day so many days later. */
export const addDays = (date: LocalDate, days: number): LocalDate => dateOf(utc(date) + days * DAY_MS);

/** The period in which a day lies. */
export function periodAround(period: BoundPeriod, date: LocalDate): DayRange {
  const [year = 0, month = 0] = date.split("-").map(Number);
  if (period === "daily") return { from: date, to: date };
  if (period === "weekly") {
    const from = addDays(date, -((new Date(utc(date)).getUTCDay() + 6) % 7));
    return { from, to: addDays(from, 6) };
  }
  if (period === "monthly")
    return { from: dateOf(Date.UTC(year, month - 1, 1)), to: dateOf(Date.UTC(year, month, 0)) };
  return { from: `${year}-01-01`, to: `${year}-12-31` };
}

/** The period before another one. */
export const periodBefore = (period: BoundPeriod, { from }: DayRange): DayRange =>
  periodAround(period, addDays(from, -1));

/** What a chart of a period shows, in order: its hours, its days or its months. */
export function pointsOf(period: BoundPeriod, { from, to }: DayRange): readonly string[] {
  if (period === "daily") return Array.from({ length: 24 }, (_, hour) => `${from}T${two(hour)}`);
  if (period === "yearly")
    return Array.from({ length: 12 }, (_, month) => `${from.slice(0, 4)}-${two(month + 1)}`);
  const days: LocalDate[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}

/** How long the points of a chart are. */
export const GRAIN_OF: Readonly<Record<BoundPeriod, Grain>> = {
  daily: "hour",
  weekly: "day",
  monthly: "day",
  yearly: "month",
};

/** What of the kept numbers has the parts of a period: as few rows as there are. */
export function partsOf(period: BoundPeriod, { from, to }: DayRange): GrainRange {
  if (period === "monthly") return { grain: "month", from: from.slice(0, 7), to: from.slice(0, 7) };
  if (period === "yearly") return { grain: "year", from: from.slice(0, 4), to: from.slice(0, 4) };
  return { grain: "day", from, to };
}

/**
 * The points of the period before that a running period is measured against: as much of it as has begun of the running one. Hours of a day,
 * otherwise days: whole months of a year, and of its last month the days.
 * @param now the hour that it is: 2026-04-01T09
 */
export function comparedTo(period: BoundPeriod, range: DayRange, now: string): readonly GrainRange[] {
  const before = periodBefore(period, range);
  const today = now.slice(0, 10);
  const isRunning = range.from <= today && today <= range.to;
  if (period === "daily")
    return [
      {
        grain: "hour",
        from: `${before.from}T00`,
        to: `${before.from}T${isRunning ? now.slice(11, 13) : "23"}`,
      },
    ];
  if (period === "yearly") {
    const year = before.from.slice(0, 4);
    if (!isRunning) return [{ grain: "month", from: `${year}-01`, to: `${year}-12` }];
    const month = today.slice(5, 7);
    return [
      { grain: "month", from: `${year}-01`, to: `${year}-${two(Number(month) - 1)}` },
      { grain: "day", from: `${year}-${month}-01`, to: `${year}-${today.slice(5)}` },
    ];
  }
  if (!isRunning) return [{ grain: "day", ...before }];
  const passed = (utc(today) - utc(range.from)) / DAY_MS;
  // The month before may have fewer days.
  const [to = before.to] = [addDays(before.from, passed), before.to].sort();
  return [{ grain: "day", from: before.from, to }];
}
