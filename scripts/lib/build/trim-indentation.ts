import { readFileSync } from "node:fs";
import type { Plugin } from "esbuild";

/**
 * Removes the indentation of the modules with SQL and GraphQL, because it would stay in their template literals and take 5 KB of the worker. The
 * line numbers of source maps stay correct; their columns do not.
 */
export const trimIndentation: Plugin = {
  name: "trim-indentation",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]functions[\\/](?:data|storefront)[\\/].*\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replace(/\n[ \t]+/g, "\n"),
      loader: "ts",
    }));
  },
};
