/** How soon the first byte of a part of a large file comes, beside a bare worker that reads the same part from R2. */
import { randomUUID } from "node:crypto";
import { Agent, request } from "node:http";
import { Miniflare, type MiniflareOptions } from "miniflare";
import { sessionCookieName } from "../app/domain/auth/session";
import type { Uuid } from "../app/domain/shared/model";
import { demoLink } from "../scripts/lib/demo";
import { localOptions, migrate } from "../scripts/lib/local";
import { seedDemo } from "../scripts/lib/seed";
import { demoIds } from "../seed/demo";
import { bareRange } from "./bare";
import { alone, bareWorker, type Worker } from "./place";
import { type Spread, spreadOf } from "./stats";
import { logIn } from "./subjects";

export interface RangeFigures {
  /** Of the file, and of each part that is read. */
  readonly fileBytes: number;
  readonly partBytes: number;
  /**
   * By who reads, at once after the read before or a second later, when the worker has forgotten whom it let in: milliseconds to
   * the first byte of the body, those of a bare read in the same way, and how many times that is, round by round.
   * `lookRatio` is to a bare worker that reads one row of D1 meanwhile, which is the least that knowing whom it may send to takes.
   */
  readonly readers: readonly {
    readonly key: string;
    readonly ms: Spread;
    readonly bareMs: Spread;
    readonly lookMs: Spread;
    readonly ratio: Spread;
    readonly lookRatio: Spread;
  }[];
}

const FILE_BYTES = 100 * 1024 * 1024;
const PART_BYTES = 256 * 1024;
/** Reads of each kind in a round, of which the median counts. */
const READS = 25;
/** The same after a pause, in which the worker forgets whom it has let in: each takes longer than a second. */
const READS_AFTER_PAUSE = 3;
const PAUSE_MS = 1_050;

/** Adds a film of that size to the demo's main event. @returns its id */
async function addFilm(db: Awaited<ReturnType<Miniflare["getD1Database"]>>, key: string): Promise<Uuid> {
  const id = randomUUID();
  const at = new Date().toISOString();
  await db.batch([
    db
      .prepare(
        `INSERT INTO library_items (id, folder_id, owner_id, kind, title, search_key, file_name, mime_type, byte_size, file_key, created_at, updated_at)
         SELECT ?1, id, owner_id, 'video', 'Film', 'film', 'film.mp4', 'video/mp4', ?2, ?3, ?4, ?4
         FROM folders WHERE owner_id = ?5 AND folder_type = 'media' AND parent_id IS NULL`,
      )
      .bind(id, FILE_BYTES, key, at, demoIds.owner),
    db
      .prepare(
        "INSERT INTO event_media (id, event_id, library_item_id, title_ja, created_on, updated_at) VALUES (?1, ?2, ?3, 'Film', ?4, ?4)",
      )
      .bind(randomUUID(), demoIds.mainEvent, id, at),
  ]);
  return id;
}

/** Milliseconds until the first byte of the body of a part. */
function firstByte(url: URL, headers: Record<string, string>, agent: Agent): Promise<number> {
  const first = PART_BYTES * Math.floor(Math.random() * (FILE_BYTES / PART_BYTES));
  const range = `bytes=${first}-${first + PART_BYTES - 1}`;
  return new Promise((resolve, reject) => {
    const begin = performance.now();
    const asked = request(url, { agent, headers: { ...headers, range } }, (response) => {
      let ms = Number.NaN;
      let bytes = 0;
      if (response.statusCode !== 206) reject(new Error(`${url.pathname} answered ${response.statusCode}`));
      response.on("data", (part: Buffer) => {
        if (bytes === 0) ms = performance.now() - begin;
        bytes += part.length;
      });
      response.on("end", () =>
        bytes === PART_BYTES ? resolve(ms) : reject(new Error(`${bytes} bytes came of ${PART_BYTES}`)),
      );
      response.on("error", reject);
    });
    asked.on("error", reject);
    asked.end();
  });
}

/** Measures reads by a visitor's link and by the owner's session, at once and after a pause. The product must have been built. */
export async function benchRanges(rounds: number): Promise<RangeFigures> {
  const options = localOptions({ port: 0, state: null }) as unknown as { workers: Worker[] };
  const product = options.workers[0] as Worker;
  const { d1Databases, r2Buckets } = product;
  const workers = [
    ...options.workers,
    alone(product, "worker"),
    bareWorker("bare-range", bareRange, { d1Databases, r2Buckets }),
  ];
  const mf = new Miniflare({ ...options, workers } as unknown as MiniflareOptions);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    await mf.ready;
    const db = await mf.getD1Database("DB", product.name);
    await migrate(db);
    await seedDemo(mf);
    const bare = await mf.unsafeGetDirectURL("bare-range");
    const worker = await mf.unsafeGetDirectURL("worker");
    const key = `library/${randomUUID()}/${randomUUID()}`;
    const filled = await fetch(new URL(`/?key=${key}&fill=${FILE_BYTES}`, bare));
    if (!filled.ok) throw new Error(`The film could not be stored: ${filled.status}`);
    const id = await addFilm(db, key);
    const ticket = await logIn(worker);
    const token = new URL(demoLink("http://localhost", "published")).searchParams.get("token") ?? "";
    const link = new URLSearchParams({ event: demoIds.mainEvent, mode: "published", token });
    const byLink = { url: new URL(`/media/${id}?${link}`, worker), headers: {} as Record<string, string> };
    const bySession = {
      url: new URL(`/media/${id}`, worker),
      headers: { Cookie: `${sessionCookieName(false)}=${ticket}` },
    };
    const bareRead = { url: new URL(`/?key=${key}`, bare), headers: {} as Record<string, string> };
    const bareLook = { ...bareRead, url: new URL(`/?key=${key}&look=${demoIds.mainEvent}`, bare) };
    const readings = { bare: bareRead, look: bareLook, visitor: byLink, owner: bySession };
    type Who = keyof typeof readings;
    const everybody = Object.keys(readings) as Who[];
    const noTimes = (): Record<Who, number[]> => ({ bare: [], look: [], visitor: [], owner: [] });
    const ways = [
      { key: "at once", reads: READS, pause: 0 },
      { key: "after a pause", reads: READS_AFTER_PAUSE, pause: PAUSE_MS },
    ];
    const times = ways.map(noTimes);
    // The first round warms up.
    for (let round = 0; round <= rounds; round++)
      for (const [i, { reads, pause }] of ways.entries()) {
        const own = noTimes();
        for (let read = 0; read < reads; read++)
          for (const who of everybody) {
            const { url, headers } = readings[who];
            if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
            own[who].push(await firstByte(url, headers, agent));
          }
        if (round > 0) for (const who of everybody) times[i]?.[who].push(spreadOf(own[who]).median);
      }
    const readers = ways.flatMap(({ key: way }, i) => {
      const taken = times[i] ?? noTimes();
      const ratioOf = (who: Who, base: Who) =>
        spreadOf(taken[who].map((one, round) => one / (taken[base][round] ?? Number.NaN)));
      return (["visitor", "owner"] as const).map((who) => ({
        key: `${who === "visitor" ? "a visitor, by a link" : "the owner, by a session"}, ${way}`,
        ms: spreadOf(taken[who]),
        bareMs: spreadOf(taken.bare),
        lookMs: spreadOf(taken.look),
        ratio: ratioOf(who, "bare"),
        lookRatio: ratioOf(who, "look"),
      }));
    });
    return { fileBytes: FILE_BYTES, partBytes: PART_BYTES, readers };
  } finally {
    agent.destroy();
    await mf.dispose();
  }
}
