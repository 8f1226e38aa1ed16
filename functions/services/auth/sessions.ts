import type { Repositories } from "#functions/data/shared/repositories";
import type { ActingCredential, Actor } from "~/domain/auth/actor";
import {
  hasIdledOut,
  idleSince,
  SESSION_HANDLE_LENGTH,
  SESSION_SECONDS,
  SESSION_TOUCH_MS,
} from "~/domain/auth/session";
import { EMAIL_MAX, PASSWORD_MAX } from "~/domain/shared/limits";
import type { Instant, User, UserStatus } from "~/domain/shared/model";
import { canLogIn } from "~/domain/users/user-status";
import { bindUseCases } from "../shared/bind";
import { type ErrorMessage, UnauthenticatedError } from "../shared/errors";
import { toInstant } from "../shared/instant";
import { sha256Hex } from "../shared/sha256";
import type { AuthenticatedSession, Credentials, PasswordHasher, SessionRecord } from "./auth-ports";
import { auditFailedLogIns, type FailedLogInDeps } from "./failed-log-ins";
import { checkLogInGuess, deleteOldGuesses, type LogInLimitDeps, recordLogInOrigin } from "./log-in-limits";
import {
  type LogInMethod,
  mustSetUpFactor,
  requireSecondFactor,
  type SecondFactorDeps,
} from "./second-factor";

const TICKET = /^[A-Za-z0-9_-]{43}$/;

/** Dependencies of the use cases of sessions. */
export interface SessionDeps extends LogInLimitDeps, FailedLogInDeps, SecondFactorDeps {
  readonly sessions: Repositories["sessions"];
  readonly hasher: PasswordHasher;
}

/** The input of a log-in, and its origin. */
export interface LogInInput {
  readonly email: string;
  readonly password: string;
  /** A code of the second factor, for an account that has one. */
  readonly oneTimeCode?: string;
  /** User-Agent of the request; the session stores its first 400 characters. */
  readonly userAgent: string;
  /** The network of the request, for which failures are counted. */
  readonly network: string;
  /** The ticket that the browser sent, if any. Its session ends with this log-in. */
  readonly ticket?: string | null;
  /** The marks of the browser (IssuedSession.browser); null for a browser without marks, absent for a program. */
  readonly browser?: string | null;
}

/** A new ticket, which is the session's secret. The server stores only its hash. */
export interface IssuedSession {
  readonly ticket: string;
  readonly user: User;
  readonly expiresAt: Instant;
  /** The marks by which the browser is recognised from now on; absent when the ticket was not issued by a log-in. */
  readonly browser?: string;
}

/** The logged-in user, and the times of the session. */
export interface CurrentSession {
  readonly user: User;
  readonly actor: Actor;
  /** The hash of the ticket (SessionRecord.id), or the id of the API token. */
  readonly sessionId: string;
  /** Time of the session's last password or passkey check, or of the token's creation. */
  readonly authenticatedAt: Instant;
  readonly expiresAt: Instant;
  /** The account must set up a second factor before it may do anything else. */
  readonly mustSetUpFactor: boolean;
}

/** Errors of accounts that may not log in, after the correct password or passkey. */
export const statusErrors: Readonly<Record<UserStatus, { code: string; message: ErrorMessage }>> = {
  ACTIVATED: { code: "unauthenticated", message: { key: "api:services.unauthenticated" } },
  BLOCKED: { code: "account_blocked", message: { key: "api:services.accountBlocked" } },
  DISAPPROVED: { code: "account_disapproved", message: { key: "api:services.accountDisapproved" } },
  EMAIL_UNVERIFIED: { code: "email_unverified", message: { key: "api:services.emailUnverified" } },
  EMAIL_VERIFIED: { code: "approval_pending", message: { key: "api:services.approvalPending" } },
};

/** The actor of a session. */
export const toActor = (user: User, groupIds: readonly string[], credential?: ActingCredential): Actor => ({
  userId: user.id,
  role: user.role,
  groupIds,
  ...(credential && { credential }),
});

/** The id of a session in its owner's list: see SESSION_HANDLE_LENGTH. */
export const sessionHandle = (sessionId: string) => sessionId.slice(0, SESSION_HANDLE_LENGTH);

