/** Setting up, renewing, removing and resetting a second factor: an authenticator app with recovery codes (decision 044). */
import type { Repositories } from "#functions/data/shared/repositories";
import type { Actor } from "~/domain/auth/actor";
import {
  acceptedCounter,
  encodeBase32,
  otpauthUrl,
  TOTP_DIGITS,
  TOTP_SECRET_BYTES,
} from "~/domain/auth/totp";
import { DAY_MS } from "~/domain/shared/day";
import type { Instant, User, Uuid } from "~/domain/shared/model";
import { bindUseCases } from "../shared/bind";
import { InvalidError, NotFoundError } from "../shared/errors";
import { toInstant } from "../shared/instant";
import type { IdSource } from "../shared/ports";
import { auditEntry } from "../users/audit-entry";
import { requireAdministrator } from "../users/users";
import { limitAttempts } from "./limit-attempts";
import { sendEmail } from "./mail-links";
import {
  type ReauthenticationCheckDeps,
  requirePresence,
  requireReauthentication,
} from "./require-reauthentication";
import {
  hashRecoveryCode,
  normalizeCode,
  openTotpSecret,
  type SecondFactorDeps,
  sealTotpSecret,
} from "./second-factor";
import type { AccountFactors } from "./second-factor-ports";

/** Name under which authenticator apps list accounts of this product. */
const ISSUER = "Hiroba";
/** Number of recovery codes of an account. */
const RECOVERY_CODE_COUNT = 10;
/** Bytes of a recovery code: 80 bits, which are 16 characters of base32. */
const RECOVERY_CODE_BYTES = 10;
/** Maximum time between the display of a secret and the first code of the app, in milliseconds. */
const SETUP_MS = 30 * 60_000;
/** Maximum number of mails about resets per run of the cron trigger. */
const RESET_MAILS_PER_RUN = 20;
/** Time after a reset until which a rejected mail is retried, in milliseconds. The mail warns of a takeover, so it must outlast an outage of the mail service. */
const RESET_RETRY_MS = DAY_MS;

/** Dependencies of the settings of second factors. */
export interface SecondFactorSettingsDeps extends SecondFactorDeps, ReauthenticationCheckDeps {
  readonly users: Pick<Repositories["users"], "find">;
}

/** An app that is being set up. Nothing is stored before the owner enters one of its codes. */
export interface SecondFactorSetup {
  /** The secret in base32, for typing it into an app. */
  readonly secret: string;
  /** The URL in the QR code. */
  readonly url: string;
  /** The sealed (encrypted) secret, which the form sends back. */
  readonly sealed: string;
}

/** The actor who changes their own factors, with the proof for requirePresence. */
export interface OwnFactorInput {
  readonly user: User;
  readonly actor: Actor;
  /** Time of the session's last password or passkey check; a password is required unless it is recent. */
  readonly authenticatedAt: Instant;
  readonly currentPassword: string;
}

/** Random bytes in base32. */
const randomBase32 = (ids: IdSource, bytes: number): string =>
  encodeBase32(Buffer.from(ids.token(), "base64url").subarray(0, bytes));

/** Creates recovery codes: four groups of four characters each. */
const makeRecoveryCodes = (ids: IdSource): readonly string[] =>
  Array.from({ length: RECOVERY_CODE_COUNT }, () =>
    (randomBase32(ids, RECOVERY_CODE_BYTES).match(/.{4}/g) ?? []).join("-"),
  );

const hashRecoveryCodes = (userId: Uuid, codes: readonly string[]) =>
  Promise.all(codes.map((code) => hashRecoveryCode(userId, code)));

const setupLabel = (userId: Uuid) => `second factor setup\n${userId}`;
const setupOf = (user: User, secret: string, sealed: string): SecondFactorSetup => ({
  secret,
  sealed,
  url: otpauthUrl({ issuer: ISSUER, account: user.email, secret }),
});

/** Begins to set up an app, with a new secret. */
export async function beginSecondFactor(
  deps: Pick<SecondFactorSettingsDeps, "textSealer" | "clock" | "ids">,
  { user }: { readonly user: User },
): Promise<SecondFactorSetup> {
  const secret = randomBase32(deps.ids, TOTP_SECRET_BYTES);
  const sealed = deps.textSealer.seal(setupLabel(user.id), secret, deps.clock.now() + SETUP_MS);
  return setupOf(user, secret, sealed);
}

