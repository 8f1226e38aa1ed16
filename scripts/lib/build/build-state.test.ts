import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sourceFiles } from "./build-state";

describe("the hashed sources of the build", () => {
  const files = new Set(sourceFiles());

  it("contain every build script of this folder, and no tests", () => {
    const modules = readdirSync(import.meta.dirname).filter((name) => !name.endsWith(".test.ts"));
    expect(modules).toContain("page-components.ts");
    for (const name of modules) expect(files, name).toContain(join(import.meta.dirname, name));
    expect([...files].filter((file) => /\.test\.tsx?$/.test(file))).toEqual([]);
  });
});
