import { DAY_MS } from "../shared/day";

/** Wrong passwords for one subject (an account, a browser, a network or an address) in an hour and in a day (UTC). */
export interface AttemptCounts {
  readonly hour: number;
  readonly day: number;
}

/** Stored counts of the hour and the day of `lastAt`. */
export interface StoredAttempts extends AttemptCounts {
  /** Time of the last counted attempt, in epoch milliseconds. */
  readonly lastAt: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Days without wrong passwords after which the counts are deleted. */
export const ATTEMPT_COUNT_DAYS = 2;
/** Days for which a network counts as known after a log-in from it. */
export const KNOWN_NETWORK_DAYS = 90;
/** Maximum number of known networks per account. The least recently used one is deleted first. */
export const KNOWN_NETWORKS_MAX = 20;
/** Numbers of wrong passwords in an hour, and in a day, at which the owner of an account is warned. */
const ATTACK_ATTEMPTS: AttemptCounts = { hour: 20, day: 50 };
/** Minimum time between two warnings to one account, in milliseconds. */
export const ATTACK_MAIL_MS = DAY_MS;

/** Number of wrong passwords in an hour at which the delay starts; it doubles after each further such number. */
const HOUR_STEP = 10;
/** The delay that starts at HOUR_STEP wrong passwords. */
const HOUR_DELAY_MS = 2 * MINUTE_MS;
/** Number of wrong passwords in a day at which a delay starts; it doubles after each further such number. */
const DAY_STEP = 50;
/** The delay that starts at DAY_STEP wrong passwords. */
const DAY_DELAY_MS = 5 * MINUTE_MS;

/** Returns the counts at `now` (epoch milliseconds). Counts of a past hour or day are zero. */
export function currentAttempts(stored: StoredAttempts | null, now: number): AttemptCounts {
  if (stored === null) return { hour: 0, day: 0 };
  const isSamePeriod = (periodMs: number) =>
    Math.floor(stored.lastAt / periodMs) === Math.floor(now / periodMs);
  return { hour: isSamePeriod(HOUR_MS) ? stored.hour : 0, day: isSamePeriod(DAY_MS) ? stored.day : 0 };
}

/** Returns a delay after some doublings, at most an hour. */
const doubledDelay = (start: number, doublings: number) => Math.min(HOUR_MS, start * 2 ** doublings);

/**
 * Returns the delay between the last wrong attempt and the next one, in milliseconds. The limit of ten attempts a minute also applies. At most 100
 * attempts an hour result, even if ten are sent at once after each delay (OWASP ASVS 4.0.3, 2.2.1).
 */
export function attemptDelay({ hour, day }: AttemptCounts): number {
  const byHour = hour < HOUR_STEP ? 0 : doubledDelay(HOUR_DELAY_MS, Math.floor(hour / HOUR_STEP) - 1);
  const byDay = day < DAY_STEP ? 0 : doubledDelay(DAY_DELAY_MS, Math.floor(day / DAY_STEP) - 1);
  return Math.max(byHour, byDay);
}

/** Returns the remaining delay of the next attempt at `now`, in milliseconds; 0 if it may be made now. */
export function attemptWait(stored: StoredAttempts | null, now: number): number {
  if (stored === null) return 0;
  return Math.max(0, stored.lastAt + attemptDelay(currentAttempts(stored, now)) - now);
}

/** Whether the wrong attempts count as an attack. The account's owner is then notified by mail. */
export const isAttack = ({ hour, day }: AttemptCounts): boolean =>
  hour >= ATTACK_ATTEMPTS.hour || day >= ATTACK_ATTEMPTS.day;