/**
 * Logs in with address and password (specification §7, POST /cas/tickets). At least three D1 round trips, two for a wrong password. The rate limits are those of checkLogInGuess.
 * @throws RateLimitedError after too many failures from the same network, or for the same address
 * @throws UnauthenticatedError bad_credentials, the same for an unknown address and a wrong password, after the same work; after the right password
 *   account_blocked, account_disapproved, email_unverified or approval_pending, and the errors of requireSecondFactor
 */
export async function logIn(deps: SessionDeps, input: LogInInput): Promise<IssuedSession> {
  const credentials = await checkLogInGuess(deps, input, () => checkCredentials(deps, input));
  if (!credentials) throw badCredentials();
  const { user } = credentials;
  if (!canLogIn(user.status)) {
    const { code, message } = statusErrors[user.status];
    throw new UnauthenticatedError(code, message);
  }
  const code = input.oneTimeCode ?? "";
  return beginSession(
    deps,
    credentials,
    input,
    await requireSecondFactor(deps, { credentials, code, network: input.network }),
  );
}

/** Begins a session after all factors were checked. @throws UnauthenticatedError when the password was changed meanwhile or the account may no longer log in */
export async function beginSession(
  deps: SessionDeps,
  { user, passwordHash }: Credentials,
  input: Omit<LogInInput, "password">,
  method: LogInMethod,
): Promise<IssuedSession> {
  const now = deps.clock.now();
  const ticket = deps.ids.token();
  const session = { ...(await newSession(now, ticket, input.userAgent)), userId: user.id };
  const replacedSessionId = isTicket(input.ticket) ? await sha256Hex(input.ticket) : null;
  const isCreated = await deps.sessions.create(session, passwordHash, replacedSessionId, {
    id: deps.ids.uuid(),
    at: session.createdAt,
    actorId: user.id,
    action: "log_in",
    resourceType: "session",
    resourceId: user.id,
    detail: method === "password" ? {} : { method },
    credential: `session:${sessionHandle(session.id)}`,
    network: deps.hashNetwork(input.network),
  });
  if (!isCreated) throw badCredentials();
  const browser = recordLogInOrigin(deps, { ...input, user });
  return { ticket, user, expiresAt: session.expiresAt, browser };
}

const badCredentials = () =>
  new UnauthenticatedError("bad_credentials", { key: "api:services.badCredentials" });

/** Returns the stored credentials if the password is right, or null. An unknown address costs the same work as a wrong password. */
async function checkCredentials(
  deps: Pick<SessionDeps, "sessions" | "hasher">,
  { email, password }: LogInInput,
): Promise<Credentials | null> {
  const credentials = email.length > EMAIL_MAX ? null : await deps.sessions.findCredentials(email);
  // No stored password is longer, so a longer one is wrong without hashing it.
  const isTooLong = password.length > 2 * PASSWORD_MAX;
  const isCorrect = await deps.hasher.verify(
    isTooLong ? "" : password,
    credentials && !isTooLong ? credentials.passwordHash : deps.hasher.dummyHash,
  );
  return credentials && isCorrect && !isTooLong ? credentials : null;
}

/**
 * Returns the session of a ticket; null for an unknown, expired or long unused ticket, and for an account that is not activated. One D1 round trip,
 * and another for a role that must have a second factor. Once an hour the last use is stored after the response.
 */
export async function authenticate(deps: SessionDeps, input: TicketInput): Promise<CurrentSession | null> {
  if (!isTicket(input.ticket)) return null;
  const now = deps.clock.now();
  const stored = await deps.sessions.find(await sha256Hex(input.ticket), toInstant(now));
  if (!stored || !canLogIn(stored.user.status)) return null;
  const { session, user } = stored;
  if (hasIdledOut(user.role, session.lastSeenAt, now)) return null;
  if (input.isOldCookie && session.authenticatedAt !== null) return null;
  noteUse(deps, session);
  const { network } = input;
  const readNetwork = () => (network === undefined ? null : deps.hashNetwork(network));
  return { ...toCurrentSession(stored, readNetwork), mustSetUpFactor: await mustSetUpFactor(deps, user) };
}

/** A ticket and its origin. */
export interface TicketInput {
  readonly ticket: string | null;
  /** The network of the request: see clientNetwork. */
  readonly network?: string;
  /**
   * Whether the ticket came in the cookie without the prefix `__Host-`, which any subdomain can set. It is accepted only for sessions that began
   * before the prefix was introduced (decision 042).
   */
  readonly isOldCookie?: boolean;
}

