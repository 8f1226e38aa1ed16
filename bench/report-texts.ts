import type { ConversionFigures, ConvertFigures } from "./browser/convert";
import { SLOWDOWN } from "./browser/first-pin";
import type { PageScripts, Script } from "./browser/scripts";
import { comparedCounts } from "./browser/space-switches";
import type { StageFigures } from "./browser/stage";
import { LONG_TASK_MS } from "./browser/walks";
import type { ColdIsolateFigures } from "./cold-isolate";
import type { CpuFigure } from "./isolate-cpu";
import type { ListFigures } from "./load/lists";
import type { RangeFigures } from "./load/ranges";
import type { ScaleResult } from "./load/scale";
import type { MemoryFigures, MemorySetup } from "./load/upload-memory";
import type { UploadFigures } from "./load/uploads";
import type { VisitFigures } from "./load/visits";
import type { Machine } from "./machine";
import type { Figure, Trips } from "./measure";
import type { Spread } from "./spread";
import type { StartUpFigures } from "./start-up";
import { type BenchTarget, KB } from "./targets";

const kb = (bytes: number) => (bytes / KB).toFixed(1);
const integer = (value: number) => Math.round(value).toLocaleString("en");
const ms = (value: number) => value.toFixed(value < 10 ? 2 : 0);
const range = ({ min, max }: Spread, format: (value: number) => string) => `${format(min)}–${format(max)}`;

/** Formats rows as columns: the first column is left-aligned, the others right-aligned. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((name, i) => Math.max(name.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join("  ")
      .trimEnd();
  return [line(head), widths.map((width) => "─".repeat(width)).join("  "), ...rows.map(line)].join("\n");
}

/** Describes the machine. */
export function machineText(machine: Machine): string {
  return [
    `${machine.cpus} × ${machine.cpuModel}, ${machine.memoryGb} GB, ${machine.system}`,
    `Node ${machine.node}, workerd ${machine.workerd}${machine.commit && `, commit ${machine.commit}`}`,
    `Load before the run: ${machine.loadBefore.toFixed(2)}`,
  ].join("\n");
}

/** Figures of one comparison, and the D1 queries of its requests. */
export function speedText(figures: readonly Figure[], trips: readonly Trips[]): string {
  const nameOf = (key: string) => figures.find((figure) => figure.key === key)?.name ?? key;
  const rows = figures.map((figure) => [
    figure.name,
    figure.ratio ? figure.ratio.spread.median.toFixed(3) : "1",
    figure.ratio ? range(figure.ratio.spread, (value) => value.toFixed(2)) : "",
    integer(figure.rate.median),
    range(figure.rate, integer),
    ms(figure.p50.median),
    ms(figure.alone.median),
    figure.cpu === null ? "" : integer(figure.cpu),
    kb(figure.bytes),
  ]);
  const head = ["", "ratio", "min–max", "req/s", "min–max", "p50 ms", "alone ms", "CPU µs", "KB"];
  const figuresWithOtherBase = figures.filter(({ ratio }) => ratio && ratio.base !== "bare-page");
  const commonBase = figures.find(({ key }) => key === "bare-page");
  const busiest = Math.max(...figures.map((figure) => figure.generator));
  return [
    table(head, rows),
    "",
    commonBase ? `Ratios are to "${commonBase.name}", round by round, but:` : "Ratios are round by round:",
    ...figuresWithOtherBase.map(({ name, ratio }) => `  ${name}: to "${nameOf(ratio?.base ?? "")}"`),
    "p50 under load, alone with one request at a time; CPU is workerd's own time per request.",
    `In its busiest scenario, the load generator used ${Math.round(busiest * 100)} % of one processor.`,
    "",
    table(
      ["D1", "round trips", "statements"],
      trips.map(({ key, trips: count, statements }) => [nameOf(key), String(count), String(statements)]),
    ),
  ].join("\n");
}

/** Formats the processor times of pages. */
export const cpuText = (figures: readonly CpuFigure[]): string =>
  [
    table(
      ["Processor ms, medians of five", "isolate", "process", "relative", "KB"],
      figures.map(({ name, isolateMs, processMs, relative, bytes }) => [
        name,
        isolateMs.toFixed(2),
        processMs === null ? "" : processMs.toFixed(2),
        relative.toFixed(2),
        kb(bytes),
      ]),
    ),
    "Relative is the isolate's time divided by the time of a fixed piece of work in the same minute.",
  ].join("\n");

