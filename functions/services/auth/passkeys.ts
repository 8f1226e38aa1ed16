import type { Repositories } from "#functions/data/shared/repositories";
import type { Actor } from "~/domain/auth/actor";
import {
  PASSKEY_ALGORITHMS,
  type PasskeyRegistration,
  type PasskeySignIn,
} from "~/domain/auth/passkey.schema";
import { PASSKEYS_MAX } from "~/domain/shared/limits";
import type { User } from "~/domain/shared/model";
import { canLogIn } from "~/domain/users/user-status";
import { bindUseCases } from "../shared/bind";
import { InvalidError, NotFoundError, UnauthenticatedError } from "../shared/errors";
import { toInstant } from "../shared/instant";
import type { Clock, IdSource } from "../shared/ports";
import { sha256Hex } from "../shared/sha256";
import { auditEntry } from "../users/audit-entry";
import type { Passkey, PasskeyVerifier, Site } from "./auth-ports";
import { auditFailedLogIns, type FailedLogInDeps } from "./failed-log-ins";
import { countUse, limitAttempts } from "./limit-attempts";
import { type LogInLimitDeps, recordLogInOrigin } from "./log-in-limits";
import { type LinkDeps, sendEmail } from "./mail-links";
import {
  type ReauthenticationCheckDeps,
  requireInteractiveSession,
  requirePresence,
} from "./require-reauthentication";
import { type IssuedSession, isTicket, newSession, sessionHandle, statusErrors } from "./sessions";

/** Lifetime of a challenge, and maximum duration of the browser's passkey dialog, in milliseconds. */
const CEREMONY_MS = 5 * 60_000;
const RP_NAME = "Hiroba";

/** Dependencies of the use cases of passkeys. */
export interface PasskeyDeps
  extends ReauthenticationCheckDeps,
    FailedLogInDeps,
    LogInLimitDeps,
    Pick<LinkDeps, "mailer" | "emailTemplate"> {
  readonly passkeys: Repositories["passkeys"];
  /** Loads the code that verifies passkeys. */
  readonly verifier: () => Promise<PasskeyVerifier>;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Origin of this product, without a trailing slash. Passkeys are valid only there. */
  readonly origin: string;
  /** Keeps the worker running until the work is finished, after the response (waitUntil). */
  readonly defer: (work: Promise<unknown>) => void;
}

/** Options for `navigator.credentials.create`, as JSON (WebAuthn §5.4, PublicKeyCredentialCreationOptionsJSON). */
export interface PasskeyCreation {
  readonly challenge: string;
  readonly rp: { readonly id: string; readonly name: string };
  readonly user: { readonly id: string; readonly name: string; readonly displayName: string };
  readonly pubKeyCredParams: readonly { readonly type: "public-key"; readonly alg: number }[];
  readonly timeout: number;
  readonly excludeCredentials: readonly {
    readonly type: "public-key";
    readonly id: string;
    readonly transports: readonly string[];
  }[];
  readonly authenticatorSelection: {
    readonly residentKey: "required";
    readonly requireResidentKey: true;
    readonly userVerification: "required";
  };
  readonly attestation: "none";
}

/** Options for `navigator.credentials.get`, as JSON: any passkey that the authenticator has for this site. */
export interface PasskeyRequest {
  readonly challenge: string;
  readonly rpId: string;
  readonly timeout: number;
  readonly userVerification: "required";
}

const siteOf = ({ origin }: Pick<PasskeyDeps, "origin">): Site => ({
  origin,
  rpId: new URL(origin).hostname,
});

const FAILED = { key: "auth:errors.passkey.failed" } as const;
const passkeyFailed = () => new InvalidError({ credential: [FAILED] }, "passkey_failed");

/** The actor's passkeys, newest first. */
export async function listPasskeys(
  deps: Pick<PasskeyDeps, "passkeys">,
  input: { readonly actor: Actor },
): Promise<readonly Passkey[]> {
  requireInteractiveSession(input.actor);
  return deps.passkeys.list(input.actor.userId);
}

/** A user's id in an authenticator: bytes without meaning, base64url (WebAuthn §14.6.1). */
const userHandle = (userId: string) =>
  btoa(userId).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

/**
 * Begins to add a passkey. Returns the options for the browser's call of the authenticator. The challenge works once, for this account.
 * @param input.authenticatedAt time of the session's last password or passkey check; a password is required unless it is recent
 * @throws InvalidError password_required, wrong_password, too_many_passkeys
 * @throws RateLimitedError after ten wrong passwords
 */
