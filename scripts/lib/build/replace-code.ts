/**
 * Replaces pieces of a package's code in a build.
 * @param replacements pairs of a piece and the code that replaces it
 * @throws when a piece does not occur exactly once, because the package has another version
 */
export function replaceCode(
  name: string,
  code: string,
  replacements: readonly (readonly [string, string])[],
): string {
  return replacements.reduce((replaced, [before, after]) => {
    const parts = replaced.split(before);
    if (parts.length !== 2) throw new Error(`${name} does not contain this code once: ${before}`);
    return parts.join(after);
  }, code);
}
