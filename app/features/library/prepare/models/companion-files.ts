/** Finds the files that a model references among its companion files. */

const cleanPath = (path: string): string => {
  let name = path
    .trim()
    .replace(/^["']|["']$/g, "")
    .replaceAll("\\", "/");
  try {
    name = decodeURIComponent(name);
  } catch {
    // A percent sign without valid digits is part of the name.
  }
  const parts: string[] = [];
  for (const part of name.replace(/^file:\/*/i, "").split("/")) {
    if (part === "" || part === ".") continue;
    if (part === "..") parts.pop();
    else parts.push(part);
  }
  return parts.join("/").toLowerCase().normalize("NFC");
};

/** Returns the last part of a path without its query or fragment, for example "wood.png" of "C:\textures\wood.png". */
export const baseName = (path: string): string =>
  path.replaceAll("\\", "/").split("/").pop()?.split(/[?#]/)[0] ?? path;

/**
 * Finds the companion at a path, ignoring case. Otherwise it finds one whose path ends with the given path or is the end of it, and otherwise one
 * with the same file name. Returns null if there is none.
 * @param path the path in the model file: relative or absolute, with slashes or backslashes
 */
export function findCompanion(companions: ReadonlyMap<string, Blob>, path: string): Blob | null {
  const cleanedPath = cleanPath(path);
  const companionPaths = [...companions].map(([name, blob]) => [cleanPath(name), blob] as const);
  const exact = companionPaths.find(([name]) => name === cleanedPath);
  if (exact) return exact[1];
  const base = cleanedPath.split("/").pop();
  const sameBase = companionPaths.filter(([name]) => name.split("/").pop() === base);
  const byEnd = sameBase.find(
    ([name]) => cleanedPath.endsWith(`/${name}`) || name.endsWith(`/${cleanedPath}`),
  );
  return (byEnd ?? sameBase[0])?.[1] ?? null;
}
