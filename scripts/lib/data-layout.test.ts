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

const open = (error: Error | null) => async () => {
  writeFileSync(join(state, "metadata.sqlite-wal"), "");
  if (error) throw error;
  return "opened";
};

it("data of another layout is left without the files that opening it added", async () => {
  const error = new DataLayoutError(new Set(["0001_triggers.sql"]));
  await expect(openUnchanged(state, open(error))).rejects.toThrow("has an older layout");
  expect(readdirSync(state)).toEqual(["metadata.sqlite"]);
});

it("other data keeps its files", async () => {
  await expect(openUnchanged(state, open(new Error("no memory")))).rejects.toThrow("no memory");
  expect(await openUnchanged(state, open(null))).toBe("opened");
  expect(readdirSync(state)).toEqual(["metadata.sqlite", "metadata.sqlite-wal"]);
});

it("a folder that does not exist can be opened", async () => {
  expect(await openUnchanged(join(state, "none"), async () => "opened")).toBe("opened");
});
