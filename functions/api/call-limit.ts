import type { MiddlewareHandler } from "hono";
import { readCookie } from "#functions/platform/cookies";
import { sha256Hex } from "#functions/services/digest";
import { RateLimitedError } from "#functions/services/errors";
import { SESSION_COOKIE } from "~/domain/session";
import type { ApiEnv } from "./context";
import { ipOf } from "./request";

/**
 * Counts calls against whoever makes them: the session or token that they come with, and without one the place. Whoever comes with one that is
 * nobody's is counted against the place too, as anybody can make up as many as he likes.
 */
export const limitCalls: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const place = `place:${ipOf(c)}`;
  const credential = c.req.header("authorization") ?? readCookie(c.req.raw, SESSION_COOKIE);
  const caller = credential === null ? place : `caller:${await sha256Hex(credential)}`;
  const count = async (key: string) => {
    if (!(await c.env.countCall(key))) throw new RateLimitedError("calls");
  };
  await count(caller);
  await next();
  if (credential !== null && c.res.status === 401) await count(place);
};
