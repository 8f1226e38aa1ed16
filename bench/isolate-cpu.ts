/** Measures how much processor time the product's isolate needs for a page, by V8's CPU profiler. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { computeSpread } from "./spread";
import { workerdSeconds } from "./workerd-time";

/** A page whose processor time is measured. */
export interface CpuScenario {
  readonly key: string;
  readonly name: string;
  /** One path, or a path for each request, so that every page is cold. The first of these requests are the warm-up. */
  readonly paths: readonly string[];
  readonly headers?: Record<string, string>;
  readonly status?: number;
}

/** Processor time of one page, medians of batches in milliseconds. */
export interface CpuFigure {
  readonly key: string;
  readonly name: string;
  /** Time in the isolate, without D1 and the platform's own work. */
  readonly isolateMs: number;
  /** Time of the whole workerd process; null on systems that do not report it. */
  readonly processMs: number | null;
  /** Time in the isolate, in units of a fixed piece of work in the same minute: comparable between machines and loads. */
  readonly relative: number;
  readonly bytes: number;
}

/** Number of batches. Their median is the figure of a page. */
const BATCHES = 5;
/** Requests of a batch. */
const BATCH_REQUESTS = 20;
/** Requests before the measurement, in which V8 compiles the code of the page. bench/cold-isolate.ts measures the first page of an isolate. */
const WARM_UP = 100;
/** Time between two samples of the profiler. */
const SAMPLE_MICROSECONDS = 200;
/** Names of the profiler's nodes for time in which no script runs. */
const IDLE = /^\((?:idle|program|root)\)$/;

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string };
}

/** Opens the inspector of a worker. */
async function openInspector(inspector: URL, worker: string) {
  const targets = (await (await fetch(new URL("/json", inspector.href.replace(/^ws/, "http")))).json()) as {
    id: string;
    webSocketDebuggerUrl: string;
  }[];
  const target = targets.find(({ id }) => id.endsWith(worker));
  if (!target) throw new Error(`No inspector for ${worker}`);
  const { pathname } = new URL(target.webSocketDebuggerUrl);
  const socket = new WebSocket(new URL(pathname, inspector));
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  const pendingCalls = new Map<number, (result: unknown) => void>();
  socket.onmessage = ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id?: number; result?: unknown };
    if (id !== undefined) pendingCalls.get(id)?.(result);
  };
  let lastId = 0;
  const send = <T>(method: string, params: object = {}) =>
    new Promise<T>((resolve) => {
      lastId += 1;
      pendingCalls.set(lastId, resolve as (result: unknown) => void);
      socket.send(JSON.stringify({ id: lastId, method, params }));
    });
  return { send, close: () => socket.close() };
}

/**
 * Nanoseconds for which the main threads of the workerd processes of this program ran, and waited for a processor (proc_pid_schedstat). Both are 0 on
 * systems without /proc.
 */
function readSchedule(): { readonly run: number; readonly wait: number } {
  let [run, wait] = [0, 0];
  if (!existsSync("/proc")) return { run, wait };
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
      if (!stat.includes("(workerd") || parent !== process.pid) continue;
      const [runNs = 0, waitNs = 0] = readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ").map(Number);
      run += runNs;
      wait += waitNs;
    } catch {
      // The process has ended.
    }
  }
  return { run, wait };
}

