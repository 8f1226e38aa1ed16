import { routePath } from "hono/route";
import { toProblemResponse } from "./problem";
import { type ApiCall, sessionCookies } from "./request";

/** The response of a failed call. */
export function failureResponse(c: ApiCall, error: unknown): Response {
  const response = toProblemResponse(error, c.env.requestId, routePath(c), c.env.messagesFor(c.req.raw), {
    // RFC 9110 §13.1.1: a stale version is 412 instead of 409 if the request stated one. "*" states none.
    hasIfMatchVersion: !["*", undefined].includes(c.req.header("if-match")?.trim()),
  });
  // Specification §4: a 401 also removes the browser's session cookie, but only if the session of that cookie was rejected. A wrong password does not remove it.
  // Neither does a session ticket in the path: otherwise a link on any site could log the user out.
  if (response.status === 401 && c.get("isCookieRejected")) {
    for (const header of sessionCookies(c, "", 0)) response.headers.append("set-cookie", header);
  }
  // RFC 9110 §15.5.2, RFC 6750 §3: states the required scheme, and for a ticket or token in Authorization that it is invalid.
  if (response.status === 401)
    response.headers.set(
      "www-authenticate",
      c.req.header("authorization") === undefined ? "Bearer" : 'Bearer error="invalid_token"',
    );
  return response;
}
