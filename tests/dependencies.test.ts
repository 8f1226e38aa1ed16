import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { LICENCES_FILE, licenceList } from "../scripts/lib/licences";
import { fromRoot } from "../scripts/lib/paths";

interface PackageFile {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly overrides: Readonly<Record<string, unknown>>;
}

const read = (path: string) => readFileSync(fromRoot(path), "utf8");
const packageFile = JSON.parse(read("package.json")) as PackageFile;

/** Cells of the tables below the matching headings of docs/dependencies.md, without header rows. */
const rowsBelow = (heading: RegExp): readonly (readonly string[])[] =>
  read("docs/dependencies.md")
    .split(/^## /m)
    .filter((section) => heading.test(section.split("\n", 1)[0] ?? ""))
    .flatMap((section) => section.split("\n").filter((line) => line.startsWith("|")))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    .filter(([first = ""]) => !/^(-+|package|override)$/.test(first));

describe("the table of dependencies", () => {
  const rows = rowsBelow(/^(In the product|For building)/);

  it("lists every direct dependency exactly once", () => {
    const listed = rows.flatMap(([names = ""]) => names.split(", "));
    const direct = [
      packageFile.dependencies,
      packageFile.devDependencies,
      packageFile.optionalDependencies,
    ].flatMap(Object.keys);
    expect(listed.sort()).toEqual(direct.sort());
  });

  it("gives a reason and the alternatives for each", () => {
    expect(rows.filter((row) => row.length !== 3 || row.includes(""))).toEqual([]);
  });

  it("gives a reason for every override, and no override is an alias of another package", () => {
    const overrideRows = rowsBelow(/^Overrides/);
    expect(overrideRows.filter((row) => row.length !== 2 || row.includes(""))).toEqual([]);
    const listed = overrideRows.flatMap(([names = ""]) => names.split(", "));
    expect(listed.map((name) => name.split(" → ")[0]).sort()).toEqual(
      Object.keys(packageFile.overrides).sort(),
    );
    expect(JSON.stringify(packageFile.overrides)).not.toContain("npm:");
  });
});

it("the list of licences matches the lock file (npm run licences)", () => {
  expect(readFileSync(LICENCES_FILE, "utf8")).toBe(licenceList());
});
