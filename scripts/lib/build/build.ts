import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type BuildOptions, build as esbuild } from "esbuild";
import { exitWithError } from "../exit-with-error";
import { fromRoot, ROOT } from "../paths";
import { removeAttestations } from "./attestations";
import { isBuilt, SOURCE_HASH_FILE, sourceHash } from "./build-state";
import { dataEncoder } from "./data-encoder";
import { findProductMessageFaults } from "./message-faults";
import { minifyModules } from "./minify-modules";
import { packedMessages } from "./packed-messages";
import { routerCache } from "./router-cache";
import { trimIndentation } from "./trim-indentation";

const WORKER = fromRoot("build", "worker");
const ROOMS = fromRoot("build", "rooms");

function versionText(): string {
  const { version } = JSON.parse(readFileSync(fromRoot("package.json"), "utf8")) as { version: string };
  const git = spawnSync("git", ["rev-parse", "--short", "HEAD"], { cwd: ROOT, encoding: "utf8" });
  return git.status === 0 ? `${version} (${git.stdout.trim()})` : version;
}

/** URLs of the browser's message files, which vite.config.ts names "language-namespace-hash". */
function messageFiles(): Record<string, string> {
  const files = readdirSync(fromRoot("build/client/assets")).flatMap((name) => {
    const key = /^((?:en|ja)-[\w-]+)-[\w-]{8}\.js$/.exec(name)?.[1];
    return key ? [[key, `/assets/${name}`]] : [];
  });
  return Object.fromEntries(files);
}

/** Names of the scripts that a built script imports statically. */
const staticImports = (name: string): readonly string[] =>
  [
    ...readFileSync(fromRoot("build/client/assets", name), "utf8").matchAll(
      /\b(?:import|from)\s*"\.\/([^"]+\.js)"/g,
    ),
  ].map(([, imported = ""]) => imported);

/** Names of a script and of all scripts that it imports statically, directly or not. */
function withImports(name: string): ReadonlySet<string> {
  const names = new Set([name]);
  for (const each of names) for (const imported of staticImports(each)) names.add(imported);
  return names;
}

/**
 * URLs, by part, of the scripts of the late parts (components that load separately) in editor/panel-parts.tsx, without those that the editor's own script
 * imports.
 */
