import type { LinkPurpose } from "../shared/model";

/** The page on which mails about an event's status are stopped by whoever got one: `?token=`, without a log-in. */
export const STOP_MAILS_PATH = "/stop-mails";

/** The pages that the links of mails lead to; the token follows as `?token=`. */
export const LINK_PATHS: Readonly<Record<LinkPurpose, string>> = {
  reset: "/reset-password",
  invitation: "/accept-invitation",
  email: "/confirm-email",
};

const HOUR = 3_600_000;

/** How long a link works, in milliseconds. */
export const LINK_LIFE: Readonly<Record<LinkPurpose, number>> = {
  reset: HOUR,
  invitation: 7 * 24 * HOUR,
  email: 24 * HOUR,
};

/** Links of one purpose that an account is sent within an hour, at most. */
export const LINKS_PER_HOUR = 5;
/** How long a link that has ended is remembered, so that its page can say what happened to it, in days. */
export const LINK_MEMORY_DAYS = 30;

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Whether a value has the form of a link's token: 256 bits in base64url. */
export function isLinkToken(value: unknown): value is string {
  return typeof value === "string" && TOKEN.test(value);
}

/** Whether a path is a page whose address holds a token. */
export function isLinkPath(pathname: string): boolean {
  return [...Object.values(LINK_PATHS), STOP_MAILS_PATH].some(
    (path) => pathname === path || pathname === `${path}.data`,
  );
}
