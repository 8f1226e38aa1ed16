/** Limits of wrong passwords by hour and by day. They also hold when the attempts come from many networks. */

import { LRUCache } from "lru-cache";
import type { Repositories } from "#functions/data/shared/repositories";
import {
  ATTACK_MAIL_MS,
  ATTEMPT_COUNT_DAYS,
  attemptWait,
  currentAttempts,
  isAttack,
  KNOWN_NETWORK_DAYS,
  type StoredAttempts,
} from "~/domain/auth/attempt-delay";
import { BROWSER_SECONDS } from "~/domain/auth/session";
import { describeDevice } from "~/domain/auth/user-agent";
import { DAY_MS } from "~/domain/shared/day";
import { EMAIL_MAX } from "~/domain/shared/limits";
import type { User, Uuid } from "~/domain/shared/model";
import { nameKey } from "~/domain/shared/text";
import { canLogIn } from "~/domain/users/user-status";
import { RateLimitedError } from "../shared/errors";
import { toInstant } from "../shared/instant";
import type { Clock, IdSource, TextSealer } from "../shared/ports";
import { sha256Hex } from "../shared/sha256";
import type { GuessSubject, RateLimiter } from "./auth-ports";
import { limitAttempts } from "./limit-attempts";
import { type LinkDeps, sendEmail } from "./mail-links";

const MINUTE_MS = 60_000;
/** Maximum number of accounts, browsers, networks and addresses (GuessSubject) whose attempts an isolate keeps in memory. */
const SUBJECTS_MAX = 10_000;
/**
 * Addresses without an account share rows: the first digits of an address's hash are the id of its row, and the whole hash is the row's `owner`. Four
 * hex digits allow at most 65,536 rows.
 */
const UNKNOWN_ROW_DIGITS = 4;
/** Maximum number of rows with counts that one run of the cron trigger deletes. */
const DELETED_PER_RUN = 5000;
/** Maximum number of marks in one browser. A mark is a sealed (encrypted) value that shows that the browser has logged in to an account. */
const BROWSER_MARKS_MAX = 5;
/** Separator of a browser's marks. It is not a character of base64url. */
const MARK_SEPARATOR = "~";

/** Wrong attempts of this isolate that are not written to D1 yet. A row is written at most once a minute. */
export class UnwrittenAttempts {
  readonly #unwritten = new LRUCache<string, { count: number; lastAt: number; triedMinute: number }>({
    max: SUBJECTS_MAX,
  });

  /** Returns the stored counts plus the attempts that are not written yet; null if there are neither. */
  combine({ owner }: GuessSubject, stored: StoredAttempts | null): StoredAttempts | null {
    const unwritten = this.#unwritten.get(owner);
    if (!unwritten || unwritten.lastAt === 0) return stored;
    const lastAt = Math.max(unwritten.lastAt, stored?.lastAt ?? 0);
    const { hour, day } = currentAttempts(stored, lastAt);
    return { hour: hour + unwritten.count, day: day + unwritten.count, lastAt };
  }

  /** Counts a wrong attempt. Returns the number to write now; 0 if a write was tried in this minute. */
  add({ owner }: GuessSubject, now: number): number {
    const minute = Math.floor(now / MINUTE_MS);
    const unwritten = this.#unwritten.get(owner);
    const count = (unwritten?.count ?? 0) + 1;
    const isDue = unwritten?.triedMinute !== minute;
    this.#unwritten.set(owner, { count, lastAt: now, triedMinute: minute });
    return isDue ? count : 0;
  }

  /** Subtracts the attempts that were written. */
  subtract({ owner }: GuessSubject, count: number): void {
    const unwritten = this.#unwritten.get(owner);
    if (unwritten) unwritten.count = Math.max(0, unwritten.count - count);
  }
}

/** Dependencies of counting wrong attempts. */
export interface GuessDeps extends Pick<Repositories, "logInAttempts"> {
  readonly unwrittenAttempts: UnwrittenAttempts;
  readonly limiter: RateLimiter;
  readonly clock: Clock;
  /** Keeps the worker running until the work is finished, after the response (waitUntil). */
  readonly defer: (work: Promise<unknown>) => void;
}

/** Dependencies of the limits of log-ins. */
export interface LogInLimitDeps extends GuessDeps, Pick<LinkDeps, "mailer" | "emailTemplate" | "origin"> {
  readonly ids: IdSource;
  readonly textSealer: TextSealer;
  /** Keyed hash of a text, in hex: see hashWithSecret. */
  readonly hashWithSecret: (purpose: string, text: string) => string;
}

/** Dependencies of checking a log-in's password under its limits. */
export interface LogInCheckDeps extends LogInLimitDeps {
  readonly sessions: Pick<Repositories["sessions"], "findCredentials">;
}

