import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { lockState } from "./state-lock";

const folder = () => join(mkdtempSync(join(tmpdir(), "hiroba-lock-")), "state");

it("is held until it is given back", () => {
  const state = folder();
  const release = lockState(state);
  expect(Number(readFileSync(`${state}.lock`, "utf8"))).toBe(process.pid);
  release();
  expect(existsSync(`${state}.lock`)).toBe(false);
});

it("is refused while another process holds it, and taken over once that one is gone", async () => {
  const state = folder();
  const other = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  writeFileSync(`${state}.lock`, String(other.pid));
  expect(() => lockState(state)).toThrow(String(other.pid));
  other.kill();
  await once(other, "exit");
  lockState(state)();
});

it("takes over a lock that says nothing", () => {
  const state = folder();
  lockState(state)();
  writeFileSync(`${state}.lock`, "?");
  lockState(state)();
});
