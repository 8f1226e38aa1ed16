import { expect, it } from "vitest";
import { divide, staticImports } from "./scripts";

it("reads what a module imports before it runs, and not what it may import later", () => {
  const code = `import{a as b}from"./react-1.js";import"./kit-2.js";export{c}from "./words-3.js";const d=()=>import("./later-4.js");`;
  expect(staticImports(code)).toEqual(["react-1.js", "kit-2.js", "words-3.js"]);
});

it("counts for 3D only what nothing else on the page needs", () => {
  const script = (name: string, imports: string[]) => ({
    name,
    gzip: 1,
    bytes: 1,
    code: imports.map((path) => `import"./${path}";`).join(""),
  });
  const { usable, stage } = divide([
    script("entry.client-1.js", ["react-2.js"]),
    script("react-2.js", []),
    script("viewer-3.js", ["react-2.js", "core-4.js"]),
    script("core-4.js", []),
    script("model.client-5.js", ["core-4.js", "three-6.js"]),
    script("three-6.js", []),
    script("words-7.js", []),
  ]);
  expect(usable.map(({ name }) => name)).toEqual([
    "entry.client-1.js",
    "react-2.js",
    "viewer-3.js",
    "core-4.js",
    "words-7.js",
  ]);
  expect(stage.map(({ name }) => name)).toEqual(["model.client-5.js", "three-6.js"]);
});
