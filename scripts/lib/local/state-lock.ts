import { realpathSync, rmSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer } from "node:net";
import { basename, dirname, join } from "node:path";
import { text } from "node:stream/consumers";

/** Timeout for the reply of the process behind a lock file, in milliseconds. The process is on the same machine. */
const REPLY_TIMEOUT_MS = 2_000;

/** The content of a lock file. */
interface Lock {
  /** Process id, shown in the error message. */
  readonly pid: number;
  /** Port of 127.0.0.1 on which that process returns the path of the folder that it has locked. */
  readonly port: number;
}

/**
 * Locks a folder of data, so that two processes cannot overwrite each other's changes and `--fresh` cannot delete data in use. The
 * lock file contains a port on which its process returns the folder's path. A lock file is ignored when its process has ended, when
 * another process has its port, or when it was copied together with the folder.
 * @param state path of the folder; it need not exist
 * @returns a function that removes the lock
 * @throws Error when a running process has locked the same folder
 */
export async function lockState(state: string): Promise<() => void> {
  const file = `${state}.lock`;
  await mkdir(dirname(file), { recursive: true });
  const holder = await readLock(file);
  if (holder && (await readLockedPath(holder.port)) === lockedPath(file))
    throw new Error(`Hiroba already runs on this data (process ${holder.pid}). Stop that one first.`);

  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.end(lockedPath(file));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  server.unref();
  const { port } = server.address() as AddressInfo;
  await writeFile(file, JSON.stringify({ pid: process.pid, port } satisfies Lock));
  return () => {
    server.close();
    rmSync(file, { force: true });
  };
}

/**
 * `lockState` for a command: prints the reason and exits with 1 when the folder is locked. The lock is removed when the process
 * exits, so that a command that stops with an error leaves no lock file.
 */
export async function lockStateOrExit(state: string): Promise<() => void> {
  try {
    const release = await lockState(state);
    process.once("exit", release);
    return () => {
      process.off("exit", release);
      release();
    };
  } catch (error) {
    console.error((error as Error).message);
    return process.exit(1);
  }
}

/** Path by which locks are compared: a copy has another path, but a symbolic link to the parent folder leads to the same one. */
const lockedPath = (file: string): string => join(realpathSync(dirname(file)), basename(file));

async function readLock(file: string): Promise<Lock | null> {
  try {
    const { pid, port } = JSON.parse(await readFile(file, "utf8")) as Partial<Lock>;
    return typeof pid === "number" && Number.isInteger(port) && port && port > 0 && port < 65_536
      ? { pid, port }
      : null;
  } catch {
    return null;
  }
}

/** Path that the process at this port returns, or null when there is no process or it does not reply in time. */
async function readLockedPath(port: number): Promise<string | null> {
  const socket = connect({ port, host: "127.0.0.1", timeout: REPLY_TIMEOUT_MS });
  socket.on("timeout", () => socket.destroy(new Error("timeout")));
  return text(socket).catch(() => null);
}
