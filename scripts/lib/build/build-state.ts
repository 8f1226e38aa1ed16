/**
 * Compares the build's sources with those of the last build, whose hash is in build/. It is separate from build.ts so that commands that only
 * serve do not load the bundlers.
 */
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
import { fromRoot, ROOT } from "../paths";

const SOURCES = [
  "app",
  "functions",
  "public",
  "package.json",
  "package-lock.json",
  "vite.config.ts",
  "tailwind.config.ts",
  "tsconfig.json",
  "scripts/lib/build",
];

export const SOURCE_HASH_FILE = fromRoot("build", ".sources");

function* filesIn(path: string): Generator<string> {
  if (!existsSync(path)) return;
  if (statSync(path).isFile()) {
    yield path;
    return;
  }
  for (const name of readdirSync(path).sort()) yield* filesIn(join(path, name));
}

/** Paths of all sources of the built worker and of its build, without tests. */
export function* sourceFiles(): Generator<string> {
  for (const source of SOURCES)
    for (const file of filesIn(fromRoot(source))) if (!/\.test\.tsx?$/.test(file)) yield file;
}

/** Hash of all sources. */
export function sourceHash(): string {
  const hash = createHash("sha256");
  for (const file of sourceFiles())
    hash.update(file.slice(ROOT.length)).update("\0").update(readFileSync(file));
  return hash.digest("hex");
}

/** True when the build exists and its sources have not changed since. */
export const isBuilt = (hash = sourceHash()): boolean =>
  existsSync(fromRoot("build/worker/worker.js")) &&
  existsSync(fromRoot("build/rooms/worker.js")) &&
  existsSync(SOURCE_HASH_FILE) &&
  readFileSync(SOURCE_HASH_FILE, "utf8") === hash;

/** Maximum number of copied builds, including the latest. The older ones are kept for processes that still run them. */
const MAX_BUILD_COPIES = 4;

/**
 * Copies the build to a folder that later builds do not overwrite, so that a running process is unaffected when `npm test` or
 * `npm run dev` builds again.
 * @returns the folder that holds `client`, `worker` and `rooms`
 */
export function copyBuild(): string {
  const builds = fromRoot(".cache", "builds");
  const copy = join(builds, readFileSync(SOURCE_HASH_FILE, "utf8").slice(0, 16));
  if (!existsSync(copy)) {
    const partialCopy = `${copy}.${process.pid}`;
    for (const folder of ["client", "worker", "rooms"])
      cpSync(fromRoot("build", folder), join(partialCopy, folder), { recursive: true });
    if (existsSync(copy)) rmSync(partialCopy, { recursive: true, force: true });
    else renameSync(partialCopy, copy);
  }
  const now = new Date();
  utimesSync(copy, now, now);
  const newestFirst = readdirSync(builds)
    .map((name) => ({ path: join(builds, name), usedAt: statSync(join(builds, name)).mtimeMs }))
    .sort((a, b) => b.usedAt - a.usedAt);
  for (const { path } of newestFirst.slice(MAX_BUILD_COPIES)) rmSync(path, { recursive: true, force: true });
  return copy;
}
