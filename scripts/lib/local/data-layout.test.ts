import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { DataLayoutError, openUnchanged } from "./data-layout";

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "hiroba-state-"));
  writeFileSync(join(state, "metadata.sqlite"), "data");
});
afterEach(() => rmSync(state, { recursive: true }));

const createOpen = (error: Error | null) => async () => {
  writeFileSync(join(state, "metadata.sqlite-wal"), "");
  if (error) throw error;
  return "opened";
};

it("when the layout does not match, the files that were created by opening the data are removed", async () => {
  const error = new DataLayoutError(new Set(["0001_triggers.sql"]));
  await expect(openUnchanged(state, createOpen(error))).rejects.toThrow("has an older layout");
  expect(readdirSync(state)).toEqual(["metadata.sqlite"]);
});

it("after any other failure, and after success, the files stay", async () => {
  await expect(openUnchanged(state, createOpen(new Error("no memory")))).rejects.toThrow("no memory");
  expect(await openUnchanged(state, createOpen(null))).toBe("opened");
  expect(readdirSync(state)).toEqual(["metadata.sqlite", "metadata.sqlite-wal"]);
});

it("a folder that does not exist can be opened", async () => {
  expect(await openUnchanged(join(state, "none"), async () => "opened")).toBe("opened");
});
