/**
 * What one large upload adds to the memory of workerd: the most that its resident size is above what it was before. Each upload
 * is the second one of a process of its own, after a small one: what the first one ever needs, code above all, is there then.
 * Locally R2 is imitated inside workerd and leaves garbage there, which no worker can help; so the product is measured with R2
 * in another process too, as it is on Cloudflare's network, and a bare worker beside it.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Miniflare, type MiniflareOptions } from "miniflare";
import { localOptions, migrate } from "../scripts/lib/local";
import { fromRoot } from "../scripts/lib/paths";
import { seedDemo } from "../scripts/lib/seed";
import { ENTRY, workerModules } from "../scripts/lib/worker-modules";
import { bareUpload, distantFiles } from "./bare";
import { startFileHost } from "./file-host";
import { alone, bareWorker, type Worker } from "./place";
import { fileOf, sendToBare, sendToProduct } from "./send-file";
import { type Spread, spreadOf } from "./stats";
import { logIn } from "./subjects";
import { workerdBytes } from "./workerd-time";

/** Who is sent the file, and where R2 is. */
export type MemoryWay = "product, R2 elsewhere" | "product" | "bare";

export interface MemoryFigures {
  readonly megabytes: number;
  /** Uploads of each kind, each in a fresh process. */
  readonly runs: number;
  /** Bytes in memory before, and the most that the upload added. */
  readonly ways: Readonly<Record<MemoryWay, { readonly before: Spread; readonly grown: Spread }>>;
}

const LARGE_MB = 300;
const SMALL_MB = 24;
const SAMPLE_MS = 20;

interface Growth {
  readonly before: number;
  readonly grown: number;
}

/** What a piece of work adds to workerd's memory at most; null where the system does not tell. */
async function growthOf(work: () => Promise<unknown>): Promise<Growth | null> {
  const before = workerdBytes();
  if (before === null) return null;
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, workerdBytes() ?? 0);
  }, SAMPLE_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return { before, grown: most - before };
}

/** The worker that is sent the file; the product's bucket is at `host`, or imitated here. */
function receiver(way: MemoryWay, product: Worker, host: string | null): Worker {
  if (way === "bare") return bareWorker("receiver", bareUpload, { r2Buckets: product.r2Buckets });
  if (host === null) return alone(product, "receiver");
  const around = { name: "distant.js", contents: distantFiles(`./${ENTRY}`) };
  const { serviceBindings } = alone(product, "receiver") as Worker & { serviceBindings?: object };
  return alone(product, "receiver", {
    ...workerModules(fromRoot("build", "worker"), around),
    serviceBindings: { ...serviceBindings, HOST: { external: { address: host, http: {} } } },
  });
}

async function measureOnce(way: MemoryWay, files: { small: Uint8Array; large: Uint8Array }) {
  // On disk, as the product keeps files: what R2 stores here must not count as memory.
  const state = mkdtempSync(join(tmpdir(), "hiroba-memory-"));
  const host = way === "product, R2 elsewhere" ? await startFileHost(join(state, "host")) : null;
  const options = localOptions({ port: 0, state }) as unknown as { workers: Worker[] };
  const product = options.workers[0] as Worker;
  const workers = [...options.workers, receiver(way, product, host?.address ?? null)];
  const mf = new Miniflare({ ...options, workers } as unknown as MiniflareOptions);
  try {
    await mf.ready;
    const db = await mf.getD1Database("DB", product.name);
    await migrate(db);
    await seedDemo(mf);
    await db.prepare("UPDATE users SET storage_limit = 1000000000000").run();
    const origin = await mf.unsafeGetDirectURL("receiver");
    const ticket = way === "bare" ? null : await logIn(origin);
    const send = (file: Uint8Array): Promise<unknown> =>
      ticket === null ? sendToBare(origin, file) : sendToProduct(origin, ticket, file);
    await send(files.small);
    return await growthOf(() => send(files.large));
  } finally {
    await mf.dispose();
    host?.stop();
    rmSync(state, { recursive: true, force: true });
  }
}

/** Measures each way in so many fresh processes; null where the system does not tell. The product must have been built. */
export async function measureMemory(
  runs: number,
  log: (line: string) => void,
): Promise<MemoryFigures | null> {
  const files = { small: fileOf(SMALL_MB), large: fileOf(LARGE_MB) };
  const found: Record<MemoryWay, Growth[]> = { "product, R2 elsewhere": [], product: [], bare: [] };
  const keys = Object.keys(found) as MemoryWay[];
  for (let run = 1; run <= runs; run++) {
    for (const way of keys) {
      const growth = await measureOnce(way, files);
      if (growth === null) return null;
      found[way].push(growth);
    }
    log(`Memory of uploads: run ${run} of ${runs}`);
  }
  const figures = (way: MemoryWay) => ({
    before: spreadOf(found[way].map(({ before }) => before)),
    grown: spreadOf(found[way].map(({ grown }) => grown)),
  });
  const ways = {
    "product, R2 elsewhere": figures("product, R2 elsewhere"),
    product: figures("product"),
    bare: figures("bare"),
  };
  return { megabytes: LARGE_MB, runs, ways };
}
