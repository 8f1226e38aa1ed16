import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import type { unstable_getMiniflareWorkerOptions } from "wrangler";
import { fromRoot, ROOT } from "./paths";

type WorkerOptions = ReturnType<typeof unstable_getMiniflareWorkerOptions>["workerOptions"];

/**
 * Miniflare's options from wrangler.toml, as wrangler reads it. They are cached in .cache until the file or wrangler changes.
 * @param client folder of the built static files
 */
export function workerOptions(client: string): WorkerOptions {
  const toml = fromRoot("wrangler.toml");
  const key = createHash("sha256")
    .update(readFileSync(toml))
    .update(readFileSync(fromRoot("node_modules", "wrangler", "package.json")))
    .digest("hex");
  const file = fromRoot(".cache", "worker-options.json");
  const options = readCachedOptions(file, key) ?? readOption(toml, file, key);
  return { ...options, assets: { ...options.assets, directory: client } } as WorkerOptions;
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
 * Script that reads wrangler.toml. It runs in a separate process, because wrangler takes seconds, and 90 MB that this process would
 * not free.
 */
const READ_SCRIPT =
  'const [toml, file] = process.argv.slice(1); const { workerOptions } = require("wrangler").unstable_getMiniflareWorkerOptions(toml); require("node:fs").writeFileSync(file, JSON.stringify(workerOptions));';

function readOption(toml: string, file: string, key: string): WorkerOptions {
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
