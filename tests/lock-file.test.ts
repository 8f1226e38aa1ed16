import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { fromRoot } from "../scripts/lib/paths";

/** An entry of package-lock.json's `packages` (npm's documentation of package-lock.json). */
interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

type LockedPackages = Readonly<Record<string, LockedPackage>>;

const readLockFile = (): LockedPackages =>
  JSON.parse(readFileSync(fromRoot("package-lock.json"), "utf8")).packages;

/** Resolves `name` for the package at `path`: in its own node_modules, or in those of a parent folder. */
function resolvePackage(packages: LockedPackages, path: string, name: string): LockedPackage | null {
  for (let folder = path; ; ) {
    const lockedPackage = packages[`${folder ? `${folder}/` : ""}node_modules/${name}`];
    if (lockedPackage) return lockedPackage;
    if (!folder) return null;
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf("node_modules/") - 1));
  }
}

/** Optional dependencies without an entry, as "package -> dependency". `npm ci` fails on them or omits them. */
const missingOptionalDependencies = (packages: LockedPackages): string[] =>
  Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => resolvePackage(packages, path, name) === null)
      .map((name) => `${path || "."} -> ${name}`),
  );

it("locks every optional dependency of every package, for all platforms", () => {
  expect(missingOptionalDependencies(readLockFile())).toEqual([]);
});

it("reports an optional dependency without an entry", () => {
  const packages: LockedPackages = {
    "node_modules/a": { optionalDependencies: { "@a/mac": "1.0.0", "@a/linux": "1.0.0" } },
    "node_modules/a/node_modules/@a/linux": { version: "1.0.0" },
    "node_modules/b": { optionalDependencies: { "@a/linux": "1.0.0" } },
  };
  expect(missingOptionalDependencies(packages)).toEqual([
    "node_modules/a -> @a/mac",
    "node_modules/b -> @a/linux",
  ]);
});

it.each([
  ["darwin", "arm64"],
  ["darwin", "x64"],
  ["win32", "x64"],
  ["linux", "x64"],
  ["linux", "arm64"],
])("locks a native package of each tool for %s %s", (os, cpu) => {
  const packages = readLockFile();
  const nativePackages = Object.entries(packages)
    .filter(([, entry]) => entry.os?.includes(os) && entry.cpu?.includes(cpu))
    .map(([path]) => path.replace(/^.*node_modules\//, ""));
  for (const tool of [
    /^@rolldown\/binding-/,
    /^@tailwindcss\/oxide-/,
    /^@biomejs\/cli-/,
    /^@napi-rs\/canvas-/,
    /^@esbuild\//,
    /^@cloudflare\/workerd-/,
    /^@img\/sharp-/,
    /^node-(bin-)?(darwin|linux|win)-/,
  ])
    expect(
      nativePackages.filter((name) => tool.test(name)),
      String(tool),
    ).not.toEqual([]);
});

it("contains no registry URL", () => {
  const entriesWithUrl = Object.values(readLockFile()).filter((entry) => entry.resolved !== undefined);
  expect(entriesWithUrl).toEqual([]);
});
