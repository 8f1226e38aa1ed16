/** Measures the time until the first byte of a part of a large file, as a ratio to a bare worker that reads the same part from R2. */
import { randomUUID } from "node:crypto";
import { Agent, request } from "node:http";
import { Miniflare, type MiniflareOptions } from "miniflare";
import { sessionCookieName } from "../../app/domain/auth/session";
import type { Uuid } from "../../app/domain/shared/model";
import { demoLink } from "../../scripts/lib/local/demo-links";
import { localOptions, migrate } from "../../scripts/lib/local/local-product";
import { seedDemo } from "../../scripts/lib/local/seed-demo";
import { demoIds } from "../../seed/demo";
import { bareRange } from "../bare-workers";
import { bareWorker, type Worker, workerWithoutFileRouter } from "../bench-environment";
import { computeSpread, type Spread } from "../spread";
import { logInOwner } from "./scenarios";

/** Figures of all readers. */
export interface RangeFigures {
  /** Bytes of the file, and of each part that is read. */
  readonly fileBytes: number;
  readonly partBytes: number;
  /**
   * Figures per reader and pause, in milliseconds to the first byte of the body. A read follows the previous one either at once, or
   * more than a second later, when the worker's cached permission has expired. `ratio` is relative to a bare read in the same way,
   * per round. `lookupRatio` is relative to a bare worker that also reads one row of D1 at the same time, which is the minimum for
   * checking a permission.
   */
  readonly readers: readonly {
    readonly key: string;
    readonly ms: Spread;
    readonly bareMs: Spread;
    readonly lookupMs: Spread;
    readonly ratio: Spread;
    readonly lookupRatio: Spread;
  }[];
}

/** Sizes of the file and of the parts that are read. */
const FILE_BYTES = 100 * 1024 * 1024;
const PART_BYTES = 256 * 1024;
/** Number of reads of each kind in a round. Their median is the figure of the round. */
const READS = 25;
/** Number of reads after a pause that is longer than the worker caches a permission. */
const READS_AFTER_PAUSE = 3;
const PAUSE_MS = 1_050;

/**
 * Adds a video of FILE_BYTES to the demo's main event.
 * @returns its id
 */
async function addVideo(db: Awaited<ReturnType<Miniflare["getD1Database"]>>, key: string): Promise<Uuid> {
  const id = randomUUID();
  const instant = new Date().toISOString();
  await db.batch([
    db
      .prepare(
        `INSERT INTO library_items (id, folder_id, owner_id, kind, title, search_key, file_name, mime_type, byte_size, file_key, created_at, updated_at)
         SELECT ?1, id, owner_id, 'video', 'Video', 'video', 'video.mp4', 'video/mp4', ?2, ?3, ?4, ?4
         FROM folders WHERE owner_id = ?5 AND folder_type = 'media' AND parent_id IS NULL`,
      )
      .bind(id, FILE_BYTES, key, instant, demoIds.owner),
    db
      .prepare(
        "INSERT INTO event_media (id, event_id, library_item_id, title_ja, created_on, updated_at) VALUES (?1, ?2, ?3, 'Video', ?4, ?4)",
      )
      .bind(randomUUID(), demoIds.mainEvent, id, instant),
  ]);
  return id;
}

/** Milliseconds until the first byte of the body of a part. */
function measureFirstByte(url: URL, headers: Record<string, string>, agent: Agent): Promise<number> {
  const firstByte = PART_BYTES * Math.floor(Math.random() * (FILE_BYTES / PART_BYTES));
  const range = `bytes=${firstByte}-${firstByte + PART_BYTES - 1}`;
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const clientRequest = request(url, { agent, headers: { ...headers, range } }, (response) => {
      let ms = Number.NaN;
      let bytes = 0;
      if (response.statusCode !== 206) reject(new Error(`${url.pathname} returned ${response.statusCode}`));
      response.on("data", (part: Buffer) => {
        if (bytes === 0) ms = performance.now() - startedAt;
        bytes += part.length;
      });
      response.on("end", () =>
        bytes === PART_BYTES ? resolve(ms) : reject(new Error(`${bytes} of ${PART_BYTES} bytes arrived`)),
      );
      response.on("error", reject);
    });
    clientRequest.on("error", reject);
    clientRequest.end();
  });
}

