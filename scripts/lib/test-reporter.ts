/** Writes the result of a vitest run to a file. `npm test` combines several of these files. */
import { writeFileSync } from "node:fs";
import type { SerializedError, TestCase, TestModule } from "vitest/node";
import type { Reporter } from "vitest/reporters";

export interface FileReport {
  /** Path relative to the project's folder. */
  readonly file: string;
  readonly passed: number;
  /** Number of tests that neither passed nor failed; 1 for a file that was not started, whose tests are unknown. */
  readonly notRun: number;
  /** One line per failure: the name of the test or file, and the first line of the error. */
  readonly failures: readonly string[];
}

export interface TestReport {
  readonly files: readonly FileReport[];
  /** Errors that belong to no file, one line each. */
  readonly errors: readonly string[];
}

/** Environment variable with the path of the report. */
export const REPORT_VARIABLE = "HIROBA_TEST_REPORT";

const firstLine = (error: SerializedError | undefined) => error?.message.split("\n")[0] ?? "";
const nameOf = (test: TestCase) => `${test.module.relativeModuleId} › ${test.fullName}`;

export default class TestReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const file = process.env[REPORT_VARIABLE];
    if (!file) return;
    const report: TestReport = {
      files: modules.map((module) => {
        const tests = [...module.children.allTests()];
        const stateOf = (test: TestCase) => test.result().state;
        // When vitest ends after too many failures, it reports the files that it has not started without tests.
        const isStarted = tests.length > 0 || module.errors().length > 0;
        return {
          file: module.relativeModuleId,
          passed: tests.filter((test) => stateOf(test) === "passed").length,
          notRun: isStarted
            ? tests.filter((test) => !["passed", "failed"].includes(stateOf(test))).length
            : 1,
          failures: [
            ...tests
              .filter((test) => stateOf(test) === "failed")
              .map((test) => `${nameOf(test)}: ${firstLine(test.result().errors?.[0])}`),
            ...module.errors().map((error) => `${module.relativeModuleId}: ${firstLine(error)}`),
          ],
        };
      }),
      errors: unhandled.map(firstLine),
    };
    writeFileSync(file, JSON.stringify(report));
  }
}