/** An attempt to enter a secret, which is limited by minute, hour and day. */
export interface LimitedAttempt<T> {
  /** The row with the counts of hours and days. */
  readonly subject: GuessSubject;
  /** The subject's stored counts. */
  readonly stored: StoredAttempts | null;
  /** The counters of the limit per minute: see limitAttempts. */
  readonly keys: readonly string[];
  /** The purpose of the secret, such as "log-in", for the log and the error. */
  readonly limitName: string;
  /** The account of the secret, for the log; null for an unknown address. */
  readonly account: Uuid | null;
  /** Returns null for a wrong secret. */
  readonly check: () => Promise<T | null>;
  /** Receives the stored counts after wrong attempts were written, at most once a minute. Runs after the response. */
  readonly onWrong?: (counts: StoredAttempts) => Promise<unknown>;
}

/**
 * Checks a secret under the limit of a minute and the delays of an hour and a day.
 * @throws RateLimitedError when a delay is not over, or the limit of the minute is used up; the secret is then not checked
 */
export async function checkLimitedAttempt<T>(deps: GuessDeps, attempt: LimitedAttempt<T>): Promise<T | null> {
  const { subject, stored, keys, limitName, account, check, onWrong = async () => {} } = attempt;
  const now = deps.clock.now();
  const waitMs = attemptWait(deps.unwrittenAttempts.combine(subject, stored), now);
  if (waitMs > 0) {
    deps.limiter.note(limitName, "rejected", account);
    throw tooEarly(limitName, waitMs);
  }
  const result = await limitAttempts(deps.limiter, keys, limitName, check, account);
  if (result === null) {
    const count = deps.unwrittenAttempts.add(subject, now);
    if (count > 0) deps.defer(writeGuesses(deps, subject, count, now, onWrong));
  }
  return result;
}

async function writeGuesses(
  deps: GuessDeps,
  subject: GuessSubject,
  count: number,
  now: number,
  onWrong: (counts: StoredAttempts) => Promise<unknown>,
): Promise<void> {
  const counts = await deps.logInAttempts.add(subject, count, now);
  if (counts === null) return;
  deps.unwrittenAttempts.subtract(subject, count);
  await onWrong(counts);
}

function tooEarly(limitName: string, waitMs: number): RateLimitedError {
  const minutes = Math.ceil(waitMs / MINUTE_MS);
  const seconds = Math.ceil(waitMs / 1000);
  return minutes <= 1
    ? new RateLimitedError(limitName, undefined, seconds)
    : new RateLimitedError(limitName, { key: "api:services.guessDelayed", values: { minutes } }, seconds);
}

/** An attempt to enter the password of an account, and its origin. */
export interface LogInGuess {
  readonly email: string;
  /** The network of the caller. */
  readonly network: string;
  /** The marks of the browser (decision 040); null for a browser without marks, absent for a program. */
  readonly browser?: string | null;
}

const toEmailKey = (email: string) => nameKey(email.slice(0, EMAIL_MAX));
const markPurpose = (emailKey: string) => `known browser\n${emailKey}`;
const marksOf = (value: string | null | undefined) =>
  value ? value.split(MARK_SEPARATOR).slice(0, BROWSER_MARKS_MAX) : [];

/** Returns the id of a browser that is known for an account (decision 040); null for any other. */
function knownBrowser(
  deps: Pick<LogInLimitDeps, "textSealer" | "clock">,
  emailKey: string,
  value: string | null | undefined,
): string | null {
  const now = deps.clock.now();
  for (const mark of marksOf(value)) {
    const id = deps.textSealer.open(markPurpose(emailKey), mark, now);
    if (id !== null) return id;
  }
  return null;
}

const hashCallerNetwork = (deps: Pick<LogInLimitDeps, "hashWithSecret">, network: string) =>
  deps.hashWithSecret("network", network);

/**
 * Checks a log-in's password under all limits. A known browser and a known network of the account have their own counters, so that attempts from
 * elsewhere do not lock the owner out. An address without an account is counted and delayed like any other.
 * @throws RateLimitedError as checkLimitedAttempt
 */
