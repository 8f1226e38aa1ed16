/** Measures start-ups of the built worker, of a bare worker with the same bindings and, if given, of an older build. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { Miniflare, type MiniflareOptions } from "miniflare";
import { moduleNames, startModules, workerModules } from "../scripts/lib/build/worker-modules";
import { localOptions } from "../scripts/lib/local/local-product";
import { fromRoot } from "../scripts/lib/paths";
import { barePage } from "./bare-workers";
import { bareWorker, type Worker } from "./bench-environment";
import { computeSpread, type Spread } from "./spread";
import { workerdSeconds } from "./workerd-time";

/** Figures of one worker. */
export interface WorkerStartUp {
  readonly key: "bare" | "product" | "productWithRooms" | "older";
  /** Bytes of all modules, and of those that run at the start. */
  readonly bytes: number;
  readonly startBytes: number;
  /** Milliseconds until the first response. They include the start of Miniflare and workerd. */
  readonly ms: Spread;
  /** Milliseconds of workerd's CPU time until then; null when the system does not report it. */
  readonly cpuMs: Spread | null;
  /** Median milliseconds in excess of the bare worker's. */
  readonly moreMs: number;
  readonly moreCpuMs: number | null;
}

/** Start-up times of all workers. */
export interface StartUpFigures {
  readonly runs: number;
  readonly workers: readonly WorkerStartUp[];
}

interface StartTimes {
  readonly ms: number;
  readonly cpuMs: number | null;
}

/** A path that every build serves without D1 and R2. */
const STATIC_PATH = "/version.txt";

/** Starts workers in a new workerd and measures the time until the first of these workers responds. */
async function measureStart(options: MiniflareOptions, workers: readonly Worker[]): Promise<StartTimes> {
  const startedAt = performance.now();
  const mf = new Miniflare({ ...options, workers } as unknown as MiniflareOptions);
  try {
    await mf.ready;
    const response = await fetch(new URL(STATIC_PATH, await mf.unsafeGetDirectURL(workers[0]?.name)));
    await response.arrayBuffer();
    const ms = performance.now() - startedAt;
    const cpuSeconds = workerdSeconds();
    if (!response.ok) throw new Error(`${workers[0]?.name} returned ${response.status}`);
    return { ms, cpuMs: cpuSeconds === null ? null : cpuSeconds * 1000 };
  } finally {
    await mf.dispose();
  }
}

const bytesOf = (folder: string, names: readonly string[]) =>
  names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);

/**
 * Measures alternating start-ups, each in a new process. The product starts once alone, like an older build, and once together with the worker
 * of the rooms (the Durable Objects), as with `npm start`. The product must have been built.
 * @param runs start-ups of each worker
 * @param older folder of another build's worker (its `build/worker`), or null
 */
export async function benchStartUp(
  runs: number,
  older: string | null,
  log: (line: string) => void,
): Promise<StartUpFigures> {
  const options = localOptions({ port: 0, state: null }) as unknown as { workers: Worker[] };
  const [product, rooms] = options.workers as [Worker, Worker];
  const { durableObjects: _, ...withoutRooms } = product as Worker & { durableObjects?: unknown };
  const builtFolder = fromRoot("build", "worker");
  const folders: readonly (readonly [WorkerStartUp["key"], string | null])[] = [
    ["bare", null],
    ["product", builtFolder],
    ["productWithRooms", builtFolder],
    ...(older === null ? [] : [["older", older] as const]),
  ];
  const bare = bareWorker("bare", barePage) as Worker & { modules: readonly { contents: string }[] };
  const workers = folders.map(([key, folder]) => ({
    key,
    folder,
    startedWorkers:
      key === "productWithRooms"
        ? [product, rooms]
        : [
            {
              ...withoutRooms,
              ...(folder === null
                ? { modules: bare.modules, modulesRoot: undefined }
                : workerModules(folder)),
            } as Worker,
          ],
    starts: [] as StartTimes[],
  }));
  // The first start of each worker is discarded, because it reads its files from the disk.
  for (const { startedWorkers } of workers) await measureStart(options as MiniflareOptions, startedWorkers);
  for (let round = 1; round <= runs; round++) {
    for (const { startedWorkers, starts } of workers)
      starts.push(await measureStart(options as MiniflareOptions, startedWorkers));
    // Each round begins with another worker.
    workers.push(...workers.splice(0, 1));
    log(`Start-ups: round ${round} of ${runs}`);
  }
  const medianMsOf = (starts: readonly StartTimes[]) => computeSpread(starts.map(({ ms }) => ms)).median;
  const cpuSpreadOf = (starts: readonly StartTimes[]) =>
    starts.some(({ cpuMs }) => cpuMs === null) ? null : computeSpread(starts.map(({ cpuMs }) => cpuMs ?? 0));
  const bareStarts = workers.find(({ key }) => key === "bare")?.starts ?? [];
  const bareCpu = cpuSpreadOf(bareStarts);
  const figures = workers.map(({ key, folder, starts }): WorkerStartUp => {
    const cpuMs = cpuSpreadOf(starts);
    return {
      key,
      cpuMs,
      bytes: folder === null ? barePage.length : bytesOf(folder, moduleNames(folder)),
      startBytes: folder === null ? barePage.length : bytesOf(folder, startModules(folder)),
      ms: computeSpread(starts.map(({ ms }) => ms)),
      moreMs: medianMsOf(starts) - medianMsOf(bareStarts),
      moreCpuMs: cpuMs && bareCpu ? cpuMs.median - bareCpu.median : null,
    };
  });
  const order = folders.map(([key]) => key);
  return { runs, workers: figures.sort((a, b) => order.indexOf(a.key) - order.indexOf(b.key)) };
}
