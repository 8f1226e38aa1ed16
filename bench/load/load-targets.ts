import type { BenchTarget } from "../targets";
import type { ApiFigures } from "./api";
import type { ListFigures, ListScreen } from "./lists";
import type { RangeFigures } from "./ranges";
import type { ScaleResult } from "./scale";
import type { MemorySetup } from "./upload-memory";
import type { UploadFigures } from "./uploads";
import type { VisitFigures } from "./visits";

/** Minimum rates of a read by uuid and of a list, relative to the bare worker. */
const READ_SHARE = 0.6;
const LIST_SHARE = 0.5;

/** API targets, relative to a bare worker that makes the same D1 queries and returns about as many bytes. */
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

/** Minimum throughput of an upload, relative to R2's own. */
const UPLOAD_SHARE = 0.7;
/** Maximum memory that an upload may add to workerd. */
const UPLOAD_MEMORY_MB = 64;

/**
 * Targets for uploads: their speed relative to R2's own, and the memory that they add, both with R2 in another process and with R2
 * simulated in the same one.
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

/**
 * Targets for one hot event and for many, which are visited at the same time: exact counts of the parts in which visits are reported, and the time
 * until a change is visible everywhere.
 */
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

/** Maximum time of a viewer page whose visits are counted, relative to a page whose visits are not counted. */
const PAGE_RATIO = 1.05;
/** Maximum CPU milliseconds per visit: at 1,000 visits per second, one of two processors remains free. */
const VISIT_MS = 1;

/** Targets for counting visits: exact counts, and no noticeable cost for visitors. */
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
        ["Viewer page that is counted, relative to one that is not", page],
        ["The same in a browser: busy time without 3D", inBrowser],
      ] as const
    ).map(([name, { ratio }]) => ({
      name,
      wanted: `≤ ${PAGE_RATIO}`,
      measured: ratio.median.toFixed(2),
      met: ratio.median <= PAGE_RATIO,
    })),
  ];
}
