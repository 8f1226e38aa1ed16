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

/** The processes of this program's own workerd; null on systems that do not tell. */
function ownWorkerd(): readonly (Process & { readonly pid: string })[] | null {
  let pids: string[];
  try {
    pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return null;
  }
  const own = pids.flatMap((pid) => {
    const found = readProcess(pid);
    return found && found.parent === process.pid && found.name.startsWith("workerd")
      ? [{ ...found, pid }]
      : [];
  });
  return own.length === 0 ? null : own;
}

/**
 * Seconds of processor time that this program's own workerd has used; null on systems that do not tell. Unlike requests a
 * second it hardly changes when other programs are busy.
 */
export function workerdSeconds(): number | null {
  const own = ownWorkerd();
  return own && own.reduce((sum, { ticks }) => sum + ticks, 0) / TICKS;
}

/** Bytes of this program's own workerd that are in memory (proc_pid_status(5), VmRSS); null on systems that do not tell. */
export function workerdBytes(): number | null {
  const own = ownWorkerd();
  if (!own) return null;
  return own.reduce((sum, { pid }) => {
    const [, kilobytes = "0"] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return sum + Number(kilobytes) * 1024;
  }, 0);
}
