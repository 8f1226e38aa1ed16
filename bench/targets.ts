import type { ColdIsolateFigures } from "./cold-isolate";
import type { CpuFigure } from "./isolate-cpu";
import type { Figure, Trips } from "./measure";
import type { StartUpFigures } from "./start-up";

/** KB in this project's limits: 1,000 bytes. */
export const KB = 1000;
/** Minimum rates of pages, relative to the worker or page that their target names. */
const HOT_SHARE = 0.5;
const HOT_NONCE_SHARE = 0.7;
const SHOP_SHARE = 1;
const LINK_SHARE = 0.8;
const PUBLIC_SHARE = 0.5;
const SKELETON_SHARE = 0.6;

/** Scenarios that are measured relative to the hot viewer page, with their targets. */
const SHARES = {
  "viewer-view": LINK_SHARE,
  "viewer-unknown": LINK_SHARE,
  "viewer-tag": LINK_SHARE,
  "log-in-page": PUBLIC_SHARE,
  "error-page": PUBLIC_SHARE,
  "shop-list": SHOP_SHARE,
  "shop-product": SHOP_SHARE,
};

/** A target and the measured figure, as texts of the report. */
export interface BenchTarget {
  readonly name: string;
  readonly wanted: string;
  readonly measured: string;
  readonly met: boolean;
}

/** Targets for the medians of speed ratios, and for round trips to D1. */
export function speedTargets(figures: readonly Figure[], trips: readonly Trips[]): BenchTarget[] {
  const findFigure = (key: string): Figure => {
    const figure = figures.find((candidate) => candidate.key === key);
    if (!figure) throw new Error(`Nothing was measured for ${key}`);
    return figure;
  };
  const hotPage = findFigure("viewer-hot");
  const hotShare = hotPage.ratio?.spread.median ?? 0;
  const nonceShare = findFigure("viewer-hot-nonce").ratio?.spread.median ?? 0;
  const emptyRoute = findFigure("remix-empty");
  const ratioToEmptyRoute = hotShare / (emptyRoute.ratio?.spread.median ?? Number.NaN);
  const skeletonShare = findFigure("remix-empty-skeleton").ratio?.spread.median ?? 0;
  const coldTrips = trips.find(({ key }) => key === "viewer-cold")?.trips ?? Number.NaN;
  return [
    {
      name: "Viewer page, hot, relative to the bare worker",
      wanted: `≥ ${HOT_SHARE}`,
      measured: hotShare.toFixed(2),
      met: hotShare >= HOT_SHARE,
    },
    {
      name: "Viewer page, hot, relative to a bare worker with a fresh nonce",
      wanted: `≥ ${HOT_NONCE_SHARE}`,
      measured: nonceShare.toFixed(2),
      met: nonceShare >= HOT_NONCE_SHARE,
    },
    {
      name: "Viewer page, hot, relative to an empty Remix route",
      wanted: "> 1",
      measured: `${ratioToEmptyRoute.toFixed(1)} ×`,
      met: ratioToEmptyRoute > 1,
    },
    {
      name: "Empty Remix route, relative to the Remix skeleton",
      wanted: `≥ ${SKELETON_SHARE}`,
      measured: skeletonShare.toFixed(2),
      met: skeletonShare >= SKELETON_SHARE,
    },
    {
      name: "Viewer page, cold: round trips to D1",
      wanted: "1",
      measured: String(coldTrips),
      met: coldTrips === 1,
    },
    ...trips
      .filter(({ key }) => key in OWNER_CPU_MS)
      .map(
        ({ key, trips: count }): BenchTarget => ({
          name: `${findFigure(key).name}: round trips to D1`,
          wanted: `≤ ${OWNER_TRIPS}`,
          measured: String(count),
          met: count <= OWNER_TRIPS,
        }),
      ),
    ...Object.entries(SHARES).map(([key, wanted]): BenchTarget => {
      const { name, ratio } = findFigure(key);
      const median = ratio?.spread.median ?? 0;
      return {
        name: `${name}, relative to the viewer page`,
        wanted: `≥ ${wanted}`,
        measured: median.toFixed(2),
        met: median >= wanted,
      };
    }),
  ];
}

