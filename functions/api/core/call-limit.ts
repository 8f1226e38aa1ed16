import type { MiddlewareHandler } from "hono";
import { isTicket } from "#functions/services/auth/sessions";
import { sha256Hex } from "#functions/services/shared/digest";
import { RateLimitedError } from "#functions/services/shared/errors";
import { isAccessToken } from "~/domain/webhooks/tokens";
import type { ApiEnv } from "./context";
import { heldTicket, ipOf } from "./request";

/**
 * Counts calls against whoever makes them: the session or token that they come with, and without one the place. What has not the form of
 * a ticket is none. Tickets that are nobody's can be made up as many as one likes: they are counted against the place as well, once it
 * is known, and when it has sent too many nobody new is let in from there (Floods).
 */
export const limitCalls: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const { countCall, invalidTokenThrottle: floods } = c.env;
  const place = `place:${ipOf(c)}`;
  const { ticket } = heldTicket(c);
  const caller = isTicket(ticket) || isAccessToken(ticket) ? `caller:${await sha256Hex(ticket)}` : place;
  if (floods.isBlocked(place, caller) || !(await countCall(caller))) throw new RateLimitedError("calls");
  await next();
  if (caller === place) return;
  // Of calls that ask nobody who he is, somebody whom others have asked is let off.
  const isSomebody = c.get("isSomebody") ?? floods.isKnownCaller(caller);
  floods.record(caller, isSomebody);
  if (!isSomebody && !(await countCall(place))) floods.block(place);
};
