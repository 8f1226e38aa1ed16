import { type EventTiming, isLinkOpen, statusAt } from "../events/status";
import type { Event, LinkMode } from "../shared/model";

/** The fields of an event that linkAccess needs. */
export type EventLinks = EventTiming & Pick<Event, "accessToken" | "previewAccessToken">;

/** Maximum length of a token, in characters. All issued tokens are shorter. Longer ones are rejected early, which keeps the comparison short. */
const TOKEN_LENGTH_MAX = 512;

/** Whether two strings are equal. The time depends only on the length of `presented`, neither on `expected` nor on the first difference. */
export function constantTimeEqual(expected: string, presented: string): boolean {
  let difference = expected.length ^ presented.length;
  for (let i = 0; i < presented.length; i++) {
    // Past the end, charCodeAt returns NaN, which the bitwise operator reads as 0. The lengths differ in this case anyway.
    difference |= expected.charCodeAt(i) ^ presented.charCodeAt(i);
  }
  return difference === 0;
}

/**
 * Whether a visitor's link shows the event at `now` (milliseconds since 1970). A preview token opens Preview and Published at the preview URL, a
 * public token opens Published at the public URL (specification §4). The result deliberately does not contain the reason why a link is closed.
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