export async function checkLogInGuess<T>(
  deps: LogInCheckDeps,
  guess: LogInGuess,
  check: () => Promise<T | null>,
): Promise<T | null> {
  const { network } = guess;
  const emailKey = toEmailKey(guess.email);
  const now = deps.clock.now();
  const networkHash = hashCallerNetwork(deps, network);
  const browser = knownBrowser(deps, emailKey, guess.browser);
  const hash = deps.hashWithSecret("log-in address", emailKey);
  const unknownAddress = { id: `unknown:${hash.slice(0, UNKNOWN_ROW_DIGITS)}`, owner: hash };
  const ids = [unknownAddress.id, browser === null ? "" : `browser:${browser}`];
  const guesses = await deps.logInAttempts.findForLogIn({ emailKey, network: networkHash, ids });
  const { userId, networkAt } = guesses.account ?? { userId: "", networkAt: null };
  const isKnownNetwork = networkAt !== null && now - networkAt < KNOWN_NETWORK_DAYS * DAY_MS;
  const [minuteKey, subject] =
    browser !== null
      ? [`login-browser:${browser}`, subjectOf(`browser:${browser}`)]
      : isKnownNetwork
        ? [`login-network:${userId}:${networkHash}`, networkSubject(userId, networkHash)]
        : [
            `login-email:${await sha256Hex(emailKey)}`,
            guesses.account === null ? unknownAddress : accountSubject(userId),
          ];
  const stored = guesses.counts.find(({ id, owner }) => id === subject.id && owner === subject.owner) ?? null;
  return checkLimitedAttempt(deps, {
    subject,
    stored,
    check,
    limitName: "log-in",
    keys: [`place:login:${network}`, minuteKey],
    account: guesses.account?.userId ?? null,
    async onWrong(counts) {
      if (guesses.account && isAttack(currentAttempts(counts, now)))
        await warnOwner(deps, userId, guess.email, now);
    },
  });
}

const subjectOf = (id: string): GuessSubject => ({ id, owner: id });

/** Attempts at an account's password from unknown browsers and networks. */
const accountSubject = (userId: Uuid): GuessSubject => subjectOf(`account:${userId}`);
/** Attempts at an account's password from one of its known networks. */
const networkSubject = (userId: Uuid, networkHash: string): GuessSubject =>
  subjectOf(`network:${userId}:${networkHash}`);
/** Attempts at an account's password in the forms of its logged-in pages. */
export const ownPasswordSubject = (userId: Uuid): GuessSubject => subjectOf(`own:${userId}`);

/** Notifies the owner of an account by mail about password attempts, at most once a day. */
async function warnOwner(deps: LogInCheckDeps, userId: Uuid, email: string, now: number): Promise<void> {
  const user = (await deps.sessions.findCredentials(email))?.user;
  if (!user || !canLogIn(user.status)) return;
  if (!(await deps.logInAttempts.claimWarning(userId, now, now - ATTACK_MAIL_MS))) return;
  await sendEmail(deps, user.email, "accountAttacked", securityEmail(deps, user, now));
}

const securityEmail = ({ origin }: Pick<LogInLimitDeps, "origin">, user: User, now: number) => ({
  user,
  link: `${origin}/account/security`,
  expiresAt: null,
  at: toInstant(now),
});

/**
 * Stores the network of a log-in and marks its browser. Notifies the owner by mail of an unknown browser, or of a program from an unknown network.
 * @returns the marks by which the browser is recognised from now on; this account's mark is valid for BROWSER_SECONDS
 */
export function recordLogInOrigin(
  deps: LogInLimitDeps,
  input: { readonly user: User; readonly userAgent: string } & Pick<LogInGuess, "network" | "browser">,
): string {
  const { user, network, browser } = input;
  const now = deps.clock.now();
  const emailKey = toEmailKey(user.email);
  const networkHash = hashCallerNetwork(deps, network);
  const id = knownBrowser(deps, emailKey, browser);
  const recordNetwork = async () => {
    const notedAt = await deps.logInAttempts.findNetwork(user.id, networkHash);
    const age = notedAt === null ? Number.POSITIVE_INFINITY : now - notedAt;
    if (age >= DAY_MS) await deps.logInAttempts.noteNetwork(user.id, networkHash, now);
    const isKnown = browser === undefined ? age < KNOWN_NETWORK_DAYS * DAY_MS : id !== null;
    if (isKnown) return;
    const content = { ...securityEmail(deps, user, now), name: deviceName(input.userAgent) };
    await sendEmail(deps, user.email, "newBrowser", content);
  };
  deps.defer(recordNetwork());
  const otherMarks = marksOf(browser).filter(
    (mark) => deps.textSealer.open(markPurpose(emailKey), mark, now) === null,
  );
  const newMark = deps.textSealer.seal(
    markPurpose(emailKey),
    id ?? deps.ids.uuid(),
    now + BROWSER_SECONDS * 1000,
  );
  return [newMark, ...otherMarks].slice(0, BROWSER_MARKS_MAX).join(MARK_SEPARATOR);
}

/** Returns a short device name that needs no translation. A program or an unknown browser is called "API", because it could send any text as its name. */
function deviceName(userAgent: string): string {
  const { browser, system } = describeDevice(userAgent);
  return [browser || "API", system].filter((part) => part !== "").join(", ");
}

/** Deletes expired counts and networks; for the cron trigger. Returns the number of deleted rows. */
export function deleteOldGuesses(deps: Pick<GuessDeps, "logInAttempts" | "clock">): Promise<number> {
  const now = deps.clock.now();
  return deps.logInAttempts.deleteOld({
    guessesBefore: now - ATTEMPT_COUNT_DAYS * DAY_MS,
    networksBefore: now - KNOWN_NETWORK_DAYS * DAY_MS,
    limit: DELETED_PER_RUN,
  });
}
