import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { basename, isAbsolute, join } from "node:path";
import { SNAPSHOT_VARIABLE, seedSnapshot } from "../tests/support/app/seeded-snapshot";
import { browserPath } from "./lib/browser";
import { buildProduct } from "./lib/build/build";
import { copyBuild } from "./lib/build/build-state";
import { fromRoot, ROOT } from "./lib/paths";
import { REPORT_VARIABLE, type TestReport } from "./lib/test-reporter";

/**
 * `npm test`: builds the product, checks types, lint and format, and runs all tests. It continues after failures, so that one run reports them
 * together.
 */

/**
 * Number of failures after which a group of tests ends, because each test waits for its time limit when the product has stopped responding. The second run
 * starts a new product and also runs the tests that did not run.
 */
const MAX_FAILURES = 10;

interface Outcome {
  readonly ok: boolean;
  readonly note?: string;
  readonly report?: TestReport;
}

interface Task {
  readonly name: string;
  /** Names of tasks that must have succeeded before. */
  readonly after?: readonly string[];
  readonly work: () => Promise<Outcome>;
  /** Runs some of the task's files a second time. Only test tasks have it. */
  readonly rerun?: (files: readonly string[]) => Promise<Outcome>;
}

/** Free space, in bytes, that is always enough for the databases and browsers of all tests. */
const REQUIRED_FREE_BYTES = 4 * 2 ** 30;

/** Creates the folder for temporary files: in memory when it has enough space, which saves a tenth of the databases' CPU time. */
function temporaryFolder(): string {
  const memoryFolder = "/dev/shm";
  try {
    const { bavail, bsize } = statfsSync(memoryFolder);
    if (bavail * bsize >= REQUIRED_FREE_BYTES) return mkdtempSync(join(memoryFolder, "hiroba-tests-"));
  } catch {
    // The machine has no /dev/shm.
  }
  return mkdtempSync(join(tmpdir(), "hiroba-tests-"));
}

const tempFolder = temporaryFolder();
process.on("exit", () => rmSync(tempFolder, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1));
/** Determined here, because the tools have another TMPDIR, into which the browser might unpack itself. */
const browser = await browserPath();

