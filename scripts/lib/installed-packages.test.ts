import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { arePackagesInstalled } from "./installed-packages.mjs";

const OTHER_SYSTEM = process.platform === "win32" ? "linux" : "win32";
const LOCKED = {
  "": { name: "product" },
  "node_modules/used": { version: "1.0.0" },
  "node_modules/native": { version: "2.0.0", optional: true, os: [OTHER_SYSTEM] },
};
let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "hiroba-packages-"));
  mkdirSync(join(root, "node_modules"));
  write("package-lock.json", LOCKED);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const write = (path: string, packages: object | null) =>
  writeFileSync(join(root, path), packages === null ? "" : JSON.stringify({ packages }));
const areInstalledWith = (packages: object | null) => {
  write("node_modules/.package-lock.json", packages);
  return arePackagesInstalled(root);
};

describe("the packages", () => {
  it("are installed if npm lists them, also without those of other systems", () => {
    expect(areInstalledWith({ "node_modules/used": { version: "1.0.0" } })).toBe(true);
  });

  it.each([
    ["another version", { "node_modules/used": { version: "0.9.0" } }],
    ["a missing package", {}],
    [
      "a package of another system",
      {
        "node_modules/used": { version: "1.0.0" },
        "node_modules/native": { version: "2.0.0", os: [OTHER_SYSTEM] },
      },
    ],
    ["an unreadable list", null],
  ])("are not installed with %s", (_, packages) => {
    expect(areInstalledWith(packages)).toBe(false);
  });

  it("are not installed without a list of npm, or with an unreadable lock file", () => {
    expect(arePackagesInstalled(root)).toBe(false);
    write("package-lock.json", null);
    expect(areInstalledWith({ "node_modules/used": { version: "1.0.0" } })).toBe(false);
  });
});
