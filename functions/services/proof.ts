import type { Actor } from "~/domain/model";
import { isRecentLogIn } from "~/domain/session";
import { InPersonError, InvalidError } from "./errors";
import { checkGuess } from "./guess";
import type { AccountRepository, Clock, PasswordHasher, RateLimiter } from "./ports";

/** What asking for somebody's own password needs. */
export interface ProofDeps {
  readonly account: Pick<AccountRepository, "passwordHash">;
  readonly hasher: PasswordHasher;
  readonly limiter: RateLimiter;
}

/** What no program may do for a person: passwords, passkeys, addresses, sessions and tokens. @throws InPersonError for whoever acts by a token */
export function requireInPerson(actor: Actor): void {
  if (actor.scopes !== undefined) throw new InPersonError();
}

/**
 * Whoever acts proves to be more than a browser that was left open. Ten wrong passwords close an account's forms for a minute.
 * @returns the hash that the password matched
 * @throws InvalidError wrong_password, beside `currentPassword`
 * @throws RateLimitedError
 */
export async function requirePassword(
  deps: ProofDeps,
  input: { readonly actor: Actor; readonly password: string },
): Promise<string> {
  requireInPerson(input.actor);
  const { userId } = input.actor;
  const hash = await checkGuess(deps.limiter, [`account-password:${userId}`], "own password", async () => {
    const found = await deps.account.passwordHash(userId);
    const right = await deps.hasher.verify(input.password, found ?? deps.hasher.dummyHash);
    return found !== null && right ? found : null;
  });
  if (hash === null)
    throw new InvalidError({ currentPassword: [{ key: "services.wrongPassword" }] }, "wrong_password");
  return hash;
}

/**
 * The same, where a recent log-in will do.
 * @throws InvalidError password_required when there is neither; wrong_password
 * @throws RateLimitedError
 */
export async function requirePresence(
  deps: ProofDeps & { readonly clock: Clock },
  input: { readonly actor: Actor; readonly startedAt: string; readonly password: string },
): Promise<void> {
  requireInPerson(input.actor);
  if (isRecentLogIn(input.startedAt, deps.clock.now())) return;
  if (input.password === "")
    throw new InvalidError({ currentPassword: [{ key: "errors.password.required" }] }, "password_required");
  await requirePassword(deps, input);
}
