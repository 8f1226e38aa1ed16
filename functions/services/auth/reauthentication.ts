/** Confirms a session with a password or passkey, for actions that require one within the last ten minutes (requireReauthentication). */

import type { Actor } from "~/domain/auth/actor";
import type { PasskeySignIn } from "~/domain/auth/passkey.schema";
import { bindUseCases } from "../shared/bind";
import { InvalidError, UnauthenticatedError } from "../shared/errors";
import { toInstant } from "../shared/instant";
import { auditEntry } from "../users/audit-entry";
import { limitAttempts } from "./limit-attempts";
import { checkSignIn, type PasskeyDeps } from "./passkeys";
import {
  type ReauthenticationCheckDeps,
  requireInteractiveSession,
  requirePassword,
} from "./require-reauthentication";
import type { SessionDeps } from "./sessions";

/** Dependencies of reauthentication. */
export type ReauthenticationDeps = ReauthenticationCheckDeps & PasskeyDeps & Pick<SessionDeps, "sessions">;

/** The password, or a passkey's response to a challenge of beginPasskeyLogIn. */
export type ReauthenticationCredentials =
  | { readonly password: string }
  | { readonly credential: PasskeySignIn };

/** Input of a reauthentication. */
export interface ReauthenticateInput {
  readonly actor: Actor;
  readonly sessionId: string;
  readonly credentials: ReauthenticationCredentials;
}

/**
 * Checks a password or a passkey's response, and stores the time of the check in the session.
 * @returns the actor with that time
 * @throws InteractiveSessionRequiredError for an API token
 * @throws InvalidError wrong_password for the field `currentPassword`, or passkey_failed for `credential`
 * @throws RateLimitedError after ten wrong attempts
 * @throws UnauthenticatedError when the session was ended meanwhile; with a passkey, passkey_failed instead
 */
export async function reauthenticate(deps: ReauthenticationDeps, input: ReauthenticateInput): Promise<Actor> {
  const { actor, sessionId, credentials } = input;
  requireInteractiveSession(actor);
  const now = toInstant(deps.clock.now());
  const entry = (method: "password" | "passkey") =>
    auditEntry(deps, actor, "reauthenticated", "session", actor.userId, { method });
  if ("password" in credentials) {
    await requirePassword(deps, { actor, password: credentials.password });
    if (!(await deps.sessions.reauthenticate(sessionId, now, entry("password"))))
      throw new UnauthenticatedError();
  } else {
    const { credential } = credentials;
    const key = `account-password:${actor.userId}`;
    const check = async () => {
      const signIn = await checkSignIn(deps, credential);
      return signIn?.user.id === actor.userId ? signIn : null;
    };
    const signIn = await limitAttempts(deps.limiter, [key], "own passkey", check, actor.userId);
    const counter = signIn && { id: credential.id, from: signIn.from, to: signIn.to };
    if (!counter || !(await deps.passkeys.reauthenticate(sessionId, counter, now, entry("passkey"))))
      throw new InvalidError({ credential: [{ key: "auth:errors.passkey.notConfirmed" }] }, "passkey_failed");
  }
  return actor.credential ? { ...actor, credential: { ...actor.credential, authenticatedAt: now } } : actor;
}

/** `context.services.reauthentication`. */
export const reauthenticationServices = (deps: ReauthenticationDeps) =>
  bindUseCases(deps, { reauthenticate });