/** Formats the sizes of each page's scripts. */
export function scriptText(pages: readonly PageScripts[]): string {
  const rows = pages.map((page) => [
    page.key,
    kb(page.usable),
    String(page.usableScripts.length),
    kb(page.later),
    page.stage > 0 ? kb(page.stage) : "",
    kb(page.html.gzip),
    page.provenAfterMs === null ? "" : integer(page.provenAfterMs),
  ]);
  const [firstPage] = pages;
  const toRows = (scripts: readonly Script[] | undefined, phase: string) =>
    (scripts ?? []).map(({ name, gzip }) => [`  ${name}`, kb(gzip), phase]);
  const scriptRows = [
    ...toRows(firstPage?.usableScripts, ""),
    ...toRows(firstPage?.laterScripts, "later"),
    ...toRows(firstPage?.stageScripts, "3D"),
  ];
  return [
    table(["KB gzip", "script", "files", "later", "3D", "HTML", "usable after ms"], rows),
    "",
    table([`In ${firstPage?.key ?? ""}`, "KB gzip", ""], scriptRows),
  ].join("\n");
}

/** Formats the durations of lists. */
export function listText({ few, many, lists, searchRatios }: ListFigures): string {
  const rows = lists.map(({ screen, key, fewMs, manyMs, ratio }) => [
    `${screen}: ${key}`,
    ms(fewMs),
    ms(manyMs),
    ratio.toFixed(2),
  ]);
  const slowest = Object.entries(searchRatios).map(([screen, ratio]) => `${ratio.toFixed(2)} × of ${screen}`);
  return [
    table(["List, ms alone", `${integer(few)} of each`, `${integer(many)} of each`, "ratio"], rows),
    "",
    `Slowest search relative to the plain list: ${slowest.join(", ")}.`,
  ].join("\n");
}

/** Formats the times until the first byte of parts of files. */
export function rangeText({ fileBytes, partBytes, readers }: RangeFigures): string {
  const ratio = (value: number) => value.toFixed(2);
  const rows = readers.map((reader) => [
    reader.key,
    ratio(reader.ratio.median),
    range(reader.ratio, ratio),
    ratio(reader.lookupRatio.median),
    range(reader.lookupRatio, ratio),
    ...[reader.ms, reader.bareMs, reader.lookupMs].map(({ median }) => ms(median)),
  ]);
  const title = `First byte of ${kb(partBytes)} KB of ${integer(fileBytes / 1e6)} MB`;
  const head = [title, "ratio", "min–max", "to R2 and D1", "min–max", "ms", "R2 ms", "R2 and D1 ms"];
  return [
    table(head, rows),
    "",
    "Ratios are to a bare worker that reads the same part from R2, and to one that also reads a row of D1.",
  ].join("\n");
}

const MEMORY_SETUP_NAMES: Readonly<Record<MemorySetup, string>> = {
  "product, R2 elsewhere": "Product, R2 in another process",
  product: "Product, R2 simulated in the same process",
  bare: "Bare worker, R2 simulated in the same process",
};

function memoryText({ megabytes, runs, ways }: MemoryFigures): string {
  const mb = (bytes: number) => integer(bytes / 1024 ** 2);
  const rows = (Object.keys(MEMORY_SETUP_NAMES) as MemorySetup[]).map((setup) => {
    const { before, grown } = ways[setup];
    return [MEMORY_SETUP_NAMES[setup], mb(before.median), mb(grown.median), range(grown, mb)];
  });
  const title = `Memory of workerd, one upload of ${megabytes} MB, ${runs} processes`;
  return table([title, "MB before", "MB more at most", "min–max"], rows);
}

/** Formats the speed and the memory of uploads. */
export function uploadText({ megabytes, rounds, ratio, product, bare, memory }: UploadFigures): string {
  const head = [`Uploads of ${megabytes} MB, ${rounds} rounds`, "MB/s", "min–max", "ratio", "min–max"];
  const ratios = [ratio.median.toFixed(2), range(ratio, (value) => value.toFixed(2))];
  return [
    table(head, [
      ["Product, in slices over the API", integer(product.median), range(product, integer), ...ratios],
      ["Bare worker: the same slices into R2", integer(bare.median), range(bare, integer), "1", ""],
    ]),
    "",
    memory ? memoryText(memory) : "This system does not report workerd's memory.",
  ].join("\n");
}

