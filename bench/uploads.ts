/** Uploads: how fast slices reach R2 through the product, of the time that they take without it, and in how much memory. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Miniflare, type MiniflareOptions } from "miniflare";
import { UPLOAD_PART_BYTES } from "../app/domain/limits";
import { localOptions, migrate } from "../scripts/lib/local";
import { seedDemo } from "../scripts/lib/seed";
import { pngFile } from "../tests/support/media-files";
import { bareUpload } from "./bare";
import { alone, bareWorker, type Worker } from "./place";
import { type Spread, spreadOf } from "./stats";
import { logIn } from "./subjects";
import { workerdBytes } from "./workerd-time";

export interface UploadFigures {
  /** Of each upload that was timed. */
  readonly megabytes: number;
  readonly rounds: number;
  /** Megabytes a second. */
  readonly product: Spread;
  readonly bare: Spread;
  /** Round by round: the product's over the bare worker's. */
  readonly ratio: Spread;
  /** Bytes of workerd in memory before one large upload, and the most that it added; null where the system does not tell. */
  readonly memory: {
    readonly megabytes: number;
    readonly before: number | null;
    readonly grown: number | null;
    readonly bareBefore: number | null;
    readonly bareGrown: number | null;
  };
}

const MEGABYTE = 1024 * 1024;
const TIMED_MB = 96;
const LARGE_MB = 300;
/** As the product's own pages send them. */
const AT_ONCE = 3;
const SAMPLE_MS = 20;

/** A picture of exactly so many megabytes: what it shows is small, and the rest nobody reads. */
function fileOf(megabytes: number): Uint8Array {
  const bytes = new Uint8Array(megabytes * MEGABYTE);
  const small = pngFile();
  const [head, end] = [small.subarray(0, 33), small.subarray(-12)];
  bytes.set(head);
  new DataView(bytes.buffer).setUint32(33, bytes.length - 33 - 12 - 12);
  bytes.set(new TextEncoder().encode("teSt"), 37);
  bytes.set(end, bytes.length - 12);
  return bytes;
}

async function answer(response: Response): Promise<Readonly<Record<string, unknown>>> {
  const text = await response.text();
  if (!response.ok) throw new Error(`An upload answered ${response.status}: ${text.slice(0, 200)}`);
  return JSON.parse(text);
}

/** Sends the slices of a file, three at a time. */
async function sendSlices(file: Uint8Array, send: (number: number, slice: Uint8Array) => Promise<void>) {
  const count = Math.ceil(file.length / UPLOAD_PART_BYTES);
  let next = 1;
  const work = async () => {
    for (let number = next++; number <= count; number = next++)
      await send(number, file.subarray((number - 1) * UPLOAD_PART_BYTES, number * UPLOAD_PART_BYTES));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

async function sendToBare(origin: URL, file: Uint8Array): Promise<void> {
  const { id } = await answer(await fetch(new URL("/begin", origin), { method: "POST" }));
  const query = `id=${encodeURIComponent(String(id))}`;
  const parts: unknown[] = [];
  await sendSlices(file, async (number, body) => {
    const url = new URL(`/part?${query}&number=${number}`, origin);
    parts[number - 1] = await answer(await fetch(url, { method: "PUT", body: body as BodyInit }));
  });
  const done = new URL(`/complete?${query}`, origin);
  const { size } = await answer(await fetch(done, { method: "POST", body: JSON.stringify(parts) }));
  if (size !== file.length) throw new Error(`${size} bytes arrived of ${file.length}`);
}

async function sendToProduct(origin: URL, ticket: string, file: Uint8Array): Promise<void> {
  const authorization = `Bearer ${ticket}`;
  const post = async (path: string, body: object) =>
    answer(
      await fetch(new URL(`/api/v1/uploads${path}`, origin), {
        method: "POST",
        headers: { authorization, "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    );
  const { uuid } = await post("", { file_name: "bench.png", byte_size: file.length });
  await sendSlices(file, async (number, body) => {
    const url = new URL(`/api/v1/uploads/${uuid}/parts/${number}`, origin);
    await answer(await fetch(url, { method: "PUT", headers: { authorization }, body: body as BodyInit }));
  });
  const { byte_size } = await post(`/${uuid}/complete`, {});
  if (byte_size !== file.length) throw new Error(`${byte_size} bytes arrived of ${file.length}`);
}

/** What a piece of work adds to workerd's memory at most. */
async function growth(work: () => Promise<void>) {
  const before = workerdBytes();
  let most = before ?? 0;
  const timer = setInterval(() => {
    most = Math.max(most, workerdBytes() ?? 0);
  }, SAMPLE_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return { before, grown: before === null ? null : most - before };
}

/** Sends files in turns to the product and to a bare worker with the same R2. The product must have been built. */
export async function benchUploads(rounds: number, log: (line: string) => void): Promise<UploadFigures> {
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
    await seedDemo(mf, log);
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

    const large = fileOf(LARGE_MB);
    const memory = await growth(() => toProduct(large));
    log(`Memory measured: ${LARGE_MB} MB through the product`);
    const bareMemory = await growth(() => toBare(large));
    await clear();

    const file = fileOf(TIMED_MB);
    const rates: { product: number; bare: number }[] = [];
    for (let round = 1; round <= rounds; round++) {
      const rate = async (send: (file: Uint8Array) => Promise<void>) => {
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
      memory: {
        megabytes: LARGE_MB,
        ...memory,
        bareBefore: bareMemory.before,
        bareGrown: bareMemory.grown,
      },
    };
  } finally {
    await mf.dispose();
    rmSync(state, { recursive: true, force: true });
  }
}
