/**
 * Measures uploads: the speed of slices through the product into R2, relative to the speed without it, and the memory that they
 * need.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Miniflare, type MiniflareOptions } from "miniflare";
import { localOptions, migrate } from "../../scripts/lib/local/local-product";
import { seedDemo } from "../../scripts/lib/local/seed-demo";
import { bareUpload } from "../bare-workers";
import { bareWorker, type Worker, workerWithoutFileRouter } from "../bench-environment";
import { createFile, MEGABYTE, sendToBare, sendToProduct } from "../send-file";
import { computeSpread, type Spread } from "../spread";
import { logInOwner } from "./scenarios";
import { type MemoryFigures, measureMemory } from "./upload-memory";

/** Figures of the timed uploads, and of the memory that uploads need. */
export interface UploadFigures {
  /** Size of each timed upload. */
  readonly megabytes: number;
  readonly rounds: number;
  /** Megabytes per second. */
  readonly product: Spread;
  readonly bare: Spread;
  /** Per round: the product's rate divided by the bare worker's. */
  readonly ratio: Spread;
  /** Null when the system does not report memory. */
  readonly memory: MemoryFigures | null;
}

/** Size of the file that is sent in every round. */
const TIMED_MB = 96;
/** Maximum number of processes in which the memory of each setup is measured, because memory varies little. */
const MAX_PROCESSES = 5;

/** Alternately sends files to the product and to a bare worker with the same R2. The product must have been built. */
async function timeUploads(
  rounds: number,
  log: (line: string) => void,
): Promise<Omit<UploadFigures, "memory">> {
  // On disk, as `npm start` stores files.
  const state = mkdtempSync(join(tmpdir(), "hiroba-uploads-"));
  const options = localOptions({ port: 0, state }) as unknown as { workers: Worker[] };
  const product = options.workers[0] as Worker & { r2Buckets?: unknown };
  const workers = [
    ...options.workers,
    workerWithoutFileRouter(product, "worker"),
    bareWorker("bare-upload", bareUpload, { r2Buckets: product.r2Buckets }),
  ];
  const mf = new Miniflare({ ...options, workers } as unknown as MiniflareOptions);
  try {
    await mf.ready;
    const db = await mf.getD1Database("DB", product.name);
    await migrate(db);
    await seedDemo(mf);
    await db.prepare("UPDATE users SET storage_limit = 1000000000000").run();
    const files = await mf.getR2Bucket("FILES", product.name);
    const deleteFiles = async () => {
      const { objects } = await files.list({ prefix: "library/" });
      // The demo's own files are smaller.
      const largeKeys = objects.filter(({ size }) => size >= 16 * MEGABYTE).map(({ key }) => key);
      await files.delete(["bare", ...largeKeys]);
    };
    const workerUrl = await mf.unsafeGetDirectURL("worker");
    const bareWorkerUrl = await mf.unsafeGetDirectURL("bare-upload");
    const sessionTicket = await logInOwner(workerUrl);
    const uploadToProduct = (file: Uint8Array) => sendToProduct(workerUrl, sessionTicket, file);
    const uploadToBare = (file: Uint8Array) => sendToBare(bareWorkerUrl, file);
    // A file of 24 MB is uploaded in several slices.
    const warmUpFile = createFile(24);
    await uploadToBare(warmUpFile);
    await uploadToProduct(warmUpFile);

    const file = createFile(TIMED_MB);
    const rates: { product: number; bare: number }[] = [];
    for (let round = 1; round <= rounds; round++) {
      const measureRate = async (send: (file: Uint8Array) => Promise<unknown>) => {
        const startedAt = performance.now();
        await send(file);
        return TIMED_MB / ((performance.now() - startedAt) / 1000);
      };
      // The order alternates with every round.
      if (round % 2 === 1) {
        const bare = await measureRate(uploadToBare);
        rates.push({ bare, product: await measureRate(uploadToProduct) });
      } else {
        const product = await measureRate(uploadToProduct);
        rates.push({ product, bare: await measureRate(uploadToBare) });
      }
      await deleteFiles();
      log(`Uploads: round ${round} of ${rounds}`);
    }
    return {
      megabytes: TIMED_MB,
      rounds,
      product: computeSpread(rates.map((roundRates) => roundRates.product)),
      bare: computeSpread(rates.map((roundRates) => roundRates.bare)),
      ratio: computeSpread(rates.map((roundRates) => roundRates.product / roundRates.bare)),
    };
  } finally {
    await mf.dispose();
    rmSync(state, { recursive: true, force: true });
  }
}

/**
 * Measures the speed of uploads in `rounds` rounds, and the memory of each setup in as many new processes, but at most
 * MAX_PROCESSES.
 */
export async function benchUploads(rounds: number, log: (line: string) => void): Promise<UploadFigures> {
  const memory = await measureMemory(Math.min(rounds, MAX_PROCESSES), log);
  return { ...(await timeUploads(rounds, log)), memory };
}
