import { resolve } from "node:path";
import { runnerImport } from "vite";

/** `npx tsx scripts/run-with-vite.ts FILE [ARGUMENTS]`: runs a script that imports page code, which uses `import.meta.glob`. */
process.argv.splice(1, 1);
await runnerImport(resolve(process.argv[1] ?? ""), {
  configFile: false,
  logLevel: "error",
  resolve: { tsconfigPaths: true },
});
