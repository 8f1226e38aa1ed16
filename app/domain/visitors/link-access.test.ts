import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isLinkOpen, statusAt } from "../events/status";
import type { EventStatusId, LinkMode } from "../shared/model";
import { constantTimeEqual, type EventLinks, linkAccess } from "./link-access";

const NOW = Date.parse("2030-04-01T00:00:00.000Z");
const links = (statusId: EventStatusId, changes: Partial<EventLinks> = {}): EventLinks => ({
  statusId,
  startDate: null,
  endDate: null,
  enableAutoChangeStatus: true,
  accessToken: "public-token",
  previewAccessToken: "preview-token",
  ...changes,
});

const anyMode = fc.constantFrom<LinkMode>("preview", "published");
const anyDate = fc.option(
  fc.integer({ min: NOW - 1e9, max: NOW + 1e9 }).map((ms) => new Date(ms).toISOString()),
  { nil: null },
);
const anyLinks = fc.record({
  statusId: fc.constantFrom<EventStatusId>(1, 2, 3, 4),
  startDate: anyDate,
  endDate: anyDate,
  enableAutoChangeStatus: fc.boolean(),
  accessToken: fc.string({ minLength: 1, maxLength: 64 }),
  previewAccessToken: fc.string({ minLength: 1, maxLength: 64 }),
});

describe("a visitor's link", () => {
  it.each([
    [1, "closed", "closed"],
    [2, "open", "closed"],
    [3, "open", "open"],
    [4, "closed", "closed"],
  ] as const)("in status %i is %s as a preview and %s as a public one", (status, preview, published) => {
    expect(linkAccess(links(status), "preview", "preview-token", NOW)).toBe(preview);
    expect(linkAccess(links(status), "published", "public-token", NOW)).toBe(published);
  });

  it("is closed to a token of the other mode, in any status", () => {
    for (const status of [1, 2, 3, 4] as const) {
      expect(linkAccess(links(status), "preview", "public-token", NOW)).toBe("closed");
      expect(linkAccess(links(status), "published", "preview-token", NOW)).toBe("closed");
    }
  });

  it("is closed without a token, even for an event that has none", () => {
    for (const mode of ["preview", "published"] as const) {
      expect(linkAccess(links(3), mode, null, NOW)).toBe("closed");
      expect(linkAccess(links(3), mode, "", NOW)).toBe("closed");
      expect(linkAccess(links(3, { accessToken: "", previewAccessToken: "" }), mode, "", NOW)).toBe("closed");
    }
  });

  it("opens and closes at the millisecond of the event's dates", () => {
    const timed = links(1, {
      startDate: new Date(NOW).toISOString(),
      endDate: new Date(NOW + 1000).toISOString(),
    });
    expect(linkAccess(timed, "published", "public-token", NOW - 1)).toBe("closed");
    expect(linkAccess(timed, "published", "public-token", NOW)).toBe("open");
    expect(linkAccess(timed, "published", "public-token", NOW + 999)).toBe("open");
    expect(linkAccess(timed, "published", "public-token", NOW + 1000)).toBe("closed");
  });

  it("is open with the right token exactly if the status opens links of its mode", () => {
    fc.assert(
      fc.property(anyLinks, anyMode, fc.integer({ min: NOW - 2e9, max: NOW + 2e9 }), (event, mode, now) => {
        const token = mode === "preview" ? event.previewAccessToken : event.accessToken;
        const isOpen = isLinkOpen(statusAt(event, now), mode);
        expect(linkAccess(event, mode, token, now)).toBe(isOpen ? "open" : "closed");
      }),
    );
  });

  it("is closed to every other token", () => {
    fc.assert(
      fc.property(anyLinks, anyMode, fc.string(), (event, mode, token) => {
        fc.pre(token !== (mode === "preview" ? event.previewAccessToken : event.accessToken));
        expect(linkAccess({ ...event, statusId: 3 }, mode, token, NOW)).toBe("closed");
      }),
    );
  });

  it("is closed to a token of a megabyte", () => {
    const longToken = "x".repeat(1_000_000);
    expect(linkAccess(links(3, { accessToken: longToken }), "published", longToken, NOW)).toBe("closed");
  });
});

describe("comparing in constant time", () => {
  it("gives the same result as ordinary comparison", () => {
    const similarTokens = fc
      .string({ unit: "binary" })
      .chain((a) =>
        fc.tuple(
          fc.constant(a),
          fc.oneof(
            fc.constant(a),
            fc.string({ unit: "binary" }),
            fc.constantFrom(`${a}\0`, `${a}${a}`, a.slice(1), a.slice(0, -1), a.toUpperCase(), ""),
          ),
        ),
      );
    fc.assert(
      fc.property(similarTokens, ([a, b]) => {
        expect(constantTimeEqual(a, b)).toBe(a === b);
        expect(constantTimeEqual(b, a)).toBe(a === b);
      }),
    );
  });

  it("distinguishes a missing end from a zero character", () => {
    expect(constantTimeEqual("a", "a\0")).toBe(false);
    expect(constantTimeEqual("a\0", "a")).toBe(false);
    expect(constantTimeEqual("", "")).toBe(true);
  });
});