export async function beginPasskey(
  deps: PasskeyDeps,
  input: {
    readonly user: User;
    readonly actor: Actor;
    readonly authenticatedAt: string;
    readonly currentPassword: string;
  },
): Promise<PasskeyCreation> {
  const { user, actor } = input;
  const site = siteOf(deps);
  await requirePresence(deps, {
    actor,
    authenticatedAt: input.authenticatedAt,
    password: input.currentPassword,
  });
  const existing = await deps.passkeys.list(user.id);
  if (existing.length >= PASSKEYS_MAX)
    throw new InvalidError({ name: [{ key: "auth:errors.passkey.tooMany" }] }, "too_many_passkeys");
  const challenge = deps.ids.token();
  const expiresAt = toInstant(deps.clock.now() + CEREMONY_MS);
  await deps.passkeys.addChallenge({ id: challenge, userId: user.id, expiresAt });
  return {
    challenge,
    rp: { id: site.rpId, name: RP_NAME },
    user: {
      id: userHandle(user.id),
      name: user.email,
      displayName: [user.firstName, user.lastName].filter(Boolean).join(" ") || user.email,
    },
    pubKeyCredParams: PASSKEY_ALGORITHMS.map((alg) => ({ type: "public-key", alg })),
    timeout: CEREMONY_MS,
    excludeCredentials: existing.map(({ id, transports }) => ({ type: "public-key", id, transports })),
    authenticatorSelection: {
      residentKey: "required",
      requireResidentKey: true,
      userVerification: "required",
    },
    attestation: "none",
  };
}

/**
 * Adds a passkey that an authenticator has created, and notifies its owner by mail.
 * @throws InvalidError passkey_failed if it does not match a challenge of beginPasskey or its options, or was added before; too_many_passkeys
 */
export async function addPasskey(
  deps: PasskeyDeps,
  input: {
    readonly user: User;
    readonly actor: Actor;
    readonly name: string;
    readonly credential: PasskeyRegistration;
  },
): Promise<void> {
  const { user, actor, name, credential } = input;
  requireInteractiveSession(actor);
  const { id, response } = credential;
  const now = toInstant(deps.clock.now());
  const verifier = await deps.verifier();
  const challenge = await verifier.challengeOf(response.clientDataJSON);
  if (challenge === null || !(await deps.passkeys.takeChallenge(challenge, actor.userId, now)))
    throw passkeyFailed();
  const verified = await verifier.registration(credential, challenge, siteOf(deps));
  if (!verified) throw passkeyFailed();
  const result = await deps.passkeys.add(
    {
      id,
      userId: actor.userId,
      publicKey: verified.publicKey,
      counter: verified.counter,
      transports: response.transports,
      name,
      createdAt: now,
    },
    PASSKEYS_MAX,
    auditEntry(deps, actor, "passkey_added", "user", actor.userId, { name }),
  );
  if (result === "too_many")
    throw new InvalidError({ name: [{ key: "auth:errors.passkey.tooMany" }] }, "too_many_passkeys");
  if (result === "taken") throw passkeyFailed();
  const link = `${deps.origin}/account/security`;
  deps.defer(sendEmail(deps, user.email, "passkeyAdded", { user, link, expiresAt: null }));
}

/** Renames one of the actor's passkeys. @throws NotFoundError when the actor has no such passkey */
export async function renamePasskey(
  deps: Pick<PasskeyDeps, "passkeys" | "clock" | "ids">,
  input: { readonly actor: Actor; readonly passkeyId: string; readonly name: string },
): Promise<void> {
  const { actor, passkeyId, name } = input;
  requireInteractiveSession(actor);
  const entry = auditEntry(deps, actor, "passkey_renamed", "user", actor.userId, { name });
  if (!(await deps.passkeys.rename(actor.userId, passkeyId, name, entry))) throw new NotFoundError("passkey");
}

/**
 * Removes one of the actor's passkeys and notifies its owner by mail. Sessions that began with it continue.
 * @throws InvalidError password_required, wrong_password
 * @throws RateLimitedError after ten wrong passwords
 * @throws NotFoundError when the actor has no such passkey
 */
export async function removePasskey(
  deps: PasskeyDeps,
  input: {
    readonly user: User;
    readonly actor: Actor;
    readonly authenticatedAt: string;
    readonly currentPassword: string;
    readonly passkeyId: string;
  },
): Promise<void> {
  const { actor, passkeyId } = input;
  await requirePresence(deps, {
    actor,
    authenticatedAt: input.authenticatedAt,
    password: input.currentPassword,
  });
  const entry = auditEntry(deps, actor, "passkey_removed", "user", actor.userId);
  if (!(await deps.passkeys.remove(actor.userId, passkeyId, entry))) throw new NotFoundError("passkey");
  const link = `${deps.origin}/account/security`;
  const { user } = input;
  deps.defer(sendEmail(deps, user.email, "passkeyRemoved", { user, link, expiresAt: null }));
}

