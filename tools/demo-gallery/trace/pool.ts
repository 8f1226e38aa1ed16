import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { build } from "esbuild";
import type { Job } from "./jobs";

/** Threads that share the work of a bake. Their program is bundled first, so that Node can run it. */
export class Pool {
  private readonly idle: Worker[];
  private readonly queue: {
    readonly job: Job;
    readonly onDone: () => void;
    readonly onError: (error: Error) => void;
  }[] = [];
  private nextId = 0;

  private constructor(private readonly workers: readonly Worker[]) {
    this.idle = [...workers];
  }

  static async start(): Promise<Pool> {
    const root = fileURLToPath(new URL("../../../", import.meta.url));
    const bundle = await build({
      entryPoints: [fileURLToPath(new URL("./worker.ts", import.meta.url))],
      absWorkingDir: root,
      bundle: true,
      platform: "node",
      format: "cjs",
      target: "es2022",
      write: false,
      tsconfig: `${root}tsconfig.json`,
    });
    const code = bundle.outputFiles[0]?.text ?? "";
    const count = Math.max(1, Math.min(8, availableParallelism()));
    return new Pool(Array.from({ length: count }, () => new Worker(code, { eval: true, execArgv: [] })));
  }

  /** Runs a job on the first free thread. */
  run(job: Job): Promise<void> {
    return new Promise((resolve, reject) => {
      this.queue.push({ job, onDone: resolve, onError: reject });
      this.startQueuedJobs();
    });
  }

  /** Divides `from`…`to` into parts and runs them on all threads. */
  async split(
    from: number,
    to: number,
    parts: number,
    job: (from: number, to: number) => Job,
  ): Promise<void> {
    const size = Math.max(1, Math.ceil((to - from) / parts));
    const jobs: Promise<void>[] = [];
    for (let start = from; start < to; start += size)
      jobs.push(this.run(job(start, Math.min(to, start + size))));
    await Promise.all(jobs);
  }

  /** Runs a job on every thread. No other job may be running. */
  async runOnAllWorkers(job: Job): Promise<void> {
    await Promise.all(this.workers.map((worker) => this.runOnWorker(worker, job)));
  }

  async stop(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.terminate()));
  }

  private startQueuedJobs(): void {
    while (this.idle.length > 0 && this.queue.length > 0) {
      const worker = this.idle.pop();
      const task = this.queue.shift();
      if (!worker || !task) return;
      this.runOnWorker(worker, task.job)
        .then(task.onDone, task.onError)
        .finally(() => {
          this.idle.push(worker);
          this.startQueuedJobs();
        });
    }
  }

  private runOnWorker(worker: Worker, job: Job): Promise<void> {
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      const settleJob = (finish: () => void): void => {
        worker.off("message", onMessage);
        worker.off("error", onError);
        finish();
      };
      const onMessage = (message: { id: number; error?: string }): void => {
        if (message.id !== id) return;
        settleJob(() => (message.error ? reject(new Error(message.error)) : resolve()));
      };
      const onError = (error: Error): void => settleJob(() => reject(error));
      worker.on("message", onMessage);
      worker.on("error", onError);
      worker.postMessage({ id, job });
    });
  }
}
