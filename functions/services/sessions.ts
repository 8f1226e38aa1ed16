import { EMAIL_MAX, PASSWORD_MAX } from "~/domain/limits";
import type { Actor, Instant, User, UserStatus } from "~/domain/model";
import { BROWSER_SECONDS, SESSION_SECONDS } from "~/domain/session";
import { nameKey } from "~/domain/text";
import { canLogIn } from "~/domain/user-status";
import { instant, sha256Hex } from "./digest";
import { type ErrorWords, UnauthenticatedError } from "./errors";
import { checkGuess } from "./guess";
import type { TextLock } from "./idempotency";
import type {
  AuthenticatedSession,
  Clock,
  Credentials,
  IdSource,
  PasswordHasher,
  RateLimiter,
  SessionRecord,
  SessionRepository,
} from "./ports";

const TOUCH_EVERY = 3_600_000;
const TICKET = /^[A-Za-z0-9_-]{43}$/;

/** What the use cases of sessions need. */
export interface SessionDeps {
  readonly sessions: SessionRepository;
  readonly hasher: PasswordHasher;
  readonly limiter: RateLimiter;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly textLock: TextLock;
  /** Lets work finish after the answer was sent (waitUntil). */
  readonly defer: (work: Promise<unknown>) => void;
}

/** A log-in as it was typed, and where it came from. */
export interface LogInInput {
  readonly email: string;
  readonly password: string;
  /** Of the request; the session keeps its first 400 characters. */
  readonly userAgent: string;
  /** Where failures are counted against. */
  readonly ip: string;
  /** The ticket that the browser presented, if any: it ends with this log-in. */
  readonly ticket?: string | null;
  /** By what the browser is known, if it is (IssuedSession.browser). */
  readonly browser?: string | null;
}

/** A fresh ticket. It is shown once, here; the server keeps its hash. */
export interface IssuedSession {
  readonly ticket: string;
  readonly user: User;
  readonly expiresAt: Instant;
  /** By what the browser is known from now on, where the password was given in it: good for BROWSER_SECONDS and this address. */
  readonly browser?: string;
}

/** Who is logged in, and since when. */
export interface CurrentSession {
  readonly user: User;
  readonly actor: Actor;
  /** The hash of the ticket (SessionRecord.id); of whoever calls by an access token its id. */
  readonly sessionId: string;
  /** When the log-in was, or the token was made. */
  readonly startedAt: Instant;
  readonly expiresAt: Instant;
}

/** What an account that may not log in is told, after the right password. */
export const statusErrors: Readonly<Record<UserStatus, { code: string; words: ErrorWords }>> = {
  ACTIVATED: { code: "unauthenticated", words: { key: "services.unauthenticated" } },
  BLOCKED: { code: "account_blocked", words: { key: "services.accountBlocked" } },
  DISAPPROVED: { code: "account_disapproved", words: { key: "services.accountDisapproved" } },
  EMAIL_UNVERIFIED: { code: "email_unverified", words: { key: "services.emailUnverified" } },
  EMAIL_VERIFIED: { code: "approval_pending", words: { key: "services.approvalPending" } },
};

/** Who acts in a session. */
export const actorOf = (user: User, groupIds: readonly string[]): Actor => ({
  userId: user.id,
  role: user.role,
  groupIds,
});

/**
 * Logs in with address and password (§7, POST /cas/tickets). Two D1 round trips, one when it fails. In a browser that is known for the address
 * failures are counted for themselves: whoever guesses elsewhere does not keep its owner out.
 * @throws RateLimitedError after too many failures from the same place, or for the same address
 * @throws UnauthenticatedError bad_credentials, the same for an unknown address and a wrong password, after the same
 *   work; after the right password account_blocked, account_disapproved, email_unverified or approval_pending
 */
export async function logIn(deps: SessionDeps, input: LogInInput): Promise<IssuedSession> {
  const account = nameKey(input.email.slice(0, EMAIL_MAX));
  const mark = `known browser\n${account}`;
  const browser = input.browser ? deps.textLock.unlock(mark, input.browser, deps.clock.now()) : null;
  const keys = [
    `place:login:${input.ip}`,
    browser === null ? `login-email:${await sha256Hex(account)}` : `login-browser:${browser}`,
  ];
  const refused = () => new UnauthenticatedError("bad_credentials", { key: "services.badCredentials" });
  const found = await checkGuess(deps.limiter, keys, "log-in", () => checkCredentials(deps, input));
  if (!found) throw refused();
  const { user, passwordHash } = found;
  if (!canLogIn(user.status)) {
    const { code, words } = statusErrors[user.status];
    throw new UnauthenticatedError(code, words);
  }

  const now = deps.clock.now();
  const ticket = deps.ids.token();
  const session = { ...(await freshSession(now, ticket, input.userAgent)), userId: user.id };
  const presented = isTicket(input.ticket) ? await sha256Hex(input.ticket) : null;
  const begun = await deps.sessions.create(session, passwordHash, presented, {
    id: deps.ids.uuid(),
    at: session.createdAt,
    actorId: user.id,
    action: "log_in",
    resourceType: "session",
    resourceId: user.id,
    detail: {},
  });
  if (!begun) throw refused();
  const known = deps.textLock.lock(mark, browser ?? deps.ids.uuid(), now + BROWSER_SECONDS * 1000);
  return { ticket, user, expiresAt: session.expiresAt, browser: known };
}

