import { decodeHTMLStrict } from "entities/decode";

/**
 * Replaces the package decode-named-character-reference in the server build (vite.config.ts), so that micromark and htmlparser2 share one table of
 * characters in the worker.
 * @param name name of a character, as in `&name;`
 */
export function decodeNamedCharacterReference(name: string): string | false {
  const reference = `&${name};`;
  const character = decodeHTMLStrict(reference);
  return character !== reference && character;
}
