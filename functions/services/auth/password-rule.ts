import {
  commonPasswordForm,
  isTooCommon,
  isTrivialPassword,
  type PasswordUse,
  wordsProblem,
} from "~/domain/auth/password-rule";
import type { User } from "~/domain/shared/model";
import { InvalidError } from "../shared/errors";
import { sha256Hex } from "../shared/sha256";

/** The packaged list of common passwords. */
export interface CommonPasswords {
  /** Rank of a password in the list (1 is the most common one), by the SHA-256 of its commonPasswordForm in hex; null if it is not in the list. */
  rankOf(hash: string): Promise<number | null>;
}

/** Dependencies of the rule for new passwords. */
export interface PasswordRuleDeps {
  readonly commonPasswords: CommonPasswords;
}

/** Texts of an account that its password must not consist of. */
export const listPersonalWords = (
  user: Pick<User, "email" | "firstName" | "lastName">,
): readonly string[] => [user.email, user.firstName, user.lastName];

/**
 * Rejects a password that is easy to guess. Every use case that sets a password calls this before it hashes the password.
 * @param input.personalWords texts that belong to the account or event: its email address, its names
 * @param input.field the form's field; default `password`
 * @throws InvalidError weak_password, for the field
 */
export async function requireStrongPassword(
  deps: PasswordRuleDeps,
  input: {
    readonly password: string;
    readonly use: PasswordUse;
    readonly personalWords: readonly string[];
    readonly field?: string;
  },
): Promise<void> {
  const { password, use, personalWords, field = "password" } = input;
  const isCommon = async () =>
    isTrivialPassword(password) ||
    isTooCommon(await deps.commonPasswords.rankOf(await sha256Hex(commonPasswordForm(password))), use);
  const key =
    wordsProblem(password, personalWords) ?? ((await isCommon()) ? "auth:errors.password.common" : null);
  if (key !== null) throw new InvalidError({ [field]: [{ key }] }, "weak_password");
}
