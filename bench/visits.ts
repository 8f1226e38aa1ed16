/** Whether a thousand visits a second are counted exactly, what each takes, and what counting costs a viewer's page. */
import { randomBytes } from "node:crypto";
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { Miniflare, type MiniflareOptions } from "miniflare";
import type { Browser } from "playwright-core";
import { launchBrowser } from "../scripts/lib/browser";
import { demoLink } from "../scripts/lib/demo";
import { localOptions, migrate } from "../scripts/lib/local";
import { seedDemo } from "../scripts/lib/seed";
import { demoIds } from "../seed/demo";
import { bareTaken } from "./bare";
import { alone, bareWorker, type Worker } from "./place";
import { percentile, type Spread, spreadOf } from "./stats";
import { runStream, type StreamResult, timed } from "./stream";

/** A stream of visits, and milliseconds of processor time that each took: see timed. */
export interface VisitStream extends StreamResult {
  readonly workerdMs: number | null;
  readonly ownMs: number;
}

export interface VisitFigures {
  readonly seconds: number;
  readonly sent: number;
  /** Until the last was counted. */
  readonly product: VisitStream;
  /** The same sent to a worker that reads it and answers, and nothing else, for a sixth of the time. */
  readonly bare: VisitStream;
  /** Visits, visitors and seconds of the event in D1 afterwards, less what was there before; `seconds` should be three for each. */
  readonly counted: { readonly visits: number; readonly visitors: number; readonly seconds: number };
  /** Milliseconds after the last was answered until all were counted. */
  readonly lateMs: number;
  /** Milliseconds of a kept viewer page alone. */
  readonly page: PageCost;
  /** Milliseconds for which a browser is busy with that page, without its 3D, until it has told of its visit: the most that telling can be of a page. */
  readonly inBrowser: PageCost;
}

/** Of a public link and of a preview, which nothing counts, and the one by the other, round by round. */
export interface PageCost {
  readonly publicMs: Spread;
  readonly previewMs: Spread;
  readonly ratio: Spread;
}

const RATE = 1000;
/** Every one of so many is told twice. */
const TWICE = 10;
const PERSON =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
/** Reads of a page in a round, of which the median counts. */
const READS = 200;
const PATIENCE_MS = 30_000;

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Reads a page. @returns how many milliseconds it took */
const read = (url: URL) =>
  new Promise<number>((resolve, reject) => {
    const from = performance.now();
    request(url, { agent }, (answer) => {
      answer.resume();
      answer.on("end", () => resolve(performance.now() - from));
    })
      .on("error", reject)
      .end();
  });

const KEYS = ["public", "preview"] as const;
type PageKey = (typeof KEYS)[number];

/** Measures both pages in turn, each as often first as the other. */
async function compare(rounds: number, once: (key: PageKey) => Promise<number>): Promise<PageCost> {
  const ms: Record<PageKey, number[]> = { public: [], preview: [] };
  for (let round = 0; round < rounds; round++)
    for (const key of round % 2 ? KEYS.toReversed() : KEYS) ms[key].push(await once(key));
  return {
    publicMs: spreadOf(ms.public),
    previewMs: spreadOf(ms.preview),
    ratio: spreadOf(ms.public.map((value, round) => value / (ms.preview[round] ?? Number.NaN))),
  };
}

/** A page tells first when it was looked at for so long. */
const TOLD_MS = 3000;

/** Milliseconds for which a page keeps its browser's main thread busy (TaskDuration), from its address to a moment after it has told of its visit. */
async function busyMs(browser: Browser, url: URL): Promise<number> {
  const context = await browser.newContext({ userAgent: PERSON });
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    // The thread's own time, of which other programs take nothing.
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    await page.goto(url.href);
    await page.waitForTimeout(TOLD_MS);
    const { metrics } = await session.send("Performance.getMetrics");
    return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN) * 1000;
  } finally {
    await context.close();
  }
}

