import { expect, it } from "vitest";
import { openNowValues, type StatusNotice, statusNotice, waitForStartValues } from "./event-form";

/** 2030-04-01 12:00:30 in Tokyo. */
const NOW = Date.parse("2030-04-01T03:00:30.000Z");
/** 2030-04-01 11:59 in Tokyo. */
const SAVED = "2030-04-01T02:59:00.000Z";
const form = (overrides: Partial<Parameters<typeof statusNotice>[0]> = {}) => ({
  statusId: "1",
  startDate: "2030/04/01 11:59",
  endDate: "2030/04/02 10:00",
  enableAutoChangeStatus: "on",
  ...overrides,
});
const notice = (
  overrides: Parameters<typeof form>[0],
  startDate: string | null = SAVED,
  endDate: string | null = null,
) => statusNotice(form(overrides), { timeZone: "Asia/Tokyo", now: NOW, saved: { startDate, endDate } });
const overruled = (statusId: 3 | 4): StatusNotice => ({ kind: "overruled", statusId });

it("warns that the clock will publish an Unpublished or Preview event at once after its saved start", () => {
  expect([notice({}), notice({ statusId: "2" })]).toEqual([overruled(3), overruled(3)]);
});

it("warns that the clock will archive an event at once after its end", () => {
  const overrides = { startDate: "", endDate: "2030-04-01T12:00" };
  expect(["1", "2", "3"].map((statusId) => notice({ ...overrides, statusId }))).toEqual([
    overruled(4),
    overruled(4),
    overruled(4),
  ]);
});

it("warns only that a start has passed if it was changed to a time in the past", () => {
  for (const statusId of ["1", "2", "3", "4"])
    expect(notice({ statusId, startDate: "2030年4月1日 11時58分" })).toEqual({ kind: "startPast" });
  expect(notice({ enableAutoChangeStatus: "" }, null)).toEqual({ kind: "startPast" });
  // Every time within the current minute counts as now.
  expect(notice({ startDate: "2030/04/01 12:00" })).toEqual(overruled(3));
});

it("warns only that the end is before the start", () => {
  const startDate = "2030/04/02 10:01";
  for (const statusId of ["1", "2", "3", "4"])
    expect(notice({ statusId, startDate })).toEqual({ kind: "endBeforeStart" });
  // Fields that still show the saved dates stand for these with their seconds.
  const savedDates = ["2030-04-02T01:00:30.000Z", "2030-04-02T01:00:45.000Z"] as const;
  expect(notice({ startDate: "2030/04/02 10:00" }, ...savedDates)).toEqual({
    kind: "opensLater",
    at: savedDates[0],
  });
});

it("warns that an event that is published before its start opens at once", () => {
  const start = "2030-04-01T03:01:00.000Z";
  expect(notice({ statusId: "3", startDate: "2030/04/01 12:01" })).toEqual({ kind: "opensNow", start });
  expect(notice({ statusId: "3", startDate: "2030/04/01 12:01", enableAutoChangeStatus: "" })).toEqual({
    kind: "opensNow",
    start,
  });
});

it("states that an event that is published without a start opens at once", () => {
  expect(notice({ statusId: "3", startDate: "" })).toEqual({ kind: "opensAtOnce" });
  // A date that cannot be read is not an empty one.
  expect(notice({ statusId: "3", startDate: "tomorrow" })).toBe(null);
});

it("states when an event opens automatically", () => {
  const instant = "2030-04-01T03:01:00.000Z";
  for (const statusId of ["1", "2"])
    expect(notice({ statusId, startDate: "2030-04-01T12:01" })).toEqual({ kind: "opensLater", at: instant });
});

it("shows no message when the choice stays in effect, or is incomplete", () => {
  expect(notice({ enableAutoChangeStatus: "" })).toBe(null);
  expect(notice({ startDate: "2030-04-01T12:01", enableAutoChangeStatus: "" })).toBe(null);
  expect(notice({ startDate: "" })).toBe(null);
  expect(notice({ startDate: "tomorrow" })).toBe(null);
  expect(notice({ statusId: "3" })).toBe(null);
  expect(notice({ statusId: "4" })).toBe(null);
  expect(notice({ statusId: "" })).toBe(null);
});

it("keeps a saved Unpublished or Preview until the start, and otherwise sets Preview", () => {
  expect([1, 2, 3, 4].map((id) => waitForStartValues({ statusId: id as 1 }).statusId)).toEqual([1, 2, 2, 2]);
});

it("starts an event that opens now in the current minute, unless its end has passed or its local time also occurred an hour earlier", () => {
  const startAt = (endDate: string, now: number, timeZone = "Asia/Tokyo") =>
    openNowValues(endDate, now, timeZone).startDate;
  expect(startAt("", NOW)).toBe("2030-04-01T12:00");
  expect(startAt("2030/04/01 12:01", NOW)).toBe("2030-04-01T12:00");
  expect(startAt("2030/04/01 12:00", NOW)).toBe("");
  // 2030-10-27 02:30 occurs twice in Berlin.
  expect(startAt("", Date.parse("2030-10-27T00:30:00.000Z"), "Europe/Berlin")).toBe("2030-10-27T02:30");
  expect(startAt("", Date.parse("2030-10-27T01:30:00.000Z"), "Europe/Berlin")).toBe("");
});
