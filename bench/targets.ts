import { readFileSync } from "node:fs";
import { join } from "node:path";
import { moduleNames } from "../scripts/lib/build/worker-modules";
import { fromRoot } from "../scripts/lib/paths";
import type { ConvertFigures } from "./browser/convert";
import type { PageScripts } from "./browser/scripts";
import { comparedCounts } from "./browser/space-switches";
import type { StageFigures } from "./browser/stage";
import { LONG_TASK_MS } from "./browser/walks";
import type { ColdIsolateFigures } from "./cold-isolate";
import type { CpuFigure } from "./isolate-cpu";
import type { ApiFigures } from "./load/api";
import type { ListFigures, ListScreen } from "./load/lists";
import type { RangeFigures } from "./load/ranges";
import type { ScaleResult } from "./load/scale";
import type { MemorySetup } from "./load/upload-memory";
import type { UploadFigures } from "./load/uploads";
import type { VisitFigures } from "./load/visits";
import type { Figure, Trips } from "./measure";
import type { StartUpFigures } from "./startup";

/** KB in this project's limits: 1,000 bytes. */
export const KB = 1000;
const USABLE_MAX_KB = 127;
const STAGE_MAX_KB = 220;
const HTML_MAX_KB = 110;
/** Limits of the script before other pages can be used, in KB, by the start of the page's key. */
const SCREEN_KB = { login: 120, "space list": 160, space: 160, "event editor": 230 };
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

export interface BenchTarget {
  readonly name: string;
  readonly wanted: string;
  readonly measured: string;
  readonly met: boolean;
}

/** Names that a minifier must preserve and that occur only in three.js. */
const THREE = /isBufferGeometry|WebGLRenderer/;

/** Speed targets, for the medians of ratios. */
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

