import type { LinkPurpose } from "../shared/model";

/** The page on which a recipient turns off mails about an event's status: `?token=`, without a log-in. */
export const STOP_MAILS_PATH = "/stop-mails";

/** The pages to which the links of each purpose lead; the token follows as `?token=`. */
export const LINK_PATHS: Readonly<Record<LinkPurpose, string>> = {
  reset: "/reset-password",
  invitation: "/accept-invitation",
  email: "/confirm-email",
};

const HOUR_MS = 3_600_000;

/** Lifetime of a link. */
export const LINK_LIFETIME_MS: Readonly<Record<LinkPurpose, number>> = {
  reset: HOUR_MS,
  invitation: 7 * 24 * HOUR_MS,
  email: 24 * HOUR_MS,
};

/** Maximum number of links of one purpose that are sent to an account within an hour. */
export const LINKS_PER_HOUR = 5;
/** Number of days for which a used or expired link is remembered, so that its page can explain its state. */
export const LINK_MEMORY_DAYS = 30;

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Whether a value has the form of a link's token: 256 bits in base64url. */
export function isLinkToken(value: unknown): value is string {
  return typeof value === "string" && TOKEN.test(value);
}

/** Whether a path is a page to which a mail's link with a token leads. */
export function isLinkPath(pathname: string): boolean {
  return [...Object.values(LINK_PATHS), STOP_MAILS_PATH].some(
    (path) => pathname === path || pathname === `${path}.data`,
  );
}
