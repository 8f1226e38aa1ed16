import { expect, it } from "vitest";
import { groupScripts, initialScripts, staticImports } from "./scripts";

it("finds the static imports of a module but not the dynamic ones", () => {
  const code = `import{a as b}from"./react-1.js";import"./kit-2.js";export{c}from "./words-3.js";const d=()=>import("./later-4.js");`;
  expect(staticImports(code)).toEqual(["react-1.js", "kit-2.js", "words-3.js"]);
});

it("finds the scripts that a page loads at once", () => {
  const html = `<link fetchpriority="low" rel="modulepreload" href="/assets/kit-1.js"/><script type="module">import * as a from "/assets/root-2.js";import("/assets/entry.client-3.js");</script>`;
  const link =
    "</assets/a.css>; rel=preload; as=style, </assets/ja-shared-4.js>; rel=modulepreload; fetchpriority=low";
  expect(initialScripts(html, link)).toEqual([
    "ja-shared-4.js",
    "kit-1.js",
    "root-2.js",
    "entry.client-3.js",
  ]);
});

it("assigns to 3D only the scripts that no other part of the page needs", () => {
  const script = (name: string, imports: string[]) => ({
    name,
    gzip: 1,
    bytes: 1,
    code: imports.map((path) => `import"./${path}";`).join(""),
  });
  const { usable, later, stage } = groupScripts(
    [
      script("entry.client-1.js", ["react-2.js"]),
      script("react-2.js", []),
      script("viewer-3.js", ["react-2.js", "core-4.js"]),
      script("core-4.js", []),
      script("model.client-5.js", ["core-4.js", "three-6.js"]),
      script("three-6.js", []),
      script("ja-visitor-7.js", []),
      script("search-8.js", ["shared-9.js"]),
      script("shared-9.js", []),
    ],
    ["entry.client-1.js", "viewer-3.js", "ja-visitor-7.js"],
  );
  expect(usable.map(({ name }) => name)).toEqual([
    "entry.client-1.js",
    "react-2.js",
    "viewer-3.js",
    "core-4.js",
    "ja-visitor-7.js",
  ]);
  expect(later.map(({ name }) => name)).toEqual(["search-8.js", "shared-9.js"]);
  expect(stage.map(({ name }) => name)).toEqual(["model.client-5.js", "three-6.js"]);
});
