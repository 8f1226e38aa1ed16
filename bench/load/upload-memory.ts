/**
 * Measures the memory that one large upload adds to workerd: the maximum resident size above the size before it. Each upload is the
 * second one of its process, after a small one, so that one-time costs such as code are excluded. Local R2 is simulated inside
 * workerd and leaves garbage there that no worker can avoid. Therefore the product is also measured with R2 in another process, as
 * on Cloudflare's network, and next to a bare worker.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Miniflare, type MiniflareOptions } from "miniflare";
import { ENTRY, workerModules } from "../../scripts/lib/build/worker-modules";
import { localOptions, migrate } from "../../scripts/lib/local/local-product";
import { seedDemo } from "../../scripts/lib/local/seed-demo";
import { fromRoot } from "../../scripts/lib/paths";
import { bareUpload, withRemoteBucket } from "../bare-workers";
import { bareWorker, type Worker, workerWithoutFileRouter } from "../bench-environment";
import { startFileHost } from "../file-host";
import { createFile, sendToBare, sendToProduct } from "../send-file";
import { computeSpread, type Spread } from "../spread";
import { workerdBytes } from "../workerd-time";
import { logInOwner } from "./scenarios";

/** The receiving worker, and the location of R2. */
export type MemorySetup = "product, R2 elsewhere" | "product" | "bare";

/** Memory that uploads added, for each setup. */
export interface MemoryFigures {
  readonly megabytes: number;
  /** Uploads of each setup, each in a new process. */
  readonly runs: number;
  /** Bytes in memory before the upload, and the maximum that the upload added. */
  readonly ways: Readonly<Record<MemorySetup, { readonly before: Spread; readonly grown: Spread }>>;
}

/** Sizes of the measured upload and of the upload before it. */
const LARGE_MB = 300;
const SMALL_MB = 24;
/** Time between two readings of the memory. */
const SAMPLE_MS = 20;

interface MemoryGrowth {
  readonly before: number;
  readonly grown: number;
}

/** Measures the maximum memory that a piece of work adds to workerd; null when the system does not report it. */
async function measureGrowth(work: () => Promise<unknown>): Promise<MemoryGrowth | null> {
  const bytesBefore = workerdBytes();
  if (bytesBefore === null) return null;
  let maxBytes = bytesBefore;
  const timer = setInterval(() => {
    maxBytes = Math.max(maxBytes, workerdBytes() ?? 0);
  }, SAMPLE_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return { before: bytesBefore, grown: maxBytes - bytesBefore };
}

/** The worker that receives the file. The product's bucket is at `host`, or simulated in workerd when `host` is null. */
function receivingWorker(setup: MemorySetup, product: Worker, host: string | null): Worker {
  if (setup === "bare") return bareWorker("receiver", bareUpload, { r2Buckets: product.r2Buckets });
  if (host === null) return workerWithoutFileRouter(product, "receiver");
  const wrapper = { name: "remote-bucket.js", contents: withRemoteBucket(`./${ENTRY}`) };
  const { serviceBindings } = workerWithoutFileRouter(product, "receiver") as Worker & {
    serviceBindings?: object;
  };
  return workerWithoutFileRouter(product, "receiver", {
    ...workerModules(fromRoot("build", "worker"), wrapper),
    serviceBindings: { ...serviceBindings, HOST: { external: { address: host, http: {} } } },
  });
}

async function measureOnce(setup: MemorySetup, files: { small: Uint8Array; large: Uint8Array }) {
  // On disk, as `npm start` stores files, because files in R2 must not count as memory.
  const state = mkdtempSync(join(tmpdir(), "hiroba-memory-"));
  const fileHost = setup === "product, R2 elsewhere" ? await startFileHost(join(state, "host")) : null;
  const options = localOptions({ port: 0, state }) as unknown as { workers: Worker[] };
  const product = options.workers[0] as Worker;
  const workers = [...options.workers, receivingWorker(setup, product, fileHost?.host ?? null)];
  const mf = new Miniflare({ ...options, workers } as unknown as MiniflareOptions);
  try {
    await mf.ready;
    const db = await mf.getD1Database("DB", product.name);
    await migrate(db);
    await seedDemo(mf);
    await db.prepare("UPDATE users SET storage_limit = 1000000000000").run();
    const origin = await mf.unsafeGetDirectURL("receiver");
    const sessionTicket = setup === "bare" ? null : await logInOwner(origin);
    const send = (file: Uint8Array): Promise<unknown> =>
      sessionTicket === null ? sendToBare(origin, file) : sendToProduct(origin, sessionTicket, file);
    await send(files.small);
    return await measureGrowth(() => send(files.large));
  } finally {
    await mf.dispose();
    fileHost?.stop();
    rmSync(state, { recursive: true, force: true });
  }
}

/** Measures each setup in `runs` new processes; null when the system does not report memory. The product must have been built. */
export async function measureMemory(
  runs: number,
  log: (line: string) => void,
): Promise<MemoryFigures | null> {
  const files = { small: createFile(SMALL_MB), large: createFile(LARGE_MB) };
  const growths: Record<MemorySetup, MemoryGrowth[]> = { "product, R2 elsewhere": [], product: [], bare: [] };
  const keys = Object.keys(growths) as MemorySetup[];
  for (let run = 1; run <= runs; run++) {
    for (const setup of keys) {
      const growth = await measureOnce(setup, files);
      if (growth === null) return null;
      growths[setup].push(growth);
    }
    log(`Memory of uploads: run ${run} of ${runs}`);
  }
  const summarise = (setup: MemorySetup) => ({
    before: computeSpread(growths[setup].map(({ before }) => before)),
    grown: computeSpread(growths[setup].map(({ grown }) => grown)),
  });
  const ways = {
    "product, R2 elsewhere": summarise("product, R2 elsewhere"),
    product: summarise("product"),
    bare: summarise("bare"),
  };
  return { megabytes: LARGE_MB, runs, ways };
}