/** Runs a tool of the project, and prints its whole output when it has ended. */
async function runTool(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<boolean> {
  const child = spawn(isAbsolute(command) ? command : fromRoot("node_modules", ".bin", command), args, {
    cwd: ROOT,
    // About a dozen of these processes compile the same tools. The first one fills this cache for all.
    env: {
      NODE_COMPILE_CACHE: fromRoot(".cache", "compiled"),
      ...process.env,
      TMPDIR: tempFolder,
      CHROME_PATH: browser,
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
    shell: process.platform === "win32",
  });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => output.push(chunk));
  const [code] = await once(child, "close");
  process.stdout.write(Buffer.concat(output));
  return code === 0;
}

const reportFolder = fromRoot(".cache", "test-reports");
rmSync(reportFolder, { recursive: true, force: true });
mkdirSync(reportFolder, { recursive: true });

/** Snapshot of the seeded demo, from which test products start. */
const snapshotFolder = fromRoot(".cache", "test-snapshot");

async function runVitest(name: string, project: string, files: readonly string[] = []): Promise<Outcome> {
  const reportFile = `${reportFolder}/${name}.json`;
  const reporters = ["--reporter=default", "--reporter=./scripts/lib/test-reporter.ts"];
  await runTool("vitest", ["run", "--project", project, `--bail=${MAX_FAILURES}`, ...files, ...reporters], {
    [REPORT_VARIABLE]: reportFile,
    [SNAPSHOT_VARIABLE]: snapshotFolder,
  });
  return outcomeOf(JSON.parse(readFileSync(reportFile, "utf8")) as TestReport);
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
const passedIn = (report: TestReport) => sumOf(report.files.map(({ passed }) => passed));
const failuresIn = (report: TestReport) => [
  ...report.files.flatMap(({ failures }) => failures),
  ...report.errors,
];

function outcomeOf(report: TestReport): Outcome {
  const passed = passedIn(report);
  const failed = failuresIn(report).length;
  const notRun = sumOf(report.files.map((file) => file.notRun));
  return {
    ok: failed === 0 && notRun === 0 && passed > 0,
    note: `${passed} passed, ${failed} failed${notRun ? `, ${notRun} not run` : ""}`,
    report,
  };
}

/** Name of the group of all files that are in no other group. */
const OTHER_PAGES = "others";

/**
 * Groups of page tests, by the start of their file names. Each group has a product and browsers of its own, whose start takes six
 * seconds of CPU time. The longest group is first, so that short ones fill the end of the run.
 */
const PAGE_GROUPS: Readonly<Record<string, readonly string[]>> = {
  [OTHER_PAGES]: [],
  "shop and people": ["shop", "store", "owner", "people", "account"],
  "media and log-in": [
    "library",
    "media",
    "uploads",
    "sources",
    "web-media",
    "passwords",
    "login",
    "bad-input",
    "scene-stage",
  ],
  editor: ["editor", "scene.", "showcase"],
  screens: ["screens", "touch", "history", "share", "viewer", "bundle"],
};

function pageTasks(): Task[] {
  const testFiles = readdirSync(fromRoot("tests", "e2e"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".browser.test.ts"))
    .map((path) => path.replaceAll("\\", "/"));
  const belongsTo = (group: string) => (path: string) =>
    PAGE_GROUPS[group]?.some((prefix) => basename(path).startsWith(prefix)) ?? false;
  const groupedFiles = new Set(
    Object.keys(PAGE_GROUPS).flatMap((group) => testFiles.filter(belongsTo(group))),
  );
  return Object.keys(PAGE_GROUPS).map((group) => {
    const files =
      group === OTHER_PAGES
        ? testFiles.filter((path) => !groupedFiles.has(path))
        : testFiles.filter(belongsTo(group));
    return {
      after: ["demo snapshot"],
      ...testTask(
        `pages: ${group}`,
        "browser",
        files.map((path) => `tests/e2e/${path}`),
      ),
    };
  });
}

function testTask(name: string, project: string, files: readonly string[] = []): Task {
  const report = name.replaceAll(/[: ]+/g, "-");
  return {
    name,
    work: () => runVitest(report, project, files),
    rerun: (failedFiles) => runVitest(`${report}-again`, project, failedFiles),
  };
}

const tasks: readonly Task[] = [
  {
    name: "build",
    work: async () => {
      const isRebuilt = await buildProduct({ quiet: true });
      copyBuild();
      return { ok: true, note: isRebuilt ? "built" : "up to date" };
    },
  },
  {
    name: "demo snapshot",
    after: ["build"],
    work: async () => {
      rmSync(snapshotFolder, { recursive: true, force: true });
      await seedSnapshot(snapshotFolder);
      return { ok: true };
    },
  },
  // The longest tasks are first, so that short ones fill the end of the run.
  testTask("stage", "stage"),
  ...pageTasks(),
  testTask("services", "worker"),
  {
    name: "types",
    // The compiler in Go needs a third of the work. It runs on a single thread because parallel checkers repeat each other's work, and
    // other tasks use the processors meanwhile. The compiler in JavaScript is installed for tools that use it as a library.
    work: async () => ({
      ok:
        (await runTool("tsx", ["scripts/api-types.ts"])) &&
        (await runTool(
          process.execPath,
          [
            fromRoot("node_modules", "typescript-native", "bin", "tsc"),
            ...["--noEmit", "--incremental", "false", "--singleThreaded"],
          ],
          // Runs the garbage collector less often, which saves a quarter of the work.
          { GOGC: "800" },
        )),
    }),
  },
  { name: "lint and format", work: async () => ({ ok: await runTool("biome", ["check", "."]) }) },
  testTask("rules and components", "unit"),
];

const results = new Map<Task, Outcome & { readonly seconds: number }>();
const startedTasks = new Set<Task>();
const startedAt = performance.now();

async function performTask(task: Task): Promise<void> {
  const taskStartedAt = performance.now();
  let outcome: Outcome;
  try {
    outcome = await task.work();
  } catch (error) {
    outcome = { ok: false, note: error instanceof Error ? error.message : String(error) };
  }
  const seconds = (performance.now() - taskStartedAt) / 1000;
  results.set(task, { ...outcome, seconds });
  console.log(`── ${task.name}: ${outcome.ok ? "ok" : "FAILED"} after ${seconds.toFixed(0)} s\n`);
}

const resultOf = (name: string) => {
  const task = tasks.find((candidate) => candidate.name === name);
  return task && results.get(task);
};

/** Runs one task after the other, each as soon as its prerequisites are met. Concurrent calls share the tasks. */
async function runTasks(): Promise<void> {
  for (;;) {
    const waitingTasks = tasks.filter((task) => !startedTasks.has(task));
    if (waitingTasks.length === 0) return;
    const nextTask = waitingTasks.find((task) => (task.after ?? []).every((name) => resultOf(name)));
    if (!nextTask) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      continue;
    }
    startedTasks.add(nextTask);
    const failedPrerequisite = nextTask.after?.find((name) => !resultOf(name)?.ok);
    if (failedPrerequisite)
      results.set(nextTask, { ok: false, note: `needs ${failedPrerequisite}`, seconds: 0 });
    else await performTask(nextTask);
  }
}

console.log(`Browser: ${browser.replace(ROOT, ".")}`);
// One more task than there are processors, because a browser test spends much of its time waiting.
await Promise.all(Array.from({ length: availableParallelism() + 1 }, runTasks));

/**
 * Runs the files that had failures or tests that did not run a second time, while nothing else runs: beside other work, a machine can
 * be too slow for a browser or for a test with a time limit. Returns the failures of files that had none the second time.
 */
async function rerunFailedFiles(): Promise<readonly string[]> {
  const recovered: string[] = [];
  for (const [task, firstResult] of results) {
    const files = firstResult.report?.files ?? [];
    const failedFiles = files.filter(({ failures, notRun }) => failures.length > 0 || notRun > 0);
    if (!task.rerun || failedFiles.length === 0) continue;
    console.log(
      `── ${task.name}: second run, while nothing else runs: ${failedFiles.map(({ file }) => file).join(", ")}`,
    );
    const rerunReport = (await task.rerun(failedFiles.map(({ file }) => file))).report;
    if (!rerunReport) continue;
    const rerunResults = new Map(rerunReport.files.map((file) => [file.file, file]));
    const report = { ...rerunReport, files: files.map((file) => rerunResults.get(file.file) ?? file) };
    results.set(task, { ...outcomeOf(report), seconds: firstResult.seconds });
    for (const { file, failures } of failedFiles)
      if (rerunResults.get(file)?.failures.length === 0) recovered.push(...failures);
  }
  return recovered;
}

const recovered = await rerunFailedFiles();

console.log("── totals");
const summaries = tasks.map((task) => ({
  name: task.name,
  ...(results.get(task) ?? { ok: false, seconds: 0 }),
}));
for (const { name, ok, seconds, note = "" } of summaries)
  console.log(`${ok ? "ok  " : "FAIL"}  ${name.padEnd(22)} ${seconds.toFixed(1).padStart(6)} s  ${note}`);
for (const failure of recovered) console.log(`passed in the second run: ${failure}`);
const reports = summaries.flatMap(({ report }) => report ?? []);
const failures = reports.flatMap(failuresIn);
for (const failure of failures) console.log(`failed: ${failure}`);
console.log(`in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
console.log(`${sumOf(reports.map(passedIn))} passed, ${failures.length} failed`);
process.exit(summaries.every(({ ok }) => ok) ? 0 : 1);
