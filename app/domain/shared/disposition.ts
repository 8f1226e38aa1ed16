// Control characters, path separators, and characters that turn the writing direction of what follows.
const UNSAFE = /[\u0000-\u001f\u007f-\u009f/\\\u202a-\u202e\u2066-\u2069]/g;

/**
 * Content-Disposition with the file's own name (RFC 6266): an ASCII stand-in for old programs, the whole name in UTF-8 for
 * the others. Shown in place only when `shown`.
 */
export function contentDisposition(fileName: string, shown: boolean): string {
  // By code points, so that no half character is left for encodeURIComponent to stumble over.
  const characters = [...fileName].slice(0, 200).filter((character) => !/\p{Surrogate}/u.test(character));
  const name = characters.join("").replace(UNSAFE, "_") || "file";
  const ascii = name.replace(/[^\x20-\x7e]|["%]/g, "_");
  const utf8 = encodeURIComponent(name).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${shown ? "inline" : "attachment"}; filename="${ascii}"; filename*=UTF-8''${utf8}`;
}