/** Formats the figures of spaces and large events in a browser. */
export function stageText({ firstPin, walks, search, pageBytes, switches, load }: StageFigures): string {
  const spread = (values: Spread) => [ms(values.median), range(values, ms)];
  const mb = (bytes: number) => (bytes / 1024 ** 2).toFixed(1);
  const [earlyCount, lastCount] = comparedCounts(switches);
  return [
    table(
      [`First visit, ${SLOWDOWN} × slower processor, ${firstPin.runs} times`, "ms", "min–max"],
      [
        ["Page is hydrated", ...spread(firstPin.hydrated)],
        ["Space is visible", ...spread(firstPin.ready)],
        ["A pin responds to a click", ...spread(firstPin.pin)],
      ],
    ),
    "",
    table(
      [
        "Walk",
        "longest ms",
        "longest CPU",
        `> ${LONG_TASK_MS} ms`,
        "frames",
        "script ms",
        "p95",
        "all ms",
        "draws",
        "most",
        "overlaps",
      ],
      walks.map((walk) => [
        walk.key,
        ms(walk.longestMs),
        ms(walk.longestCpuMs),
        String(walk.longTasks),
        String(walk.frames),
        ms(walk.frameCpu.median),
        ms(walk.frameCpu.p95),
        ms(walk.allCpu),
        String(walk.draws.median),
        String(walk.draws.max),
        `${walk.overlaps} in ${walk.checks}`,
      ]),
    ),
    "Script and all are CPU time of the page's main thread per drawn frame. Graphics render in software, so these figures do not predict a GPU's frame rate.",
    "",
    table(
      ["500 tags, 100 media", "ms", "min–max"],
      [
        ["Visitor page: a letter in the search", ...spread(search.visitors)],
        ["Editor: a letter in the search", ...spread(search.editor)],
      ],
    ),
    `The large event's page without files: ${kb(pageBytes)} KB gzip.`,
    "",
    table(
      [
        `One tab, ${switches.switches} switches`,
        "heap MB",
        "nodes",
        "listeners",
        "contexts",
        "graphics",
        "canvases",
      ],
      [earlyCount, lastCount].flatMap((figure, index) =>
        figure
          ? [
              [
                index === 0 ? "early" : "at the end",
                mb(figure.heapBytes),
                integer(figure.nodes),
                integer(figure.listeners),
                integer(figure.contexts),
                integer(figure.graphics),
                integer(figure.canvases),
              ],
            ]
          : [],
      ),
    ),
    `Load before each part: ${Object.entries(load)
      .map(([partName, loadBefore]) => `${partName} ${loadBefore.toFixed(1)}`)
      .join(", ")}.`,
  ].join("\n");
}

/** Formats the figures of counted visits. */
export function visitText(figures: VisitFigures): string {
  const { seconds, sent, product, bare, counted, lateMs, page, inBrowser } = figures;
  const optionalMs = (value: number | null) => (value === null ? "" : value.toFixed(2));
  return [
    table(
      [`Visits for ${seconds} s`, "", "bare worker"],
      [
        ["sent, every tenth twice", integer(sent)],
        ["accepted per second", integer(product.rate), integer(bare.rate)],
        ["rejected; sent again", `${integer(product.refused)}; ${integer(product.again)}`],
        ["response ms, p50 and p99", ...[product, bare].map(({ p50, p99 }) => `${ms(p50)}, ${ms(p99)}`)],
        ["CPU ms of workerd per visit", optionalMs(product.workerdMs), optionalMs(bare.workerdMs)],
        ["CPU ms of the sender per visit", optionalMs(product.senderMs), optionalMs(bare.senderMs)],
        ["counted visits", integer(counted.visits)],
        ["counted visitors", integer(counted.visitors)],
        ["counted seconds, three each", integer(counted.seconds)],
        ["ms from the last response until all were counted", integer(lateMs)],
      ],
    ),
    "",
    ...(
      [
        ["Cached viewer page, ms alone", page],
        ["Its browser, busy ms without 3D", inBrowser],
      ] as const
    ).map(([head, cost]) =>
      table(
        [head, "median", "min–max"],
        [
          ["public, counted", ms(cost.publicMs.median), range(cost.publicMs, ms)],
          ["preview, not counted", ms(cost.previewMs.median), range(cost.previewMs, ms)],
          ["ratio", cost.ratio.median.toFixed(3), range(cost.ratio, (value) => value.toFixed(2))],
        ],
      ),
    ),
  ].join("\n");
}

const mb = (bytes: number | null | undefined) => (bytes ? (bytes / 1e6).toFixed(1) : "");
const seconds = (value: number | null) => (value === null ? "never" : (value / 1000).toFixed(1));

