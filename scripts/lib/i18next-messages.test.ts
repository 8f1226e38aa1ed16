import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { removeWarnings } from "./i18next-messages";
import { fromRoot } from "./paths";

const source = readFileSync(fromRoot("node_modules/i18next/dist/esm/i18next.js"), "utf8");

it("removes warnings that are written only with the option debug", () => {
  expect(source).toMatch(/return this\.forward\(args, 'warn', '', true\)/);
  expect(source).toMatch(/forward\([^)]*debugOnly\) \{\s*if \(debugOnly && !this\.debug\) return null;/);
  expect(removeWarnings(source)).not.toContain("IS WRONG");
});

it("refuses another version of i18next", () => {
  expect(() => removeWarnings(source.replace("flat JSON", "JSON"))).toThrow("does not contain");
});