/**
 * Measures reads through a visitor's link and through the owner's session, at once and after a pause. The product must have been
 * built.
 */
export async function benchRanges(rounds: number): Promise<RangeFigures> {
  const options = localOptions({ port: 0, state: null }) as unknown as { workers: Worker[] };
  const product = options.workers[0] as Worker;
  const { d1Databases, r2Buckets } = product;
  const workers = [
    ...options.workers,
    workerWithoutFileRouter(product, "worker"),
    bareWorker("bare-range", bareRange, { d1Databases, r2Buckets }),
  ];
  const mf = new Miniflare({ ...options, workers } as unknown as MiniflareOptions);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    await mf.ready;
    const db = await mf.getD1Database("DB", product.name);
    await migrate(db);
    await seedDemo(mf);
    const bareUrl = await mf.unsafeGetDirectURL("bare-range");
    const workerUrl = await mf.unsafeGetDirectURL("worker");
    const key = `library/${randomUUID()}/${randomUUID()}`;
    const fillResponse = await fetch(new URL(`/?key=${key}&fill=${FILE_BYTES}`, bareUrl));
    if (!fillResponse.ok) throw new Error(`The video could not be stored: ${fillResponse.status}`);
    const id = await addVideo(db, key);
    const sessionTicket = await logInOwner(workerUrl);
    const token = new URL(demoLink("http://localhost", "published")).searchParams.get("token") ?? "";
    const linkQuery = new URLSearchParams({ event: demoIds.mainEvent, mode: "published", token });
    const linkRequest = {
      url: new URL(`/media/${id}?${linkQuery}`, workerUrl),
      headers: {} as Record<string, string>,
    };
    const sessionRequest = {
      url: new URL(`/media/${id}`, workerUrl),
      headers: { Cookie: `${sessionCookieName(false)}=${sessionTicket}` },
    };
    const bareRead = { url: new URL(`/?key=${key}`, bareUrl), headers: {} as Record<string, string> };
    const bareLookup = { ...bareRead, url: new URL(`/?key=${key}&look=${demoIds.mainEvent}`, bareUrl) };
    const requestsByReader = {
      bare: bareRead,
      lookup: bareLookup,
      visitor: linkRequest,
      owner: sessionRequest,
    };
    type Reader = keyof typeof requestsByReader;
    const readerKeys = Object.keys(requestsByReader) as Reader[];
    const emptyTimes = (): Record<Reader, number[]> => ({ bare: [], lookup: [], visitor: [], owner: [] });
    const pauses = [
      { key: "at once", reads: READS, pause: 0 },
      { key: "after a pause", reads: READS_AFTER_PAUSE, pause: PAUSE_MS },
    ];
    const times = pauses.map(emptyTimes);
    // The first round warms up the worker.
    for (let round = 0; round <= rounds; round++)
      for (const [i, { reads, pause }] of pauses.entries()) {
        const roundTimes = emptyTimes();
        for (let readIndex = 0; readIndex < reads; readIndex++)
          for (const reader of readerKeys) {
            const { url, headers } = requestsByReader[reader];
            if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
            roundTimes[reader].push(await measureFirstByte(url, headers, agent));
          }
        if (round > 0)
          for (const reader of readerKeys) times[i]?.[reader].push(computeSpread(roundTimes[reader]).median);
      }
    const readers = pauses.flatMap(({ key: pauseKey }, i) => {
      const pauseTimes = times[i] ?? emptyTimes();
      const ratioOf = (reader: Reader, base: Reader) =>
        computeSpread(
          pauseTimes[reader].map((time, round) => time / (pauseTimes[base][round] ?? Number.NaN)),
        );
      return (["visitor", "owner"] as const).map((reader) => ({
        key: `${reader === "visitor" ? "a visitor, by a link" : "the owner, by a session"}, ${pauseKey}`,
        ms: computeSpread(pauseTimes[reader]),
        bareMs: computeSpread(pauseTimes.bare),
        lookupMs: computeSpread(pauseTimes.lookup),
        ratio: ratioOf(reader, "bare"),
        lookupRatio: ratioOf(reader, "lookup"),
      }));
    });
    return { fileBytes: FILE_BYTES, partBytes: PART_BYTES, readers };
  } finally {
    agent.destroy();
    await mf.dispose();
  }
}
