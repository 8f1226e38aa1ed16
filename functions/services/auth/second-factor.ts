/** The second step of log-ins with a password, and whether an account must have a second factor (decision 044). */
import type { Repositories } from "#functions/data/shared/repositories";
import { acceptedCounter, TOTP_DIGITS } from "~/domain/auth/totp";
import type { Role, User, Uuid } from "~/domain/shared/model";
import {
  RateLimitedError,
  SecondFactorRequiredError,
  SecondFactorSetupError,
  UnauthenticatedError,
} from "../shared/errors";
import { toInstant } from "../shared/instant";
import type { Clock, IdSource, TextSealer } from "../shared/ports";
import { sha256Hex } from "../shared/sha256";
import { auditEntry } from "../users/audit-entry";
import type { Credentials, RateLimiter } from "./auth-ports";
import { limitAttempts } from "./limit-attempts";
import { type LinkDeps, sendEmail } from "./mail-links";

/** Maximum time between the password and the code, in milliseconds. */
const SECOND_STEP_MS = 5 * 60_000;
/**
 * Number of consecutive wrong codes of an app after which only one is checked every BLOCKED_MS until a right one arrives. That allows 10 + 96 attempts
 * a day.
 */
const WRONG_CODES_MAX = 10;
const BLOCKED_MS = 15 * 60_000;
/** Expiry of the sealed (encrypted) secrets: they do not expire. */
const NEVER = Number.MAX_SAFE_INTEGER;
const STEP_LABEL = "second step";

/** Whether accounts of a role must have a second factor (REQUIRE_SECOND_FACTOR). */
export type RequiresSecondFactor = (role: Role) => boolean;

/** Dependencies of the rule that an account must set up a second factor first. */
export interface FactorPolicyDeps {
  readonly secondFactors: Pick<Repositories["secondFactors"], "list">;
  readonly requiresSecondFactor: RequiresSecondFactor;
}

/** Dependencies of the second step of a log-in. */
export interface SecondFactorDeps
  extends Pick<LinkDeps, "mailer" | "emailTemplate" | "origin">,
    Pick<Repositories, "secondFactors"> {
  /** Returns a keyed hash of a network, as the audit log stores it. */
  readonly hashNetwork: (network: string) => string;
  readonly requiresSecondFactor: RequiresSecondFactor;
  readonly textSealer: TextSealer;
  readonly limiter: RateLimiter;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Keeps the worker running until the work is finished, after the response (waitUntil). */
  readonly defer: (work: Promise<unknown>) => void;
}

/** Methods of logging in with a password, for the audit log. */
export type LogInMethod = "password" | "one_time_code" | "recovery_code";

/** Whether an account must set up a second factor before anything else. Queries D1 only if the account's role requires one. */
export async function mustSetUpFactor(
  deps: FactorPolicyDeps,
  user: { readonly id: Uuid; readonly role: Role },
): Promise<boolean> {
  if (!deps.requiresSecondFactor(user.role)) return false;
  const { app, passkeys } = await deps.secondFactors.list(user.id);
  return !app && passkeys === 0;
}

/** @throws SecondFactorSetupError for an account that must set up a second factor first */
export async function requireFactorSetUp(
  deps: FactorPolicyDeps,
  user: { readonly id: Uuid; readonly role: Role },
): Promise<void> {
  if (await mustSetUpFactor(deps, user)) throw new SecondFactorSetupError();
}

/**
 * Requires a code if the account has an authenticator app. The caller has checked the password.
 * @param input.code the code as it was typed; empty without one
 * @throws SecondFactorRequiredError without a code: it contains the sealed state for the second step
 * @throws UnauthenticatedError bad_one_time_code; passkey_required where a second factor is required and the account only has passkeys
 * @throws RateLimitedError after too many wrong codes
 */
export async function requireSecondFactor(
  deps: SecondFactorDeps,
  input: { readonly credentials: Credentials; readonly code: string; readonly network: string },
): Promise<LogInMethod> {
  const { user, passwordHash, hasSecondFactor } = input.credentials;
  if (!hasSecondFactor) {
    if (!deps.requiresSecondFactor(user.role)) return "password";
    const { passkeys } = await deps.secondFactors.list(user.id);
    if (passkeys === 0) return "password";
    throw new UnauthenticatedError("passkey_required", { key: "api:services.passkeyRequired" });
  }
  if (input.code.trim() === "") {
    const step = JSON.stringify([user.email, await sha256Hex(passwordHash)]);
    throw new SecondFactorRequiredError(
      deps.textSealer.seal(STEP_LABEL, step, deps.clock.now() + SECOND_STEP_MS),
    );
  }
  return consumeCode(deps, { user, code: input.code, network: input.network });
}

