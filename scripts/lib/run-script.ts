import { spawnSync } from "node:child_process";
import { fromRoot, ROOT } from "./paths";

/** Runs a program of scripts/ in a process of its own, which frees its memory when it ends. Exits with its code when it fails. */
export function runScript(name: string): void {
  const { status } = spawnSync(process.execPath, ["--import", "tsx", fromRoot("scripts", name)], {
    cwd: ROOT,
    stdio: "inherit",
  });
  if (status !== 0) process.exit(status ?? 1);
}
