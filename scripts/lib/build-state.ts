/** Records the sources of the build in build/. Commands that only serve read this without loading the bundlers. */
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";
import { fromRoot, ROOT } from "./paths";

const SOURCES = [
  "app",
  "functions",
  "public",
  "package.json",
  "package-lock.json",
  "vite.config.ts",
  "tailwind.config.ts",
  "tsconfig.json",
  "scripts/lib/build.ts",
  "scripts/lib/build-state.ts",
  "scripts/lib/common-passwords.ts",
  "scripts/lib/later-routes.ts",
  "scripts/lib/message-faults.ts",
  "scripts/lib/message-use.ts",
  "scripts/lib/route-namespaces.ts",
];
export const MARK = fromRoot("build", ".sources");

function* filesIn(path: string): Generator<string> {
  if (!existsSync(path)) return;
  if (statSync(path).isFile()) {
    yield path;
    return;
  }
  for (const name of readdirSync(path).sort()) yield* filesIn(join(path, name));
}

/** A hash of everything that the built worker is made of; tests are not part of it. */
export function sourceHash(paths: readonly string[] = SOURCES): string {
  const hash = createHash("sha256");
  for (const source of paths)
    for (const file of filesIn(fromRoot(source))) {
      if (/\.test\.tsx?$/.test(file)) continue;
      hash.update(file.slice(ROOT.length)).update("\0").update(readFileSync(file));
    }
  return hash.digest("hex");
}

/** Whether the build is there and its sources have not changed since. */
export const isBuilt = (hash = sourceHash()): boolean =>
  existsSync(fromRoot("build/worker/worker.js")) && existsSync(MARK) && readFileSync(MARK, "utf8") === hash;

/** Maximum number of older builds that are kept for processes that still run them. */
const KEPT_BUILDS = 4;

/**
 * A copy of the build that nobody builds over: what runs from it goes on when `npm test` or an editor builds again.
 * @returns the folder that holds `client` and `worker`
 */
export function keepBuild(): string {
  const builds = fromRoot(".cache", "builds");
  const kept = join(builds, readFileSync(MARK, "utf8").slice(0, 16));
  if (!existsSync(kept)) {
    const part = `${kept}.${process.pid}`;
    for (const folder of ["client", "worker"])
      cpSync(fromRoot("build", folder), join(part, folder), { recursive: true });
    if (existsSync(kept)) rmSync(part, { recursive: true, force: true });
    else renameSync(part, kept);
  }
  const now = new Date();
  utimesSync(kept, now, now);
  const byAge = readdirSync(builds)
    .map((name) => ({ path: join(builds, name), age: statSync(join(builds, name)).mtimeMs }))
    .sort((a, b) => b.age - a.age);
  for (const { path } of byAge.slice(KEPT_BUILDS)) rmSync(path, { recursive: true, force: true });
  return kept;
}
