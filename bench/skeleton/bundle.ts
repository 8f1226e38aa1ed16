import { build } from "esbuild";
import { fromRoot } from "../../scripts/lib/paths";

/** Path of the skeleton's only page. */
export const SKELETON_PATH = "/empty";

/** Bundles the Remix skeleton, to which the product's empty route is compared. @returns the text of its only module */
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