/** Reads the set-up of an app from a submitted form; null if its secret has expired or belongs to another account. */
export async function resumeSecondFactor(
  deps: Pick<SecondFactorSettingsDeps, "textSealer" | "clock">,
  { user, sealed }: { readonly user: User; readonly sealed: string },
): Promise<SecondFactorSetup | null> {
  const secret = deps.textSealer.open(setupLabel(user.id), sealed, deps.clock.now());
  return secret === null ? null : setupOf(user, secret, sealed);
}

/**
 * Adds the app after its first code, and notifies the owner by mail.
 * @returns recovery codes, which are stored only as hashes and cannot be read again
 * @throws InvalidError password_required, wrong_password; bad_one_time_code for the field `oneTimeCode`; setup_expired; second_factor_exists
 * @throws RateLimitedError after ten wrong passwords or codes
 */
export async function addSecondFactor(
  deps: SecondFactorSettingsDeps,
  input: OwnFactorInput & { readonly sealed: string; readonly oneTimeCode: string },
): Promise<readonly string[]> {
  const { user, actor } = input;
  await requirePresence(deps, {
    actor,
    authenticatedAt: input.authenticatedAt,
    password: input.currentPassword,
  });
  const secret = (await resumeSecondFactor(deps, input))?.secret;
  if (secret === undefined)
    throw new InvalidError({ oneTimeCode: [{ key: "api:services.secondFactorExpired" }] }, "setup_expired");
  const code = normalizeCode(input.oneTimeCode);
  // -1, because no code of this app was accepted before.
  const check = async () =>
    code.length === TOTP_DIGITS ? acceptedCounter(secret, code, -1, deps.clock.now()) : null;
  const keys = [`second-factor:${user.id}`];
  const counter = await limitAttempts(deps.limiter, keys, "one-time code", check, user.id);
  if (counter === null)
    throw new InvalidError({ oneTimeCode: [{ key: "auth:services.badOneTimeCode" }] }, "bad_one_time_code");
  const codes = makeRecoveryCodes(deps.ids);
  const isAdded = await deps.secondFactors.add(
    {
      userId: user.id,
      secret: sealTotpSecret(deps, user.id, secret),
      lastCounter: counter,
      recoveryCodes: await hashRecoveryCodes(user.id, codes),
      createdAt: toInstant(deps.clock.now()),
    },
    auditEntry(deps, actor, "second_factor_added", "user", user.id),
  );
  if (!isAdded)
    throw new InvalidError(
      { oneTimeCode: [{ key: "api:services.secondFactorExists" }] },
      "second_factor_exists",
    );
  mailOwner(deps, user, "secondFactorAdded");
  return codes;
}

/**
 * Replaces the recovery codes. The earlier ones stop working.
 * @returns the codes, which are stored only as hashes and cannot be read again
 * @throws InvalidError password_required, wrong_password
 * @throws RateLimitedError after ten wrong passwords
 * @throws NotFoundError when there is no app
 */
export async function renewRecoveryCodes(
  deps: SecondFactorSettingsDeps,
  input: OwnFactorInput,
): Promise<readonly string[]> {
  const { user, actor } = input;
  await requirePresence(deps, {
    actor,
    authenticatedAt: input.authenticatedAt,
    password: input.currentPassword,
  });
  const codes = makeRecoveryCodes(deps.ids);
  const entry = auditEntry(deps, actor, "recovery_codes_renewed", "user", user.id);
  const isReplaced = await deps.secondFactors.replaceRecoveryCodes(
    user.id,
    await hashRecoveryCodes(user.id, codes),
    entry,
  );
  if (!isReplaced) throw new NotFoundError("second factor");
  return codes;
}

/**
 * Removes the actor's app with its recovery codes, and notifies the owner by mail.
 * @throws InvalidError password_required, wrong_password
 * @throws RateLimitedError after ten wrong passwords
 * @throws NotFoundError when the account has no app
 */
export async function removeSecondFactor(
  deps: SecondFactorSettingsDeps,
  input: OwnFactorInput,
): Promise<void> {
  const { user, actor } = input;
  await requirePresence(deps, {
    actor,
    authenticatedAt: input.authenticatedAt,
    password: input.currentPassword,
  });
  const entry = auditEntry(deps, actor, "second_factor_removed", "user", user.id);
  if (!(await deps.secondFactors.remove(user.id, entry))) throw new NotFoundError("second factor");
  mailOwner(deps, user, "secondFactorRemoved");
}

/** The actor's app, or null. */
export async function getSecondFactor(
  deps: Pick<SecondFactorSettingsDeps, "secondFactors" | "textSealer" | "clock">,
  { actor }: { readonly actor: Actor },
): Promise<{
  readonly createdAt: Instant;
  /** Number of unused recovery codes. */
  readonly recoveryCodes: number;
  /** Whether the stored secret can be opened: see openTotpSecret. */
  readonly isReadable: boolean;
} | null> {
  const factor = await deps.secondFactors.find(actor.userId);
  if (!factor) return null;
  const { createdAt, recoveryCodes, secret } = factor;
  return { createdAt, recoveryCodes, isReadable: openTotpSecret(deps, actor.userId, secret) !== null };
}

