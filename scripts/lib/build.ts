import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { build as esbuild } from "esbuild";
import { isBuilt, MARK, sourceHash } from "./build-state";
import { fromRoot, ROOT } from "./paths";

const WORKER = fromRoot("build", "worker");

function versionText(): string {
  const { version } = JSON.parse(readFileSync(fromRoot("package.json"), "utf8")) as { version: string };
  const git = spawnSync("git", ["rev-parse", "--short", "HEAD"], { cwd: ROOT, encoding: "utf8" });
  return git.status === 0 ? `${version} (${git.stdout.trim()})` : version;
}

/**
 * Bundles functions/worker.ts with the built pages into build/worker: worker.js, which runs at the start, and the modules that it
 * imports or loads later (scripts/lib/worker-modules.ts).
 */
async function buildWorker(): Promise<void> {
  rmSync(WORKER, { recursive: true, force: true });
  await esbuild({
    entryPoints: [fromRoot("functions/worker.ts")],
    outdir: WORKER,
    bundle: true,
    splitting: true,
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
    minify: true,
    // Escaped Japanese takes twice the bytes.
    charset: "utf8",
    sourcemap: "linked",
    logLevel: "warning",
    // Rolldown keeps bare imports of packages of which the pages use nothing.
    logOverride: { "ignored-bare-import": "silent" },
  });
}

/**
 * Builds the pages and the worker unless the sources are those of the last build.
 * @returns whether anything was built
 */
export async function buildProduct(options: { quiet?: boolean; force?: boolean } = {}): Promise<boolean> {
  const hash = sourceHash();
  if (!options.force && isBuilt(hash)) return false;
  execFileSync(
    process.execPath,
    [fromRoot("node_modules/@remix-run/dev/dist/cli.js"), "vite:build", "--logLevel", "error"],
    {
      cwd: ROOT,
      // A failed build throws with what it wrote to stderr. Otherwise that is advice for Remix, whose releases are older than Vite 8.
      stdio: ["ignore", options.quiet ? "ignore" : "inherit", "pipe"],
      env: { ...process.env, NODE_ENV: "production" },
    },
  );
  await buildWorker();
  writeFileSync(MARK, hash);
  return true;
}
