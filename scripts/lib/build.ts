import { execFileSync, spawnSync } from "node:child_process";
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
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { build as esbuild } from "esbuild";
import { fromRoot, ROOT } from "./paths";

const SOURCES = [
  "app",
  "functions",
  "public",
  "package.json",
  "package-lock.json",
  "vite.config.ts",
  "tailwind.config.ts",
  "scripts/lib/build.ts",
  "scripts/lib/common-passwords.ts",
];
const MARK = fromRoot("build", ".sources");

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

function versionText(): string {
  const { version } = JSON.parse(readFileSync(fromRoot("package.json"), "utf8")) as { version: string };
  const git = spawnSync("git", ["rev-parse", "--short", "HEAD"], { cwd: ROOT, encoding: "utf8" });
  return git.status === 0 ? `${version} (${git.stdout.trim()})` : version;
}

/** Bundles functions/worker.ts with the built pages into build/worker/worker.js. */
async function buildWorker(): Promise<void> {
  await esbuild({
    entryPoints: [fromRoot("functions/worker.ts")],
    outfile: fromRoot("build/worker/worker.js"),
    bundle: true,
    format: "esm",
    target: "es2022",
    platform: "neutral",
    mainFields: ["module", "main"],
    conditions: ["workerd", "worker", "browser"],
    external: ["node:*", "cloudflare:*"],
    alias: {
      "#build": fromRoot("build/server/index.js"),
      "~": fromRoot("app"),
      "#functions": fromRoot("functions"),
      // papaparse names it for streams of Node, which nothing here uses.
      stream: "node:stream",
    },
    define: {
      "process.env.NODE_ENV": '"production"',
      BUILT_VERSION: JSON.stringify(versionText()),
    },
    minifySyntax: true,
    sourcemap: "linked",
    logLevel: "warning",
  });
}

/**
 * Builds the pages and the worker unless the sources are those of the last build.
 * @returns whether anything was built
 */
export async function buildProduct(options: { quiet?: boolean; force?: boolean } = {}): Promise<boolean> {
  const hash = sourceHash();
  const worker = fromRoot("build/worker/worker.js");
  if (!options.force && existsSync(worker) && existsSync(MARK) && readFileSync(MARK, "utf8") === hash)
    return false;
  execFileSync(
    process.execPath,
    [fromRoot("node_modules/@remix-run/dev/dist/cli.js"), "vite:build", "--logLevel", "error"],
    {
      cwd: ROOT,
      stdio: options.quiet ? ["ignore", "ignore", "inherit"] : "inherit",
      env: { ...process.env, NODE_ENV: "production" },
    },
  );
  await buildWorker();
  writeFileSync(MARK, hash);
  return true;
}

/** How many builds are kept for those who still run them. */
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