/** @param seconds how long visits are sent; @param rounds how often the page is read so many times */
export async function benchVisits(seconds: number, rounds: number): Promise<VisitFigures> {
  const options = localOptions({ port: 0, state: null }) as unknown as { workers: Worker[] };
  const worker = options.workers[0] as Worker;
  const workers = [
    ...options.workers,
    ...(worker.assets ? [alone(worker, "worker")] : []),
    bareWorker("bare-taken", bareTaken),
  ];
  const mf = new Miniflare({ ...options, workers } as unknown as MiniflareOptions);
  try {
    await mf.ready;
    const db = await mf.getD1Database("DB", worker.name);
    await migrate(db);
    await seedDemo(mf);
    const origin = await mf.unsafeGetDirectURL(worker.assets ? "worker" : worker.name);
    const page = {
      public: new URL(demoLink(origin.origin, "published")),
      preview: new URL(demoLink(origin.origin, "preview")),
    };
    const sums = async () =>
      (await db
        .prepare(
          "SELECT coalesce(sum(visits), 0) visits, coalesce(sum(visitors), 0) visitors, coalesce(sum(seconds), 0) seconds FROM visit_totals WHERE event_id = ? AND grain = 'hour'",
        )
        .bind(demoIds.mainEvent)
        .first<VisitFigures["counted"]>()) ?? { visits: 0, visitors: 0, seconds: 0 };

    const kept = await compare(rounds, async (key) => {
      const times: number[] = [];
      for (let reads = 0; reads < READS; reads++) times.push(await read(page[key]));
      return percentile(Float64Array.from(times).sort(), 0.5);
    });
    const browser = await launchBrowser();
    const flat = (mode: "published" | "preview") => {
      const url = new URL(demoLink(origin.origin, mode, demoIds.showcaseEvent));
      url.hostname = "localhost";
      return url;
    };
    const flatPages = { public: flat("published"), preview: flat("preview") };
    // Once for each, of which nothing is taken: what is compiled first is kept.
    for (const key of KEYS) await busyMs(browser, flatPages[key]);
    const inBrowser = await compare(rounds, (key) => busyMs(browser, flatPages[key])).finally(() =>
      browser.close(),
    );

    const total = RATE * seconds;
    const path = `/v/${demoIds.mainEvent}${page.public.search}`;
    const tell = (visitor: number) => {
      const report = { visit: randomBytes(16).toString("hex"), part: 0, from: "", things: [] };
      const body = JSON.stringify({ ...report, stays: [{ place: "", seconds: 3 }] });
      const lines = [
        `POST ${path} HTTP/1.1`,
        `Host: ${origin.host}`,
        `User-Agent: ${PERSON}`,
        "Content-Type: text/plain;charset=UTF-8",
        `CF-Connecting-IP: 10.${visitor >> 16}.${(visitor >> 8) & 255}.${visitor & 255}`,
        `Content-Length: ${body.length}`,
      ];
      const bytes = Buffer.from(`${lines.join("\r\n")}\r\n\r\n${body}`);
      return visitor % TWICE ? [bytes] : [bytes, bytes];
    };
    const bareUsed = timed();
    const bareRun = await runStream(await mf.unsafeGetDirectURL("bare-taken"), RATE, total / 6, tell);
    const bare = { ...bareRun, ...bareUsed(total / 6) };

    const before = await sums();
    const used = timed();
    const run = await runStream(origin, RATE, total, tell);
    const last = performance.now();
    let counted = await sums();
    while (counted.visits - before.visits < total && performance.now() - last < PATIENCE_MS) {
      await sleep(100);
      counted = await sums();
    }
    const product = { ...run, ...used(total) };
    const lateMs = performance.now() - last;
    // What is counted too often comes late as well.
    await sleep(2000);
    counted = await sums();
    return {
      seconds,
      sent: total,
      product,
      bare,
      counted: {
        visits: counted.visits - before.visits,
        visitors: counted.visitors - before.visitors,
        seconds: counted.seconds - before.seconds,
      },
      lateMs,
      page: kept,
      inBrowser,
    };
  } finally {
    agent.destroy();
    await mf.dispose();
  }
}
