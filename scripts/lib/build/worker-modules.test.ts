import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { moduleNames, startModules, workerModules } from "./worker-modules";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hiroba-modules-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const writeFiles = (files: Readonly<Record<string, string>>) => {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
};

it("lists the entry first, and no source map", () => {
  writeFiles({ "api-1.js": "", "worker.js": "", "worker.js.map": "{}" });
  expect(moduleNames(folder)).toEqual(["worker.js", "api-1.js"]);
  expect(workerModules(folder).modules.map(({ path }) => path)).toEqual([
    join(folder, "worker.js"),
    join(folder, "api-1.js"),
  ]);
});

it("wraps the entry in another module", () => {
  writeFiles({ "worker.js": "" });
  const { modules } = workerModules(folder, { name: "around.js", contents: "export {}" });
  expect(modules).toEqual([
    { type: "ESModule", path: join(folder, "around.js"), contents: "export {}" },
    { type: "ESModule", path: join(folder, "worker.js") },
  ]);
});

it("rejects a folder without an entry", () => {
  expect(() => moduleNames(folder)).toThrow("worker.js");
});

it("finds the modules that run at the start, but not those that are loaded later", () => {
  writeFiles({
    "worker.js": 'import{a as b}from"./chunk-1.js";import"./chunk-2.js";import("./late.js")',
    "chunk-1.js": 'export{c}from"./chunk-3.js";',
    "chunk-2.js": "",
    "chunk-3.js": 'import{b}from"./worker.js"',
    "late.js": 'import"./chunk-4.js"',
    "chunk-4.js": "",
  });
  expect(startModules(folder)).toEqual(["worker.js", "chunk-1.js", "chunk-2.js", "chunk-3.js"]);
});
