import type { Converted, ConvertFigures } from "./convert";
import type { ListFigures } from "./lists";
import type { Machine } from "./machine";
import type { Figure, Trips } from "./measure";
import type { RangeFigures } from "./ranges";
import type { PageScripts, Script } from "./scripts";
import type { StageFigures } from "./stage";
import type { StartUpFigures } from "./startup";
import type { Spread } from "./stats";
import { ends } from "./switches";
import { KB, type Target } from "./targets";
import type { MemoryFigures, MemoryWay } from "./upload-memory";
import type { UploadFigures } from "./uploads";
import type { VisitFigures } from "./visits";
import { LONG_MS } from "./walks";

const kb = (bytes: number) => (bytes / KB).toFixed(1);
const whole = (value: number) => Math.round(value).toLocaleString("en");
const ms = (value: number) => value.toFixed(value < 10 ? 2 : 0);
const range = ({ min, max }: Spread, write: (value: number) => string) => `${write(min)}–${write(max)}`;

/** Rows in columns: the first to the left, the others to the right. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((name, i) => Math.max(name.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join("  ")
      .trimEnd();
  return [line(head), widths.map((width) => "─".repeat(width)).join("  "), ...rows.map(line)].join("\n");
}

export function machineText(machine: Machine): string {
  return [
    `${machine.cpus} × ${machine.cpuModel}, ${machine.memoryGb} GB, ${machine.system}`,
    `Node ${machine.node}, workerd ${machine.workerd}${machine.commit && `, commit ${machine.commit}`}`,
    `Load before the run: ${machine.loadBefore.toFixed(2)}`,
  ].join("\n");
}

/** The figures of one comparison, and what its requests asked of D1. */
export function speedText(figures: readonly Figure[], trips: readonly Trips[]): string {
  const nameOf = (key: string) => figures.find((figure) => figure.key === key)?.name ?? key;
  const rows = figures.map((figure) => [
    figure.name,
    figure.ratio ? figure.ratio.of.median.toFixed(3) : "1",
    figure.ratio ? range(figure.ratio.of, (value) => value.toFixed(2)) : "",
    whole(figure.rate.median),
    range(figure.rate, whole),
    ms(figure.p50.median),
    ms(figure.alone.median),
    figure.cpu === null ? "" : whole(figure.cpu),
    kb(figure.bytes),
  ]);
  const head = ["", "ratio", "min–max", "req/s", "min–max", "p50 ms", "alone ms", "CPU µs", "KB"];
  const others = figures.filter(({ ratio }) => ratio && ratio.base !== "bare-page");
  const usual = figures.find(({ key }) => key === "bare-page");
  const busiest = Math.max(...figures.map((figure) => figure.generator));
  return [
    table(head, rows),
    "",
    usual ? `Ratios are to "${usual.name}", round by round, but:` : "Ratios are round by round:",
    ...others.map(({ name, ratio }) => `  ${name}: to "${nameOf(ratio?.base ?? "")}"`),
    "p50 under load, alone with one request at a time; CPU is workerd's own for one request.",
    `The load generator used at most ${Math.round(busiest * 100)} % of one processor.`,
    "",
    table(
      ["Of D1", "round trips", "statements"],
      trips.map(({ key, trips: count, statements }) => [nameOf(key), String(count), String(statements)]),
    ),
  ].join("\n");
}

export function scriptText(pages: readonly PageScripts[]): string {
  const rows = pages.map((page) => [
    page.key,
    kb(page.usable),
    String(page.usableScripts.length),
    kb(page.later),
    page.stage > 0 ? kb(page.stage) : "",
    kb(page.html.gzip),
    page.provenAfterMs === null ? "" : whole(page.provenAfterMs),
  ]);
  const [first] = pages;
  const group = (scripts: readonly Script[] | undefined, when: string) =>
    (scripts ?? []).map(({ name, gzip }) => [`  ${name}`, kb(gzip), when]);
  const parts = [
    ...group(first?.usableScripts, ""),
    ...group(first?.laterScripts, "later"),
    ...group(first?.stageScripts, "3D"),
  ];
  return [
    table(["KB gzip", "script", "files", "later", "3D", "HTML", "alive after ms"], rows),
    "",
    table([`In ${first?.key ?? ""}`, "KB gzip", ""], parts),
  ].join("\n");
}

