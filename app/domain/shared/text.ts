/** Whether a text may have several lines. */
export interface TextShape {
  readonly multiline?: boolean;
}

/** The reason why a text cannot be stored and shown. */
export type TextProblem = "control" | "surrogate" | "bidi";

// C0 and C1 control characters, and the Unicode line separators.
const CONTROL_SINGLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/u;
const CONTROL_MULTI = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/u;
// Overrides and isolates also reorder the text around them (trojan source). Marks (U+200E, U+200F, U+061C) only affect
// adjacent characters and belong to ordinary right-to-left writing.
const BIDI = /[\u202a-\u202e\u2066-\u2069]/u;
// With the u flag a pair of surrogates is one character, so this class only matches a lone half.
const LONE_SURROGATE = /[\ud800-\udfff]/u;
const INVISIBLE = /^[\p{White_Space}\p{Cf}\p{Default_Ignorable_Code_Point}]*$/u;

/**
 * Returns the form in which every text is stored: line ends as \n, composed characters (NFC), no surrounding white space. It is
 * idempotent. Tabs and line ends inside the text stay; see textProblem.
 */
export function normaliseText(value: string): string {
  return value.replace(/\r\n?/g, "\n").normalize("NFC").trim();
}

/**
 * Returns the length of a text for limits and counters: the code points of its stored form. A line end counts as one character however
 * the browser sends it, a letter with an accent counts as one if Unicode has a composed character for it, an emoji that UTF-16 writes as a pair of
 * surrogates counts as one, and surrounding spaces do not count. Grapheme clusters are not used on purpose: their number
 * depends on the Unicode version of each browser, and the counter beside a field must always agree with the server.
 */
export function countCharacters(value: string): number {
  return countCodePoints(normaliseText(value));
}

/** Returns the number of code points of an unchanged text. It is the length of a password, in which spaces count. */
export function countCodePoints(value: string): number {
  let count = 0;
  for (const _ of value) count++;
  return count;
}

/**
 * Returns the problem of a text: control characters, lone surrogates, or characters that change the writing direction of others; null for a
 * valid text. Line ends and tabs are valid only if `multiline` is set.
 */
export function textProblem(value: string, shape: TextShape = {}): TextProblem | null {
  if (LONE_SURROGATE.test(value)) return "surrogate";
  if (BIDI.test(value)) return "bidi";
  return (shape.multiline ? CONTROL_MULTI : CONTROL_SINGLE).test(value) ? "control" : null;
}

/** Returns whether a text has only white space and invisible characters. */
export function isBlank(value: string): boolean {
  return INVISIBLE.test(value);
}

/**
 * Returns the form of a text for comparisons: for the same-name check (specification §5) and for searching. Full-width and half-width forms, upper and
 * lower case, and runs of spaces of any length are equal. Invisible characters are ignored.
 */
export function nameKey(name: string): string {
  return name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .normalize("NFKC")
    .replace(/\p{White_Space}+/gu, " ")
    .trim();
}

// Katakana whose hiragana is 0x60 code points lower: ァ to ヶ, and the iteration marks ヽ and ヾ.
const KATAKANA = /[\u30a1-\u30f6\u30fd\u30fe]/gu;

/**
 * Returns the form of a text for searching: its nameKey with katakana as hiragana, so that a search in one finds the other. The full-text
 * table of folders converts its names in the same way (migrations/0000_initial.sql).
 */
export function searchKey(text: string): string {
  return nameKey(text).replace(KATAKANA, (kana) => String.fromCharCode(kana.charCodeAt(0) - 0x60));
}

/**
 * Returns the form of a password for hashing and comparing. Full-width digits from a Japanese keyboard, and accents that another system
 * composes differently, give the same password (NFKC, as NIST SP 800-63B §5.1.1.2 recommends). Spaces count.
 */
export function passwordKey(password: string): string {
  return password.normalize("NFKC");
}
