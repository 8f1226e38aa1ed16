import { expect, it } from "vitest";
import { addMonths, weeksOfMonth } from "./calendar";

it("adds months across the ends of months", () => {
  expect(addMonths("2026-01-31", 1)).toBe("2026-02-28");
  expect(addMonths("2028-01-31", 1)).toBe("2028-02-29");
  expect(addMonths("2026-01-15", -1)).toBe("2025-12-15");
  expect(addMonths("2026-03-31", -13)).toBe("2025-02-28");
});

it("returns complete weeks of a month", () => {
  const weeks = weeksOfMonth("2026-12");
  expect(weeks.map((week) => week.length)).toEqual([7, 7, 7, 7, 7]);
  expect([weeks[0]?.[0], weeks[0]?.[2], weeks.at(-1)?.[6]]).toEqual([
    "2026-11-29",
    "2026-12-01",
    "2027-01-02",
  ]);
  // February 2026 is exactly four weeks.
  expect(weeksOfMonth("2026-02").flat()).toHaveLength(28);
});
