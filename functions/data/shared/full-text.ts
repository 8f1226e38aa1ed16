/** Terms of queries for the full-text tables, which contain the pairs of characters of each text in hexadecimal digits. */

const encoder = new TextEncoder();
/** Maximum number of search words, because each costs time. */
const WORDS_MAX = 10;

const hex = (text: string) =>
  Array.from(encoder.encode(text), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Returns a word as a phrase of the pairs of its characters, so that it matches as a substring. See migrations/0000_initial.sql. */
export function phrase(word: string): string {
  const characters = [...word];
  if (characters.length === 1) return `"${hex(word)}" *`;
  const pairs = characters.slice(1).map((character, i) => hex(`${characters[i]}${character}`));
  return `"${pairs.join(" ")}"`;
}

/** The words of a text that is normalised by nameKey or searchKey, up to the maximum. */
export const keyWords = (key: string): readonly string[] =>
  key
    .split(" ")
    .filter((word) => word !== "")
    .slice(0, WORDS_MAX);
