import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { stop as stopCompiler } from "esbuild";
import { isBuilt } from "./lib/build/build-state";
import { startCompressingServer } from "./lib/local/compressing-server";
import { openDataOrExit } from "./lib/local/data-layout";
import { describeState } from "./lib/local/demo-links";
import { developerVars, startLocal, startMinuteJob } from "./lib/local/local-product";
import { startLocalNetwork } from "./lib/local/network";
import { choosePort } from "./lib/local/port";
import { lockStateOrExit } from "./lib/local/state-lock";
import { fromRoot, ROOT } from "./lib/paths";

/**
 * `npm start`: builds if sources have changed, migrates, seeds the demo into an empty database, and serves. `--fresh` deletes the
 * data first. `--compress` compresses pages, as Cloudflare's network does; static files are always compressed.
 */
const isFresh = process.argv.includes("--fresh");
const compressPages = process.argv.includes("--compress");
const port = await choosePort();

/** Runs a program of scripts/ in a process of its own, which frees its memory when it ends. Exits with its code when it fails. */
function runScript(name: string): void {
  const { status } = spawnSync(process.execPath, ["--import", "tsx", fromRoot("scripts", name)], {
    cwd: ROOT,
    stdio: "inherit",
  });
  if (status !== 0) process.exit(status ?? 1);
}

const state = fromRoot(".wrangler", "state");
const release = await lockStateOrExit(state);
if (isFresh) rmSync(state, { recursive: true, force: true });

if (isBuilt()) console.log("Nothing has changed since the last build.");
else runScript("build.ts");

const network = await startLocalNetwork();
const start = () =>
  startLocal({
    port: 0,
    state,
    vars: { ...developerVars(), ...network.vars },
    outbound: { proxy: network.proxy },
  });
let local = await openDataOrExit(state, start);
const database = () => local.mf.getD1Database("DB", "hiroba");
if (await (await database()).prepare("SELECT 1 FROM users LIMIT 1").first())
  console.log("Your data is unchanged.");
else {
  console.log("Seeding the demo …");
  await local.stop();
  runScript("seed.ts");
  local = await start();
  console.log("The demo is ready.");
}
const server = await startCompressingServer({
  port,
  workerPort: Number(new URL(local.origin).port),
  compressPages,
}).catch(async (error) => {
  // Another program may have taken the port during the build.
  await choosePort();
  throw error;
});
console.log(`\n${await describeState(await database(), server.origin)}\n\nReady on ${server.origin}`);

// tsx compiled this program's modules in a process that would otherwise stay.
void stopCompiler();
// Frees 45 MB that only the start needed, after a delay so that all of it is garbage. scripts/bootstrap.mjs exposes gc().
setTimeout(() => globalThis.gc?.(), 1_500).unref();

const endJob = startMinuteJob(local);
let stopping = false;
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => {
    if (stopping) return;
    stopping = true;
    endJob();
    void Promise.all([server.stop(), local.stop(), network.stop()]).finally(() => {
      release();
      process.exit(0);
    });
  });
