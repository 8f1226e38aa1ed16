import { DAY_MS } from "../shared/day";

/** Wrong guesses of one secret in an hour and in a day (UTC). */
export interface GuessCounts {
  readonly hour: number;
  readonly day: number;
}

/** Stored guess counts, of the hour and of the day of `lastAt`. */
export interface StoredGuesses extends GuessCounts {
  /** When the last counted guess was made, in epoch milliseconds. */
  readonly lastAt: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Days after which guess counts are deleted. The following day may still read them; no later one does. */
export const GUESS_COUNT_DAYS = 2;
/** Days for which a network counts as known after a log-in from it. */
export const KNOWN_NETWORK_DAYS = 90;
/** Number of known networks that are stored for one account. The one that was used longest ago is deleted first. */
export const KNOWN_NETWORKS_MAX = 20;
/** Numbers of wrong guesses in an hour, and in a day, at which the owner of an account is warned. */
const ATTACK_GUESSES: GuessCounts = { hour: 20, day: 50 };
/** Time between two warnings to one account, in milliseconds. */
export const ATTACK_MAIL_MS = DAY_MS;

/** Number of wrong guesses of an hour that starts the delay, and that doubles it each time; the first delay in milliseconds. */
const HOUR_STEP = 10;
const HOUR_DELAY_MS = 2 * MINUTE_MS;
/** The same numbers for a day. */
const DAY_STEP = 50;
const DAY_DELAY_MS = 5 * MINUTE_MS;

/** The counts at `now` (epoch milliseconds). The counts of an hour or a day that is over are zero. */
export function currentGuesses(stored: StoredGuesses | null, now: number): GuessCounts {
  if (stored === null) return { hour: 0, day: 0 };
  const isSame = (length: number) => Math.floor(stored.lastAt / length) === Math.floor(now / length);
  return { hour: isSame(HOUR_MS) ? stored.hour : 0, day: isSame(DAY_MS) ? stored.day : 0 };
}

const doubledDelay = (start: number, doublings: number) => Math.min(HOUR_MS, start * 2 ** doublings);

/**
 * The delay between the last wrong guess and the next guess, in milliseconds. The limit of ten guesses a minute comes on top of it.
 * At most 100 guesses an hour result, also when ten are sent at once after each delay (OWASP ASVS 4.0.3, 2.2.1).
 */
export function guessDelay({ hour, day }: GuessCounts): number {
  const byHour = hour < HOUR_STEP ? 0 : doubledDelay(HOUR_DELAY_MS, Math.floor(hour / HOUR_STEP) - 1);
  const byDay = day < DAY_STEP ? 0 : doubledDelay(DAY_DELAY_MS, Math.floor(day / DAY_STEP) - 1);
  return Math.max(byHour, byDay);
}

/** The remaining delay of the next guess at `now`, in milliseconds; 0 when it may be made. */
export function guessWait(stored: StoredGuesses | null, now: number): number {
  if (stored === null) return 0;
  return Math.max(0, stored.lastAt + guessDelay(currentGuesses(stored, now)) - now);
}

/** Whether the wrong guesses are an attack, so that the owner of the account is mailed. */
export const isAttack = ({ hour, day }: GuessCounts): boolean =>
  hour >= ATTACK_GUESSES.hour || day >= ATTACK_GUESSES.day;
