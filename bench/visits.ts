/** Whether a thousand visits a second are counted exactly, and what counting costs a viewer's page. */
import { randomBytes } from "node:crypto";
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { Miniflare, type MiniflareOptions } from "miniflare";
import { demoLink } from "../scripts/lib/demo";
import { localOptions, migrate } from "../scripts/lib/local";
import { seedDemo } from "../scripts/lib/seed";
import { demoIds } from "../seed/demo";
import { alone, type Worker } from "./place";
import { percentile, type Spread, spreadOf } from "./stats";

export interface VisitFigures {
  readonly seconds: number;
  readonly sent: number;
  /** A second, until the last was answered. */
  readonly rate: number;
  /** Answers that were not 204. */
  readonly refused: number;
  /** Visits, visitors and seconds of the event in D1 afterwards, less what was there before; `seconds` should be three for each. */
  readonly counted: { readonly visits: number; readonly visitors: number; readonly seconds: number };
  /** Milliseconds until a visit was answered. */
  readonly answerMs: { readonly p50: number; readonly p99: number };
  /** Milliseconds after the last was answered until all were counted. */
  readonly lateMs: number;
  /** Milliseconds of a kept viewer page alone, of a public link and of a preview, which nothing counts, and the one by the other, round by round. */
  readonly page: { readonly publicMs: Spread; readonly previewMs: Spread; readonly ratio: Spread };
}

const RATE = 1000;
const STEP_MS = 10;
/** Every one of so many is told twice. */
const TWICE = 10;
const PERSON =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
/** Reads of a page in a round, of which the median counts. */
const READS = 200;
const PATIENCE_MS = 30_000;

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Sends a request and reads its answer. @returns its status and how many milliseconds it took */
const ask = (url: URL, headers: Record<string, string>, body?: string) =>
  new Promise<{ status: number; ms: number }>((resolve, reject) => {
    const from = performance.now();
    request(url, { agent, method: body === undefined ? "GET" : "POST", headers }, (answer) => {
      answer.resume();
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, ms: performance.now() - from }));
    })
      .on("error", reject)
      .end(body);
  });

/** @param seconds how long visits are sent; @param rounds how often the page is read so many times */
export async function benchVisits(
  seconds: number,
  rounds: number,
  log: (line: string) => void,
): Promise<VisitFigures> {
  const options = localOptions({ port: 0, state: null }) as unknown as { workers: Worker[] };
  const product = options.workers[0] as Worker;
  const workers = [...options.workers, ...(product.assets ? [alone(product, "worker")] : [])];
  const mf = new Miniflare({ ...options, workers } as unknown as MiniflareOptions);
  try {
    await mf.ready;
    const db = await mf.getD1Database("DB", product.name);
    await migrate(db);
    await seedDemo(mf, log);
    const origin = (await mf.unsafeGetDirectURL(product.assets ? "worker" : product.name)).origin;
    const page = {
      public: new URL(demoLink(origin, "published")),
      preview: new URL(demoLink(origin, "preview")),
    };
    const told = new URL(`/v/${demoIds.mainEvent}${page.public.search}`, origin);
    const sums = async () =>
      (await db
        .prepare(
          "SELECT coalesce(sum(visits), 0) visits, coalesce(sum(visitors), 0) visitors, coalesce(sum(seconds), 0) seconds FROM visit_totals WHERE event_id = ? AND grain = 'hour'",
        )
        .bind(demoIds.mainEvent)
        .first<VisitFigures["counted"]>()) ?? { visits: 0, visitors: 0, seconds: 0 };

    const pageMs = { public: [] as number[], preview: [] as number[] };
    for (let round = 0; round < rounds; round++)
      for (const key of round % 2 ? (["preview", "public"] as const) : (["public", "preview"] as const)) {
        const times: number[] = [];
        for (let read = 0; read < READS; read++) times.push((await ask(page[key], {})).ms);
        pageMs[key].push(percentile(Float64Array.from(times).sort(), 0.5));
      }

    const before = await sums();
    const answers: { status: number; ms: number }[] = [];
    const waiting: Promise<unknown>[] = [];
    const from = performance.now();
    const total = RATE * seconds;
    const tell = (visitor: number) => {
      const headers = {
        "user-agent": PERSON,
        "cf-connecting-ip": `10.${visitor >> 16}.${(visitor >> 8) & 255}.${visitor & 255}`,
      };
      const report = { visit: randomBytes(16).toString("hex"), part: 0, from: "", things: [] };
      const body = JSON.stringify({ ...report, stays: [{ place: "", seconds: 3 }] });
      for (let times = visitor % TWICE ? 1 : 2; times > 0; times--)
        waiting.push(ask(told, headers, body).then((answer) => answers.push(answer)));
    };
    for (let sent = 0; sent < total; await sleep(STEP_MS)) {
      const due = Math.min(total, Math.floor(((performance.now() - from) / 1000) * RATE));
      while (sent < due) tell(sent++);
    }
    await Promise.all(waiting);
    const last = performance.now();
    const took = last - from;
    let counted = await sums();
    while (counted.visits - before.visits < total && performance.now() - last < PATIENCE_MS) {
      await sleep(100);
      counted = await sums();
    }
    const lateMs = performance.now() - last;
    // What is counted too often comes late as well.
    await sleep(2000);
    counted = await sums();
    const ms = Float64Array.from(answers.map((answer) => answer.ms)).sort();
    return {
      seconds,
      sent: total,
      rate: (total / took) * 1000,
      refused: answers.filter(({ status }) => status !== 204).length,
      counted: {
        visits: counted.visits - before.visits,
        visitors: counted.visitors - before.visitors,
        seconds: counted.seconds - before.seconds,
      },
      answerMs: { p50: percentile(ms, 0.5), p99: percentile(ms, 0.99) },
      lateMs,
      page: {
        publicMs: spreadOf(pageMs.public),
        previewMs: spreadOf(pageMs.preview),
        ratio: spreadOf(pageMs.public.map((value, round) => value / (pageMs.preview[round] ?? Number.NaN))),
      },
    };
  } finally {
    agent.destroy();
    await mf.dispose();
  }
}
