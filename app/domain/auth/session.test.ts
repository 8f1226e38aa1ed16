import { expect, it } from "vitest";
import { browserCookieName, hasIdledOut, isRecentLogIn, sessionCookieName } from "./session";

it("accepts a log-in as proof of identity for exactly ten minutes", () => {
  const startedAt = "2026-04-01T00:00:00.000Z";
  const startedMs = Date.parse(startedAt);
  expect(isRecentLogIn(startedAt, startedMs)).toBe(true);
  expect(isRecentLogIn(startedAt, startedMs + 599_999)).toBe(true);
  expect(isRecentLogIn(startedAt, startedMs + 600_000)).toBe(false);
});

it("expires an administrator's session after 24 hours without use, and any other after 14 days", () => {
  const now = Date.parse("2026-04-15T00:00:00.000Z");
  const hoursAgo = (hours: number) => new Date(now - hours * 3_600_000).toISOString();
  expect([hasIdledOut("admin", hoursAgo(23.99), now), hasIdledOut("admin", hoursAgo(24), now)]).toEqual([
    false,
    true,
  ]);
  expect([hasIdledOut("user", hoursAgo(335), now), hasIdledOut("user", hoursAgo(336), now)]).toEqual([
    false,
    true,
  ]);
});

it("names cookies with the prefixes that https allows", () => {
  expect([sessionCookieName(true), browserCookieName(true)]).toEqual([
    ...["__Host-session-ticket", "__Secure-known-browser"],
  ]);
  expect([sessionCookieName(false), browserCookieName(false)]).toEqual(["session-ticket", "known-browser"]);
});
