import { readFileSync } from "node:fs";
import { fromRoot } from "../scripts/lib/paths";
import type { Listed, ListFigures } from "./lists";
import type { Figure, Trips } from "./measure";
import type { RangeFigures } from "./ranges";
import type { PageScripts } from "./scripts";
import type { MemoryWay } from "./upload-memory";
import type { UploadFigures } from "./uploads";

/** KB in this project's limits: 1,000 bytes. */
export const KB = 1000;
const USABLE_KB = 110;
const STAGE_KB = 220;
const HOT_SHARE = 0.25;

export interface Target {
  readonly name: string;
  readonly wanted: string;
  readonly found: string;
  readonly met: boolean;
}

/** Names that a minifier must keep and that only three.js has. */
const THREE = /isBufferGeometry|WebGLRenderer/;

/** The targets of speed. A ratio is met by its median. */
export function speedTargets(figures: readonly Figure[], trips: readonly Trips[]): Target[] {
  const figure = (key: string): Figure => {
    const found = figures.find((one) => one.key === key);
    if (!found) throw new Error(`Nothing was measured for ${key}`);
    return found;
  };
  const hot = figure("viewer-hot");
  const share = hot.ratio?.of.median ?? 0;
  const empty = figure("remix-empty");
  const times = share / (empty.ratio?.of.median ?? Number.NaN);
  const cold = trips.find(({ key }) => key === "viewer-cold")?.trips ?? Number.NaN;
  return [
    {
      name: "Viewer page, hot, of the bare worker",
      wanted: `≥ ${HOT_SHARE}`,
      found: share.toFixed(2),
      met: share >= HOT_SHARE,
    },
    {
      name: "Viewer page, hot, of an empty Remix route",
      wanted: "> 1",
      found: `${times.toFixed(1)} ×`,
      met: times > 1,
    },
    { name: "Viewer page, cold: round trips to D1", wanted: "1", found: String(cold), met: cold === 1 },
  ];
}

/** The targets of script size: the largest of all viewer pages that were opened counts. */
export function scriptTargets(pages: readonly PageScripts[]): Target[] {
  const viewers = pages.filter(({ key }) => key.startsWith("viewer"));
  const usable = Math.max(...viewers.map((page) => page.usable)) / KB;
  const stage = Math.max(...viewers.map((page) => page.stage)) / KB;
  const bundled = THREE.test(readFileSync(fromRoot("build", "worker", "worker.js"), "utf8"));
  return [
    {
      name: "Script before the viewer page is usable",
      wanted: `≤ ${USABLE_KB} KB`,
      found: `${usable.toFixed(1)} KB`,
      met: usable <= USABLE_KB,
    },
    {
      name: "Script for 3D, separate",
      wanted: `≤ ${STAGE_KB} KB`,
      found: `${stage.toFixed(1)} KB`,
      met: stage > 0 && stage <= STAGE_KB,
    },
    { name: "3D code in the worker", wanted: "none", found: bundled ? "three" : "none", met: !bundled },
  ];
}

/** The targets of lists: flat, and a search at most twice the list. */
export function listTargets({ many, lists, searchRatios }: ListFigures): Target[] {
  const listed = Object.entries(searchRatios) as [Listed, number][];
  return listed.flatMap(([of, searchRatio]) => {
    const plain = Math.max(
      ...lists.filter((list) => list.of === of && !list.key.startsWith("search")).map(({ ratio }) => ratio),
    );
    return [
      {
        name: `List of ${of} with ${many.toLocaleString("en")}, of the time with few`,
        wanted: "≤ 1.5",
        found: plain.toFixed(2),
        met: plain <= 1.5,
      },
      {
        name: `Search of ${of}, of the time of the list`,
        wanted: "≤ 2",
        found: searchRatio.toFixed(2),
        met: searchRatio <= 2,
      },
    ];
  });
}

/** The targets of parts of files, for each reader. */
export const rangeTargets = ({ readers }: RangeFigures): Target[] =>
  readers.map(({ key, ratio }) => ({
    name: `First byte of a part of a large file, of a bare R2 read: ${key}`,
    wanted: "≤ 2",
    found: ratio.median.toFixed(2),
    met: ratio.median <= 2,
  }));

const UPLOAD_SHARE = 0.7;
const UPLOAD_MEMORY_MB = 64;

/** The targets of uploads: nearly as fast as R2 itself, and flat in memory, with R2 in another process and imitated in the same one. */
export function uploadTargets({ ratio, memory }: UploadFigures): Target[] {
  const grown = (way: MemoryWay, where: string): Target[] => {
    if (memory === null) return [];
    const megabytes = memory.ways[way].grown.median / 1024 ** 2;
    return [
      {
        name: `Memory that a ${memory.megabytes} MB upload adds to workerd, R2 ${where}`,
        wanted: `≤ ${UPLOAD_MEMORY_MB} MB`,
        found: `${megabytes.toFixed(0)} MB`,
        met: megabytes <= UPLOAD_MEMORY_MB,
      },
    ];
  };
  return [
    {
      name: "Upload throughput, of a raw R2 multipart upload",
      wanted: `≥ ${UPLOAD_SHARE}`,
      found: ratio.median.toFixed(2),
      met: ratio.median >= UPLOAD_SHARE,
    },
    ...grown("product, R2 elsewhere", "in another process"),
    ...grown("product", "imitated in the same one"),
  ];
}