/**
 * Returns the address and the digest of the password hash from the sealed state of a log-in (SecondFactorRequiredError.pending); null if it is invalid
 * or has expired.
 */
export function openSecondStep(
  deps: Pick<SecondFactorDeps, "textSealer" | "clock">,
  pending: string,
): { readonly email: string; readonly passwordDigest: string } | null {
  const step = deps.textSealer.open(STEP_LABEL, pending, deps.clock.now());
  if (step === null) return null;
  const [email, passwordDigest] = JSON.parse(step) as [string, string];
  return { email, passwordDigest };
}

/**
 * Consumes a code of the app, or a recovery code.
 * @throws UnauthenticatedError bad_one_time_code
 * @throws RateLimitedError after too many wrong codes
 */
export async function consumeCode(
  deps: SecondFactorDeps,
  { user, code, network }: { readonly user: User; readonly code: string; readonly network: string },
): Promise<LogInMethod> {
  const text = normalizeCode(code);
  const isAppCode = text.length === TOTP_DIGITS && /^\d+$/.test(text);
  const method = await limitAttempts(
    deps.limiter,
    [`place:login:${network}`, `second-factor:${user.id}`],
    "one-time code",
    () => (isAppCode ? consumeAppCode(deps, user, text) : consumeRecoveryCode(deps, user, text, network)),
    user.id,
  );
  if (method === null)
    throw new UnauthenticatedError("bad_one_time_code", { key: "auth:services.badOneTimeCode" });
  return method;
}

async function consumeAppCode(deps: SecondFactorDeps, user: User, code: string): Promise<LogInMethod | null> {
  const now = deps.clock.now();
  const limit = { now: toInstant(now), until: toInstant(now + BLOCKED_MS), max: WRONG_CODES_MAX };
  const guess = await deps.secondFactors.claimGuess(user.id, limit);
  if (!guess) throw new RateLimitedError("one-time code", { key: "api:services.oneTimeCodeBlocked" });
  const secret = openTotpSecret(deps, user.id, guess.secret);
  const counter = secret === null ? null : await acceptedCounter(secret, code, guess.lastCounter, now);
  const isUsed = counter !== null && (await deps.secondFactors.consumeCounter(user.id, counter));
  return isUsed ? "one_time_code" : null;
}

async function consumeRecoveryCode(
  deps: SecondFactorDeps,
  user: User,
  code: string,
  network: string,
): Promise<LogInMethod | null> {
  const actor = { userId: user.id, role: user.role, groupIds: [] };
  // This entry has no session id, because the session does not exist yet. The later audit entry of the log-in has it.
  const entry = {
    ...auditEntry(deps, actor, "recovery_code_used", "user", user.id),
    network: deps.hashNetwork(network),
  };
  const remainingCodes = await deps.secondFactors.consumeRecoveryCode(
    user.id,
    await hashRecoveryCode(user.id, code),
    entry,
  );
  if (remainingCodes === null) return null;
  const link = `${deps.origin}/account/security`;
  deps.defer(
    sendEmail(deps, user.email, "recoveryCodeUsed", {
      user,
      link,
      expiresAt: null,
      name: String(remainingCodes),
    }),
  );
  return "recovery_code";
}

/** Normalises a code: converts it to half-width capitals without spaces and hyphens. At most 64 characters are read. */
export const normalizeCode = (code: string): string =>
  code
    .slice(0, 64)
    .normalize("NFKC")
    .replace(/[\s\p{Dash}]/gu, "")
    .toUpperCase();

/** The hash of a recovery code. A code has 80 random bits, so a fast hash is safe. */
export const hashRecoveryCode = (userId: Uuid, code: string): Promise<string> =>
  sha256Hex(`${userId}\n${normalizeCode(code)}`);

const secretLabel = (userId: Uuid) => `second factor\n${userId}`;

/** Seals the secret of an authenticator app for its account. */
export const sealTotpSecret = (
  deps: Pick<SecondFactorDeps, "textSealer">,
  userId: Uuid,
  secret: string,
): string => deps.textSealer.seal(secretLabel(userId), secret, NEVER);

/** Opens a sealed secret; null when it was sealed with another SESSION_SECRET. Only recovery codes work then. */
export const openTotpSecret = (
  deps: Pick<SecondFactorDeps, "textSealer" | "clock">,
  userId: Uuid,
  sealed: string,
): string | null => deps.textSealer.open(secretLabel(userId), sealed, deps.clock.now());
