/** Measures whether a thousand visits per second are counted exactly, what each one costs, and what counting costs a viewer page. */
import { randomBytes } from "node:crypto";
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { Miniflare, type MiniflareOptions } from "miniflare";
import type { Browser } from "playwright-core";
import { launchBrowser } from "../../scripts/lib/browser";
import { demoLink } from "../../scripts/lib/local/demo-links";
import { localOptions, migrate } from "../../scripts/lib/local/local-product";
import { seedDemo } from "../../scripts/lib/local/seed-demo";
import { demoIds } from "../../seed/demo";
import { flushRoom } from "../../tests/support/app/rooms";
import { bareRequestReader } from "../bare-workers";
import { bareWorker, type Worker, workerWithoutFileRouter } from "../bench-environment";
import { computeSpread, percentile, type Spread } from "../spread";
import { runStream, type StreamResult, startCpuTimer } from "./stream";

/** A stream of visits, and the CPU milliseconds per visit of workerd and of this program, which sends the requests. */
export interface VisitStream extends StreamResult {
  readonly workerdMs: number | null;
  readonly senderMs: number;
}

/** Figures of a stream of visits and of the viewer page. */
export interface VisitFigures {
  readonly seconds: number;
  readonly sent: number;
  /** The CPU time is measured until the last visit was counted. */
  readonly product: VisitStream;
  /** The same requests sent for a sixth of the time to a worker that only reads and confirms them. */
  readonly bare: VisitStream;
  /** Visits, visitors and seconds of the event in D1 afterwards, minus those before. `seconds` should be three per visit. */
  readonly counted: { readonly visits: number; readonly visitors: number; readonly seconds: number };
  /** Milliseconds from the last response until all visits were counted. */
  readonly lateMs: number;
  /** Milliseconds of one request for a cached viewer page. */
  readonly page: PageCost;
  /**
   * Milliseconds for which a browser is busy with the viewer page of a showcase, whose 3D is in another site's frame, until it has
   * reported its visit. The pages of other spaces are busier, so reporting is a smaller share of their time.
   */
  readonly inBrowser: PageCost;
}

/** Figures of a public link and of a preview, which is not counted, and their ratio per round. */
export interface PageCost {
  readonly publicMs: Spread;
  readonly previewMs: Spread;
  readonly ratio: Spread;
}

/** Rate of the stream. */
const VISITS_PER_SECOND = 1000;
/** One of this many visits is reported twice. */
const REPEATED_EVERY = 10;
const BROWSER_USER_AGENT =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
/** Number of reads of a page in a round. Their median is the round's result. */
const READS_PER_ROUND = 200;
const TIMEOUT_MS = 30_000;

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/**
 * Reads a page.
 * @returns the elapsed milliseconds
 */
const measureRead = (url: URL) =>
  new Promise<number>((resolve, reject) => {
    const startedAt = performance.now();
    request(url, { agent }, (response) => {
      response.resume();
      response.on("end", () => resolve(performance.now() - startedAt));
    })
      .on("error", reject)
      .end();
  });

const PAGE_KEYS = ["public", "preview"] as const;
type PageKey = (typeof PAGE_KEYS)[number];

/** Measures both pages alternately. Each page comes first in half of the rounds. */
async function comparePages(rounds: number, readOnce: (key: PageKey) => Promise<number>): Promise<PageCost> {
  const msByPage: Record<PageKey, number[]> = { public: [], preview: [] };
  for (let round = 0; round < rounds; round++)
    for (const key of round % 2 ? PAGE_KEYS.toReversed() : PAGE_KEYS) msByPage[key].push(await readOnce(key));
  return {
    publicMs: computeSpread(msByPage.public),
    previewMs: computeSpread(msByPage.preview),
    ratio: computeSpread(
      msByPage.public.map((value, round) => value / (msByPage.preview[round] ?? Number.NaN)),
    ),
  };
}

/** Time after which a page has reported its visit, in milliseconds. The page reports it after two seconds. */
const REPORT_AFTER_MS = 3000;

/**
 * Milliseconds for which a page keeps its browser's main thread busy (TaskDuration), from the navigation until shortly after it has
 * reported its visit.
 */
async function measureBusyMs(browser: Browser, url: URL): Promise<number> {
  const context = await browser.newContext({ userAgent: BROWSER_USER_AGENT });
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    // Uses the thread's own CPU time, which other programs do not affect.
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    await page.goto(url.href);
    await page.waitForTimeout(REPORT_AFTER_MS);
    const { metrics } = await session.send("Performance.getMetrics");
    return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN) * 1000;
  } finally {
    await context.close();
  }
}

/**
 * Measures visits.
 * @param seconds time during which visits are sent
 * @param rounds number of rounds in which the pages are read
 */
