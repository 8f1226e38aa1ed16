import { expect, it } from "vitest";
import { computeSpread, percentile } from "./spread";

it("calculates minimum, median and maximum of a series in any order, and rejects an empty series", () => {
  expect(computeSpread([3, 1, 2])).toEqual({ min: 1, median: 2, max: 3 });
  expect(computeSpread([4, 1, 3, 2])).toEqual({ min: 1, median: 2.5, max: 4 });
  expect(computeSpread([7])).toEqual({ min: 7, median: 7, max: 7 });
  expect(() => computeSpread([])).toThrow("empty series");
});

it("finds percentiles of sorted numbers", () => {
  const sorted = Array.from({ length: 100 }, (_, i) => i);
  expect([0, 0.5, 0.99, 1].map((share) => percentile(sorted, share))).toEqual([0, 50, 99, 99]);
});