/** Maximum round trips to D1 of an owner's page, and processor milliseconds of its isolate. */
const OWNER_TRIPS = 2;
const OWNER_CPU_MS: Readonly<Record<string, number>> = { "space-list": 8, space: 10, editor: 10, library: 8 };
const CPU_MS: Readonly<Record<string, number>> = {
  ...OWNER_CPU_MS,
  "viewer-cold": 8,
  "viewer-huge": 40,
  // In addition to the store's own time, which the isolate waits for.
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

const READ_SHARE = 0.6;
const LIST_SHARE = 0.5;

/** API targets, relative to a bare worker that makes the same D1 queries and returns as many bytes. */
export function apiTargets({ figures, trips }: ApiFigures): BenchTarget[] {
  return figures.flatMap(({ key, name, ratio }): BenchTarget[] => {
    if (ratio === null) return [];
    const share = key === "api-events" ? LIST_SHARE : READ_SHARE;
    const speedTarget = {
      name: `${name}, relative to the bare worker`,
      wanted: `≥ ${share}`,
      measured: ratio.spread.median.toFixed(2),
      met: ratio.spread.median >= share,
    };
    if (key === "api-events") return [speedTarget];
    const count = trips.find((candidate) => candidate.key === key)?.trips ?? Number.NaN;
    return [
      speedTarget,
      { name: `${name}: round trips to D1`, wanted: "1", measured: String(count), met: count === 1 },
    ];
  });
}

/** Targets for script sizes. The largest of all opened viewer pages counts. */
export function scriptTargets(pages: readonly PageScripts[]): BenchTarget[] {
  const viewers = pages.filter(({ key }) => key.startsWith("viewer"));
  const usableKb = Math.max(...viewers.map((page) => page.usable)) / KB;
  const stageKb = Math.max(...viewers.map((page) => page.stage)) / KB;
  const htmlKb = Math.max(...viewers.map((page) => page.html.bytes)) / KB;
  const workerFolder = fromRoot("build", "worker");
  const hasThree = moduleNames(workerFolder).some((name) =>
    THREE.test(readFileSync(join(workerFolder, name), "utf8")),
  );
  return [
    {
      name: "Script before the viewer page is usable",
      wanted: `≤ ${USABLE_MAX_KB} KB`,
      measured: `${usableKb.toFixed(1)} KB`,
      met: usableKb <= USABLE_MAX_KB,
    },
    ...Object.entries(SCREEN_KB).map(([key, limit]): BenchTarget => {
      const page = pages.find((scripts) => scripts.key.startsWith(`${key},`));
      const kb = (page?.usable ?? Number.NaN) / KB;
      return {
        name: `Script before the page is usable: ${key}`,
        wanted: `≤ ${limit} KB`,
        measured: `${kb.toFixed(1)} KB`,
        met: kb <= limit,
      };
    }),
    {
      name: "HTML of the viewer page",
      wanted: `≤ ${HTML_MAX_KB} KB`,
      measured: `${htmlKb.toFixed(1)} KB`,
      met: htmlKb <= HTML_MAX_KB,
    },
    {
      name: "Script for 3D, separate",
      wanted: `≤ ${STAGE_MAX_KB} KB`,
      measured: `${stageKb.toFixed(1)} KB`,
      met: stageKb > 0 && stageKb <= STAGE_MAX_KB,
    },
    { name: "3D code in the worker", wanted: "none", measured: hasThree ? "three" : "none", met: !hasThree },
  ];
}

/** Maximum time of a list with 100,000 items, relative to 100 items. */
const LIST_RATIO = 1.2;

/** Targets for lists: the time must not depend on the number of items, and a search may take at most twice as long as the list. */
export function listBenchTargets({ many, lists, searchRatios }: ListFigures): BenchTarget[] {
  const searchEntries = Object.entries(searchRatios) as [ListScreen, number][];
  return searchEntries.flatMap(([listName, searchRatio]) => {
    const plainRatio = Math.max(
      ...lists
        .filter((entry) => entry.screen === listName && !entry.key.startsWith("search"))
        .map(({ ratio }) => ratio),
    );
    return [
      {
        name: `List of ${listName} with ${many.toLocaleString("en")}, relative to few`,
        wanted: `≤ ${LIST_RATIO}`,
        measured: plainRatio.toFixed(2),
        met: plainRatio <= LIST_RATIO,
      },
      {
        name: `Search of ${listName}, relative to the list`,
        wanted: "≤ 2",
        measured: searchRatio.toFixed(2),
        met: searchRatio <= 2,
      },
    ];
  });
}

/** Targets for parts of files, per reader. */
export const rangeTargets = ({ readers }: RangeFigures): BenchTarget[] =>
  readers.map(({ key, ratio }) => ({
    name: `First byte of a part of a large file, relative to a bare R2 read: ${key}`,
    wanted: "≤ 2",
    measured: ratio.median.toFixed(2),
    met: ratio.median <= 2,
  }));

const FIRST_PIN_MS = 3000;
/**
 * Maximum CPU milliseconds of the page's main thread per frame. A frame at 60 Hz has 16.7 ms; the rest is for the graphics and the
 * browser.
 */
const FRAME_CPU_MS = 8;
const FILTER_MS = 50;
const PAGE_MAX_KB = 300;
/** Maximum share by which the heap may grow while spaces are switched. */
const HEAP_GROWTH = 0.1;

/** Targets for spaces in a browser. */
export function stageTargets({ firstPin, walks, search, pageBytes, switches }: StageFigures): BenchTarget[] {
  const [earlyResources, lastResources] = comparedCounts(switches);
  const growth =
    earlyResources && lastResources ? lastResources.heapBytes / earlyResources.heapBytes - 1 : Number.NaN;
  const objectCounts = (resources: typeof earlyResources) =>
    resources && [
      resources.nodes,
      resources.listeners,
      resources.frames,
      resources.contexts,
      resources.graphics,
      resources.canvases,
    ];
  const [earlyCounts, lastCounts] = [objectCounts(earlyResources) ?? [], objectCounts(lastResources) ?? []];
  const leakedKinds = lastCounts.filter((count, index) => count > (earlyCounts[index] ?? 0)).length;
  const longest = Math.max(...walks.map(({ longestMs }) => longestMs));
  const p95 = Math.max(...walks.map(({ frameCpu }) => frameCpu.p95));
  const overlaps = walks.reduce((sum, walk) => sum + walk.overlaps, 0);
  return [
    {
      name: "First pin that responds to a click, 4 × slower processor",
      wanted: `≤ ${FIRST_PIN_MS} ms`,
      measured: `${firstPin.pin.median.toFixed(0)} ms`,
      met: firstPin.pin.median <= FIRST_PIN_MS,
    },
    {
      name: "Longest task of a walk, software graphics",
      wanted: `≤ ${LONG_TASK_MS} ms`,
      measured: `${longest.toFixed(0)} ms`,
      met: longest <= LONG_TASK_MS,
    },
    {
      name: "CPU time of a frame's script, 95th percentile",
      wanted: `≤ ${FRAME_CPU_MS} ms`,
      measured: `${p95.toFixed(1)} ms`,
      met: p95 <= FRAME_CPU_MS,
    },
    { name: "Labels that overlap others", wanted: "none", measured: String(overlaps), met: overlaps === 0 },
    {
      name: "A letter in the search among 500 tags",
      wanted: `≤ ${FILTER_MS} ms`,
      measured: `${search.visitors.median.toFixed(0)} ms, at most ${search.visitors.max.toFixed(0)}`,
      met: search.visitors.median <= FILTER_MS,
    },
    {
      name: "Page of 500 tags and 100 media without files",
      wanted: `≤ ${PAGE_MAX_KB} KB`,
      measured: `${(pageBytes / KB).toFixed(0)} KB`,
      met: pageBytes <= PAGE_MAX_KB * KB,
    },
    {
      name: `Heap after ${switches.switches} switches of spaces, relative to the early heap`,
      wanted: `≤ +${HEAP_GROWTH * 100} %`,
      measured: `${growth >= 0 ? "+" : ""}${(growth * 100).toFixed(1)} %`,
      met: growth <= HEAP_GROWTH,
    },
    {
      name: "Kinds of page and graphics objects that leak",
      wanted: "none",
      measured: String(leakedKinds),
      met: leakedKinds === 0,
    },
  ];
}

const UPLOAD_SHARE = 0.7;
const UPLOAD_MEMORY_MB = 64;

/**
 * Targets for uploads: nearly as fast as R2 itself, and constant memory, both with R2 in another process and with R2 simulated in
 * the same one.
 */
export function uploadTargets({ ratio, memory }: UploadFigures): BenchTarget[] {
  const memoryTarget = (setup: MemorySetup, label: string): BenchTarget[] => {
    if (memory === null) return [];
    const megabytes = memory.ways[setup].grown.median / 1024 ** 2;
    return [
      {
        name: `Memory that a ${memory.megabytes} MB upload adds to workerd, R2 ${label}`,
        wanted: `≤ ${UPLOAD_MEMORY_MB} MB`,
        measured: `${megabytes.toFixed(0)} MB`,
        met: megabytes <= UPLOAD_MEMORY_MB,
      },
    ];
  };
  return [
    {
      name: "Upload throughput, relative to a raw R2 multipart upload",
      wanted: `≥ ${UPLOAD_SHARE}`,
      measured: ratio.median.toFixed(2),
      met: ratio.median >= UPLOAD_SHARE,
    },
    ...memoryTarget("product, R2 elsewhere", "in another process"),
    ...memoryTarget("product", "simulated in the same one"),
  ];
}

/** Maximum ratio by which logging may increase a viewer page's time. */
const PAGE_RATIO = 1.05;
/** Maximum CPU milliseconds per visit: at 1,000 visits per second, one of two processors remains free. */
const VISIT_MS = 1;

/** Targets for counting visits: exact counts, and no noticeable cost for visitors. */
export const scaleTargets = ({ scenarios }: ScaleResult): BenchTarget[] =>
  scenarios
    .filter(({ implementation }) => implementation === "rooms")
    .flatMap(({ hotEvents, parts, counted, changeLag }) => [
      {
        name: `Scale, ${hotEvents.toLocaleString("en")} hot events: counted exactly once`,
        wanted: parts.toLocaleString("en"),
        measured: counted.toLocaleString("en"),
        met: counted === parts,
      },
      {
        name: `Scale, ${hotEvents.toLocaleString("en")} hot events: ms until all processes serve a change`,
        wanted: "≤ 1,000",
        measured: Math.round(changeLag.max).toLocaleString("en"),
        met: changeLag.max <= 1000,
      },
    ]);

export function visitTargets({ sent, product, counted, page, inBrowser }: VisitFigures): BenchTarget[] {
  const isExact = counted.visits === sent && counted.visitors === sent && counted.seconds === 3 * sent;
  return [
    {
      name: "Visits: counted exactly once",
      wanted: sent.toLocaleString("en"),
      measured: counted.visits.toLocaleString("en"),
      met: isExact && product.refused === 0,
    },
    {
      // The rate includes the time until the last acknowledgement, about 0.7 s, so it is below the 1,000 per second that are sent.
      name: "Visits: accepted per second",
      wanted: "≥ 900",
      measured: Math.round(product.rate).toLocaleString("en"),
      met: product.rate >= 900,
    },
    ...(product.workerdMs === null
      ? []
      : [
          {
            name: "Visits: CPU ms per visit, with the database",
            wanted: `≤ ${VISIT_MS}`,
            measured: product.workerdMs.toFixed(2),
            met: product.workerdMs <= VISIT_MS,
          },
        ]),
    ...(
      [
        ["Viewer page that is counted, by one that is not", page],
        ["The same in its browser, busy time without 3D", inBrowser],
      ] as const
    ).map(([name, { ratio }]) => ({
      name,
      wanted: `≤ ${PAGE_RATIO}`,
      measured: ratio.median.toFixed(2),
      met: ratio.median <= PAGE_RATIO,
    })),
  ];
}

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

const TRIANGLES_MAX = 500_000;
const GRAPHICS_MAX_BYTES = 300 * 1024 ** 2;
const FRAME_TIMES = 8;

/** Targets for conversions for phones. */
export function convertTargets({ large, firstFrame }: ConvertFigures): BenchTarget[] {
  const { triangles = Number.NaN, graphics_bytes: graphics = Number.NaN } = large.after;
  const ratio = firstFrame.large / firstFrame.demo;
  return [
    {
      name: "Converted model: triangles",
      wanted: `≤ ${TRIANGLES_MAX.toLocaleString("en")}`,
      measured: triangles.toLocaleString("en"),
      met: triangles <= TRIANGLES_MAX,
    },
    {
      name: "Converted model: buffers and textures",
      wanted: "≤ 300 MB",
      measured: `${Math.round(graphics / 1024 ** 2)} MB`,
      met: graphics <= GRAPHICS_MAX_BYTES,
    },
    {
      name: "Converted model: first frame, relative to the demo's",
      wanted: `≤ ${FRAME_TIMES} ×`,
      measured: `${ratio.toFixed(1)} ×`,
      met: ratio <= FRAME_TIMES,
    },
  ];
}
