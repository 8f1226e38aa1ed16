/** Tests changes of clocks, long, short and missing days, and leap years in any zone that this platform knows. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addDays,
  type BoundPeriod,
  comparisonRanges,
  getStoredRange,
  listPeriodPoints,
  periodAround,
  periodBefore,
} from "../analytics/report-period";
import { type EventTiming, nextStatusChange, statusAt } from "../events/status";
import type { EventStatusId } from "./model";
import { clockChangeAt, fromLocalInput, localHour, toLocalInput } from "./time-zone";

const HOUR_MS = 3_600_000;
const zone = fc.constantFrom(...Intl.supportedValuesOf("timeZone"));
const moment = fc.integer({ min: Date.UTC(2012, 0), max: Date.UTC(2060, 0) });
const iso = (ms: number) => new Date(ms).toISOString();

/** Time zones with instants, most of them just after a clock change. */
const UNUSUAL_CHANGES = [
  ["Australia/Lord_Howe", "2026-04-04T15:00:00.000Z"], // half an hour back
  ["Australia/Lord_Howe", "2026-10-03T15:30:00.000Z"], // half an hour forward
  ["America/New_York", "2026-03-08T07:00:00.000Z"],
  ["America/New_York", "2026-11-01T06:00:00.000Z"],
  ["Asia/Beirut", "2025-10-25T21:00:00.000Z"], // from midnight back into the day before
  ["America/Havana", "2026-03-08T05:00:00.000Z"], // midnight itself is skipped
  ["America/Sao_Paulo", "2018-11-04T03:00:00.000Z"],
  ["Antarctica/Troll", "2026-03-29T01:00:00.000Z"], // two hours
  ["Asia/Pyongyang", "2018-05-04T15:00:00.000Z"], // half an hour forward for good
  ["America/Caracas", "2016-05-01T07:00:00.000Z"],
  ["Pacific/Apia", "2011-12-30T10:00:00.000Z"], // a whole day is skipped
  ["Pacific/Chatham", "2026-04-04T14:00:00.000Z"],
  ["Asia/Kathmandu", "2026-01-01T00:00:00.000Z"],
  ["Africa/Casablanca", "2026-02-15T02:00:00.000Z"],
] as const;
const unusualMoment = fc
  .tuple(fc.constantFrom(...UNUSUAL_CHANGES), fc.integer({ min: -26 * HOUR_MS, max: 26 * HOUR_MS }))
  .map(([[timeZone, instant], shiftMs]) => [timeZone, Date.parse(instant) + shiftMs] as const);
const anywhere = fc.oneof(fc.tuple(zone, moment), unusualMoment);

