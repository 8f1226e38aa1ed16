import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import type { unstable_getMiniflareWorkerOptions } from "wrangler";
import { fromRoot, ROOT } from "../paths";

type WorkerOptions = ReturnType<typeof unstable_getMiniflareWorkerOptions>["workerOptions"];

/** The configuration of the web worker. */
const WEB_CONFIG = "wrangler.toml";
/** The configuration of the worker of the rooms (the Durable Objects, decision 095). */
export const ROOMS_CONFIG = "functions/rooms/wrangler.toml";

/**
 * Miniflare's options of the web worker from wrangler.toml.
 * @param client folder of the built static files
 */
export function workerOptions(client: string): WorkerOptions {
  const options = readOptions(WEB_CONFIG, "worker-options.json");
  return { ...options, assets: { ...options.assets, directory: client } } as WorkerOptions;
}

/** Miniflare's options of the worker of the rooms. */
export const roomOptions = (): WorkerOptions => readOptions(ROOMS_CONFIG, "room-options.json");

/** Miniflare's options from a configuration, as wrangler reads it. They are cached in .cache until the file or wrangler changes. */
function readOptions(config: string, cacheFile: string): WorkerOptions {
  const toml = fromRoot(config);
  const key = createHash("sha256")
    .update(readFileSync(toml))
    .update(readFileSync(fromRoot("node_modules", "wrangler", "package.json")))
    .digest("hex");
  const file = fromRoot(".cache", cacheFile);
  return readCachedOptions(file, key) ?? readWithWrangler(toml, file, key);
}

function readCachedOptions(file: string, key: string): WorkerOptions | null {
  try {
    const cachedOptions = JSON.parse(readFileSync(file, "utf8")) as { key: string; options: WorkerOptions };
    return cachedOptions.key === key ? cachedOptions.options : null;
  } catch {
    return null;
  }
}

/**
 * Script that reads a wrangler.toml. It runs in a separate process, because wrangler takes 90 MB that this process would not free.
 */
const READ_SCRIPT =
  'const [toml, file] = process.argv.slice(1); const { workerOptions } = require("wrangler").unstable_getMiniflareWorkerOptions(toml); require("node:fs").writeFileSync(file, JSON.stringify(workerOptions));';

function readWithWrangler(toml: string, file: string, key: string): WorkerOptions {
  mkdirSync(fromRoot(".cache"), { recursive: true });
  // The file is renamed into place so that a concurrent reader never gets a part of it.
  const partialFile = `${file}.${process.pid}`;
  execFileSync(process.execPath, ["-e", READ_SCRIPT, toml, partialFile], {
    cwd: ROOT,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const options = JSON.parse(readFileSync(partialFile, "utf8")) as WorkerOptions;
  writeFileSync(partialFile, JSON.stringify({ key, options }));
  renameSync(partialFile, file);
  return options;
}
