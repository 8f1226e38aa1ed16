/** Measures the first page of a new isolate, in comparison with later pages that are not cached either. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { demoLink } from "../scripts/lib/local/demo-links";
import { type LocalProduct, startLocal } from "../scripts/lib/local/local-product";
import { seedDemo } from "../scripts/lib/local/seed-demo";
import { demoIds } from "../seed/demo";
import { copyEventRows } from "./load/event-copies";
import { computeSpread, type Spread } from "./spread";

/** Times of isolates. */
export interface ColdIsolateFigures {
  readonly runs: number;
  /** Milliseconds from the start of Miniflare to the first response, of a static path. */
  readonly startUp: Spread;
  /** Milliseconds of the first page that the isolate then renders: a visitor's page. */
  readonly firstPage: Spread;
  /** Milliseconds of visitors' pages that the same isolate renders later for the first time. */
  readonly laterPage: Spread;
}

/** Number of pages that each isolate renders after its first one. */
const LATER_PAGES = 10;
/** A path that every build serves without D1 and R2. */
const STATIC_PATH = "/version.txt";

async function measureMs(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await run();
  return performance.now() - startedAt;
}

async function readPage({ origin }: LocalProduct, path: string): Promise<void> {
  const response = await fetch(origin + path);
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${path.replace(/\?.*/, "")} returned ${response.status}`);
}

/** Measures isolates in new processes, with the demo's data in a folder. The product must have been built. */
export async function benchColdIsolate(runs: number): Promise<ColdIsolateFigures> {
  const state = mkdtempSync(join(tmpdir(), "hiroba-bench-"));
  // The store cannot be reached, so that no page waits for it.
  const options = { port: 0, state, onLog: () => {} };
  const mainPath = demoLink("", "published");
  const measureIsolate = async (copies: readonly string[]) => {
    let local: LocalProduct | undefined;
    try {
      const startUp = await measureMs(async () => {
        local = await startLocal(options);
        await readPage(local, STATIC_PATH);
      });
      const pages: number[] = [];
      for (const path of [mainPath, ...copies])
        pages.push(await measureMs(() => readPage(local as LocalProduct, path)));
      return { startUp, firstPage: pages[0] ?? Number.NaN, laterPage: computeSpread(pages.slice(1)).median };
    } finally {
      await local?.stop();
    }
  };
  try {
    const seededProduct = await startLocal(options);
    let copyPaths: string[];
    try {
      await seedDemo(seededProduct.mf);
      const db = await seededProduct.mf.getD1Database("DB", "hiroba");
      copyPaths = (await copyEventRows(db, demoIds.mainEvent, LATER_PAGES)).map((id) =>
        mainPath.replace(demoIds.mainEvent, id),
      );
    } finally {
      await seededProduct.stop();
    }
    const isolateTimes = [];
    for (let run = 0; run < runs; run++) isolateTimes.push(await measureIsolate(copyPaths));
    return {
      runs,
      startUp: computeSpread(isolateTimes.map(({ startUp }) => startUp)),
      firstPage: computeSpread(isolateTimes.map(({ firstPage }) => firstPage)),
      laterPage: computeSpread(isolateTimes.map(({ laterPage }) => laterPage)),
    };
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
}
