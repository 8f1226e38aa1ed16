import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addDays,
  type BoundPeriod,
  comparisonRanges,
  getStoredRange,
  isLocalDate,
  listPeriodPoints,
  periodAround,
  periodBefore,
} from "./report-period";

const day = fc
  .integer({ min: Date.UTC(2001, 0, 1) / 86_400_000, max: Date.UTC(2198, 0, 1) / 86_400_000 })
  .map((days) => addDays("1970-01-01", days));
const period = fc.constantFrom<BoundPeriod>("daily", "weekly", "monthly", "yearly");

describe("periods", () => {
  it("follow each other without a gap, and every day belongs to one period", () => {
    fc.assert(
      fc.property(period, day, (kind, date) => {
        const range = periodAround(kind, date);
        expect(range.from <= date && date <= range.to).toBe(true);
        expect(periodAround(kind, range.from)).toEqual(range);
        expect(periodAround(kind, range.to)).toEqual(range);
        expect(addDays(periodBefore(kind, range).to, 1)).toBe(range.from);
      }),
    );
  });

  it("have as many points as their calendar has hours, days or months", () => {
    const count = (kind: BoundPeriod, date: string) =>
      listPeriodPoints(kind, periodAround(kind, date)).length;
    expect([
      count("daily", "2026-03-29"),
      count("weekly", "2026-01-01"),
      count("yearly", "2028-05-05"),
    ]).toEqual([24, 7, 12]);
    expect(
      ["2026-02-10", "2028-02-10", "2100-02-10", "2026-12-31"].map((date) => count("monthly", date)),
    ).toEqual([28, 29, 28, 31]);
  });

  it("begin on a Monday, on the first of a month, or on 1 January, and a year has one stored total", () => {
    expect(periodAround("weekly", "2026-01-01")).toEqual({ from: "2025-12-29", to: "2026-01-04" });
    expect(periodAround("weekly", "2026-01-04")).toEqual({ from: "2025-12-29", to: "2026-01-04" });
    expect(periodBefore("monthly", periodAround("monthly", "2028-03-31"))).toEqual({
      from: "2028-02-01",
      to: "2028-02-29",
    });
    expect(periodAround("yearly", "2026-06-01")).toEqual({ from: "2026-01-01", to: "2026-12-31" });
    expect(getStoredRange("yearly", periodAround("yearly", "2026-06-01"))).toEqual({
      grain: "year",
      from: "2026",
      to: "2026",
    });
  });

  it("are compared to the previous period, or to the same part of it while they are running", () => {
    const rangesAt = (kind: BoundPeriod, date: string, now: string) =>
      comparisonRanges(kind, periodAround(kind, date), now);
    expect(rangesAt("daily", "2026-04-02", "2026-04-02T09")).toEqual([
      { grain: "hour", from: "2026-04-01T00", to: "2026-04-01T09" },
    ]);
    expect(rangesAt("daily", "2026-04-02", "2026-04-05T09")).toEqual([
      { grain: "hour", from: "2026-04-01T00", to: "2026-04-01T23" },
    ]);
    expect(rangesAt("weekly", "2026-04-01", "2026-04-01T00")).toEqual([
      { grain: "day", from: "2026-03-23", to: "2026-03-25" },
    ]);
    // The previous month has no 31st.
    expect(rangesAt("monthly", "2026-03-31", "2026-03-31T12")).toEqual([
      { grain: "day", from: "2026-02-01", to: "2026-02-28" },
    ]);
    expect(rangesAt("yearly", "2026-03-10", "2026-03-10T12")).toEqual([
      { grain: "month", from: "2025-01", to: "2025-02" },
      { grain: "day", from: "2025-03-01", to: "2025-03-10" },
    ]);
    expect(rangesAt("yearly", "2025-03-10", "2026-03-10T12")).toEqual([
      { grain: "month", from: "2024-01", to: "2024-12" },
    ]);
  });
});

it("accepts only existing calendar days from 2000 to 2199", () => {
  expect(isLocalDate("2028-02-29")).toBe(true);
  for (const invalidDate of [
    "2026-02-29",
    "2026-13-01",
    "2026-1-1",
    "",
    "1999-12-31",
    "2200-01-01",
    "2026-04-01T09",
  ])
    expect(isLocalDate(invalidDate)).toBe(false);
});
