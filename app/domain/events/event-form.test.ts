import { expect, it } from "vitest";
import { overruledChoice } from "./event-form";

/** 2030-04-01 12:00 in Tokyo. */
const NOW = Date.parse("2030-04-01T03:00:00.000Z");
const form = (over: Partial<Parameters<typeof overruledChoice>[0]> = {}) => ({
  statusId: "1",
  startDate: "2030-04-01T11:59",
  endDate: "2030/04/02 10:00",
  enableAutoChangeStatus: "on",
  ...over,
});
const overruled = (over: Parameters<typeof form>[0]) => overruledChoice(form(over), "Asia/Tokyo", NOW);

it("tells that the clock will publish at once what is set to Unpublished or Preview after its start", () => {
  expect([overruled({}), overruled({ statusId: "2" })]).toEqual([3, 3]);
});

it("tells that the clock will archive at once whatever is over", () => {
  const over = { startDate: "", endDate: "2030-04-01T12:00" };
  expect(["1", "2", "3"].map((statusId) => overruled({ ...over, statusId }))).toEqual([4, 4, 4]);
});

it("says nothing where the choice holds, or cannot be read yet", () => {
  expect(overruled({ enableAutoChangeStatus: "" })).toBe(null);
  expect(overruled({ startDate: "2030-04-01T12:01" })).toBe(null);
  expect(overruled({ startDate: "" })).toBe(null);
  expect(overruled({ startDate: "tomorrow" })).toBe(null);
  expect(overruled({ statusId: "3" })).toBe(null);
  expect(overruled({ statusId: "4" })).toBe(null);
  expect(overruled({ statusId: "" })).toBe(null);
});

it("takes dates for none that come twice or in parts, as a form that was sent by hand may have them", () => {
  for (const startDate of [["2030-04-01T11:59", "2030-04-01T11:59"], { date: "2030-04-01" }])
    expect(overruled({ startDate: startDate as never, endDate: startDate as never })).toBe(null);
});
