// Control characters, path separators, and characters that change the writing direction of the text after them.
const UNSAFE = /[\u0000-\u001f\u007f-\u009f/\\\u202a-\u202e\u2066-\u2069]/g;

/**
 * Returns a Content-Disposition header with the file's name (RFC 6266): an ASCII substitute for old programs, and the name in UTF-8 for
 * the others.
 */
export function contentDisposition(fileName: string, disposition: "inline" | "attachment"): string {
  // encodeURIComponent throws for a lone surrogate. Cutting by code points creates none, and the filter removes those of the name.
  const characters = [...fileName].slice(0, 200).filter((character) => !/\p{Surrogate}/u.test(character));
  const name = characters.join("").replace(UNSAFE, "_") || "file";
  const ascii = name.replace(/[^\x20-\x7e]|["%]/g, "_");
  const utf8 = encodeURIComponent(name).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${disposition}; filename="${ascii}"; filename*=UTF-8''${utf8}`;
}
