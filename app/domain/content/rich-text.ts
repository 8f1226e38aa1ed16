/**
 * The rich text of a tag's body (Markdown) or of a product's description (HTML). The server parses it into plain data, so that neither HTML nor a
 * parser is sent to the browser.
 */

/** Text with its formatting. A line break in the text is shown as a line break. */
export type RichInline =
  | string
  | { readonly b: readonly RichInline[] }
  | { readonly i: readonly RichInline[] }
  | { readonly a: readonly RichInline[]; readonly href: string };

/** A paragraph, a heading (1 is the highest), or a list, numbered from `start`; null for bullets. */
export type RichBlock =
  | { readonly p: readonly RichInline[] }
  | { readonly h: readonly RichInline[]; readonly level: 1 | 2 | 3 }
  | { readonly li: readonly (readonly RichBlock[])[]; readonly start: number | null };

/** A whole text. */
export type RichText = readonly RichBlock[];

const SAFE_PROTOCOLS = new Set(["http:", "https:", "mailto:"]);

/** Returns the normalised URL of a link with the scheme http, https or mailto and without credentials; null for any other. */
export function safeHref(href: string): string | null {
  let url: URL;
  try {
    url = new URL(href);
  } catch {
    return null;
  }
  return SAFE_PROTOCOLS.has(url.protocol) && url.username === "" && url.password === "" ? url.href : null;
}

const inlineText = (parts: readonly RichInline[]): string =>
  parts
    .map((part) => {
      if (typeof part === "string") return part;
      return inlineText("b" in part ? part.b : "i" in part ? part.i : part.a);
    })
    .join("");

/** Returns a body as plain text for searching. Blocks and items of lists are on separate lines. */
export function plainText(blocks: RichText): string {
  return blocks
    .map((block) => {
      if ("p" in block) return inlineText(block.p);
      return "h" in block ? inlineText(block.h) : block.li.map(plainText).join("\n");
    })
    .join("\n");
}
