/** Uploads: how fast slices reach R2 through the product, of the time that they take without it, and in how much memory. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Miniflare, type MiniflareOptions } from "miniflare";
import { localOptions, migrate } from "../scripts/lib/local";
import { seedDemo } from "../scripts/lib/seed";
import { bareUpload } from "./bare";
import { alone, bareWorker, type Worker } from "./place";
import { fileOf, MEGABYTE, sendToBare, sendToProduct } from "./send-file";
import { type Spread, spreadOf } from "./stats";
import { logIn } from "./subjects";
import { type MemoryFigures, measureMemory } from "./upload-memory";

export interface UploadFigures {
  /** Of each upload that was timed. */
  readonly megabytes: number;
  readonly rounds: number;
  /** Megabytes a second. */
  readonly product: Spread;
  readonly bare: Spread;
  /** Round by round: the product's over the bare worker's. */
  readonly ratio: Spread;
  /** Null where the system does not tell. */
  readonly memory: MemoryFigures | null;
}

const TIMED_MB = 96;
const MOST_PROCESSES = 5;

/** Sends files in turns to the product and to a bare worker with the same R2. The product must have been built. */
async function timeUploads(
  rounds: number,
  log: (line: string) => void,
): Promise<Omit<UploadFigures, "memory">> {
  // On disk, as the product keeps files: what R2 stores here must not count as memory.
  const state = mkdtempSync(join(tmpdir(), "hiroba-uploads-"));
  const options = localOptions({ port: 0, state }) as unknown as { workers: Worker[] };
  const product = options.workers[0] as Worker & { r2Buckets?: unknown };
  const workers = [
    ...options.workers,
    alone(product, "worker"),
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
    const clear = async () => {
      const { objects } = await files.list({ prefix: "library/" });
      const large = objects.filter(({ size }) => size >= 16 * MEGABYTE).map(({ key }) => key);
      await files.delete(["bare", ...large]);
    };
    const worker = await mf.unsafeGetDirectURL("worker");
    const bareAt = await mf.unsafeGetDirectURL("bare-upload");
    const ticket = await logIn(worker);
    const toProduct = (file: Uint8Array) => sendToProduct(worker, ticket, file);
    const toBare = (file: Uint8Array) => sendToBare(bareAt, file);
    const warm = fileOf(3 * 8);
    await toBare(warm);
    await toProduct(warm);

    const file = fileOf(TIMED_MB);
    const rates: { product: number; bare: number }[] = [];
    for (let round = 1; round <= rounds; round++) {
      const rate = async (send: (file: Uint8Array) => Promise<unknown>) => {
        const begin = performance.now();
        await send(file);
        return TIMED_MB / ((performance.now() - begin) / 1000);
      };
      // Whoever goes first changes with every round.
      const first = round % 2 === 1 ? await rate(toBare) : 0;
      const own = await rate(toProduct);
      rates.push({ product: own, bare: first || (await rate(toBare)) });
      await clear();
      log(`Uploads: round ${round} of ${rounds}`);
    }
    return {
      megabytes: TIMED_MB,
      rounds,
      product: spreadOf(rates.map((each) => each.product)),
      bare: spreadOf(rates.map((each) => each.bare)),
      ratio: spreadOf(rates.map((each) => each.product / each.bare)),
    };
  } finally {
    await mf.dispose();
    rmSync(state, { recursive: true, force: true });
  }
}

/** Uploads in time, in so many rounds, and in memory, in as many fresh processes but at most five: their spread is small. */
export async function benchUploads(rounds: number, log: (line: string) => void): Promise<UploadFigures> {
  const memory = await measureMemory(Math.min(rounds, MOST_PROCESSES), log);
  return { ...(await timeUploads(rounds, log)), memory };
}