export function listText({ few, many, lists, searchRatios }: ListFigures): string {
  const rows = lists.map(({ of, key, fewMs, manyMs, ratio }) => [
    `${of}: ${key}`,
    ms(fewMs),
    ms(manyMs),
    ratio.toFixed(2),
  ]);
  const slowest = Object.entries(searchRatios).map(([of, ratio]) => `${ratio.toFixed(2)} × of ${of}`);
  return [
    table(["List, ms alone", `${whole(few)} of each`, `${whole(many)} of each`, "ratio"], rows),
    "",
    `The slowest search, by the time of the list that is not searched: ${slowest.join(", ")}.`,
  ].join("\n");
}

export function rangeText({ fileBytes, partBytes, readers }: RangeFigures): string {
  const ratio = (value: number) => value.toFixed(2);
  const rows = readers.map((reader) => [
    reader.key,
    ratio(reader.ratio.median),
    range(reader.ratio, ratio),
    ratio(reader.lookRatio.median),
    range(reader.lookRatio, ratio),
    ...[reader.ms, reader.bareMs, reader.lookMs].map(({ median }) => ms(median)),
  ]);
  const first = `First byte of ${kb(partBytes)} KB of ${whole(fileBytes / 1e6)} MB`;
  const head = [first, "ratio", "min–max", "to R2 and D1", "min–max", "ms", "R2 ms", "R2 and D1 ms"];
  return [
    table(head, rows),
    "",
    "Ratios are to a bare worker that reads the same of R2, and to one that reads a row of D1 meanwhile.",
  ].join("\n");
}

const MEMORY_WAYS: Readonly<Record<MemoryWay, string>> = {
  "product, R2 elsewhere": "Product, R2 in another process",
  product: "Product, R2 imitated in the same process",
  bare: "Bare worker, R2 imitated in the same process",
};

function memoryText({ megabytes, runs, ways }: MemoryFigures): string {
  const mb = (bytes: number) => whole(bytes / 1024 ** 2);
  const rows = (Object.keys(MEMORY_WAYS) as MemoryWay[]).map((way) => {
    const { before, grown } = ways[way];
    return [MEMORY_WAYS[way], mb(before.median), mb(grown.median), range(grown, mb)];
  });
  const what = `Memory of workerd, one upload of ${megabytes} MB, ${runs} processes`;
  return table([what, "MB before", "MB more at most", "min–max"], rows);
}

export function uploadText({ megabytes, rounds, ratio, product, bare, memory }: UploadFigures): string {
  const head = [`Uploads of ${megabytes} MB, ${rounds} rounds`, "MB/s", "min–max", "ratio", "min–max"];
  const ratios = [ratio.median.toFixed(2), range(ratio, (value) => value.toFixed(2))];
  return [
    table(head, [
      ["Product, in slices over the API", whole(product.median), range(product, whole), ...ratios],
      ["Bare worker: the same slices into R2", whole(bare.median), range(bare, whole), "1", ""],
    ]),
    "",
    memory ? memoryText(memory) : "This system does not tell how much memory workerd has.",
  ].join("\n");
}

