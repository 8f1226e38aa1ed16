import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  fromLocalInput,
  isTimeZone,
  orNextHour,
  readLocal,
  readTypedInstant,
  toLocalInput,
  writeLocal,
  zonedIso,
} from "./time-zone";

const ZONES = [
  "Asia/Tokyo",
  "America/New_York",
  "Europe/London",
  "Australia/Lord_Howe",
  "Asia/Kathmandu",
  "UTC",
];

describe("local times", () => {
  it.each([
    ["Asia/Tokyo", "2030-01-01T09:00", "2030-01-01T00:00:00.000Z"],
    ["America/New_York", "2030-01-01T09:00", "2030-01-01T14:00:00.000Z"],
    ["America/New_York", "2030-07-01T09:00", "2030-07-01T13:00:00.000Z"],
    ["Europe/London", "2030-01-01T09:00", "2030-01-01T09:00:00.000Z"],
    ["Europe/London", "2030-07-01T09:00", "2030-07-01T08:00:00.000Z"],
    ["Australia/Lord_Howe", "2030-01-01T09:00", "2029-12-31T22:00:00.000Z"],
    ["Australia/Lord_Howe", "2030-07-01T09:00", "2030-06-30T22:30:00.000Z"],
    ["Asia/Kathmandu", "2030-01-01T00:00", "2029-12-31T18:15:00.000Z"],
  ])("in %s: %s is %s", (zone, local, instant) => {
    expect(fromLocalInput(local, zone)).toBe(instant);
    expect(toLocalInput(instant, zone)).toBe(local);
  });

  it.each([
    // 2026: clocks go forward on 8 March at 2:00, 29 March at 1:00, 4 October at 2:00 (by half an hour).
    ["America/New_York", "2026-03-08T02:30", "2026-03-08T03:30"],
    ["America/New_York", "2026-03-08T02:00", "2026-03-08T03:00"],
    ["Europe/London", "2026-03-29T01:15", "2026-03-29T02:15"],
    ["Australia/Lord_Howe", "2026-10-04T02:10", "2026-10-04T02:40"],
  ])("in %s: the skipped time %s moves forward to %s", (zone, skippedTime, shownTime) => {
    expect(toLocalInput(fromLocalInput(skippedTime, zone), zone)).toBe(shownTime);
  });

  it.each([
    // 2026: clocks go back on 1 November at 2:00, 25 October at 2:00, 5 April at 2:00 (by half an hour).
    ["America/New_York", "2026-11-01T01:30", "2026-11-01T05:30:00.000Z"],
    ["Europe/London", "2026-10-25T01:30", "2026-10-25T00:30:00.000Z"],
    ["Australia/Lord_Howe", "2026-04-05T01:45", "2026-04-04T14:45:00.000Z"],
  ])("in %s: the repeated time %s means its first occurrence", (zone, local, instant) => {
    expect(fromLocalInput(local, zone)).toBe(instant);
  });

  it.each([
    ["America/New_York", "2026-03-08T01:59", "2026-03-08T06:59:00.000Z"],
    ["America/New_York", "2026-03-08T03:00", "2026-03-08T07:00:00.000Z"],
    ["America/New_York", "2026-11-01T00:59", "2026-11-01T04:59:00.000Z"],
    ["America/New_York", "2026-11-01T02:00", "2026-11-01T07:00:00.000Z"],
    ["Australia/Lord_Howe", "2026-10-04T01:59", "2026-10-03T15:29:00.000Z"],
    ["Australia/Lord_Howe", "2026-10-04T02:30", "2026-10-03T15:30:00.000Z"],
  ])("in %s: %s, just beside a clock change, is %s", (zone, local, instant) => {
    expect(fromLocalInput(local, zone)).toBe(instant);
  });

  it("are returned as entered, unless they are skipped", () => {
    const minute = fc.integer({ min: 0, max: Math.floor(Date.UTC(2100, 0) / 60_000) });
    fc.assert(
      fc.property(minute, fc.constantFrom(...ZONES), (minutes, zone) => {
        const local = toLocalInput(new Date(minutes * 60_000).toISOString(), zone);
        if (local < "1970") return;
        const instant = fromLocalInput(local, zone);
        expect(toLocalInput(instant, zone)).toBe(local);
        // If two instants have the same local time, the result is never the later one.
        expect(Date.parse(instant ?? "")).toBeLessThanOrEqual(minutes * 60_000);
      }),
    );
  });

  it("keep seconds if there are any, and do not show them", () => {
    expect(fromLocalInput("2030-01-01T09:00:30", "Asia/Tokyo")).toBe("2030-01-01T00:00:30.000Z");
    expect(fromLocalInput("2030-01-01T09:00:30.5", "Asia/Tokyo")).toBe("2030-01-01T00:00:30.500Z");
    expect(toLocalInput("2030-01-01T00:00:59.999Z", "Asia/Tokyo")).toBe("2030-01-01T09:00");
  });

  it("are null for invalid times, and for times before 1970", () => {
    for (const value of [
      "",
      "2030-02-30T00:00",
      "2029-02-29T00:00",
      "2030-13-01T00:00",
      "2030-00-01T00:00",
      "2030-01-01T24:00",
      "2030-01-01T00:60",
      "2030-01-01 00:00",
      "2030-01-01",
      "2030-01-01T00:00Z",
      "1969-12-31T00:00",
      "12030-01-01T00:00",
      "２０３０-01-01T00:00",
    ]) {
      expect(fromLocalInput(value, "Asia/Tokyo")).toBeNull();
    }
    expect(fromLocalInput("2028-02-29T00:00", "UTC")).toBe("2028-02-29T00:00:00.000Z");
  });

  it("are empty without a date", () => {
    expect(toLocalInput(null, "Asia/Tokyo")).toBe("");
    expect(toLocalInput("never", "Asia/Tokyo")).toBe("");
  });
});

