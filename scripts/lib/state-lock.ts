import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Keeps two products from one folder of data: each would overwrite the other's, and `--fresh` would empty it under the
 * feet of the one that runs. The lock of a process that is gone is taken over.
 * @returns a function that gives the lock back
 * @throws when a process that still runs holds it
 */
export function lockState(state: string): () => void {
  const file = `${state}.lock`;
  mkdirSync(dirname(file), { recursive: true });
  const holder = holderOf(file);
  if (holder !== null)
    throw new Error(`Hiroba already runs on this data (process ${holder}). Stop that one first.`);
  writeFileSync(file, String(process.pid));
  return () => rmSync(file, { force: true });
}

/** `lockState` for a command: says on the terminal why it cannot go on, and ends. */
export function claimState(state: string): () => void {
  try {
    return lockState(state);
  } catch (error) {
    console.error((error as Error).message);
    return process.exit(1);
  }
}

function holderOf(file: string): number | null {
  let pid: number;
  try {
    pid = Number(readFileSync(file, "utf8"));
  } catch {
    return null;
  }
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return null;
  try {
    process.kill(pid, 0);
    return pid;
  } catch (error) {
    // Somebody else's process is a running one as well.
    return (error as NodeJS.ErrnoException).code === "EPERM" ? pid : null;
  }
}