/** Formats the figures of conversions and first frames. */
export function convertText({ large, firstFrame, converted, slow }: ConvertFigures): string {
  const changeText = (
    valueText: (metadata: ConversionFigures["before"]) => string,
    { before, after }: ConversionFigures,
  ) => (valueText(after) === "" ? "" : `${valueText(before) || "?"} → ${valueText(after)}`);
  return [
    table(
      ["Conversion in the owner's browser", "s", "MB", "triangles or splats", "graphics MB", "preview MB"],
      [large, ...converted].map((figure) => [
        figure.key,
        seconds(figure.convertedMs),
        changeText(({ bytes }) => mb(bytes), figure),
        changeText(({ triangles, splats }) => (triangles ?? splats)?.toLocaleString("en") ?? "", figure),
        changeText(({ graphics_bytes }) => mb(graphics_bytes), figure),
        mb(figure.previewBytes),
      ]),
    ),
    "",
    table(
      [`First frame, median of ${firstFrame.runs}`, "s"],
      [
        ["demo", seconds(firstFrame.demo)],
        [large.key, seconds(firstFrame.large)],
      ],
    ),
    "",
    table(
      ["First frame at 500 KB/s, s", "prepared file", "uploaded file"],
      slow.map(({ key, prepared, original }) => [
        key,
        seconds(prepared),
        key.startsWith("demo") ? "" : seconds(original),
      ]),
    ),
  ].join("\n");
}

const WORKER_NAMES = {
  bare: "Bare worker",
  product: "This build",
  productWithRooms: "This build and the rooms",
  older: "Older build",
} as const;

/** Formats the figures of visits to many events. */
export function scaleText({ processes, scenarios, rooms }: ScaleResult): string {
  const optionalMs = (value: number | null) => (value === null ? "" : value.toFixed(3));
  return [
    table(
      [
        `Visits, ${processes} web processes`,
        "hot events",
        "parts",
        "counted",
        "sent again",
        "D1 statements per part",
        "rows written per part",
        "web CPU ms per part",
        "D1 and rooms CPU ms per part",
        "ms until in a report",
        "max",
        "ms until a change is served",
        "max",
      ],
      scenarios.map((figures) => [
        figures.implementation === "rooms" ? "rooms" : "older build",
        integer(figures.hotEvents),
        integer(figures.parts),
        integer(figures.counted),
        integer(figures.again),
        figures.statements.toFixed(3),
        figures.rowsWritten.toFixed(3),
        optionalMs(figures.webMs),
        optionalMs(figures.hostMs),
        integer(figures.reportLag.median),
        integer(figures.reportLag.max),
        integer(figures.changeLag.median),
        integer(figures.changeLag.max),
      ]),
    ),
    "",
    table(
      [
        "CPU ms per part in one room",
        "store in a shard",
        "count in the room, with D1",
        "take from a shard and count",
      ],
      rooms.map(({ partsPerCall, storeMs, countMs, mergeMs }) => [
        `${partsPerCall} parts per call`,
        optionalMs(storeMs),
        optionalMs(countMs),
        optionalMs(mergeMs),
      ]),
    ),
  ].join("\n");
}

/** Formats the start-up times of workers. */
export const startUpText = ({ runs, workers }: StartUpFigures): string =>
  table(
    [
      `Start-up, median of ${runs}`,
      "MB",
      "at start",
      "ms",
      "min–max",
      "ms above bare",
      "CPU ms",
      "CPU ms above bare",
    ],
    workers.map((figure) => [
      WORKER_NAMES[figure.key],
      (figure.bytes / 1e6).toFixed(2),
      (figure.startBytes / 1e6).toFixed(2),
      integer(figure.ms.median),
      range(figure.ms, integer),
      integer(figure.moreMs),
      figure.cpuMs ? integer(figure.cpuMs.median) : "",
      figure.moreCpuMs === null ? "" : integer(figure.moreCpuMs),
    ]),
  );

/** Formats the times of the first page of an isolate. */
export const coldIsolateText = ({ runs, startUp, firstPage, laterPage }: ColdIsolateFigures): string =>
  table(
    [`Cold isolate, median of ${runs}`, "ms", "min–max"],
    [
      ["Start-up: first response of a static path", ms(startUp.median), range(startUp, ms)],
      ["First visitor's page after it", ms(firstPage.median), range(firstPage, ms)],
      ["Later visitor's page that is not cached", ms(laterPage.median), range(laterPage, ms)],
    ],
  );

/** Formats targets and measured figures as a table. */
export function targetText(targets: readonly BenchTarget[]): string {
  return table(
    ["Targets", "target", "measured", ""],
    targets.map(({ name, wanted, measured, met }) => [name, wanted, measured, met ? "ok  " : "MISS"]),
  );
}