/** Maximum round trips to D1 of an owner's page, and maximum processor milliseconds of a page in its isolate, by the scenario's key. */
const OWNER_TRIPS = 2;
const OWNER_CPU_MS: Readonly<Record<string, number>> = { "space-list": 8, space: 10, editor: 10, library: 8 };
const CPU_MS: Readonly<Record<string, number>> = {
  ...OWNER_CPU_MS,
  "viewer-cold": 8,
  "viewer-huge": 40,
  // Without the time for which the isolate waits for the store.
  "shop-list-cold": 10,
  "shop-product-cold": 10,
};
/** Maximum size of the page of an event with 1,000 tags and 200 media. */
const HUGE_PAGE_KB = 250;

/** Targets for the processor time of pages. */
export const cpuTargets = (figures: readonly CpuFigure[]): BenchTarget[] =>
  figures.flatMap(({ key, name, isolateMs, bytes }) => {
    const maxMs = CPU_MS[key];
    if (maxMs === undefined) return [];
    const timeTarget = {
      name: `${name}: processor time of the isolate`,
      wanted: `≤ ${maxMs} ms`,
      measured: `${isolateMs.toFixed(1)} ms`,
      met: isolateMs <= maxMs,
    };
    const sizeTarget = {
      name: `${name}: HTML`,
      wanted: `≤ ${HUGE_PAGE_KB} KB`,
      measured: `${(bytes / KB).toFixed(0)} KB`,
      met: bytes <= HUGE_PAGE_KB * KB,
    };
    return key === "viewer-huge" ? [timeTarget, sizeTarget] : [timeTarget];
  });

/** Maximum megabytes of all modules, and of those that run at the start. */
const WORKER_MB = 3;
const WORKER_START_MB = 2.2;
/**
 * Maximum ratio of the start-up to the older build's. Both are in excess of a bare worker's, in CPU time when the system reports
 * it.
 */
const START_SHARE = 0.5;

/** Targets for the worker's size and, if an older build was measured too, for its start-up. */
export function startUpTargets({ workers }: StartUpFigures): BenchTarget[] {
  const [product, older] = (["product", "older"] as const).map((key) =>
    workers.find((candidate) => candidate.key === key),
  );
  if (!product) throw new Error("The product's start-up was not measured");
  const sizeTarget = (name: string, bytes: number, maxMb: number): BenchTarget => ({
    name,
    wanted: `≤ ${maxMb.toFixed(1)} MB`,
    measured: `${(bytes / 1e6).toFixed(2)} MB`,
    met: bytes <= maxMb * 1e6,
  });
  const share = older ? (product.moreCpuMs ?? product.moreMs) / (older.moreCpuMs ?? older.moreMs) : null;
  return [
    sizeTarget("Worker: all modules", product.bytes, WORKER_MB),
    sizeTarget("Worker: modules that run at the start", product.startBytes, WORKER_START_MB),
    ...(share === null
      ? []
      : [
          {
            name: "Start-up in excess of a bare worker, relative to the older build",
            wanted: `≤ ${START_SHARE}`,
            measured: share.toFixed(2),
            met: share <= START_SHARE,
          },
        ]),
  ];
}

/** Maximum time of the first page of a cold isolate, relative to a later page that is not cached either. */
const FIRST_PAGE_TIMES = 3;

/** Target for the first page of a cold isolate: the whole response may take the start-up and three later pages. */
export function coldIsolateTargets({ firstPage, laterPage }: ColdIsolateFigures): BenchTarget[] {
  const ratio = firstPage.median / laterPage.median;
  return [
    {
      name: "First page of a cold isolate after its start-up, relative to a later page",
      wanted: `≤ ${FIRST_PAGE_TIMES} ×`,
      measured: `${ratio.toFixed(1)} ×`,
      met: ratio <= FIRST_PAGE_TIMES,
    },
  ];
}