/** Milliseconds of processor time of a fixed piece of work in this process. */
function measureReferenceMs(): number {
  const rows = Array.from({ length: 400 }, (_, index) => ({
    id: index,
    name: `row ${index}`,
    parts: [index, index + 1],
  }));
  const before = process.threadCpuUsage();
  for (let round = 0; round < 20; round++) JSON.parse(JSON.stringify(rows));
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/**
 * Measures the pages one after the other. The profiler samples by the clock, so its times are reduced by the share for which the thread
 * waited for a processor.
 * @param inspector the inspector of Miniflare
 * @param worker name of the worker, whose socket is at `origin`
 */
export async function measureCpu(
  { inspector, worker, origin }: { readonly inspector: URL; readonly worker: string; readonly origin: URL },
  scenarios: readonly CpuScenario[],
): Promise<CpuFigure[]> {
  const { send, close } = await openInspector(inspector, worker);
  await send("Profiler.enable");
  await send("Profiler.setSamplingInterval", { interval: SAMPLE_MICROSECONDS });
  const figures: CpuFigure[] = [];
  for (const { key, name, paths, headers = {}, status = 200 } of scenarios) {
    let [nextPath, bytes] = [0, 0];
    const request = async () => {
      const path = paths[nextPath++ % paths.length] ?? "";
      const response = await fetch(new URL(path, origin), { headers, redirect: "manual" });
      bytes = (await response.arrayBuffer()).byteLength;
      if (response.status !== status) throw new Error(`${name} returned ${response.status}`);
    };
    const warmUp = paths.length === 1 ? WARM_UP : paths.length - BATCHES * BATCH_REQUESTS;
    for (let count = 0; count < warmUp; count++) await request();
    const batches = [];
    for (let batch = 0; batch < BATCHES; batch++) {
      const referenceBefore = measureReferenceMs();
      const [scheduleBefore, processBefore] = [readSchedule(), workerdSeconds()];
      await send("Profiler.start");
      for (let count = 0; count < BATCH_REQUESTS; count++) await request();
      const { profile } = await send<{
        profile: { nodes: ProfileNode[]; samples: number[]; timeDeltas: number[] };
      }>("Profiler.stop");
      const [scheduleAfter, processAfter] = [readSchedule(), workerdSeconds()];
      const runNs = scheduleAfter.run - scheduleBefore.run;
      const runShare = runNs > 0 ? runNs / (runNs + scheduleAfter.wait - scheduleBefore.wait) : 1;
      const idleNodeIds = new Set(
        profile.nodes.filter(({ callFrame }) => IDLE.test(callFrame.functionName)).map(({ id }) => id),
      );
      const busyMicroseconds = profile.samples.reduce(
        (sum, nodeId, index) =>
          sum + (idleNodeIds.has(nodeId) ? 0 : Math.max(0, profile.timeDeltas[index + 1] ?? 0)),
        0,
      );
      const isolateMs = (busyMicroseconds / 1000 / BATCH_REQUESTS) * runShare;
      batches.push({
        isolateMs,
        processMs:
          processBefore === null || processAfter === null
            ? null
            : ((processAfter - processBefore) * 1000) / BATCH_REQUESTS,
        relative: isolateMs / ((referenceBefore + measureReferenceMs()) / 2),
      });
    }
    figures.push({
      key,
      name,
      bytes,
      isolateMs: computeSpread(batches.map((batch) => batch.isolateMs)).median,
      processMs: batches.some(({ processMs }) => processMs === null)
        ? null
        : computeSpread(batches.map(({ processMs }) => processMs ?? 0)).median,
      relative: computeSpread(batches.map(({ relative }) => relative)).median,
    });
  }
  close();
  return figures;
}

/** Number of requests of a cold page, with the warm-up: each of its paths is requested once. */
export const COLD_REQUESTS = WARM_UP + BATCHES * BATCH_REQUESTS;

/** Share by which a page may need more processor time than its committed figure. */
const REGRESSION = 0.15;

/** Describes the pages that need more processor time than REGRESSION allows. Pages without a committed figure are left out. */
export const findRegressions = (
  figures: readonly Pick<CpuFigure, "key" | "name" | "relative">[],
  committed: Readonly<Record<string, number>>,
): string[] =>
  figures.flatMap(({ key, name, relative }) => {
    const committedFigure = committed[key];
    return committedFigure !== undefined && relative > committedFigure * (1 + REGRESSION)
      ? [`${name}: ${relative.toFixed(2)} instead of ${committedFigure.toFixed(2)}`]
      : [];
  });

/**
 * Compares figures with the committed file (if `compares`), then replaces the file (if `writes`).
 * @returns the regressions
 */
export function compareAndCommit(
  figures: readonly Pick<CpuFigure, "key" | "name" | "relative">[],
  file: string,
  { compares, writes }: { readonly compares: boolean; readonly writes: boolean },
): string[] {
  const slower = compares
    ? findRegressions(figures, JSON.parse(readFileSync(file, "utf8")) as Record<string, number>)
    : [];
  const committed = Object.fromEntries(
    figures.map(({ key, relative }) => [key, Number(relative.toFixed(3))]),
  );
  if (writes) writeFileSync(file, `${JSON.stringify(committed, null, 2)}\n`);
  return slower;
}
