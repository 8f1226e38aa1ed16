/** What a run of vitest came to, as a file: `npm test` puts several of them together. */
import { writeFileSync } from "node:fs";
import type { SerializedError, TestCase, TestModule } from "vitest/node";
import type { Reporter } from "vitest/reporters";

export interface TestReport {
  readonly passed: number;
  /** Neither passed nor failed. */
  readonly notRun: number;
  /** One line each: where, and the first line of why. */
  readonly failures: readonly string[];
  /** Tests that passed at the second try. */
  readonly flaky: readonly string[];
}

/** Where the report goes. */
export const REPORT_VARIABLE = "HIROBA_TEST_REPORT";

const firstLine = (error: SerializedError | undefined) => error?.message.split("\n")[0] ?? "";
const nameOf = (test: TestCase) => `${test.module.relativeModuleId} › ${test.fullName}`;

export default class TestReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const file = process.env[REPORT_VARIABLE];
    if (!file) return;
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const stateOf = (test: TestCase) => test.result().state;
    const report: TestReport = {
      passed: tests.filter((test) => stateOf(test) === "passed").length,
      notRun: tests.filter((test) => !["passed", "failed"].includes(stateOf(test))).length,
      failures: [
        ...tests
          .filter((test) => stateOf(test) === "failed")
          .map((test) => `${nameOf(test)}: ${firstLine(test.result().errors?.[0])}`),
        ...modules.flatMap((module) =>
          module.errors().map((error) => `${module.relativeModuleId}: ${firstLine(error)}`),
        ),
        ...unhandled.map(firstLine),
      ],
      flaky: tests.filter((test) => test.diagnostic()?.flaky).map(nameOf),
    };
    writeFileSync(file, JSON.stringify(report));
  }
}
