import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { fromRoot } from "../paths";
import { lockState } from "./state-lock";

const createStatePath = () => join(mkdtempSync(join(tmpdir(), "hiroba-lock-")), "state");

/** Starts a process that locks the folder until it is ended. */
async function lockInOtherProcess(state: string) {
  const module = pathToFileURL(fromRoot("scripts", "lib", "local", "state-lock.ts")).href;
  const script = `const { lockState } = await import(${JSON.stringify(module)});
    await lockState(${JSON.stringify(state)});
    console.log("locked");
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script], {
    cwd: fromRoot(),
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  return {
    pid: child.pid,
    end: async () => {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

it("removes the lock file when the lock is released", async () => {
  const state = createStatePath();
  const release = await lockState(state);
  expect(existsSync(`${state}.lock`)).toBe(true);
  release();
  expect(existsSync(`${state}.lock`)).toBe(false);
});

it("rejects a folder that another process has locked, and accepts it after that process was killed", async () => {
  const state = createStatePath();
  const otherProcess = await lockInOtherProcess(state);
  await expect(lockState(state)).rejects.toThrow(String(otherProcess.pid));
  await otherProcess.end();
  (await lockState(state))();
});

it("rejects a locked folder behind a symbolic link to its parent folder", async () => {
  const state = createStatePath();
  const release = await lockState(state);
  const link = `${dirname(state)}-link`;
  symlinkSync(dirname(state), link, "junction");
  await expect(lockState(join(link, "state"))).rejects.toThrow("already runs");
  release();
});

it("accepts a copy of a locked folder", async () => {
  const state = createStatePath();
  const release = await lockState(state);
  const copy = `${dirname(state)}-copy`;
  cpSync(dirname(state), copy, { recursive: true });
  (await lockState(join(copy, "state")))();
  release();
});

it("accepts a folder whose lock file contains a process or a port that is not Hiroba's", async () => {
  const state = createStatePath();
  writeFileSync(`${state}.lock`, String(process.ppid));
  (await lockState(state))();

  const otherServer = createServer((_, response) => response.end("Hello")).listen(0, "127.0.0.1");
  await once(otherServer, "listening");
  const { port } = otherServer.address() as AddressInfo;
  writeFileSync(`${state}.lock`, JSON.stringify({ pid: process.ppid, port }));
  (await lockState(state))();
  otherServer.close();
});

it.each(["", "?", "null", "{}", '{"pid":1,"port":70000}'])(
  "accepts a folder whose lock file contains %j",
  async (content) => {
    const state = createStatePath();
    writeFileSync(`${state}.lock`, content);
    (await lockState(state))();
    expect(existsSync(`${state}.lock`)).toBe(false);
  },
);