/** Begins a log-in with a passkey. The challenge works once. @throws RateLimitedError when one network makes too many requests */
export async function beginPasskeyLogIn(
  deps: PasskeyDeps,
  input: { readonly network: string },
): Promise<PasskeyRequest> {
  await countUse(deps.limiter, [`place:passkey:${input.network}`], "passkey challenges");
  const challenge = deps.ids.token();
  const expiresAt = toInstant(deps.clock.now() + CEREMONY_MS);
  await deps.passkeys.addChallenge({ id: challenge, userId: null, expiresAt });
  return { challenge, rpId: siteOf(deps).rpId, timeout: CEREMONY_MS, userVerification: "required" };
}

/**
 * Logs in with a passkey. At most two D1 round trips before the response; no password is hashed.
 * @throws RateLimitedError after too many failures from the same network
 * @throws UnauthenticatedError passkey_refused, the same for every cause; after a correct response, the errors of logIn for accounts that may not log
 *   in
 */
export async function logInWithPasskey(
  deps: PasskeyDeps,
  input: {
    readonly credential: PasskeySignIn;
    readonly userAgent: string;
    readonly network: string;
    /** The ticket (a session's secret) that the browser sent, if any. Its session ends with this log-in. */
    readonly ticket?: string | null;
    /** The marks of the browser, by which it is recognised: see LogInInput. */
    readonly browser?: string | null;
  },
): Promise<IssuedSession> {
  const verified = await limitAttempts(
    deps.limiter,
    [`place:login:${input.network}`],
    "log-in with a passkey",
    () => checkSignIn(deps, input.credential),
  );
  const passkeyRejected = () =>
    new UnauthenticatedError("passkey_refused", { key: "auth:errors.passkey.rejected" });
  if (!verified) throw passkeyRejected();
  const { user, from, to } = verified;
  if (!canLogIn(user.status)) {
    const { code, message } = statusErrors[user.status];
    throw new UnauthenticatedError(code, message);
  }
  const ticket = deps.ids.token();
  const session = {
    ...(await newSession(deps.clock.now(), ticket, input.userAgent)),
    userId: user.id,
  };
  const replacedSessionId = isTicket(input.ticket) ? await sha256Hex(input.ticket) : null;
  const isCreated = await deps.passkeys.signIn(
    session,
    replacedSessionId,
    { id: input.credential.id, from, to },
    {
      id: deps.ids.uuid(),
      at: session.createdAt,
      actorId: user.id,
      action: "log_in",
      resourceType: "session",
      resourceId: user.id,
      detail: { method: "passkey" },
      credential: `session:${sessionHandle(session.id)}`,
      network: deps.hashNetwork(input.network),
    },
  );
  if (!isCreated) throw passkeyRejected();
  const browser = recordLogInOrigin(deps, { ...input, user });
  return { ticket, user, expiresAt: session.expiresAt, browser };
}

/** Consumes the challenge of a response. Returns the user whose passkey signed it, with the stored and the new counter; null for an invalid response. */
export async function checkSignIn(
  deps: Pick<PasskeyDeps, "passkeys" | "verifier" | "clock" | "origin">,
  credential: PasskeySignIn,
): Promise<{ readonly user: User; readonly from: number; readonly to: number } | null> {
  const { id, response } = credential;
  const verifier = await deps.verifier();
  const challenge = await verifier.challengeOf(response.clientDataJSON);
  if (challenge === null) return null;
  const passkeyWithUser = await deps.passkeys.takeSignIn(challenge, id, toInstant(deps.clock.now()));
  if (!passkeyWithUser) return null;
  const { passkey, user } = passkeyWithUser;
  if (response.userHandle !== null && response.userHandle !== userHandle(user.id)) return null;
  const verified = await verifier.signIn(credential, challenge, passkey, siteOf(deps));
  return verified && { user, from: passkey.counter, to: verified.counter };
}

/** Deletes expired challenges; for the cron trigger. */
export function deleteExpiredChallenges(deps: Pick<PasskeyDeps, "passkeys" | "clock">): Promise<number> {
  return deps.passkeys.deleteExpired(toInstant(deps.clock.now()));
}

/** `context.services.passkeys`. */
export const passkeyServices = (deps: PasskeyDeps) => ({
  ...bindUseCases(deps, {
    listPasskeys,
    beginPasskey,
    addPasskey,
    renamePasskey,
    removePasskey,
    beginPasskeyLogIn,
    deleteExpiredChallenges,
  }),
  logInWithPasskey: (input: Parameters<typeof logInWithPasskey>[1]) =>
    auditFailedLogIns(deps, input, () => logInWithPasskey(deps, input)),
});
