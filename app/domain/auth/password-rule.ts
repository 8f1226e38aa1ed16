import { PASSWORD_MIN } from "../shared/limits";
import { countCodePoints } from "../shared/text";

/** The use of a password: an account, or a published event, whose password all visitors know. */
export type PasswordUse = "account" | "event";

/** The product's name in Latin letters, kanji, hiragana and katakana. */
const PRODUCT_NAME = /hiroba|広場|ひろば|ヒロバ/g;

/**
 * Number of the most common passwords (functions/services/auth/password-rule.ts) that are rejected for each use. A shorter list is enough for events,
 * because attempts at an event's password are few and limited by network.
 */
const COMMON_RANKS: Readonly<Record<PasswordUse, number>> = {
  account: Number.POSITIVE_INFINITY,
  event: 10_000,
};

/** Normalises a password for the comparison with common passwords and with words: case, width and outer spaces do not matter. */
export const commonPasswordForm = (password: string): string =>
  password.normalize("NFKC").toLowerCase().trim();

/**
 * Whether a password can be guessed without a list: one repeated character, or fewer than PASSWORD_MIN characters without the outer spaces.
 * The list of common passwords cannot contain all of these: its entries have no outer spaces, and any character can be repeated.
 */
export function isTrivialPassword(password: string): boolean {
  const form = commonPasswordForm(password);
  return countCodePoints(form) < PASSWORD_MIN || new Set(form).size < 2;
}

/**
 * Whether a password is too common for a use.
 * @param rank its place in the list of common passwords, from 1; null if the list does not contain it
 */
export const isTooCommon = (rank: number | null, use: PasswordUse): boolean =>
  rank !== null && rank <= COMMON_RANKS[use];

/**
 * Checks that a password does not consist of words of its account or event, or of the product's name: without these words, at least PASSWORD_MIN
 * characters must remain.
 * @param words addresses and names; the part of an address before the @ and its components are words as well
 * @returns the key of the error message, or null if the password is allowed
 */
export function wordsProblem(
  password: string,
  words: readonly string[],
): "auth:errors.password.ownWords" | "auth:errors.password.productName" | null {
  const form = commonPasswordForm(password);
  const leavesTooLittle = (remainingText: string) =>
    remainingText !== form && countCodePoints(remainingText) < PASSWORD_MIN;
  const withoutOwnWords = withoutWords(form, words.flatMap(recognizableWords));
  if (leavesTooLittle(withoutOwnWords)) return "auth:errors.password.ownWords";
  if (leavesTooLittle(form.replace(PRODUCT_NAME, ""))) return "auth:errors.password.productName";
  return leavesTooLittle(withoutOwnWords.replace(PRODUCT_NAME, "")) ? "auth:errors.password.ownWords" : null;
}

/** Returns the words of a text that are long enough to be recognised: at least three characters if all are ASCII, else two. */
function recognizableWords(text: string): string[] {
  const form = commonPasswordForm(text);
  const [name = ""] = form.split("@");
  const parts = [form, name, name.replace(/\s+/g, ""), ...name.split(/[\s._+-]+/)];
  return parts.filter((part) => countCodePoints(part) >= (/^[\x20-\x7e]*$/.test(part) ? 3 : 2));
}

function withoutWords(text: string, words: readonly string[]): string {
  // Longest first: an address contains the words of its parts.
  const ordered = [...words].sort((a, b) => b.length - a.length);
  return ordered.reduce((remainingText, word) => remainingText.split(word).join(""), text);
}
