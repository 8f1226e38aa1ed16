import type { Instant, Role } from "./model";

/** The cookie that carries the session ticket (DESIGN §4). */
export const SESSION_COOKIE = "session-ticket";
/** The key of local storage in which an earlier client left its ticket (§9). */
export const SESSION_STORAGE_KEY = "session-ticket";
/** How long a ticket lives, in days. */
export const SESSION_DAYS = 14;
/** The same in seconds, for cookies. */
export const SESSION_SECONDS = SESSION_DAYS * 24 * 60 * 60;

/** The cookie by which a browser is known in which somebody has logged in before (decision 040). */
export const BROWSER_COOKIE = "known-browser";
/** For how long it is, in seconds: half a year from the last log-in. */
export const BROWSER_SECONDS = 180 * 24 * 60 * 60;

/** How long after a log-in nobody is asked for the password again, in milliseconds. */
const RECENT_LOGIN_MS = 10 * 60_000;

/** Whether a session began so lately that its log-in counts as a proof at `now` (epoch milliseconds). */
export function isRecentLogIn(startedAt: Instant, now: number): boolean {
  return now - Date.parse(startedAt) < RECENT_LOGIN_MS;
}

/** The page on which a person lands after logging in (§1), and to which the brand leads (§2). */
export function startPage(role: Role): "/user-list" | "/space-list" {
  return role === "admin" ? "/user-list" : "/space-list";
}
