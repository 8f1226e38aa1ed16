import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fromRoot } from "./lib/paths";

/**
 * `npm run check:platforms`: proves that `npm ci` installs the native packages of each supported platform. It runs every
 * supported npm version for every platform in a temporary copy of the package files, one after the other, so it takes many
 * minutes and downloads much. `npm test` checks the lock file alone (tests/lock-file.test.ts).
 */

const NPM_VERSIONS = ["10", "11"];

/** npm's options for a platform, and its name in the names of packages, which may continue: linux-x64-gnu. Empty options stand for this machine. */
const PLATFORMS = [
  { options: [], name: `${process.platform}-${process.arch}` },
  { options: ["--os=darwin", "--cpu=arm64"], name: "darwin-arm64" },
  { options: ["--os=win32", "--cpu=x64"], name: "win32-x64" },
  { options: ["--os=linux", "--cpu=arm64"], name: "linux-arm64" },
] as const;

/** Prefixes of the names of native packages, without the platform. */
const NATIVE_PACKAGES = ["@rolldown/binding", "@tailwindcss/oxide", "@biomejs/cli", "@napi-rs/canvas"];

/**
 * Installs the packages into a temporary copy.
 * @returns the reason of a failure, or null if the installation is complete
 */
function findFailure(npm: string, { options, name }: (typeof PLATFORMS)[number]): string | null {
  const copy = mkdtempSync(join(tmpdir(), "hiroba-platform-"));
  try {
    for (const file of ["package.json", "package-lock.json", ".npmrc"])
      copyFileSync(fromRoot(file), join(copy, file));
    const { status, stderr } = spawnSync("npx", ["--yes", `npm@${npm}`, "ci", ...options], {
      cwd: copy,
      encoding: "utf8",
      shell: process.platform === "win32",
    });
    if (status !== 0) return stderr.trim();
    const missingPackages = NATIVE_PACKAGES.filter((packageName) => {
      const [scope = "", prefix] = packageName.split("/");
      const installed = readdirSync(join(copy, "node_modules", scope));
      return !installed.some((folder) => folder.startsWith(`${prefix}-${name}`));
    });
    return missingPackages.length > 0 ? `without ${missingPackages.join(", ")}` : null;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

for (const npm of NPM_VERSIONS)
  for (const platform of PLATFORMS) {
    const failure = findFailure(npm, platform);
    console.log(`${["npm", npm, "ci", ...platform.options].join(" ")}: ${failure ?? "ok"}`);
    if (failure) process.exitCode = 1;
  }
