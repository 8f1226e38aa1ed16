import { spawnSync } from "node:child_process";
// Generates the types of the API, which a test imports.
import "./api-types";
import { ROOT } from "./lib/paths";

/** `npm run check:unused`: finds unused files, exports and dependencies (knip.json). npx downloads knip, which is not a dependency. */

const KNIP = "knip@6.44.2";
const { status } = spawnSync("npx", ["--yes", KNIP], {
  cwd: ROOT,
  stdio: "inherit",
  shell: process.platform === "win32",
});
process.exitCode = status ?? 1;