describe("an hour of a report", () => {
  it("is a point of its day, week, month and year at any clock change, so that every visit is counted in each", () => {
    fc.assert(
      fc.property(
        anywhere,
        fc.constantFrom<BoundPeriod>("daily", "weekly", "monthly", "yearly"),
        ([timeZone, instant], period) => {
          const hour = localHour(instant, timeZone);
          expect(hour).toBe(toLocalInput(iso(instant), timeZone).slice(0, 13));
          const range = periodAround(period, hour.slice(0, 10));
          expect(listPeriodPoints(period, range).filter((point) => hour.startsWith(point))).toHaveLength(1);
          const { grain, from, to } = getStoredRange(period, range);
          const label = hour.slice(0, { hour: 13, day: 10, month: 7, year: 4 }[grain]);
          expect(from <= label && label <= to).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("is one of 23 or 24 different hours of its day; a skipped day has none", () => {
    const hoursOf = (timeZone: string, day: string) => {
      const hours = new Set<string>();
      const from = Date.parse(`${day}T00:00Z`) - 15 * HOUR_MS;
      for (let instant = from; instant < from + 54 * HOUR_MS; instant += HOUR_MS / 4) {
        const hour = localHour(instant, timeZone);
        if (hour.startsWith(day)) hours.add(hour);
      }
      return hours.size;
    };
    expect([
      hoursOf("America/New_York", "2026-03-08"),
      hoursOf("America/New_York", "2026-11-01"),
      hoursOf("Australia/Lord_Howe", "2026-10-04"),
      hoursOf("Australia/Lord_Howe", "2026-04-05"),
      hoursOf("Asia/Kathmandu", "2026-04-05"),
      hoursOf("Pacific/Apia", "2011-12-29"),
      hoursOf("Pacific/Apia", "2011-12-30"),
    ]).toEqual([23, 24, 24, 24, 24, 24, 0]);
  });
});

it("a day ends where the next one begins, in any zone", () => {
  fc.assert(
    fc.property(anywhere, ([timeZone, instant]) => {
      const day = localHour(instant, timeZone).slice(0, 10);
      const end = Date.parse(fromLocalInput(`${addDays(day, 1)}T00:00`, timeZone) ?? "");
      expect(end).toBeGreaterThan(instant);
      expect(localHour(end - 1, timeZone).slice(0, 10)).toBe(day);
      expect(localHour(end, timeZone) > `${day}T23`).toBe(true);
    }),
    { numRuns: 500 },
  );
});

it("a local time is skipped, unique or repeated; a saved time is shown as typed unless it is skipped", () => {
  fc.assert(
    fc.property(anywhere, ([timeZone, instant]) => {
      const typed = iso(Math.floor(instant / 60_000) * 60_000).slice(0, 16);
      const change = clockChangeAt(typed, timeZone);
      const savedInstant = fromLocalInput(typed, timeZone);
      expect(toLocalInput(savedInstant, timeZone) === typed).toBe(change !== "skipped");
      // A repeated time occurs again within three hours, or within one day if a whole day is repeated.
      const ms = Date.parse(savedInstant ?? "");
      const isRepeated = [0.5, 1, 2, 3, 24].some(
        (hours) => toLocalInput(iso(ms + hours * HOUR_MS), timeZone) === typed,
      );
      expect(isRepeated).toBe(change === "twice");
    }),
    { numRuns: 500 },
  );
  expect(clockChangeAt("2011-12-30T12:00", "Pacific/Apia")).toBe("skipped");
  expect(clockChangeAt("2026-04-05T01:45", "Australia/Lord_Howe")).toBe("twice");
  expect(clockChangeAt("2026-02-30T01:45", "Asia/Tokyo")).toBeNull();
});

describe("the range to which a running period is compared", () => {
  const rangesAt = (kind: BoundPeriod, now: string) =>
    comparisonRanges(kind, periodAround(kind, now.slice(0, 10)), now);

  it("never reaches beyond the previous period, also around leap days", () => {
    const day = fc.integer({ min: 0, max: 60 * 366 }).map((days) => addDays("2001-01-01", days));
    fc.assert(
      fc.property(day, fc.constantFrom<BoundPeriod>("daily", "weekly", "monthly", "yearly"), (date, kind) => {
        const previousPeriod = periodBefore(kind, periodAround(kind, date));
        for (const { grain, from, to } of rangesAt(kind, `${date}T10`)) {
          const length = { hour: 13, day: 10, month: 7, year: 4 }[grain];
          expect(from.slice(0, 10) >= previousPeriod.from.slice(0, Math.min(length, 10))).toBe(true);
          expect(
            to.slice(0, Math.min(length, 10)) <=
              `${previousPeriod.to.slice(0, 8)}31`.slice(0, Math.min(length, 10)),
          ).toBe(true);
        }
      }),
    );
    expect(rangesAt("yearly", "2028-02-29T10").at(-1)).toEqual({
      grain: "day",
      from: "2027-02-01",
      to: "2027-02-29",
    });
    expect(rangesAt("yearly", "2029-02-28T10").at(-1)).toEqual({
      grain: "day",
      from: "2028-02-01",
      to: "2028-02-28",
    });
    expect(rangesAt("monthly", "2028-03-31T10")).toEqual([
      { grain: "day", from: "2028-02-01", to: "2028-02-29" },
    ]);
    // In January no whole month has passed: the range is empty.
    const [months] = rangesAt("yearly", "2028-01-05T10");
    expect(months && months.from > months.to).toBe(true);
  });
});

describe("the job that stores statuses", () => {
  const anyDate = fc.option(moment.map(iso), { nil: null });
  const event: fc.Arbitrary<EventTiming> = fc.record({
    statusId: fc.constantFrom<EventStatusId>(1, 2, 3, 4),
    startDate: anyDate,
    endDate: anyDate,
    enableAutoChangeStatus: fc.constantFrom(true, false, null, undefined),
  });
  const runs = fc.array(moment, { maxLength: 8 });
  /** Returns the record after the job has run at these moments. */
  const recordAfterJob = (event: EventTiming, times: readonly number[]) => {
    let { statusId } = event;
    for (const now of times) statusId = statusAt({ ...event, statusId }, now);
    return { ...event, statusId };
  };

  it("changes nothing that users see afterwards, whether it runs late, twice, in between or never", () => {
    fc.assert(
      fc.property(event, runs, moment, (event, times, now) => {
        const pastTimes = times.filter((time) => time <= now).sort((a, b) => a - b);
        expect(statusAt(recordAfterJob(event, pastTimes), now)).toBe(statusAt(event, now));
        expect(recordAfterJob(event, [...pastTimes, ...pastTimes])).toEqual(recordAfterJob(event, pastTimes));
        expect(nextStatusChange(recordAfterJob(event, pastTimes), now)).toEqual(nextStatusChange(event, now));
      }),
      { numRuns: 300 },
    );
  });

  it("never reverts a stored status when its machine's clock jumps", () => {
    const progress = (status: EventStatusId) => Math.max(2, status);
    fc.assert(
      fc.property(event, runs, (event, times) => {
        let record = event;
        for (const now of times) {
          const nextRecord = recordAfterJob(record, [now]);
          expect(progress(nextRecord.statusId)).toBeGreaterThanOrEqual(progress(record.statusId));
          record = nextRecord;
        }
        // The result equals that of a clock that only moves forward, at its latest moment.
        if (times.length > 0) expect(record.statusId).toBe(statusAt(event, Math.max(...times)));
      }),
      { numRuns: 300 },
    );
  });
});