export function stageText({ firstPin, walks, finding, pageBytes, switches, load }: StageFigures): string {
  const spread = (of: Spread) => [ms(of.median), range(of, ms)];
  const mb = (bytes: number) => (bytes / 1024 ** 2).toFixed(1);
  const [early, late] = ends(switches);
  return [
    table(
      [`First visit, 4 × slower processor, ${firstPin.runs} times`, "ms", "min–max"],
      [
        ["Scripts have taken the page over", ...spread(firstPin.hydrated)],
        ["Space is seen", ...spread(firstPin.ready)],
        ["A pin answers a click", ...spread(firstPin.pin)],
      ],
    ),
    "",
    table(
      [
        "Walk",
        "longest ms",
        "of it CPU",
        `> ${LONG_MS} ms`,
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
        `${walk.overlaps} in ${walk.looks}`,
      ]),
    ),
    "Script and all are processor time of the page's main thread for a drawn frame; graphics are drawn by software, which says nothing of a GPU's frames a second.",
    "",
    table(
      ["500 tags, 100 media", "ms", "min–max"],
      [
        ["Visitors' page: a letter in the search", ...spread(finding.visitors)],
        ["Editor: a search of the list", ...spread(finding.editor)],
      ],
    ),
    `Its page without files: ${kb(pageBytes)} KB gzip.`,
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
      [early, late].flatMap((each, at) =>
        each
          ? [
              [
                at === 0 ? "early" : "at the end",
                mb(each.heapBytes),
                whole(each.nodes),
                whole(each.listeners),
                whole(each.contexts),
                whole(each.graphics),
                whole(each.canvases),
              ],
            ]
          : [],
      ),
    ),
    `Load before each part: ${Object.entries(load)
      .map(([part, value]) => `${part} ${value.toFixed(1)}`)
      .join(", ")}.`,
  ].join("\n");
}

export function visitText(figures: VisitFigures): string {
  const { seconds, sent, product, bare, counted, lateMs, page, inBrowser } = figures;
  const used = (value: number | null) => (value === null ? "" : value.toFixed(2));
  return [
    table(
      [`Visits for ${seconds} s`, "", "bare worker"],
      [
        ["sent, every tenth twice", whole(sent)],
        ["taken a second", whole(product.rate), whole(bare.rate)],
        ["refused; told again", `${whole(product.refused)}; ${whole(product.again)}`],
        [
          "answered after ms, p50 and p99",
          ...[product, bare].map(({ p50, p99 }) => `${ms(p50)}, ${ms(p99)}`),
        ],
        ["processor ms of workerd for each", used(product.workerdMs), used(bare.workerdMs)],
        ["processor ms of the sender for each", used(product.ownMs), used(bare.ownMs)],
        ["counted visits", whole(counted.visits)],
        ["counted visitors", whole(counted.visitors)],
        ["counted seconds, three each", whole(counted.seconds)],
        ["all counted after the last answer, ms", whole(lateMs)],
      ],
    ),
    "",
    ...(
      [
        ["Kept viewer page, ms alone", page],
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

export function convertText({ large, firstFrame, converted, slow }: ConvertFigures): string {
  const arrow = (of: (facts: Converted["before"]) => string, { before, after }: Converted) =>
    of(after) === "" ? "" : `${of(before) || "?"} → ${of(after)}`;
  return [
    table(
      ["Conversion in the owner's browser", "s", "MB", "triangles or splats", "graphics MB", "preview MB"],
      [large, ...converted].map((each) => [
        each.key,
        seconds(each.convertedMs),
        arrow(({ bytes }) => mb(bytes), each),
        arrow(({ triangles, splats }) => (triangles ?? splats)?.toLocaleString("en") ?? "", each),
        arrow(({ graphics_bytes }) => mb(graphics_bytes), each),
        mb(each.previewBytes),
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
      ["First frame at 500 KB/s, s", "as visitors get it", "as it was uploaded"],
      slow.map(({ key, prepared, original }) => [
        key,
        seconds(prepared),
        key.startsWith("demo") ? "" : seconds(original),
      ]),
    ),
  ].join("\n");
}

const WORKERS = { bare: "Bare worker", product: "This build", older: "Older build" } as const;

export const startUpText = ({ runs, workers }: StartUpFigures): string =>
  table(
    [`Start-up, median of ${runs}`, "MB", "at start", "ms", "min–max", "more ms", "CPU ms", "more CPU ms"],
    workers.map((each) => [
      WORKERS[each.key],
      (each.bytes / 1e6).toFixed(2),
      (each.startBytes / 1e6).toFixed(2),
      whole(each.ms.median),
      range(each.ms, whole),
      whole(each.moreMs),
      each.cpuMs ? whole(each.cpuMs.median) : "",
      each.moreCpuMs === null ? "" : whole(each.moreCpuMs),
    ]),
  );

export function targetText(targets: readonly Target[]): string {
  return table(
    ["Targets", "wanted", "found", ""],
    targets.map(({ name, wanted, found, met }) => [name, wanted, found, met ? "ok  " : "MISS"]),
  );
}
