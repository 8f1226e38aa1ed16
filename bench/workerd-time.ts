import { readdirSync, readFileSync } from "node:fs";

/** Ticks a second of /proc, the same on every Linux that Node runs on (`getconf CLK_TCK`). */
const TICKS = 100;

interface Process {
  readonly name: string;
  readonly parent: number;
  readonly ticks: number;
}

/** proc_pid_stat(5): the name stands in parentheses and may hold anything; utime and stime are fields 14 and 15. */
function readProcess(pid: string): Process | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const nameEnd = text.lastIndexOf(")");
    const fields = text.slice(nameEnd + 2).split(" ");
    return {
      name: text.slice(text.indexOf("(") + 1, nameEnd),
      parent: Number(fields[1]),
      ticks: Number(fields[11]) + Number(fields[12]),
    };
  } catch {
    return null;
  }
}

/**
 * Seconds of processor time that this program's own workerd has used; null on systems that do not tell. Unlike requests a
 * second it hardly changes when other programs are busy.
 */
export function workerdSeconds(): number | null {
  let pids: string[];
  try {
    pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return null;
  }
  const own = pids
    .map(readProcess)
    .filter((found) => found !== null && found.parent === process.pid && found.name.startsWith("workerd"));
  if (own.length === 0) return null;
  return own.reduce((sum, found) => sum + (found?.ticks ?? 0), 0) / TICKS;
}
