import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { fromRoot } from "../paths";
import { CHUNK_MODULES } from "./chunk-groups";

test("every module that belongs to a chunk exists", () => {
  const modules = Object.values(CHUNK_MODULES).flat();
  const isModule = (module: string) =>
    ["ts", "tsx"].some((extension) => existsSync(fromRoot("app", `${module}.${extension}`)));
  expect(modules.filter((module) => !isModule(module))).toEqual([]);
  expect(new Set(modules).size).toBe(modules.length);
});
