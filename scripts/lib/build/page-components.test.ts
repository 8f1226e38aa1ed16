import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { fromRoot } from "../paths";
import { changePageComponents } from "./page-components";

const FILES = [
  "@remix-run/react/dist/esm/server.js",
  "@remix-run/react/dist/esm/components.js",
  "react-router-dom/server.mjs",
].map((name) => fromRoot("node_modules", name));

it("changes the installed versions of the modules, but not a module of the app", () => {
  for (const file of FILES) {
    const code = readFileSync(file, "utf8");
    expect(changePageComponents(code, file)).not.toBe(code);
  }
  expect(changePageComponents("", fromRoot("app/root.tsx"))).toBeNull();
});

it("rejects another version of a module", () => {
  for (const file of FILES) expect(() => changePageComponents("", file), file).toThrow("does not contain");
});
