import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EventStatusId } from "../shared/model";
import {
  type EventTiming,
  futureStartIfPublished,
  isLinkOpen,
  linkOpensAt,
  nextStatusChange,
  statusAt,
} from "./status";

const START = Date.parse("2030-04-01T00:00:00.000Z");
const END = Date.parse("2030-04-02T00:00:00.000Z");

function event(overrides: Partial<EventTiming> = {}): EventTiming {
  return {
    statusId: 1,
    startDate: new Date(START).toISOString(),
    endDate: new Date(END).toISOString(),
    enableAutoChangeStatus: true,
    ...overrides,
  };
}

const anyStatus = fc.constantFrom<EventStatusId>(1, 2, 3, 4);
const anyMs = fc.integer({ min: START - 1e9, max: END + 1e9 });
const anyDate = fc.option(
  anyMs.map((ms) => new Date(ms).toISOString()),
  { nil: null },
);
const anyEvent: fc.Arbitrary<EventTiming> = fc.record({
  statusId: anyStatus,
  startDate: anyDate,
  endDate: anyDate,
  enableAutoChangeStatus: fc.constantFrom(true, false, null, undefined),
});
/** Progress of an event by status. Automatic changes may only increase it. */
const PROGRESS: Record<EventStatusId, number> = { 1: 0, 2: 0, 3: 1, 4: 2 };

describe("the status of an event", () => {
  it.each<[EventStatusId, string, EventStatusId]>([
    [1, "before", 1],
    [2, "before", 2],
    [3, "before", 3],
    [4, "before", 4],
    [1, "during", 3],
    [2, "during", 3],
    [3, "during", 3],
    [4, "during", 4],
    [1, "after", 4],
    [2, "after", 4],
    [3, "after", 4],
    [4, "after", 4],
  ])("saved as %i, %s its period: %i", (statusId, when, expected) => {
    const now = { before: START - 1, during: START + 1, after: END + 1 }[when] ?? 0;
    expect(statusAt(event({ statusId }), now)).toBe(expected);
  });

  it("changes at the exact millisecond of its dates", () => {
    expect(statusAt(event(), START - 1)).toBe(1);
    expect(statusAt(event(), START)).toBe(3);
    expect(statusAt(event(), END - 1)).toBe(3);
    expect(statusAt(event(), END)).toBe(4);
  });

  it("changes automatically when the setting is missing", () => {
    expect(statusAt(event({ enableAutoChangeStatus: null }), START)).toBe(3);
    expect(statusAt(event({ enableAutoChangeStatus: undefined }), END)).toBe(4);
  });

  it("archives an event that has only an end, and publishes one that has only a start", () => {
    expect(statusAt(event({ startDate: null, statusId: 2 }), END - 1)).toBe(2);
    expect(statusAt(event({ startDate: null, statusId: 2 }), END)).toBe(4);
    expect(statusAt(event({ endDate: null }), END * 2)).toBe(3);
  });

  it("is not changed by an invalid date", () => {
    expect(statusAt(event({ startDate: "soon", endDate: "" }), END)).toBe(1);
  });

  it("stays as saved when automatic changes are off", () => {
    fc.assert(
      fc.property(anyEvent, anyMs, (timing, now) => {
        expect(statusAt({ ...timing, enableAutoChangeStatus: false }, now)).toBe(timing.statusId);
      }),
    );
  });

  it("never decreases automatically", () => {
    fc.assert(
      fc.property(anyEvent, anyMs, anyMs, (timing, a, b) => {
        const [early, late] = a < b ? [a, b] : [b, a];
        expect(PROGRESS[statusAt(timing, late)]).toBeGreaterThanOrEqual(PROGRESS[statusAt(timing, early)]);
      }),
    );
  });

  it("does not depend on earlier reads: storing a result does not change a later result", () => {
    fc.assert(
      fc.property(anyEvent, anyMs, anyMs, (timing, a, b) => {
        const [early, late] = a < b ? [a, b] : [b, a];
        const written = { ...timing, statusId: statusAt(timing, early) };
        expect(statusAt(written, late)).toBe(statusAt(timing, late));
        expect(statusAt(written, early)).toBe(statusAt(timing, early));
      }),
    );
  });

  it("never contradicts the table of the specification", () => {
    fc.assert(
      fc.property(anyEvent, anyMs, (timing, now) => {
        const passed = (date: string | null) => date !== null && Date.parse(date) <= now;
        const status = statusAt(timing, now);
        if (timing.enableAutoChangeStatus === false) return;
        if (passed(timing.endDate)) expect(status).toBe(4);
        else if (passed(timing.startDate)) expect(status).toBe(timing.statusId === 4 ? 4 : 3);
        else expect(status).toBe(timing.statusId);
      }),
    );
  });
});

