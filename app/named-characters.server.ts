import { decodeHTMLStrict } from "entities/decode";

/**
 * Stands in for the package decode-named-character-reference in the server build (vite.config.ts): micromark then uses the table of
 * characters that parse5 has too, and the worker contains it once.
 * @param name of a character, as in `&name;`
 */
export function decodeNamedCharacterReference(name: string): string | false {
  const reference = `&${name};`;
  const character = decodeHTMLStrict(reference);
  return character !== reference && character;
}