/** Lists the second factors of an account; for administrators. @throws NotFoundError for other actors */
export async function listFactors(
  deps: Pick<SecondFactorSettingsDeps, "secondFactors">,
  { actor, userId }: { readonly actor: Actor; readonly userId: Uuid },
): Promise<AccountFactors> {
  requireAdministrator(actor);
  return deps.secondFactors.list(userId);
}

/** The administrator who resets a second factor, and the account. */
export interface ResetFactorInput {
  readonly actor: Actor;
  readonly userId: Uuid;
}

/**
 * Removes another account's app, recovery codes, passkeys and sessions after its owner has lost a device, and notifies the owner by mail. For
 * administrators.
 * @throws NotFoundError for actors who are not administrators, and when the account has no second factor
 * @throws InvalidError own_account
 * @throws TokenNotAllowedError, ReauthenticationError as requireReauthentication
 */
export async function resetSecondFactor(
  deps: SecondFactorSettingsDeps,
  input: ResetFactorInput,
): Promise<void> {
  const { actor, userId } = input;
  requireAdministrator(actor);
  if (actor.userId === userId)
    throw new InvalidError({ userId: [{ key: "api:services.ownSecondFactor" }] }, "own_account");
  requireReauthentication(deps, actor);
  const user = await deps.users.find(userId);
  const entry = auditEntry(deps, actor, "second_factor_reset", "user", userId);
  if (!user || !(await deps.secondFactors.reset(userId, entry, false)))
    throw new NotFoundError("second factor");
  mailOwner(deps, user, "secondFactorReset");
}

/**
 * Resets a second factor for the operator of the deployment (`npm run admin`). The command sends no mail; the cron trigger does within a minute.
 * @returns false when the account has no second factor
 */
export function resetSecondFactorByCommand(
  deps: Pick<SecondFactorSettingsDeps, "secondFactors" | "clock" | "ids">,
  { userId }: { readonly userId: Uuid },
): Promise<boolean> {
  const entry = auditEntry(deps, null, "second_factor_reset", "user", userId, { by: "npm run admin" });
  return deps.secondFactors.reset(userId, entry, true);
}

/**
 * Notifies the owners whose second factor was reset by the command; for the cron trigger. A rejected mail is sent again by the next runs until
 * RESET_RETRY_MS after the reset.
 * @returns the number of sent mails
 * @throws MailError when a mail was rejected, after the others were sent
 */
export async function mailSecondFactorResets(
  deps: Pick<SecondFactorSettingsDeps, "secondFactors" | "mailer" | "emailTemplate" | "origin" | "clock">,
): Promise<number> {
  const retriedSince = toInstant(deps.clock.now() - RESET_RETRY_MS);
  const resets = await deps.secondFactors.listResets(RESET_MAILS_PER_RUN);
  const failures: unknown[] = [];
  const expiredResets: (typeof resets)[number][] = [];
  for (const reset of resets) {
    try {
      await sendEmail(deps, reset.user.email, "secondFactorReset", emailValues(deps, reset.user));
      await deps.secondFactors.deleteReset(reset.user.id, reset.at);
    } catch (error) {
      failures.push(error);
      if (reset.at < retriedSince) expiredResets.push(reset);
    }
  }
  for (const { user, at } of expiredResets) await deps.secondFactors.deleteReset(user.id, at);
  if (failures.length > 0) throw failures[0];
  return resets.length;
}

const emailValues = ({ origin }: Pick<SecondFactorDeps, "origin">, user: User) => ({
  user,
  link: `${origin}/account/security`,
  expiresAt: null,
});

function mailOwner(
  deps: SecondFactorDeps,
  user: User,
  kind: "secondFactorAdded" | "secondFactorRemoved" | "secondFactorReset",
): void {
  deps.defer(sendEmail(deps, user.email, kind, emailValues(deps, user)));
}

/** `context.services.secondFactor`: the settings. The second step of a log-in is in log-in-with-code.ts. */
export const secondFactorSettings = (deps: SecondFactorSettingsDeps) =>
  bindUseCases(deps, {
    beginSecondFactor,
    resumeSecondFactor,
    addSecondFactor,
    renewRecoveryCodes,
    removeSecondFactor,
    getSecondFactor,
    listFactors,
    resetSecondFactor,
    mailSecondFactorResets,
  });
