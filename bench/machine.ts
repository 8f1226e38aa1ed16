import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cpus, loadavg, platform, release, totalmem } from "node:os";
import { fromRoot } from "../scripts/lib/paths";

/** The machine on which figures were measured. Absolute figures can only be compared with those of the same machine. */
export interface Machine {
  readonly date: string;
  readonly cpus: number;
  readonly cpuModel: string;
  readonly memoryGb: number;
  readonly system: string;
  readonly node: string;
  readonly workerd: string;
  readonly miniflare: string;
  /** The measured commit, with a + when files differed from it; empty outside of a repository. */
  readonly commit: string;
  /** Load of the machine before the run: the mean number of busy processes over one minute. */
  readonly loadBefore: number;
}

const packageVersion = (name: string): string =>
  (JSON.parse(readFileSync(fromRoot("node_modules", name, "package.json"), "utf8")) as { version: string })
    .version;

function readCommit(): string {
  const git = (...args: string[]) =>
    execFileSync("git", args, {
      cwd: fromRoot(),
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  try {
    return git("rev-parse", "--short", "HEAD") + (git("status", "--porcelain") === "" ? "" : "+");
  } catch {
    return "";
  }
}

/** Describes this machine. Call it before the measurements, because it includes the machine's load. */
export function describeMachine(): Machine {
  return {
    date: new Date().toISOString(),
    cpus: cpus().length,
    cpuModel: cpus()[0]?.model.trim() ?? "unknown",
    memoryGb: Math.round(totalmem() / 1024 ** 3),
    system: `${platform()} ${release()}`,
    node: process.version,
    workerd: packageVersion("workerd"),
    miniflare: packageVersion("miniflare"),
    commit: readCommit(),
    loadBefore: loadavg()[0] ?? 0,
  };
}
