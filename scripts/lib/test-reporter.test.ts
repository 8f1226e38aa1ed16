import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import type { TestModule } from "vitest/node";
import TestReporter, { REPORT_VARIABLE, type TestReport } from "./test-reporter";

const folder = mkdtempSync(join(tmpdir(), "test-reporter-"));
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** A file's result, as vitest gives it to a reporter. */
const moduleOf = (
  name: string,
  states: readonly ("passed" | "failed" | "skipped" | "pending")[],
  errors: readonly string[] = [],
) => {
  const module = {
    relativeModuleId: name,
    errors: () => errors.map((message) => ({ message })),
  };
  const tests = states.map((state) => ({ module, fullName: state, result: () => ({ state }) }));
  return { ...module, children: { allTests: () => tests } } as unknown as TestModule;
};

it("counts tests that did not run, and files that vitest did not start after too many failures", () => {
  const file = join(folder, "report.json");
  vi.stubEnv(REPORT_VARIABLE, file);
  const modules = [
    moduleOf("ended", ["passed", "failed", "skipped", "pending"]),
    moduleOf("complete", ["passed", "passed"]),
    moduleOf("broken", [], ["No such module"]),
    moduleOf("not started", []),
  ];
  new TestReporter().onTestRunEnd(modules, []);
  const { files } = JSON.parse(readFileSync(file, "utf8")) as TestReport;
  expect(files.map(({ passed, notRun, failures }) => [passed, notRun, failures.length])).toEqual([
    [1, 2, 1],
    [2, 0, 0],
    [0, 0, 1],
    [0, 1, 0],
  ]);
});
