import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { makeDemoAssets } from "../seed/assets";
import { browserPath } from "./lib/browser";
import { buildProduct, keepBuild } from "./lib/build";
import { fromRoot, ROOT } from "./lib/paths";

/** `npm test`: everything that must hold, quickest first. Goes on after a failure, so that one run tells all of it. */
const results: { name: string; ok: boolean; seconds: number; note: string }[] = [];

async function step(name: string, work: () => Promise<{ ok: boolean; note?: string }>): Promise<boolean> {
  console.log(`\n── ${name}`);
  const from = performance.now();
  let outcome: { ok: boolean; note?: string };
  try {
    outcome = await work();
  } catch (error) {
    outcome = { ok: false, note: error instanceof Error ? error.message : String(error) };
  }
  results.push({
    name,
    ok: outcome.ok,
    seconds: (performance.now() - from) / 1000,
    note: outcome.note ?? "",
  });
  return outcome.ok;
}

/** Runs a tool of the project. With `together`, its output comes in one piece when it has ended. */
async function run(command: string, args: string[], { together = false } = {}): Promise<boolean> {
  const child = spawn(fromRoot("node_modules", ".bin", command), args, {
    cwd: ROOT,
    stdio: together ? ["ignore", "pipe", "pipe"] : "inherit",
    shell: process.platform === "win32",
  });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => output.push(chunk));
  const [code] = await once(child, "close");
  if (together) process.stdout.write(Buffer.concat(output));
  return code === 0;
}

const reports = fromRoot(".cache", "test-reports");
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

interface Suite {
  readonly project: string;
  /** Names the report. */
  readonly name?: string;
  readonly args?: readonly string[];
}

/** Runs vitest's projects, or parts of one, at the same time. */
async function vitest(...suites: readonly Suite[]): Promise<{ ok: boolean; note: string }> {
  const outcomes = await Promise.all(
    suites.map(async ({ project, name = project, args = [] }) => {
      const file = `${reports}/${name}.json`;
      const ok = await run(
        "vitest",
        [
          "run",
          "--project",
          project,
          ...args,
          "--reporter=default",
          "--reporter=json",
          `--outputFile.json=${file}`,
        ],
        { together: suites.length > 1 },
      );
      return { ok, report: JSON.parse(readFileSync(file, "utf8")) as Record<string, number> };
    }),
  );
  const sum = (key: string) => outcomes.reduce((all, { report }) => all + (report[key] ?? 0), 0);
  const [passed, failed] = [sum("numPassedTests"), sum("numFailedTests")];
  const left = sum("numPendingTests") + sum("numTodoTests");
  return {
    ok: outcomes.every(({ ok }) => ok) && failed === 0 && left === 0 && passed > 0,
    note: `${passed} passed, ${failed} failed${left ? `, ${left} not run` : ""}`,
  };
}

/** What draws in 3D keeps a processor busy, and pages wait most of the time: each gets a product of its own. */
const STAGE = ["tests/viewer", "tests/kit", "tests/app/viewer"];

await step("types", async () => ({ ok: await run("tsc", ["--noEmit"]) }));
await step("lint and format", async () => ({ ok: await run("biome", ["check", "."]) }));
await step("rules, components, services", () => vitest({ project: "unit" }, { project: "worker" }));
const built = await step("build", async () => {
  const fresh = await buildProduct({ quiet: true });
  keepBuild();
  await makeDemoAssets(fromRoot(".cache", "demo"), () => {});
  return { ok: true, note: fresh ? "built" : "up to date" };
});
if (built) {
  await step("browser", async () => {
    console.log(`Browser: ${(await browserPath()).replace(ROOT, ".")}`);
    return vitest(
      { project: "browser", name: "browser-stage", args: STAGE },
      {
        project: "browser",
        name: "browser-pages",
        args: STAGE.flatMap((part) => ["--exclude", `${part}**`]),
      },
    );
  });
}

console.log("\n── totals");
for (const { name, ok, seconds, note } of results)
  console.log(`${ok ? "ok  " : "FAIL"}  ${name.padEnd(24)} ${seconds.toFixed(1).padStart(6)} s  ${note}`);
process.exit(results.every((result) => result.ok) ? 0 : 1);
