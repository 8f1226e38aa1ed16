import type { MiddlewareHandler } from "hono";
import { isTicket } from "#functions/services/auth/sessions";
import { sha256Hex } from "#functions/services/shared/digest";
import { RateLimitedError } from "#functions/services/shared/errors";
import { isAccessToken } from "~/domain/webhooks/tokens";
import type { ApiEnv } from "./context";
import { getClientNetwork, requestTicket } from "./request";

/**
 * Limits calls by caller: by session or API token, or by network without one. A value that does not have the form of a ticket is ignored. Because any
 * number of invalid tickets can be invented, an invalid ticket also counts against its network, in all locations together. A network with too many of them is blocked for
 * unknown callers (InvalidTokenThrottle).
 */
export const limitCalls: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const { countCall, countInvalidTicket, invalidTokenThrottle } = c.env;
  const place = `place:${getClientNetwork(c)}`;
  const { ticket } = requestTicket(c);
  const caller = isTicket(ticket) || isAccessToken(ticket) ? `caller:${await sha256Hex(ticket)}` : place;
  if (invalidTokenThrottle.isBlocked(place, caller) || !(await countCall(caller)))
    throw new RateLimitedError("calls");
  await next();
  if (caller === place) return;
  // Calls that did not authenticate use the result of an earlier call with the same ticket.
  const isValid = c.get("hasValidTicket") ?? invalidTokenThrottle.isKnownCaller(caller);
  invalidTokenThrottle.record(caller, isValid);
  if (!isValid && !(await countInvalidTicket(place))) invalidTokenThrottle.block(place);
};
