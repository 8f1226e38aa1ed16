import { readFileSync } from "node:fs";
import { join } from "node:path";
import { moduleNames } from "../../scripts/lib/build/worker-modules";
import { fromRoot } from "../../scripts/lib/paths";
import { type BenchTarget, KB } from "../targets";
import type { ConvertFigures } from "./convert";
import { SLOWDOWN } from "./first-pin";
import type { PageScripts } from "./scripts";
import { comparedCounts } from "./space-switches";
import type { StageFigures } from "./stage";
import { LONG_TASK_MS } from "./walks";

/** Limits of the viewer page in KB: script until it is usable and script for 3D, both after gzip, and HTML without compression. */
const USABLE_MAX_KB = 127;
const STAGE_MAX_KB = 220;
const HTML_MAX_KB = 110;
/** Limits of the script before other pages can be used, in KB after gzip, by the start of the page's key. */
const SCREEN_KB = { login: 120, "space list": 160, space: 160, "event editor": 230 };

/** Names that a minifier must preserve and that occur only in three.js. */
const THREE = /isBufferGeometry|WebGLRenderer/;

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

/** Maximum time until the first pin responds to a click, in milliseconds. */
const FIRST_PIN_MS = 3000;
/**
 * Maximum CPU milliseconds of a frame's script, 95th percentile. A frame at 60 Hz has 16.7 ms; the rest is for the graphics and the
 * browser.
 */
const FRAME_CPU_MS = 8;
/** Maximum median time from a letter in the search until the list is laid out, in milliseconds. */
const FILTER_MS = 50;
/** Maximum size of a page of 500 tags and 100 media, without files, in KB after gzip. */
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
      name: `First pin that responds to a click, ${SLOWDOWN} × slower processor`,
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

/** Limits of a converted model: triangles, bytes in graphics memory, and its first frame as a multiple of the demo model's. */
const TRIANGLES_MAX = 500_000;
const GRAPHICS_MAX_BYTES = 300 * 1024 ** 2;
const FRAME_TIMES = 8;

/** Targets for the converted large model. */
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
