import { expect, it } from "vitest";
import { isRecentLogIn } from "./session";

it("takes a log-in for a proof for ten minutes, and not a millisecond longer", () => {
  const startedAt = "2026-04-01T00:00:00.000Z";
  const begun = Date.parse(startedAt);
  expect(isRecentLogIn(startedAt, begun)).toBe(true);
  expect(isRecentLogIn(startedAt, begun + 599_999)).toBe(true);
  expect(isRecentLogIn(startedAt, begun + 600_000)).toBe(false);
});
