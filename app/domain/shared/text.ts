/** How a text is written: on one line, or on several. */
export interface TextShape {
  readonly multiline?: boolean;
}

/** What makes a text unfit to be stored and shown. */
export type TextProblem = "control" | "surrogate" | "bidi";

// C0 and C1 controls, and the line separators of Unicode.
const CONTROL_SINGLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/u;
const CONTROL_MULTI = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/u;
// Overrides and isolates turn the text around them as well (trojan source). Marks (U+200E, U+200F, U+061C) only affect
// their own neighbours and belong to ordinary right-to-left writing.
const BIDI = /[\u202a-\u202e\u2066-\u2069]/u;
// With the u flag a pair of surrogates is one character, so this class only matches a lone half.
const LONE_SURROGATE = /[\ud800-\udfff]/u;
const INVISIBLE = /^[\p{White_Space}\p{Cf}\p{Default_Ignorable_Code_Point}]*$/u;

/**
 * The form in which every text is kept: line ends as \n, composed characters (NFC), nothing around it. Applying it twice
 * changes nothing. A tab or line end inside stays: see textProblem.
 */
export function normaliseText(value: string): string {
  return value.replace(/\r\n?/g, "\n").normalize("NFC").trim();
}

/**
 * The length of a text as people and limits count it: code points of the text as it will be kept. A line end is one
 * character however the browser sends it, a letter with its accent is one, an emoji outside the basic plane is one, and
 * spaces around the text are none. Grapheme clusters are not used on purpose: how many there are depends on the Unicode
 * version of each browser, and the counter beside a field must never disagree with the server.
 */
export function countCharacters(value: string): number {
  return countCodePoints(normaliseText(value));
}

/** The number of code points of a text just as it is: the length of a password, in which spaces count. */
export function countCodePoints(value: string): number {
  let count = 0;
  for (const _ of value) count++;
  return count;
}

/** What is wrong with a text; null when nothing is. Several lines and tabs are right only where `multiline` is set. */
export function textProblem(value: string, shape: TextShape = {}): TextProblem | null {
  if (LONE_SURROGATE.test(value)) return "surrogate";
  if (BIDI.test(value)) return "bidi";
  return (shape.multiline ? CONTROL_MULTI : CONTROL_SINGLE).test(value) ? "control" : null;
}

/** Whether a text has control characters, half characters, or characters that turn the writing direction of others. */
export function hasForbiddenControls(value: string, shape: TextShape = {}): boolean {
  return textProblem(value, shape) !== null;
}

/** Whether nothing of a text can be seen: spaces, and characters that have no picture. */
export function isBlank(value: string): boolean {
  return INVISIBLE.test(value);
}

/**
 * A text as it is compared: for the same-name check (§5) and for searching. Full-width and half-width forms, capital and
 * small letters, and any run of spaces count as the same, and what cannot be seen does not count at all.
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

// What has a hiragana 0x60 before it: ァ to ヶ, and the iteration marks ヽ and ヾ.
const KATAKANA = /[\u30a1-\u30f6\u30fd\u30fe]/gu;

/**
 * A text as it is searched for: its nameKey with katakana as hiragana, so that each is found by the other. The full-text table of
 * folders does the same to the names that it holds (migrations/0000_initial.sql).
 */
export function searchKey(text: string): string {
  return nameKey(text).replace(KATAKANA, (kana) => String.fromCharCode(kana.charCodeAt(0) - 0x60));
}

/**
 * A password as it is hashed and compared: full-width digits typed with a Japanese keyboard, and accents composed
 * differently by another system, are the same password (NFKC, as NIST SP 800-63B §5.1.1.2 asks). Spaces count.
 */
export function passwordKey(password: string): string {
  return password.normalize("NFKC");
}
