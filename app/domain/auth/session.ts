import type { Instant, Role } from "../shared/model";

/** Name of the cookie with the session ticket, a session's random secret. Over https its prefix ties it to this host (RFC 6265bis §4.1.3.2). */
export const sessionCookieName = (isHttps: boolean) => (isHttps ? "__Host-session-ticket" : "session-ticket");
/** Name of the session cookie over https before it got its prefix (decision 042). */
export const OLD_SESSION_COOKIE = "session-ticket";
/** Key of local storage in which an earlier client stored its ticket (specification §9). */
export const SESSION_STORAGE_KEY = "session-ticket";
/** Lifetime of a ticket, in days. */
const SESSION_DAYS = 14;
/** Lifetime of a ticket, in seconds, for cookies. */
export const SESSION_SECONDS = SESSION_DAYS * 24 * 60 * 60;

/**
 * Length of a session's handle: the first 64 bits of the hash of its ticket, in hex. It identifies a session and cannot be used for a
 * log-in.
 */
export const SESSION_HANDLE_LENGTH = 16;

/** Time without use after which a session ends, in milliseconds. */
const IDLE_MS: Readonly<Record<Role, number>> = {
  admin: 24 * 3_600_000,
  user: SESSION_SECONDS * 1000,
};
/** Interval at which the last use of a session is stored, in milliseconds. Sessions may therefore end earlier by up to this time. */
export const SESSION_TOUCH_MS = 3_600_000;

/** Returns the latest time of a last use with which a session has expired at `now` (epoch milliseconds). */
export const idleSince = (role: Role, now: number): Instant => new Date(now - IDLE_MS[role]).toISOString();

/** Whether an unused session has expired at `now` (epoch milliseconds). */
export const hasIdledOut = (role: Role, lastSeenAt: Instant, now: number): boolean =>
  lastSeenAt <= idleSince(role, now);

/**
 * Name of the cookie that identifies a browser with earlier log-ins (decision 040). The cookie has a path, so its prefix over https is
 * __Secure-.
 */
export const browserCookieName = (isHttps: boolean) => (isHttps ? "__Secure-known-browser" : "known-browser");
/** Name of the browser cookie over https before it got its prefix (decision 042). */
export const OLD_BROWSER_COOKIE = "known-browser";
/** Lifetime of the browser cookie, in seconds: half a year after the last log-in. */
export const BROWSER_SECONDS = 180 * 24 * 60 * 60;

/** Time after a password or passkey check during which the password is not required again, in milliseconds. */
const RECENT_LOGIN_MS = 10 * 60_000;

/** Whether the last password or passkey check of a session is recent enough at `now` (epoch milliseconds). */
export function isRecentLogIn(authenticatedAt: Instant, now: number): boolean {
  return now - Date.parse(authenticatedAt) < RECENT_LOGIN_MS;
}

/** Time allowed for filling in a form, in milliseconds. */
const FORM_FILLING_MS = 60_000;

/** Whether a form that is opened at `now` (epoch milliseconds) needs no password, because the log-in is still recent when the form is submitted. */
export const isRecentUntilSubmit = (authenticatedAt: Instant, now: number): boolean =>
  isRecentLogIn(authenticatedAt, now + FORM_FILLING_MS);

/** Returns the page that opens after a log-in (specification §1), and to which the product's name in the header links (specification §2). */
export function startPage(role: Role): "/user-list" | "/space-list" {
  return role === "admin" ? "/user-list" : "/space-list";
}
