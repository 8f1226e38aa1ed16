import { build } from "esbuild";
import { fromRoot } from "../../scripts/lib/paths";

/** Path of the only page of the Remix skeleton. */
export const SKELETON_PATH = "/empty";

/**
 * Bundles the Remix skeleton: the smallest worker that renders a page with Remix. The benchmarks compare the product's empty route with it.
 * @returns the text of its only module
 */
export async function bundleSkeleton(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fromRoot("bench", "skeleton", "worker.tsx")],
    bundle: true,
    write: false,
    minify: true,
    format: "esm",
    target: "es2022",
    platform: "neutral",
    mainFields: ["module", "main"],
    conditions: ["workerd", "worker", "browser"],
    external: ["node:*", "cloudflare:*"],
    jsx: "automatic",
    alias: { "react-dom/server": "react-dom/server.browser" },
    define: { "process.env.NODE_ENV": '"production"' },
    logLevel: "error",
  });
  return outputFiles[0]?.text ?? "";
}