function partFiles(): Record<string, readonly string[]> {
  const scripts = readdirSync(fromRoot("build/client/assets")).filter((name) => name.endsWith(".js"));
  const scriptOf = (part: string) => {
    const matches = scripts.filter((name) => name.replace(/-[\w-]{8}\.js$/, "") === part);
    if (matches.length !== 1) throw new Error(`The build has ${matches.length} scripts named "${part}"`);
    return matches[0] as string;
  };
  const editorScripts = withImports(scriptOf("editor"));
  const text = readFileSync(fromRoot("app/routes/content/editor/panel-parts.tsx"), "utf8");
  return Object.fromEntries(
    [...text.matchAll(/\bpagePart\(\s*"([\w-]+)"/g)].map(([, part = ""]) => [
      part,
      [...withImports(scriptOf(part))]
        .filter((name) => !editorScripts.has(name))
        .map((name) => `/assets/${name}`),
    ]),
  );
}

/** Packages that functions/security/asn-parser.ts replaces. */
const ASN1_PACKAGES = ["x509", "asn1-android", "asn1-ecc", "asn1-rsa", "asn1-schema", "asn1-x509"].map(
  (name) => `@peculiar/${name}`,
);

/** esbuild's options of both workers. */
const WORKER_OPTIONS = {
  bundle: true,
  splitting: true,
  format: "esm",
  target: "es2022",
  platform: "neutral",
  mainFields: ["module", "main"],
  conditions: ["workerd", "worker", "browser"],
  external: ["node:*", "cloudflare:*"],
  minify: true,
  // Modules import each other 700 times, so a longer name would take 4 KB.
  chunkNames: "[hash]",
  // docs/licences.md lists the licences of the packages.
  legalComments: "none",
  // Escaped Japanese text would take twice the bytes.
  charset: "utf8",
  sourcemap: "linked",
  logLevel: "warning",
  // Rolldown keeps bare imports of packages from which the pages use nothing.
  logOverride: { "ignored-bare-import": "silent" },
} as const satisfies BuildOptions;

/**
 * Bundles functions/worker.ts with the built pages into build/worker: worker.js, which runs at the start, and the modules that it
 * imports or loads later (scripts/lib/build/worker-modules.ts). Bundles the worker of the rooms (the Durable Objects),
 * functions/rooms/worker.ts, into build/rooms.
 */
async function buildWorkers(): Promise<void> {
  for (const folder of [WORKER, ROOMS]) rmSync(folder, { recursive: true, force: true });
  const alias = {
    "~": fromRoot("app"),
    "#functions": fromRoot("functions"),
  };
  const buildRooms = esbuild({
    ...WORKER_OPTIONS,
    entryPoints: [fromRoot("functions/rooms/worker.ts")],
    outdir: ROOMS,
    alias,
  });
  const buildWeb = esbuild({
    ...WORKER_OPTIONS,
    entryPoints: [fromRoot("functions/worker.ts")],
    outdir: WORKER,
    plugins: [removeAttestations, packedMessages, routerCache, dataEncoder, trimIndentation],
    alias: {
      ...alias,
      "#build": fromRoot("build/server/index.js"),
      ...Object.fromEntries(
        ASN1_PACKAGES.map((name) => [name, fromRoot("functions/security/asn-parser.ts")]),
      ),
      // Remix's package for Cloudflare is CommonJS, from which the bundler removes nothing. Everything that this product imports from it is re-exported
      // from the runtime.
      "@remix-run/cloudflare": "@remix-run/server-runtime",
      // papaparse imports `stream` for Node streams, which this product does not use.
      stream: "node:stream",
    },
    define: {
      "process.env.NODE_ENV": '"production"',
      BUILT_VERSION: JSON.stringify(versionText()),
      MESSAGE_FILES: JSON.stringify(messageFiles()),
      PART_FILES: JSON.stringify(partFiles()),
    },
  });
  await Promise.all([buildRooms, buildWeb]);
  await minifyModules(WORKER);
}

/** The product cannot be built. The message contains the reason. */
export class BuildError extends Error {}

/** Prints why the build failed, and exits with 1. For commands. @throws any error that is not a BuildError */
export function exitOnBuildError(error: unknown): never {
  if (!(error instanceof BuildError)) throw error;
  return exitWithError(error.message);
}

/** @throws BuildError */
function buildPages(): void {
  const { status, stderr } = spawnSync(
    process.execPath,
    [fromRoot("node_modules/@remix-run/dev/dist/cli.js"), "vite:build", "--logLevel", "error"],
    {
      cwd: ROOT,
      encoding: "utf8",
      // A successful build writes to stderr too: Vite warns about vite.config.ts and about outdated options of Remix's plugin.
      stdio: ["ignore", "ignore", "pipe"],
      env: { ...process.env, NODE_ENV: "production" },
    },
  );
  if (status === 0) return;
  // The reason is between those warnings and a stack of the bundler's own functions.
  const reason = stderr.replace(/^.*?(?=Build failed with)/s, "").replace(/\n\s+at .*$/s, "");
  throw new BuildError(`The pages could not be built. ${reason.trim()}`);
}

/**
 * Builds the pages and the workers unless the sources are unchanged since the last build, or always if `force`. Prints each step unless `quiet`.
 * @returns whether anything was built
 * @throws BuildError when the sources cannot be built; the next call then builds again
 */
export async function buildProduct(options: { quiet?: boolean; force?: boolean } = {}): Promise<boolean> {
  const hash = sourceHash();
  if (!options.force && isBuilt(hash)) return false;
  rmSync(SOURCE_HASH_FILE, { force: true });
  const faults = await findProductMessageFaults().catch((error: Error) => [error.message]);
  if (faults.length > 0) throw new BuildError(`The messages cannot be used. ${faults.join("\n")}`);
  const printStep = (step: string) => options.quiet || console.log(step);
  printStep("Building the pages …");
  buildPages();
  printStep("Building the worker …");
  await buildWorkers().catch((error: unknown) => {
    throw new BuildError(`The worker could not be built. ${error instanceof Error ? error.message : error}`);
  });
  writeFileSync(SOURCE_HASH_FILE, hash);
  return true;
}
