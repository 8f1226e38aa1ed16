import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { compareAndCommit, findRegressions } from "./isolate-cpu";

it("reports the pages that need over 15 % more processor time than before", () => {
  const figure = (key: string, relative: number) => ({ key, name: key, relative });
  const figures = [figure("a", 1.14), figure("b", 1.16), figure("c", 0.5), figure("new", 9)];
  expect(findRegressions(figures, { a: 1, b: 1, c: 1 })).toEqual(["b: 1.16 instead of 1.00"]);
});

it("compares figures with those committed before, also if it then writes them", () => {
  const folder = mkdtempSync(join(tmpdir(), "hiroba-bench-"));
  try {
    const file = join(folder, "committed.json");
    writeFileSync(file, '{"a":1}');
    const figures = [{ key: "a", name: "a", relative: 2.00049 }];
    expect(compareAndCommit(figures, file, { compares: true, writes: false })).toHaveLength(1);
    expect(compareAndCommit(figures, file, { compares: true, writes: true })).toHaveLength(1);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ a: 2 });
    expect(compareAndCommit(figures, file, { compares: true, writes: false })).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
