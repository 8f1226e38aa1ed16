import { expect, it } from "vitest";
import { computeRetryDelay, missingSlices, readRetryAfter } from "./slices";

it("cuts a file into slices of equal size and a remainder", () => {
  expect(missingSlices(25, 10, [])).toEqual([
    { number: 1, start: 0, end: 10 },
    { number: 2, start: 10, end: 20 },
    { number: 3, start: 20, end: 25 },
  ]);
  expect(missingSlices(20, 10, []).map(({ number }) => number)).toEqual([1, 2]);
});

it("leaves out slices that have arrived, unless they have a wrong size", () => {
  const arrived = [
    { number: 1, byte_size: 10 },
    { number: 2, byte_size: 9 },
    { number: 3, byte_size: 5 },
    { number: 4, byte_size: 10 },
  ];
  expect(missingSlices(25, 10, arrived).map(({ number }) => number)).toEqual([2]);
});

it("doubles the delay with each attempt, reduced at random, and never below the server's value", () => {
  expect([1, 2, 3, 4].map((tries) => computeRetryDelay(tries, null, 0))).toEqual([1000, 2000, 4000, 8000]);
  expect(computeRetryDelay(1, null, 0.999)).toBeCloseTo(750, 0);
  expect(computeRetryDelay(1, 5000, 0)).toBe(5000);
  expect(computeRetryDelay(4, 5000, 0)).toBe(8000);
});

it("parses the server's Retry-After as seconds or as a date", () => {
  const now = Date.parse("2026-01-01T00:00:00Z");
  expect(readRetryAfter("120", now)).toBe(120_000);
  expect(readRetryAfter("Thu, 01 Jan 2026 00:00:30 GMT", now)).toBe(30_000);
  expect(readRetryAfter("Wed, 31 Dec 2025 00:00:30 GMT", now)).toBe(0);
  for (const header of [null, "", "soon"]) expect(readRetryAfter(header, now)).toBe(null);
});