/** The user of an address and password with the hash that matched, or null: an unknown address costs the same work as a wrong password. */
async function checkCredentials(
  deps: Pick<SessionDeps, "sessions" | "hasher">,
  { email, password }: LogInInput,
): Promise<Credentials | null> {
  const found = email.length > EMAIL_MAX ? null : await deps.sessions.findCredentials(email);
  // No stored password is longer: such a guess is wrong without hashing megabytes.
  const tooLong = password.length > 2 * PASSWORD_MAX;
  const right = await deps.hasher.verify(
    tooLong ? "" : password,
    found && !tooLong ? found.passwordHash : deps.hasher.dummyHash,
  );
  return found && right && !tooLong ? found : null;
}

/**
 * Who a ticket belongs to; null for an unknown or expired one, and for an account that is no longer activated.
 * One D1 round trip; once an hour a second one, after the answer, notes that the session is in use.
 */
export async function authenticate(
  deps: SessionDeps,
  input: { readonly ticket: string | null },
): Promise<CurrentSession | null> {
  if (!isTicket(input.ticket)) return null;
  const now = deps.clock.now();
  const found = await deps.sessions.find(await sha256Hex(input.ticket), instant(now));
  if (!found || !canLogIn(found.user.status)) return null;
  noteUse(deps, found.session);
  return current(found);
}

/** Notes once an hour, after the answer, that a session is in use. */
export function noteUse(
  deps: Pick<SessionDeps, "clock" | "defer"> & { readonly sessions: Pick<SessionRepository, "touch"> },
  { id, lastSeenAt }: Pick<SessionRecord, "id" | "lastSeenAt">,
): void {
  const now = deps.clock.now();
  if (now - Date.parse(lastSeenAt) >= TOUCH_EVERY) deps.defer(deps.sessions.touch(id, instant(now)));
}

/** Ends a session. Ending one that does not exist is no error. */
export async function logOut(deps: SessionDeps, input: { readonly ticket: string | null }): Promise<void> {
  if (isTicket(input.ticket)) await deps.sessions.delete(await sha256Hex(input.ticket));
}

/**
 * Exchanges a ticket that an earlier client left in local storage for a new one, once: the old ticket is dead afterwards,
 * and of two exchanges at the same time only one gets a ticket. It is the same session: it began when its log-in was, and ends
 * when it would have ended. Null when the old one is not alive.
 */
export async function exchangeTicket(
  deps: SessionDeps,
  input: { readonly ticket: string; readonly userAgent: string },
): Promise<IssuedSession | null> {
  if (!isTicket(input.ticket)) return null;
  const ticket = deps.ids.token();
  const { id, lastSeenAt, userAgent } = await freshSession(deps.clock.now(), ticket, input.userAgent);
  const found = await deps.sessions.exchange(await sha256Hex(input.ticket), { id, lastSeenAt, userAgent });
  if (!found || !canLogIn(found.user.status)) return null;
  return { ticket, user: found.user, expiresAt: found.session.expiresAt };
}

/** Removes expired sessions; for the cron trigger. */
export function sweepSessions(deps: Pick<SessionDeps, "sessions" | "clock">): Promise<number> {
  return deps.sessions.deleteExpired(instant(deps.clock.now()));
}

/** Whether a value has the form of a session ticket. */
export const isTicket = (value: string | null | undefined): value is string => !!value && TICKET.test(value);

/** A session that begins at `now` (epoch milliseconds). Holds the ticket's hash alone. */
export async function freshSession(
  now: number,
  ticket: string,
  userAgent: string,
): Promise<Omit<SessionRecord, "userId">> {
  return {
    id: await sha256Hex(ticket),
    createdAt: instant(now),
    expiresAt: instant(now + SESSION_SECONDS * 1000),
    lastSeenAt: instant(now),
    userAgent: userAgent.slice(0, 400),
  };
}

const current = ({ session, user, groupIds }: AuthenticatedSession): CurrentSession => ({
  user,
  actor: actorOf(user, groupIds),
  sessionId: session.id,
  startedAt: session.createdAt,
  expiresAt: session.expiresAt,
});

/** `context.services.sessions`. */
export const sessionServices = (deps: SessionDeps) => ({
  logIn: (input: LogInInput) => logIn(deps, input),
  authenticate: (input: { readonly ticket: string | null }) => authenticate(deps, input),
  logOut: (input: { readonly ticket: string | null }) => logOut(deps, input),
  exchangeTicket: (input: { readonly ticket: string; readonly userAgent: string }) =>
    exchangeTicket(deps, input),
  sweepSessions: () => sweepSessions(deps),
});
/** The use cases of sessions, bound to their dependencies. */
export type SessionServices = ReturnType<typeof sessionServices>;