describe("the next change of an event's status", () => {
  it("is its start, then its end, then never", () => {
    expect(nextStatusChange(event(), START - 5)).toBe(START);
    expect(nextStatusChange(event(), START)).toBe(END);
    expect(nextStatusChange(event(), END)).toBeNull();
  });

  it("skips a start that has no effect", () => {
    expect(nextStatusChange(event({ statusId: 3 }), START - 5)).toBe(END);
    expect(nextStatusChange(event({ statusId: 4 }), START - 5)).toBeNull();
    expect(nextStatusChange(event({ enableAutoChangeStatus: false }), START - 5)).toBeNull();
  });

  it("is exactly when the status changes, with no change in between", () => {
    fc.assert(
      fc.property(anyEvent, anyMs, fc.double({ min: 0, max: 1, noNaN: true }), (timing, now, share) => {
        const next = nextStatusChange(timing, now);
        const until = next ?? END + 2e9;
        const instantBetween = Math.min(until - 1, Math.floor(now + (until - now) * share));
        expect(statusAt(timing, Math.max(now, instantBetween))).toBe(statusAt(timing, now));
        if (next !== null) {
          expect(next).toBeGreaterThan(now);
          expect(statusAt(timing, next)).not.toBe(statusAt(timing, now));
        }
      }),
    );
  });
});

describe("links", () => {
  it.each([
    [1, false, false],
    [2, true, false],
    [3, true, true],
    [4, false, false],
  ] as const)("in status %i: preview links open %s, public links open %s", (status, preview, published) => {
    expect(isLinkOpen(status, "preview")).toBe(preview);
    expect(isLinkOpen(status, "published")).toBe(published);
  });
});

describe("an event that is Published before its start", () => {
  it("is one that was saved as Published, until its start", () => {
    const publishedAt = (statusId: EventStatusId, now: number) =>
      futureStartIfPublished(event({ statusId }), now);
    expect([
      publishedAt(3, START - 1),
      publishedAt(3, START),
      publishedAt(2, START - 1),
      publishedAt(1, START),
    ]).toEqual([START, null, null, null]);
    expect(futureStartIfPublished(event({ statusId: 3, startDate: null }), START)).toBeNull();
  });
});

describe("the time at which a closed link opens", () => {
  const [start, end] = ["2030-05-01T00:00:00.000Z", "2030-06-01T00:00:00.000Z"];
  const ms = Date.parse;
  const event = { statusId: 1, startDate: start, endDate: end, enableAutoChangeStatus: true } as const;

  it("is at its start, and never after its end", () => {
    for (const mode of ["preview", "published"] as const) {
      expect(linkOpensAt(event, mode, ms(start) - 5)).toBe(ms(start));
      expect(linkOpensAt(event, mode, ms(start))).toBe(null);
      expect(linkOpensAt(event, mode, ms(end))).toBe(null);
    }
  });

  it("refers only to the public link while previews are open", () => {
    expect(linkOpensAt({ ...event, statusId: 2 }, "preview", 0)).toBe(null);
    expect(linkOpensAt({ ...event, statusId: 2 }, "published", 0)).toBe(ms(start));
  });

  it("is never without a start, or when the start has no effect", () => {
    expect(linkOpensAt({ ...event, startDate: null }, "published", 0)).toBe(null);
    expect(linkOpensAt({ ...event, enableAutoChangeStatus: false }, "published", 0)).toBe(null);
    expect(linkOpensAt({ ...event, startDate: end, endDate: start }, "published", 0)).toBe(null);
  });
});
