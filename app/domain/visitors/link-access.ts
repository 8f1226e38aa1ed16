import { type EventTiming, isLinkOpen, statusAt } from "../events/status";
import type { Event, LinkMode } from "../shared/model";

/** What linkAccess needs of an event. */
export type EventLinks = EventTiming & Pick<Event, "accessToken" | "previewAccessToken">;

/** Longer tokens are never issued; refusing them early keeps the comparison short. */
const TOKEN_LENGTH_MAX = 512;

/**
 * Whether two strings are the same, in a time that depends on the length of `presented` alone: not on `expected`, nor on
 * where the two begin to differ.
 */
export function constantTimeEqual(expected: string, presented: string): boolean {
  let difference = expected.length ^ presented.length;
  for (let i = 0; i < presented.length; i++) {
    // Past the end charCodeAt is NaN, which the bitwise operator reads as 0; the lengths differ then anyway.
    difference |= expected.charCodeAt(i) ^ presented.charCodeAt(i);
  }
  return difference === 0;
}

/**
 * Whether a visitor's link shows the event at `now` (milliseconds since 1970). A preview token opens Preview and Published
 * under the preview address, a public token opens Published under the public one; each opens nothing else (§4, DESIGN §4).
 * Why a link is closed is deliberately not told.
 */
export function linkAccess(
  event: EventLinks,
  mode: LinkMode,
  token: string | null,
  now: number,
): "open" | "closed" {
  const expected = mode === "preview" ? event.previewAccessToken : event.accessToken;
  if (token === null || token === "" || token.length > TOKEN_LENGTH_MAX || expected === "") return "closed";
  const matches = constantTimeEqual(expected, token);
  return matches && isLinkOpen(statusAt(event, now), mode) ? "open" : "closed";
}
