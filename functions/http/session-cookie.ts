/** The cookie of a session. Over https it has the prefix `__Host-`, so that no other host can set it (decision 042). */
import { OLD_SESSION_COOKIE, sessionCookieName } from "~/domain/auth/session";
import { cookieHeader, readCookie } from "./cookies";

/** The ticket (the session's secret) in a request's cookie. */
export interface SessionCookie {
  readonly ticket: string;
  /** True over https if the cookie has the name without the prefix, which was used before decision 042. */
  readonly isOldCookie: boolean;
}

/**
 * Reads the session ticket from the request's cookie; null if there is none.
 * @param secure true if the request used https
 */
export function readSessionCookie(request: Request, secure: boolean): SessionCookie | null {
  const ticket = readCookie(request, sessionCookieName(secure));
  if (ticket !== null) return { ticket, isOldCookie: false };
  const oldTicket = secure ? readCookie(request, OLD_SESSION_COOKIE) : null;
  return oldTicket === null ? null : { ticket: oldTicket, isOldCookie: true };
}

/**
 * Returns the Set-Cookie values for a ticket that is valid for `maxAge` seconds (0 removes it), and for removing a cookie of the old name in the
 * request.
 */
export function sessionCookieHeaders(
  request: Request,
  cookie: { readonly ticket: string; readonly maxAge: number; readonly secure: boolean },
): readonly string[] {
  const { ticket, maxAge, secure } = cookie;
  const hasOldCookie = secure && readCookie(request, OLD_SESSION_COOKIE) !== null;
  return [
    ...(hasOldCookie ? [cookieHeader(OLD_SESSION_COOKIE, "", { maxAge: 0, secure })] : []),
    cookieHeader(sessionCookieName(secure), ticket, { maxAge, secure }),
  ];
}
