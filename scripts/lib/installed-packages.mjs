// Runs under plain Node (>= 20) without dependencies, before the packages are installed.
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Reads the packages in a lock file of npm. Returns null if the file is missing or not readable. */
function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8")).packages;
  } catch {
    return null;
  }
}

/**
 * Whether the packages of package-lock.json are installed for this system, according to the list that npm writes when it has installed packages.
 * @param {string} root folder of package-lock.json
 * @returns {boolean} false also if one of the files is missing or not readable
 */
export function arePackagesInstalled(root) {
  const installed = readPackages(join(root, "node_modules", ".package-lock.json"));
  const lockedPackages = readPackages(join(root, "package-lock.json"));
  // `npm ci` then states what is wrong with package-lock.json.
  if (!installed || !lockedPackages) return false;
  const { "": _root, ...locked } = lockedPackages;
  return Object.entries(locked).every(([path, { version, optional, os, cpu }]) =>
    path in installed
      ? installed[path].version === version &&
        (!os || os.includes(process.platform)) &&
        (!cpu || cpu.includes(process.arch))
      : optional,
  );
}
