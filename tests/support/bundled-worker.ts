/** Runs a short script with the product's modules as a worker, for tests that need workerd's own streams and sockets. */
import { build } from "esbuild";
import { Miniflare, type MiniflareOptions } from "miniflare";
import { fromRoot } from "../../scripts/lib/paths";

/**
 * Bundles a script and starts it.
 * @param contents the script; `~` and `#functions` name the product's folders
 * @param options bindings and settings beside the product's compatibility date
 */
export async function startBundledWorker(
  contents: string,
  options: Partial<MiniflareOptions>,
): Promise<Miniflare> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: fromRoot(), loader: "ts" },
    bundle: true,
    write: false,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    mainFields: ["module", "main"],
    conditions: ["workerd", "worker", "browser"],
    external: ["node:*"],
    alias: { "~": fromRoot("app"), "#functions": fromRoot("functions") },
  });
  return new Miniflare({
    modules: true,
    script: outputFiles[0]?.text ?? "",
    compatibilityDate: "2026-07-01",
    compatibilityFlags: ["nodejs_compat"],
    ...options,
  });
}
