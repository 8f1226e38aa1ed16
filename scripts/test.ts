import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import { FILLED_VARIABLE, fill } from "../tests/support/filled";
import { browserPath } from "./lib/browser";
import { buildProduct } from "./lib/build";
import { keepBuild } from "./lib/build-state";
import { fromRoot, ROOT } from "./lib/paths";
import { REPORT_VARIABLE, type TestReport } from "./lib/test-reporter";

/** `npm test`: everything that must hold. Goes on after a failure, so that one run tells all of it. */

interface Outcome {
  readonly ok: boolean;
  readonly note?: string;
  readonly report?: TestReport;
}

interface Task {
  readonly name: string;
  /** Names of tasks that must have ended well before. */
  readonly after?: readonly string[];
  readonly work: () => Promise<Outcome>;
  /** Runs some of the task's files again. Only tests have it. */
  readonly again?: (files: readonly string[]) => Promise<Outcome>;
}

/** Room that the databases and browsers of all tests never need, in bytes. */
const ROOM = 4 * 2 ** 30;

/** Where they keep what goes with them: in memory where that has the room, which saves a tenth of the processor that databases take. */
function temporaryFolder(): string {
  const memory = "/dev/shm";
  try {
    const { bavail, bsize } = statfsSync(memory);
    if (bavail * bsize >= ROOM) return mkdtempSync(join(memory, "hiroba-tests-"));
  } catch {
    // A machine without it.
  }
  return mkdtempSync(join(tmpdir(), "hiroba-tests-"));
}

const temporary = temporaryFolder();
process.on("exit", () => rmSync(temporary, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1));
/** Found before, as it may unpack itself where temporary files are. */
const browser = await browserPath();

