import type { Repositories } from "#functions/data/shared/repositories";
import type { Actor } from "~/domain/auth/actor";
import { isRecentLogIn } from "~/domain/auth/session";
import type { Uuid } from "~/domain/shared/model";
import {
  InteractiveSessionRequiredError,
  InvalidError,
  ReauthenticationError,
  TokenNotAllowedError,
} from "../shared/errors";
import type { Clock } from "../shared/ports";
import type { PasswordHasher } from "./auth-ports";
import { checkLimitedAttempt, type GuessDeps, ownPasswordSubject } from "./log-in-limits";

/** Dependencies of checking an actor's own password. */
export interface ReauthenticationCheckDeps extends GuessDeps {
  readonly account: Pick<Repositories["account"], "passwordHash">;
  readonly hasher: PasswordHasher;
  /** Logs a wrong password in a form of the account. */
  readonly logWrongPassword: (line: { readonly account: Uuid; readonly network: string | null }) => void;
}

/**
 * Allows only sessions, not API tokens.
 * @throws InteractiveSessionRequiredError for an API token
 */
export function requireInteractiveSession(actor: Actor): void {
  if (actor.scopes !== undefined) throw new InteractiveSessionRequiredError();
}

/**
 * Requires a password or passkey in the actor's session within the last ten minutes: see reauthentication.ts.
 * @throws TokenNotAllowedError for an API token
 * @throws ReauthenticationError when the last check is older
 */
export function requireReauthentication(deps: { readonly clock: Clock }, actor: Actor): void {
  if (actor.scopes !== undefined) throw new TokenNotAllowedError();
  const { credential } = actor;
  if (credential?.kind !== "session" || !isRecentLogIn(credential.authenticatedAt, deps.clock.now()))
    throw new ReauthenticationError();
}

/**
 * Checks the actor's password, because another person may use an unattended browser. After ten wrong passwords, attempts must wait (attemptDelay).
 * @returns the stored hash of the password
 * @throws InteractiveSessionRequiredError for an API token
 * @throws InvalidError wrong_password, for the field `currentPassword`
 * @throws RateLimitedError as checkLimitedAttempt
 */
export async function requirePassword(
  deps: ReauthenticationCheckDeps,
  input: { readonly actor: Actor; readonly password: string },
): Promise<string> {
  requireInteractiveSession(input.actor);
  const { userId } = input.actor;
  const subject = ownPasswordSubject(userId);
  const stored = await deps.logInAttempts.find(subject);
  const keys = [`account-password:${userId}`];
  const hash = await checkLimitedAttempt(deps, {
    subject,
    stored,
    keys,
    limitName: "own password",
    account: userId,
    async check() {
      const hash = await deps.account.passwordHash(userId);
      const isCorrect = await deps.hasher.verify(input.password, hash ?? deps.hasher.dummyHash);
      return hash !== null && isCorrect ? hash : null;
    },
  });
  if (hash === null) {
    deps.logWrongPassword({ account: userId, network: input.actor.credential?.network ?? null });
    throw new InvalidError({ currentPassword: [{ key: "api:services.wrongPassword" }] }, "wrong_password");
  }
  return hash;
}

/**
 * Requires a recent password or passkey check, or otherwise the actor's password.
 * @param input.authenticatedAt time of the session's last check
 * @throws InteractiveSessionRequiredError for an API token
 * @throws InvalidError password_required if there is neither; wrong_password
 * @throws RateLimitedError as checkLimitedAttempt
 */
export async function requirePresence(
  deps: ReauthenticationCheckDeps & { readonly clock: Clock },
  input: { readonly actor: Actor; readonly authenticatedAt: string; readonly password: string },
): Promise<void> {
  requireInteractiveSession(input.actor);
  if (isRecentLogIn(input.authenticatedAt, deps.clock.now())) return;
  if (input.password === "")
    throw new InvalidError(
      { currentPassword: [{ key: "auth:errors.password.required" }] },
      "password_required",
    );
  await requirePassword(deps, input);
}
