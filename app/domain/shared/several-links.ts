/** If one of these characters precedes a URL, the URL is a part of another URL. */
const WITHIN = "=/&?#:(%";

/**
 * Whether a text that was pasted into a field for one URL contains several: separated, or directly one after the other, because some
 * browsers remove the line breaks of pasted text. A URL in the query or the path of another one does not count.
 */
export function hasSeveralLinks(text: string): boolean {
  const [, ...furtherLinks] = [...text.matchAll(/https?:\/\//gi)];
  return furtherLinks.some(({ index }) => !WITHIN.includes(text.charAt(index - 1)));
}