/** Runs a tool of the project; its output comes in one piece when it has ended. */
async function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<boolean> {
  const child = spawn(isAbsolute(command) ? command : fromRoot("node_modules", ".bin", command), args, {
    cwd: ROOT,
    // A dozen of these processes compile the same tools; the first of them does it for all.
    env: {
      NODE_COMPILE_CACHE: fromRoot(".cache", "compiled"),
      ...process.env,
      TMPDIR: temporary,
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

/** What products with the demo start from. */
const filled = fromRoot(".cache", "filled");

async function vitest(name: string, project: string, files: readonly string[] = []): Promise<Outcome> {
  const file = `${reportFolder}/${name}.json`;
  const reporters = ["--reporter=default", "--reporter=./scripts/lib/test-reporter.ts"];
  await run("vitest", ["run", "--project", project, ...files, ...reporters], {
    [REPORT_VARIABLE]: file,
    [FILLED_VARIABLE]: filled,
  });
  return outcomeOf(JSON.parse(readFileSync(file, "utf8")) as TestReport);
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

/** The part of the pages' tests that takes what no other names. */
const OTHERS = "others";

/**
 * Parts of the pages' tests, each with a product and browsers of its own, whose start takes six seconds of a processor; the
 * longest first, so that short ones fill the end.
 */
const PAGES: Readonly<Record<string, readonly string[]>> = {
  "shop and people": ["shop", "store", "owner", "people", "account"],
  "media and doors": [
    "library",
    "media",
    "uploads",
    "sources",
    "web-media",
    "passwords",
    "login",
    "bad-input",
  ],
  [OTHERS]: [],
  editor: ["editor", "scene", "touch", "history", "showcase", "share"],
  screens: ["screens", "viewer", "bundle"],
};

function pageTasks(): Task[] {
  const all = readdirSync(fromRoot("tests", "app")).filter((name) => name.endsWith(".browser.test.ts"));
  const isOf = (part: string) => (name: string) =>
    PAGES[part]?.some((start) => name.startsWith(start)) ?? false;
  const named = new Set(Object.keys(PAGES).flatMap((part) => all.filter(isOf(part))));
  return Object.keys(PAGES).map((part) => {
    const files = part === OTHERS ? all.filter((name) => !named.has(name)) : all.filter(isOf(part));
    return {
      after: ["filling"],
      ...testTask(
        `pages: ${part}`,
        "browser",
        files.map((name) => `tests/app/${name}`),
      ),
    };
  });
}

function testTask(name: string, project: string, files: readonly string[] = []): Task {
  const report = name.replaceAll(/[: ]+/g, "-");
  return {
    name,
    work: () => vitest(report, project, files),
    again: (some) => vitest(`${report}-again`, project, some),
  };
}

const tasks: readonly Task[] = [
  {
    name: "build",
    work: async () => {
      const fresh = await buildProduct({ quiet: true });
      keepBuild();
      return { ok: true, note: fresh ? "built" : "up to date" };
    },
  },
  {
    name: "filling",
    after: ["build"],
    work: async () => {
      rmSync(filled, { recursive: true, force: true });
      await fill(filled);
      return { ok: true };
    },
  },
  // The longest first, so that short ones fill the end.
  testTask("services", "worker"),
  testTask("stage", "stage"),
  ...pageTasks(),
  {
    name: "types",
    // The compiler in Go takes a third of the work; the one in JavaScript is here for those who call it as a library. Several
    // checkers at a time find the same types again each for itself, and the other tasks have the processors meanwhile.
    work: async () => ({
      ok:
        (await run("tsx", ["scripts/api-types.ts"])) &&
        (await run(
          process.execPath,
          [
            fromRoot("node_modules", "typescript-native", "bin", "tsc"),
            ...["--noEmit", "--incremental", "false", "--singleThreaded"],
          ],
          // It looks for memory to give back less often, which is a quarter of its work.
          { GOGC: "800" },
        )),
    }),
  },
  { name: "lint and format", work: async () => ({ ok: await run("biome", ["check", "."]) }) },
  testTask("rules and components", "unit"),
];

const results = new Map<Task, Outcome & { readonly seconds: number }>();
const started = new Set<Task>();
const begin = performance.now();

async function perform(task: Task): Promise<void> {
  const from = performance.now();
  let outcome: Outcome;
  try {
    outcome = await task.work();
  } catch (error) {
    outcome = { ok: false, note: error instanceof Error ? error.message : String(error) };
  }
  const seconds = (performance.now() - from) / 1000;
  results.set(task, { ...outcome, seconds });
  console.log(`── ${task.name}: ${outcome.ok ? "ok" : "FAILED"} after ${seconds.toFixed(0)} s\n`);
}

const resultOf = (name: string) => {
  const task = tasks.find((each) => each.name === name);
  return task && results.get(task);
};

/** Takes one task after the other as soon as it may begin. */
async function work(): Promise<void> {
  for (;;) {
    const waiting = tasks.filter((task) => !started.has(task));
    if (waiting.length === 0) return;
    const next = waiting.find((task) => (task.after ?? []).every((name) => resultOf(name)));
    if (!next) {
      await new Promise((done) => setTimeout(done, 100));
      continue;
    }
    started.add(next);
    const missing = next.after?.find((name) => !resultOf(name)?.ok);
    if (missing) results.set(next, { ok: false, note: `needs ${missing}`, seconds: 0 });
    else await perform(next);
  }
}

console.log(`Browser: ${browser.replace(ROOT, ".")}`);
// One more than there are processors, because a test in a browser waits for much of its time.
await Promise.all(Array.from({ length: availableParallelism() + 1 }, work));

/**
 * Runs the files with failures a second time, when nothing else runs: beside other work, a machine can be too slow for a
 * browser, or for a test with a time limit. Returns the failures that did not happen again.
 */
async function tryAgain(): Promise<readonly string[]> {
  const gone: string[] = [];
  for (const [task, first] of results) {
    const files = first.report?.files ?? [];
    const failed = files.filter(({ failures, notRun }) => failures.length > 0 || notRun > 0);
    if (!task.again || failed.length === 0) continue;
    console.log(`── ${task.name}: again, as nothing else runs: ${failed.map(({ file }) => file).join(", ")}`);
    const second = (await task.again(failed.map(({ file }) => file))).report;
    if (!second) continue;
    const fileAgain = new Map(second.files.map((file) => [file.file, file]));
    const report = { ...second, files: files.map((file) => fileAgain.get(file.file) ?? file) };
    results.set(task, { ...outcomeOf(report), seconds: first.seconds });
    for (const { file, failures } of failed)
      if (fileAgain.get(file)?.failures.length === 0) gone.push(...failures);
  }
  return gone;
}

const gone = await tryAgain();

console.log("── totals");
const all = tasks.map((task) => ({ name: task.name, ...(results.get(task) ?? { ok: false, seconds: 0 }) }));
for (const { name, ok, seconds, note = "" } of all)
  console.log(`${ok ? "ok  " : "FAIL"}  ${name.padEnd(22)} ${seconds.toFixed(1).padStart(6)} s  ${note}`);
for (const failure of gone) console.log(`passed at the second try: ${failure}`);
const reports = all.flatMap(({ report }) => report ?? []);
const failures = reports.flatMap(failuresIn);
for (const failure of failures) console.log(`failed: ${failure}`);
console.log(`in ${((performance.now() - begin) / 1000).toFixed(0)} s`);
console.log(`${sumOf(reports.map(passedIn))} passed, ${failures.length} failed`);
process.exit(all.every(({ ok }) => ok) ? 0 : 1);
