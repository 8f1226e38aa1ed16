import { mkdirSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { sessionCookieName } from "../app/domain/auth/session";
import { type BenchEnvironment, startBenchEnvironment } from "../bench/bench-environment";
import { convertTargets, scriptTargets, stageTargets } from "../bench/browser/browser-targets";
import { benchConversions } from "../bench/browser/convert";
import { createLargeEvent, HUGE_EVENT } from "../bench/browser/large-event";
import { type PageScripts, type PageVisit, proveHydrated, visitPage } from "../bench/browser/scripts";
import { benchStage } from "../bench/browser/stage";
import { benchColdIsolate } from "../bench/cold-isolate";
import { COLD_REQUESTS, type CpuFigure, compareAndCommit, measureCpu } from "../bench/isolate-cpu";
import { benchApi } from "../bench/load/api";
import { benchLists } from "../bench/load/lists";
import {
  apiTargets,
  listBenchTargets,
  rangeTargets,
  scaleTargets,
  uploadTargets,
  visitTargets,
} from "../bench/load/load-targets";
import { benchRanges } from "../bench/load/ranges";
import { benchScale } from "../bench/load/scale";
import {
  CONNECTIONS,
  createScenarios,
  logInOwner,
  PRODUCT_PATH,
  prepareBareWorkers,
  toShopPath,
  warmShop,
} from "../bench/load/scenarios";
import { benchUploads } from "../bench/load/uploads";
import { benchVisits } from "../bench/load/visits";
import { describeMachine } from "../bench/machine";
import { countTrips, measure, type Plan } from "../bench/measure";
import {
  coldIsolateText,
  convertText,
  cpuText,
  listText,
  machineText,
  rangeText,
  scaleText,
  scriptText,
  speedText,
  stageText,
  startUpText,
  targetText,
  uploadText,
  visitText,
} from "../bench/report-texts";
import { SKELETON_PATH } from "../bench/skeleton/bundle";
import { benchStartUp } from "../bench/start-up";
import { coldIsolateTargets, cpuTargets, speedTargets, startUpTargets } from "../bench/targets";
import { demoIds } from "../seed/demo";
import { launchBrowser } from "./lib/browser";
import { buildProduct } from "./lib/build/build";
import { demoLink } from "./lib/local/demo-links";
import { fromRoot } from "./lib/paths";

/**
 * `npm run bench`: measures the built product and, in the same run, minimal workers with which it is compared. `--quick` takes less time
 * and is less exact. `--check` measures only the processor time of pages, and exits with 1 when one needs over 15 % more than its
 * committed figure (bench/committed.json, which `--cpu --commit` writes). These options each run one part:
 * - `--speed`: responses of pages
 * - `--cpu`: processor time of pages
 * - `--api`: reads of the API
 * - `--scripts`: scripts of pages
 * - `--stage`: spaces and large events in a browser
 * - `--lists`: list requests with many records
 * - `--ranges`: parts of large files
 * - `--uploads`: speed and memory of uploads
 * - `--visits`: counting of visits
 * - `--scale`: visits with several processes
 * - `--convert`: conversions of large files
 * - `--startup`: start-ups, and the first page of a new isolate
 *
 * `--against=FOLDER` also measures start-ups and scale of another build; the folder is that build's build/worker. Exits with 1 when
 * visits were not counted exactly.
 */

const args = new Set<string>(process.argv.slice(2));
const plan: Plan = args.has("--quick")
  ? { rounds: 3, turnSeconds: 0.2, warmUpSeconds: 0.3 }
  : { rounds: 15, turnSeconds: 0.3, warmUpSeconds: 1 };
const PARTS = [
  ...["--speed", "--cpu", "--api", "--scripts", "--stage", "--lists"],
  ...["--ranges", "--uploads", "--visits", "--scale", "--convert", "--startup"],
];
const OPTIONS = [...PARTS, "--quick", "--check", "--commit"];
if ([...args].some((arg) => !OPTIONS.includes(arg) && !arg.startsWith("--against="))) {
  console.error(`Options: ${OPTIONS.join(" ")} --against=FOLDER. Without the name of a part, all parts run.`);
  process.exit(1);
}
const runsAll = !args.has("--check") && !PARTS.some((part) => args.has(part));

/** Folder of the other build's worker, given by `--against=`, or null. */
function otherWorker(): string | null {
  const option = [...args].find((arg) => arg.startsWith("--against="));
  return option ? resolve(option.slice(option.indexOf("=") + 1)) : null;
}

/**
 * Measures how fast pages respond, and the D1 round trips of pages with the worker `counted`, which counts its queries.
 * @param ticket value of the owner's session cookie
 */
async function benchSpeed(environment: BenchEnvironment, ticket: string) {
  const { viewerPath, copyPaths } = environment;
  const cookie = { Cookie: `${sessionCookieName(false)}=${ticket}` };
  // Requests a page with store data once. The first response of the demo's store is recorded in D1, and that write must not be counted.
  await (await fetch(new URL(copyPaths[1] ?? viewerPath, environment.counted))).arrayBuffer();
  // This runs before the other measurements because the first copy is cold only once.
  const trips = await countTrips(environment.counted, {
    "viewer-cold": { path: copyPaths[0] ?? viewerPath },
    "viewer-hot": { path: copyPaths[0] ?? viewerPath },
    "space-list": { path: "/space-list", headers: cookie },
    space: { path: `/space/${demoIds.showroom}`, headers: cookie },
    editor: { path: `/event/${demoIds.mainEvent}`, headers: cookie },
    library: { path: "/library", headers: cookie },
  });
  await prepareBareWorkers(environment);
  await warmShop(environment);
  const figures = await measure(createScenarios(environment, ticket), plan, (line) =>
    process.stderr.write(`${line}\r`),
  );
  return { figures, trips };
}

/**
 * Measures the processor time of the isolate for rendered (cold) and cached (hot) pages. Each cold request is for another copy of the event, because
 * a copy is cold only once. If `routed`, the product without Miniflare's file router is the worker named "worker" (BenchEnvironment).
 */
async function benchCpu(environment: BenchEnvironment, ticket: string): Promise<CpuFigure[]> {
  const { inspector, worker, routed, viewerPath, copyPaths } = environment;
  const headers = { Cookie: `${sessionCookieName(false)}=${ticket}` };
  const huge = new URL((await createLargeEvent(worker.origin, ticket, HUGE_EVENT)).url);
  const hugePaths = await environment.copyEvent(
    huge.pathname.split("/").at(-1) ?? "",
    huge.searchParams.get("token") ?? "",
    COLD_REQUESTS,
  );
  const coldShopPaths = (path: string, turn: number) =>
    copyPaths.slice(turn * COLD_REQUESTS, (turn + 1) * COLD_REQUESTS).map((copy) => toShopPath(copy, path));
  const product = await measureCpu({ inspector, worker: routed ? "worker" : "hiroba", origin: worker }, [
    { key: "viewer-hot", name: "Viewer page, hot", paths: [viewerPath] },
    { key: "viewer-cold", name: "Viewer page, cold", paths: copyPaths.slice(0, COLD_REQUESTS) },
    { key: "shop-list-cold", name: "Shop's list of products, cold", paths: coldShopPaths("", 1) },
    { key: "shop-product-cold", name: "Shop's product page, cold", paths: coldShopPaths(PRODUCT_PATH, 2) },
    { key: "viewer-huge", name: "Viewer page of 1,000 tags and 200 media, cold", paths: hugePaths },
    { key: "remix-empty", name: "Empty Remix route", paths: ["/error/event/x?link=x"], status: 404 },
    { key: "space-list", name: "Space list", paths: ["/space-list"], headers },
    { key: "space", name: "Space", paths: [`/space/${demoIds.showroom}`], headers },
    { key: "editor", name: "Event editor", paths: [`/event/${demoIds.mainEvent}`], headers },
    { key: "library", name: "Library", paths: ["/library"], headers },
  ]);
  const skeleton = { key: "remix-skeleton", name: "Remix skeleton, empty route", paths: [SKELETON_PATH] };
  return [
    ...product,
    ...(await measureCpu({ inspector, worker: "skeleton", origin: environment.skeleton }, [skeleton])),
  ];
}

async function benchScripts(environment: BenchEnvironment, ticket: string): Promise<PageScripts[]> {
  const origin = environment.served.origin.replace("127.0.0.1", "localhost");
  const viewer = (eventId: string) => demoLink(origin, "published", eventId);
  // `prove` clicks until the page is hydrated. The report states this time.
  const visits: PageVisit[] = [
    { key: "viewer, model, ja", url: viewer(demoIds.mainEvent), prove: proveHydrated, stage: true },
    {
      key: "viewer, model, en",
      url: `${viewer(demoIds.mainEvent)}&lang=en`,
      prove: proveHydrated,
      stage: true,
    },
    { key: "viewer, panorama, ja", url: viewer(demoIds.panoramaEvent), stage: true },
    { key: "viewer, showcase, ja", url: viewer(demoIds.showcaseEvent), stage: true },
    { key: "login, ja", url: `${origin}/login` },
    { key: "space list, ja", url: `${origin}/space-list` },
    { key: "space, ja", url: `${origin}/space/${demoIds.showroom}` },
    { key: "library, ja", url: `${origin}/library` },
    { key: "event editor, ja", url: `${origin}/event/${demoIds.mainEvent}` },
    ...["tags", "start", "store", "links"].map((panel) => ({
      key: `event editor: ${panel}, ja`,
      url: `${origin}/event/${demoIds.mainEvent}?panel=${panel}`,
    })),
  ];
  const session = [{ name: sessionCookieName(false), value: ticket, url: origin }];
  const browser = await launchBrowser();
  try {
    const pages: PageScripts[] = [];
    for (const visit of visits)
      pages.push(await visitPage(browser, visit, visit.key.startsWith("login") ? [] : session));
    return pages;
  } finally {
    await browser.close();
  }
}

const machine = describeMachine();
console.log(`${machineText(machine)}\n`);
await buildProduct({ quiet: true });
// This part runs first: it measures the processor time of all workerd processes that this program has started, and there are no others yet.
const startUp =
  runsAll || args.has("--startup")
    ? await benchStartUp(args.has("--quick") ? 3 : 9, otherWorker(), (line) => console.log(line))
    : null;
if (startUp) console.log(`\n${startUpText(startUp)}\n`);
const coldIsolate = startUp ? await benchColdIsolate(startUp.runs) : null;
if (coldIsolate) console.log(`\n${coldIsolateText(coldIsolate)}\n`);

// This part also runs before the environment starts, for the same reason.
const scale =
  runsAll || args.has("--scale")
    ? await benchScale(args.has("--quick") ? 5 : 10, otherWorker(), (line) => console.log(line))
    : null;
if (scale) console.log(`\n${scaleText(scale)}\n`);

const environment = await startBenchEnvironment();
try {
  const ticket = await logInOwner(environment.worker);
  const speed = runsAll || args.has("--speed") ? await benchSpeed(environment, ticket) : null;
  if (speed) console.log(`\n${speedText(speed.figures, speed.trips)}\n`);
  const cpu =
    runsAll || args.has("--cpu") || args.has("--check") ? await benchCpu(environment, ticket) : null;
  if (cpu) console.log(`\n${cpuText(cpu)}\n`);
  const api = runsAll || args.has("--api") ? await benchApi(plan) : null;
  if (api) console.log(`\n${speedText(api.figures, api.trips)}\n`);

  const pages = runsAll || args.has("--scripts") ? await benchScripts(environment, ticket) : null;
  if (pages) console.log(`\n${scriptText(pages)}\n`);

  const stage =
    runsAll || args.has("--stage")
      ? await benchStage(args.has("--quick") ? 3 : 9, (line) => console.log(line))
      : null;
  if (stage) console.log(`\n${stageText(stage)}\n`);

  const lists =
    runsAll || args.has("--lists") ? await benchLists(plan.rounds * 3, (line) => console.log(line)) : null;
  if (lists) console.log(`\n${listText(lists)}\n`);

  const ranges = runsAll || args.has("--ranges") ? await benchRanges(plan.rounds) : null;
  if (ranges) console.log(`\n${rangeText(ranges)}\n`);

  const uploads =
    runsAll || args.has("--uploads")
      ? await benchUploads(args.has("--quick") ? 3 : 7, (line) => console.log(line))
      : null;
  if (uploads) console.log(`\n${uploadText(uploads)}\n`);

  const visits =
    runsAll || args.has("--visits") ? await benchVisits(args.has("--quick") ? 10 : 60, plan.rounds) : null;
  if (visits) console.log(`\n${visitText(visits)}\n`);

  const conversions =
    runsAll || args.has("--convert")
      ? await benchConversions(args.has("--quick") ? 1 : 5, (line) => console.log(line))
      : null;
  if (conversions) console.log(`\n${convertText(conversions)}\n`);

  const targets = [
    ...(speed ? speedTargets(speed.figures, speed.trips) : []),
    ...(cpu ? cpuTargets(cpu) : []),
    ...(api ? apiTargets(api) : []),
    ...(pages ? scriptTargets(pages) : []),
    ...(stage ? stageTargets(stage) : []),
    ...(lists ? listBenchTargets(lists) : []),
    ...(ranges ? rangeTargets(ranges) : []),
    ...(uploads ? uploadTargets(uploads) : []),
    ...(scale ? scaleTargets(scale) : []),
    ...(visits ? visitTargets(visits) : []),
    ...(conversions ? convertTargets(conversions) : []),
    ...(startUp ? startUpTargets(startUp) : []),
    ...(coldIsolate ? coldIsolateTargets(coldIsolate) : []),
  ];
  console.log(targetText(targets));
  mkdirSync(fromRoot("bench"), { recursive: true });
  const file = fromRoot("bench", "results.json");
  const configuration = {
    ...plan,
    connections: CONNECTIONS,
    routed: environment.routed,
  };
  writeFileSync(
    file,
    `${JSON.stringify({ machine, configuration, ...speed, cpu, api, pages, stage, lists, ranges, uploads, visits, scale, conversions, startUp, coldIsolate, targets }, null, 2)}\n`,
  );
  console.log("\nWritten to bench/results.json");
  if (cpu) {
    const slower = compareAndCommit(cpu, fromRoot("bench", "committed.json"), {
      compares: args.has("--check"),
      writes: args.has("--commit"),
    });
    for (const line of slower) console.error(`Slower than the committed figure by over 15 %. ${line}`);
    if (slower.length > 0) process.exitCode = 1;
  }
  if (visits && targets.some(({ name, met }) => name === "Visits: counted exactly once" && !met))
    process.exitCode = 1;
} finally {
  await environment.stop();
}