/** Stores the last use of a session once an hour, after the response. */
export function noteUse(
  deps: Pick<SessionDeps, "clock" | "defer"> & { readonly sessions: Pick<Repositories["sessions"], "touch"> },
  { id, lastSeenAt }: Pick<SessionRecord, "id" | "lastSeenAt">,
): void {
  const now = deps.clock.now();
  if (now - Date.parse(lastSeenAt) >= SESSION_TOUCH_MS) deps.defer(deps.sessions.touch(id, toInstant(now)));
}

/** Ends a session. Has no effect if the session does not exist. */
export async function logOut(
  deps: SessionDeps,
  input: { readonly ticket: string | null; readonly network?: string },
): Promise<void> {
  if (!isTicket(input.ticket)) return;
  await deps.sessions.delete(await sha256Hex(input.ticket), {
    id: deps.ids.uuid(),
    at: toInstant(deps.clock.now()),
    action: "log_out",
    resourceType: "session",
    detail: {},
    network: input.network === undefined ? null : deps.hashNetwork(input.network),
  });
}

/**
 * Exchanges a ticket that an earlier client stored in local storage for a new one. The old ticket is invalid afterwards; of two concurrent exchanges
 * only one gets a ticket. The session keeps its beginning and end. Returns null when the old ticket is not valid.
 */
export async function exchangeTicket(
  deps: SessionDeps,
  input: { readonly ticket: string; readonly userAgent: string },
): Promise<IssuedSession | null> {
  if (!isTicket(input.ticket)) return null;
  const ticket = deps.ids.token();
  const now = deps.clock.now();
  const { id, lastSeenAt, userAgent } = await newSession(now, ticket, input.userAgent);
  const oldId = await sha256Hex(input.ticket);
  const stored = await deps.sessions.find(oldId, toInstant(now));
  if (!stored || hasIdledOut(stored.user.role, stored.session.lastSeenAt, now)) return null;
  const exchanged = await deps.sessions.exchange(oldId, { id, lastSeenAt, userAgent });
  if (!exchanged || !canLogIn(exchanged.user.status)) return null;
  return { ticket, user: exchanged.user, expiresAt: exchanged.session.expiresAt };
}

/** Deletes sessions that have expired or were not used for too long; for the cron trigger. */
export function deleteExpiredSessions(deps: Pick<SessionDeps, "sessions" | "clock">): Promise<number> {
  const now = deps.clock.now();
  return deps.sessions.deleteExpired(toInstant(now), idleSince("admin", now));
}

/** Whether a value has the form of a session ticket. */
export const isTicket = (value: string | null | undefined): value is string => !!value && TICKET.test(value);

/** Creates a session that begins at `now` (epoch milliseconds). It contains only the ticket's hash. */
export async function newSession(
  now: number,
  ticket: string,
  userAgent: string,
): Promise<Omit<SessionRecord, "userId">> {
  return {
    id: await sha256Hex(ticket),
    createdAt: toInstant(now),
    expiresAt: toInstant(now + SESSION_SECONDS * 1000),
    lastSeenAt: toInstant(now),
    userAgent: userAgent.slice(0, 400),
    authenticatedAt: toInstant(now),
  };
}

function toCurrentSession(
  { session, user, groupIds }: AuthenticatedSession,
  readNetwork: () => string | null,
): Omit<CurrentSession, "mustSetUpFactor"> {
  const authenticatedAt = session.authenticatedAt ?? session.createdAt;
  return {
    user,
    actor: toActor(user, groupIds, {
      kind: "session",
      id: sessionHandle(session.id),
      authenticatedAt,
      // A getter, because only changes need the network's hash.
      get network() {
        return readNetwork();
      },
    }),
    sessionId: session.id,
    authenticatedAt,
    expiresAt: session.expiresAt,
  };
}

/** `context.services.sessions`. */
export const sessionServices = (deps: SessionDeps) => ({
  ...bindUseCases(deps, {
    authenticate,
    logOut,
    exchangeTicket,
    deleteExpiredSessions,
    deleteOldGuesses,
  }),
  logIn: (input: LogInInput) => auditFailedLogIns(deps, input, () => logIn(deps, input)),
});
