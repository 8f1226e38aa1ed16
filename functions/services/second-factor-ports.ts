/** Ports of second factors. */
import type { Instant, User, Uuid } from "~/domain/model";
import type { AuditEntry } from "./ports";

/** An authenticator app as it is added. */
export interface NewSecondFactor {
  readonly userId: Uuid;
  /** Sealed: see secretLabel. */
  readonly secret: string;
  /** The counter of the code that proved it. */
  readonly lastCounter: number;
  /** Hashes: see hashRecoveryCode. */
  readonly recoveryCodes: readonly string[];
  readonly createdAt: Instant;
}

/** The second factors of an account. */
export interface HeldFactors {
  /** An authenticator app. */
  readonly app: boolean;
  /** Number of passkeys. */
  readonly passkeys: number;
}

/** Authenticator apps, their recovery codes, and resets of both. */
export interface SecondFactorRepository {
  /** The account's app with its number of unused recovery codes; null without one. */
  find(
    userId: Uuid,
  ): Promise<{ readonly secret: string; readonly createdAt: Instant; readonly recoveryCodes: number } | null>;
  /** The factors of the account; none when there is no such account. */
  list(userId: Uuid): Promise<HeldFactors>;
  /** False when the account has an app already, or is deleted. */
  add(factor: NewSecondFactor, audit: AuditEntry): Promise<boolean>;
  /**
   * Counts a guess as wrong before it is checked, so that guesses at the same time are all counted. The `max`th in a row blocks further ones
   * until `until`.
   * @returns the data for checking the guess; null while guesses are blocked, and without an app
   */
  claimGuess(
    userId: Uuid,
    limit: { readonly now: Instant; readonly until: Instant; readonly max: number },
  ): Promise<{ readonly secret: string; readonly lastCounter: number } | null>;
  /** Consumes a code and resets the count of wrong guesses. False when this or a later code was consumed before. */
  consumeCounter(userId: Uuid, counter: number): Promise<boolean>;
  /** Consumes a recovery code. Returns the number of unused ones; null for an unknown code. */
  consumeRecoveryCode(userId: Uuid, hash: string, audit: AuditEntry): Promise<number | null>;
  /** False when the account has no app. */
  replaceRecoveryCodes(userId: Uuid, hashes: readonly string[], audit: AuditEntry): Promise<boolean>;
  /** False when the account has no app. */
  remove(userId: Uuid, audit: AuditEntry): Promise<boolean>;
  /**
   * Deletes the app, the recovery codes, the passkeys and the sessions of an account. False when it has neither app nor passkey.
   * @param byCommand whether to leave a row for the job that mails the owner, because the command cannot send mail
   */
  reset(userId: Uuid, audit: AuditEntry, byCommand: boolean): Promise<boolean>;
  /** Resets whose owners were not mailed yet. */
  listResets(limit: number): Promise<readonly { readonly user: User; readonly at: Instant }[]>;
  /** Deletes the row of a reset whose owner was mailed. */
  deleteReset(userId: Uuid, at: Instant): Promise<void>;
}
