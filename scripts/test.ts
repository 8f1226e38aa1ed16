import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { browserPath } from "./lib/browser";
import { buildProduct } from "./lib/build";
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

const run = (command: string, args: string[]) =>
  spawnSync(fromRoot("node_modules", ".bin", command), args, {
    cwd: ROOT,
    stdio: "inherit",
    shell: process.platform === "win32",
  }).status === 0;

const reports = fromRoot(".cache", "test-reports");
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

function vitest(project: string): { ok: boolean; note: string } {
  const file = `${reports}/${project}.json`;
  const ok = run("vitest", [
    "run",
    "--project",
    project,
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${file}`,
  ]);
  const report = JSON.parse(readFileSync(file, "utf8")) as Record<string, number>;
  const { numPassedTests = 0, numFailedTests = 0, numPendingTests = 0, numTodoTests = 0 } = report;
  const left = numPendingTests + numTodoTests;
  return {
    ok: ok && numFailedTests === 0 && left === 0 && numPassedTests > 0,
    note: `${numPassedTests} passed, ${numFailedTests} failed${left ? `, ${left} not run` : ""}`,
  };
}

await step("types", async () => ({ ok: run("tsc", ["--noEmit"]) }));
await step("lint and format", async () => ({ ok: run("biome", ["check", "."]) }));
await step("rules and components", async () => vitest("unit"));
await step("services, data and API", async () => vitest("worker"));
const built = await step("build", async () => {
  const fresh = await buildProduct({ quiet: true });
  return { ok: true, note: fresh ? "built" : "up to date" };
});
if (built) {
  await step("browser", async () => {
    console.log(`Browser: ${(await browserPath()).replace(ROOT, ".")}`);
    return vitest("browser");
  });
}

console.log("\n── totals");
for (const { name, ok, seconds, note } of results)
  console.log(`${ok ? "ok  " : "FAIL"}  ${name.padEnd(24)} ${seconds.toFixed(1).padStart(6)} s  ${note}`);
process.exit(results.every((result) => result.ok) ? 0 : 1);