describe("time zones", () => {
  it("are valid by name", () => {
    for (const zone of [...ZONES, "America/Argentina/Buenos_Aires", "Etc/GMT+9"])
      expect(isTimeZone(zone)).toBe(true);
  });

  it("are invalid as offsets or unknown names", () => {
    for (const zone of ["", "+09:00", "Asia/Hiroba", "Asia/Tokyo ", "../etc", "a".repeat(1000)]) {
      expect(isTimeZone(zone)).toBe(false);
    }
  });
});

describe("typed times", () => {
  it("are read in several usual spellings and written in one", () => {
    for (const typed of [
      ...["2026/8/1 9:30", " 2026-08-01T09:30 ", "２０２６．８．１　９：３０", "2026-8-1, 9:30"],
      ...["2026年8月1日 9:30", "2026年8月1日(土) 9時30分", "2026年8月1日9時30分"],
      ...["1 Aug 2026 9:30", "Sat 1 Aug 2026, 09:30", "1st August 2026 at 9:30", "Aug 1, 2026 9:30"],
    ])
      expect(readLocal(typed), typed).toBe("2026-08-01T09:30");
    expect(writeLocal("2026-08-01T09:30")).toBe("2026/08/01 09:30");
    expect(readLocal(writeLocal("2026-08-01T09:30"))).toBe("2026-08-01T09:30");
  });

  it("stay unchanged if they are invalid, for the message beside the field", () => {
    const invalidTimes = [
      "",
      "tomorrow",
      "1/8/2026 9:30",
      "2026/8/1",
      "1 Smarch 2026 9:30",
      "2026/8/1 9:30 pm",
    ];
    for (const typed of invalidTimes) expect(readLocal(typed)).toBe(typed);
    expect(writeLocal("tomorrow")).toBe("tomorrow");
  });
});

describe("typed instants", () => {
  it("may be days without a time, which stand for their start or for the start of the next day", () => {
    for (const typed of [
      ...["2026/12/1", "2026-12-01", "２０２６．１２．１", "2026年12月1日", " 2026年12月1日（火） "],
      ...["1 Dec 2026", "Tue, 1st December 2026", "Dec 1, 2026", "Tuesday, December 1 2026"],
    ]) {
      expect(readTypedInstant(typed, "Asia/Tokyo"), typed).toBe("2026-11-30T15:00:00.000Z");
      expect(readTypedInstant(typed, "Asia/Tokyo", { end: true }), typed).toBe("2026-12-01T15:00:00.000Z");
    }
  });

  it("with a time stand for this time, also as an end; seconds are read in the numeric forms", () => {
    for (const end of [false, true]) {
      const read = (typed: string) => readTypedInstant(typed, "UTC", { end });
      for (const typed of [
        "2026/12/1 9:30",
        "2026年12月1日 9時30分",
        "Dec 1, 2026 at 9:30",
        "2026-12-01, 9:30",
      ])
        expect(read(typed), typed).toBe("2026-12-01T09:30:00.000Z");
      for (const typed of ["2026/12/1 9:30:15", "2026-12-01T09:30:15"])
        expect(read(typed), typed).toBe("2026-12-01T09:30:15.000Z");
    }
  });

  it("are null for invalid days and for other texts", () => {
    for (const end of [false, true])
      for (const typed of [
        ...["", "tomorrow", "1/12/2026", "2026/2/30", "2026年13月1日", "1 Smarch 2026", "2026/12/123"],
        ...["1 Dec 2026 x", "2026年12月", "2026/12/1 9", "1 Dec 2026 9:30:15"],
      ])
        expect(readTypedInstant(typed, "UTC", { end }), typed).toBeNull();
  });
});

describe("an instant for other programs", () => {
  it("is the local time with its offset from UTC", () => {
    expect(zonedIso("2031-05-01T00:00:00.000Z", "Asia/Tokyo")).toBe("2031-05-01T09:00:00+09:00");
    expect(zonedIso("2031-07-01T00:00:00.000Z", "America/St_Johns")).toBe("2031-06-30T21:30:00-02:30");
    expect(zonedIso("2031-01-01T12:00:00.000Z", "UTC")).toBe("2031-01-01T12:00:00+00:00");
    expect(zonedIso("2031-01-01T12:00:00.000Z", "Asia/Kathmandu")).toBe("2031-01-01T17:45:00+05:45");
  });
});

it.each([
  ["2030-05-01T10:00", "2030-05-01T09:59", "2030-05-01T10:00"],
  ["2030-05-01T10:00", "2030-05-01T10:00", "2030-05-01T11:00"],
  ["2030-05-01T10:00", "2030-05-01T22:15", "2030-05-01T23:00"],
  ["2030-05-01T10:00", "2030-05-01T23:15", "2030-05-01T23:59"],
  ["2030-04-30T10:00", "2030-05-01T09:00", "2030-04-30T10:00"],
  ["2030-05-02T10:00", "2030-05-01T22:15", "2030-05-02T10:00"],
])("the time of the picked day %s is, at %s, %s", (local, now, expected) => {
  expect(orNextHour(local, now)).toBe(expected);
});
