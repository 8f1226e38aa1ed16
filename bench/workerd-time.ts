import { readdirSync, readFileSync } from "node:fs";

/** Clock ticks per second in /proc, the same on every Linux that Node runs on (`getconf CLK_TCK`). */
const TICKS_PER_SECOND = 100;

interface Process {
  readonly name: string;
  readonly parent: number;
  readonly ticks: number;
}

/** proc_pid_stat(5): the name is in parentheses and may contain any character; utime and stime are fields 14 and 15. */
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

/** The workerd processes that this program started; null if none is found. */
function ownWorkerdProcesses(): readonly (Process & { readonly pid: string })[] | null {
  let pids: string[];
  try {
    pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return null;
  }
  const ownProcesses = pids.flatMap((pid) => {
    const stat = readProcess(pid);
    return stat && stat.parent === process.pid && stat.name.startsWith("workerd") ? [{ ...stat, pid }] : [];
  });
  return ownProcesses.length === 0 ? null : ownProcesses;
}

/**
 * CPU seconds of the workerd processes that this program started; null if none is found. Unlike requests per second, it hardly changes
 * when other programs are busy.
 */
export function workerdSeconds(): number | null {
  const ownProcesses = ownWorkerdProcesses();
  return ownProcesses && ownProcesses.reduce((sum, { ticks }) => sum + ticks, 0) / TICKS_PER_SECOND;
}

/** Resident bytes of the workerd processes that this program started (proc_pid_status(5), VmRSS); null if none is found. */
export function workerdBytes(): number | null {
  const ownProcesses = ownWorkerdProcesses();
  if (!ownProcesses) return null;
  return ownProcesses.reduce((sum, { pid }) => {
    const [, kilobytes = "0"] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return sum + Number(kilobytes) * 1024;
  }, 0);
}
