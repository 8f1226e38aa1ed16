import { describe, expect, it } from "vitest";
import { closedNotice, showsCover } from "./closed-event";

const NOW = Date.parse("2030-04-01T03:00:00.000Z");
const AHEAD = "2030-04-02T03:00:00.000Z";
const PAST = "2030-03-31T03:00:00.000Z";
const event = (changes: Partial<Parameters<typeof showsCover>[0]> = {}) => ({
  statusId: 1 as const,
  startDate: null,
  endDate: null,
  enableAutoChangeStatus: true,
  hasPublishPassword: false,
  showBeforePassword: false,
  ...changes,
});

describe("the notice of a closed link", () => {
  it("names the time at which the event opens by itself", () => {
    expect(closedNotice(event({ startDate: AHEAD }), "published", NOW)).toEqual({ kind: "opens", at: AHEAD });
    expect(closedNotice(event({ statusId: 2, startDate: AHEAD }), "published", NOW)).toEqual({
      kind: "opens",
      at: AHEAD,
    });
  });

  it("states that an event has ended, by its dates or by a user's choice", () => {
    expect(closedNotice(event({ statusId: 3, endDate: PAST }), "published", NOW)).toEqual({ kind: "ended" });
    expect(closedNotice(event({ statusId: 4 }), "preview", NOW)).toEqual({ kind: "ended" });
    expect(closedNotice(event({ startDate: AHEAD, endDate: PAST }), "published", NOW)).toEqual({
      kind: "ended",
    });
  });

  it("does not exist for an event that has not ended and does not open by itself, nor for an open link", () => {
    expect(closedNotice(event(), "published", NOW)).toBe(null);
    expect(closedNotice(event({ startDate: AHEAD, enableAutoChangeStatus: false }), "published", NOW)).toBe(
      null,
    );
    expect(closedNotice(event({ statusId: 2 }), "preview", NOW)).toBe(null);
    expect(closedNotice(event({ statusId: 2 }), "published", NOW)).toBe(null);
  });
});

describe("the cover image", () => {
  it("is visible for an open link, and for a closed one with a notice", () => {
    expect(showsCover(event({ startDate: AHEAD }), "published", NOW)).toBe(true);
    expect(showsCover(event({ statusId: 3 }), "published", NOW)).toBe(true);
    expect(showsCover(event({ statusId: 4 }), "published", NOW)).toBe(true);
    expect(showsCover(event(), "published", NOW)).toBe(false);
  });

  it("is hidden behind a publish password unless the owner shows it", () => {
    const secret = { hasPublishPassword: true, statusId: 3 } as const;
    expect(showsCover(event(secret), "published", NOW)).toBe(false);
    expect(showsCover(event({ ...secret, showBeforePassword: true }), "published", NOW)).toBe(true);
    expect(showsCover(event({ hasPublishPassword: true, startDate: AHEAD }), "published", NOW)).toBe(false);
  });
});