export async function benchVisits(seconds: number, rounds: number): Promise<VisitFigures> {
  const options = localOptions({ port: 0, state: null }) as unknown as { workers: Worker[] };
  const worker = options.workers[0] as Worker;
  const workers = [
    ...options.workers,
    ...(worker.assets ? [workerWithoutFileRouter(worker, "worker")] : []),
    bareWorker("bare-request-reader", bareRequestReader),
  ];
  const mf = new Miniflare({ ...options, workers } as unknown as MiniflareOptions);
  try {
    await mf.ready;
    const db = await mf.getD1Database("DB", worker.name);
    await migrate(db);
    await seedDemo(mf);
    const origin = await mf.unsafeGetDirectURL(worker.assets ? "worker" : worker.name);
    const mainPageUrls = {
      public: new URL(demoLink(origin.origin, "published")),
      preview: new URL(demoLink(origin.origin, "preview")),
    };
    /** Counts as a report does: the event's room first writes its pending visits to D1. */
    const countVisits = async () => {
      await flushRoom({ mf }, demoIds.mainEvent);
      return readCounts();
    };
    const readCounts = async () =>
      (await db
        .prepare(
          "SELECT coalesce(sum(visits), 0) visits, coalesce(sum(visitors), 0) visitors, coalesce(sum(seconds), 0) seconds FROM visit_totals WHERE event_id = ? AND grain = 'hour'",
        )
        .bind(demoIds.mainEvent)
        .first<VisitFigures["counted"]>()) ?? { visits: 0, visitors: 0, seconds: 0 };

    const cachedPage = await comparePages(rounds, async (key) => {
      const times: number[] = [];
      for (let reads = 0; reads < READS_PER_ROUND; reads++) times.push(await measureRead(mainPageUrls[key]));
      return percentile(Float64Array.from(times).sort(), 0.5);
    });
    const browser = await launchBrowser();
    const showcasePageUrl = (mode: "published" | "preview") => {
      const url = new URL(demoLink(origin.origin, mode, demoIds.showcaseEvent));
      url.hostname = "localhost";
      return url;
    };
    const showcasePageUrls = { public: showcasePageUrl("published"), preview: showcasePageUrl("preview") };
    // One discarded run per page, so that compiled code is cached.
    for (const key of PAGE_KEYS) await measureBusyMs(browser, showcasePageUrls[key]);
    const inBrowser = await comparePages(rounds, (key) =>
      measureBusyMs(browser, showcasePageUrls[key]),
    ).finally(() => browser.close());

    const visitCount = VISITS_PER_SECOND * seconds;
    const path = `/v/${demoIds.mainEvent}${mainPageUrls.public.search}`;
    const createReport = (visitor: number) => {
      const report = { visit: randomBytes(16).toString("hex"), part: 0, from: "", things: [] };
      const body = JSON.stringify({ ...report, stays: [{ place: "", seconds: 3 }] });
      const lines = [
        `POST ${path} HTTP/1.1`,
        `Host: ${origin.host}`,
        `User-Agent: ${BROWSER_USER_AGENT}`,
        "Content-Type: text/plain;charset=UTF-8",
        `CF-Connecting-IP: 10.${visitor >> 16}.${(visitor >> 8) & 255}.${visitor & 255}`,
        `Content-Length: ${body.length}`,
      ];
      const bytes = Buffer.from(`${lines.join("\r\n")}\r\n\r\n${body}`);
      return visitor % REPEATED_EVERY ? [bytes] : [bytes, bytes];
    };
    const stopBareTimer = startCpuTimer();
    const bareRun = await runStream(
      await mf.unsafeGetDirectURL("bare-request-reader"),
      VISITS_PER_SECOND,
      visitCount / 6,
      createReport,
    );
    const bare = { ...bareRun, ...stopBareTimer(visitCount / 6) };

    const countsBefore = await countVisits();
    const stopTimer = startCpuTimer();
    const productRun = await runStream(origin, VISITS_PER_SECOND, visitCount, createReport);
    const lastResponseAt = performance.now();
    let countsAfter = await countVisits();
    while (
      countsAfter.visits - countsBefore.visits < visitCount &&
      performance.now() - lastResponseAt < TIMEOUT_MS
    ) {
      await sleep(100);
      countsAfter = await countVisits();
    }
    const product = { ...productRun, ...stopTimer(visitCount) };
    const lateMs = performance.now() - lastResponseAt;
    // Waits until visits that are counted twice by mistake would have been stored, because they arrive later.
    await sleep(2000);
    countsAfter = await countVisits();
    return {
      seconds,
      sent: visitCount,
      product,
      bare,
      counted: {
        visits: countsAfter.visits - countsBefore.visits,
        visitors: countsAfter.visitors - countsBefore.visitors,
        seconds: countsAfter.seconds - countsBefore.seconds,
      },
      lateMs,
      page: cachedPage,
      inBrowser,
    };
  } finally {
    agent.destroy();
    await mf.dispose();
  }
}
