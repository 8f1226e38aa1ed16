import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import type { unstable_getMiniflareWorkerOptions } from "wrangler";
import { fromRoot, ROOT } from "./paths";

type WorkerOptions = ReturnType<typeof unstable_getMiniflareWorkerOptions>["workerOptions"];

/**
 * Miniflare's options for what wrangler.toml says, as wrangler reads it; kept in .cache until the file or wrangler changes.
 * @param client the folder of the built static files
 */
export function workerOptions(client: string): WorkerOptions {
  const toml = fromRoot("wrangler.toml");
  const key = createHash("sha256")
    .update(readFileSync(toml))
    .update(readFileSync(fromRoot("node_modules", "wrangler", "package.json")))
    .digest("hex");
  const file = fromRoot(".cache", "worker-options.json");
  const options = readKept(file, key) ?? read(toml, file, key);
  return { ...options, assets: { ...options.assets, directory: client } } as WorkerOptions;
}

function readKept(file: string, key: string): WorkerOptions | null {
  try {
    const kept = JSON.parse(readFileSync(file, "utf8")) as { key: string; options: WorkerOptions };
    return kept.key === key ? kept.options : null;
  } catch {
    return null;
  }
}

/** Script that reads wrangler.toml. It runs in a separate process, because wrangler takes seconds and 90 MB, which this one would keep. */
const READ_SCRIPT =
  'const [toml, file] = process.argv.slice(1); const { workerOptions } = require("wrangler").unstable_getMiniflareWorkerOptions(toml); require("node:fs").writeFileSync(file, JSON.stringify(workerOptions));';

function read(toml: string, file: string, key: string): WorkerOptions {
  mkdirSync(fromRoot(".cache"), { recursive: true });
  // Whoever reads meanwhile finds the whole of it, or nothing.
  const part = `${file}.${process.pid}`;
  execFileSync(process.execPath, ["-e", READ_SCRIPT, toml, part], {
    cwd: ROOT,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const options = JSON.parse(readFileSync(part, "utf8")) as WorkerOptions;
  writeFileSync(part, JSON.stringify({ key, options }));
  renameSync(part, file);
  return options;
}
