import type { MiddlewareHandler } from "hono";
import { isTicket } from "#functions/services/auth/sessions";
import { sha256Hex } from "#functions/services/shared/digest";
import { RateLimitedError } from "#functions/services/shared/errors";
import { isApiToken } from "~/domain/webhooks/tokens";
import type { ApiEnv } from "./context";
import { getClientNetwork, requestTicket } from "./request";

/**
 * Limits calls by caller: by session ticket or API token, both called tokens here, or by network without one. A value that does not have the form of a token is
 * ignored. Because any number of invalid tokens can be invented, an invalid token also counts against its network, in all locations together. A network
 * with too many of them is blocked for unknown callers (InvalidTokenThrottle).
 */
export const limitCalls: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const { countCall, countInvalidToken, invalidTokenThrottle } = c.env;
  const network = `place:${getClientNetwork(c)}`;
  const { ticket: token } = requestTicket(c);
  const caller = isTicket(token) || isApiToken(token) ? `caller:${await sha256Hex(token)}` : network;
  if (invalidTokenThrottle.isBlocked(network, caller) || !(await countCall(caller)))
    throw new RateLimitedError("calls");
  await next();
  if (caller === network) return;
  // Calls that did not authenticate use the result of an earlier call with the same token.
  const isValid = c.get("hasValidToken") ?? invalidTokenThrottle.isKnownCaller(caller);
  invalidTokenThrottle.record(caller, isValid);
  if (!isValid && !(await countInvalidToken(network))) invalidTokenThrottle.block(network);
};
