/**
 * Measures visits of one hot (visited) event and of 1,000, with several web processes and one set of rooms: D1 statements and rows, processor
 * time, and lag. An older build without rooms can be measured beside it. A page reports its visit in several parts. A room is the Durable Object
 * of an event that stores and counts them; shards are further objects that store parts for the room of a busy event (decisions 095 and 104).
 */
import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Miniflare, type MiniflareOptions } from "miniflare";
import { EVENT_STATUS } from "../../app/domain/events/status";
import type { Uuid } from "../../app/domain/shared/model";
import { workerModules } from "../../scripts/lib/build/worker-modules";
import { demoLink } from "../../scripts/lib/local/demo-links";
import { localOptions, ROOMS_WORKER, splitStatements } from "../../scripts/lib/local/local-product";
import { seedDemo } from "../../scripts/lib/local/seed-demo";
import { fromRoot, ROOT } from "../../scripts/lib/paths";
import { demoIds } from "../../seed/demo";
import type { Worker } from "../bench-environment";
import { computeSpread, type Spread } from "../spread";
import { workerdSeconds } from "../workerd-time";
import { copyEventRows } from "./event-copies";
import { databaseHost, roomsHost } from "./scale-modules";
import type { WebProcess } from "./scale-web";
import { logInOwner } from "./scenarios";
import { runStream } from "./stream";

/** Figures of one implementation with a number of hot events. */
export interface ScaleFigures {
  readonly implementation: "rooms" | "older";
  readonly hotEvents: number;
  readonly parts: number;
  /** Parts that D1 has counted at the end. */
  readonly counted: number;
  /** Responses with 503, after which the part was sent again. */
  readonly again: number;
  /** D1 statements and written rows for each part, including reads of revisions and, with rooms, one flush of each visited event at the end. */
  readonly statements: number;
  readonly rowsWritten: number;
  /** Milliseconds of CPU for each part: of the web processes, and of the process with D1 and the rooms. Null if the system does not report them. */
  readonly webMs: number | null;
  readonly hostMs: number | null;
  /** Milliseconds from the acknowledgment of a visit until a report contains it. */
  readonly reportLag: Spread;
  /** Milliseconds from a change in D1 until every process serves it. */
  readonly changeLag: Spread;
}

/** Milliseconds of CPU of a room's process for each part. Null if the system does not report them. */
export interface RoomCpu {
  readonly partsPerCall: number;
  readonly storeMs: number | null;
  /** Counting stored parts and sending the sums to D1, with D1's own time. */
  readonly countMs: number | null;
  /** The same for parts that are first taken out of a shard. */
  readonly mergeMs: number | null;
}

/** Figures of visits to many events, and of rooms that are measured alone. */
export interface ScaleResult {
  readonly processes: number;
  readonly scenarios: readonly ScaleFigures[];
  readonly rooms: readonly RoomCpu[];
}

/** Web processes with one workerd each. */
const PROCESSES = 2;
/** Parts per second that all visitors send together. */
const RATE = 100;
/** Maximum number of parts, and of calls, for a room that is measured alone. */
const PARTS_ALONE = 10_000;
const CALLS_ALONE = 2_000;
/** Parts per call to a room that is measured alone, one measurement each. */
const PARTS_PER_CALL = [1, 13, 100] as const;
/** Numbers of hot events. */
const HOT_EVENTS = [1, 1000] as const;
/** Number of first visits that are sent to a process in parallel. More would only wait, and time out, on a busy machine. */
const FIRST_USES_AT_ONCE = 50;
/** Parts of one visitor. */
const PARTS_OF_VISITOR = 5;
const LAG_ROUNDS = 5;
const LAG_TIMEOUT_MS = 30_000;
const USER_AGENT =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

type Database = Awaited<ReturnType<Miniflare["getD1Database"]>>;

/** Folder of the migrations: of this checkout, or of the older build's checkout, whose worker is in the folder `older` (its build/worker). */
const migrationsFolder = (older: string | null) =>
  older === null ? fromRoot("migrations") : join(older, "..", "..", "migrations");

async function applyMigrations(db: Database, folder: string): Promise<void> {
  for (const name of readdirSync(folder).sort())
    if (name.endsWith(".sql"))
      await db.batch(splitStatements(readFileSync(join(folder, name), "utf8")).map((sql) => db.prepare(sql)));
}

interface Host {
  readonly db: Database;
  /** Calls a function of the host (scale-modules.ts). */
  call(path: string, body?: unknown): Promise<Response>;
  stop(): Promise<void>;
}

/** Starts the process with D1 and, unless an older build is measured, the rooms. Its workerd is a child of this process. */
async function startHost(older: string | null, registry: string): Promise<Host> {
  const options = localOptions({ port: 0, state: null, onLog: () => {} }) as unknown as {
    workers: [Worker, Worker & { modulesRoot: string; d1Databases: unknown; r2Buckets: unknown }];
  };
  const rooms = options.workers[1];
  const script = older === null ? roomsHost : databaseHost;
  const modules =
    older === null
      ? workerModules(rooms.modulesRoot, { name: "scale.js", contents: script })
      : { modules: [{ type: "ESModule", path: "scale.js", contents: script }] };
  const {
    modulesRoot: _,
    modules: __,
    durableObjects,
    additionalUnboundDurableObjects,
    ...workerOptions
  } = rooms as unknown as Record<string, unknown>;
  const host = {
    ...workerOptions,
    ...(older === null && { durableObjects, additionalUnboundDurableObjects }),
    ...modules,
    unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
  };
  const mf = new Miniflare({
    ...options,
    unsafeDevRegistryPath: registry,
    workers: [host],
  } as unknown as MiniflareOptions);
  await mf.ready;
  const db = await mf.getD1Database("DB", ROOMS_WORKER);
  const files = await mf.getR2Bucket("FILES", ROOMS_WORKER);
  await applyMigrations(db, migrationsFolder(older));
  await seedDemo({ db, files } as unknown as Parameters<typeof seedDemo>[0]);
  const url = await mf.unsafeGetDirectURL(ROOMS_WORKER);
  return {
    db,
    async call(path, body) {
      const request = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
      const response = await fetch(new URL(path, url), request);
      if (!response.ok) throw new Error(`${path} returned ${response.status}`);
      return response;
    },
    stop: () => mf.dispose(),
  };
}

interface Web {
  readonly origin: URL;
  /** CPU seconds of its workerd. */
  seconds(): Promise<number | null>;
  stop(): Promise<void>;
}

async function startWeb(options: WebProcess): Promise<Web> {
  const script = fromRoot("bench", "load", "scale-web.ts");
  const child = fork(script, [JSON.stringify(options)], { cwd: ROOT, execArgv: ["--import", "tsx"] });
  const [startMessage] = (await once(child, "message")) as [{ origin: string }];
  return {
    origin: new URL(startMessage.origin),
    async seconds() {
      child.send("seconds");
      const [message] = (await once(child, "message")) as [{ seconds: number | null }];
      return message.seconds;
    },
    async stop() {
      const exited = once(child, "exit");
      child.disconnect();
      await exited;
    },
  };
}

/** Maximum number of attempts to report a visit. */
const ATTEMPTS_MAX = 300;

/** Reports a visit of one part, until it is acknowledged. @throws when it is rejected, or not acknowledged in half a minute */
async function reportVisit(origin: URL, eventId: Uuid, ipAddress: string, seconds: number): Promise<void> {
  const { search } = new URL(demoLink(origin.origin, "published"));
  const stays = seconds > 0 ? [{ place: "", seconds }] : [];
  const visit = randomBytes(16).toString("hex");
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const { status } = await fetch(new URL(`/v/${eventId}${search}`, origin), {
      method: "POST",
      headers: { "user-agent": USER_AGENT, "cf-connecting-ip": ipAddress },
      body: JSON.stringify({ visit, part: 0, from: "", things: [], stays }),
    });
    if (status === 204) return;
    if (status !== 503) throw new Error(`A visit returned ${status}`);
    await sleep(100);
  }
  throw new Error("A visit was not acknowledged");
}

/** Reports a visit of each event, so that the isolate and the rooms have used it. */
async function visitEvents(origin: URL, eventIds: readonly Uuid[]): Promise<void> {
  const remaining = eventIds.entries();
  const visitNext = async () => {
    for (const [index, id] of remaining)
      await reportVisit(origin, id, `10.202.${index >> 8}.${index & 255}`, 0);
  };
  await Promise.all(Array.from({ length: FIRST_USES_AT_ONCE }, visitNext));
}

/** Creates the requests with which visitors report their parts. */
function createReports(origin: URL, eventIds: readonly Uuid[], firstVisitor: number) {
  const visits = new Map<number, string>();
  const { search } = new URL(demoLink(origin.origin, "published"));
  return (index: number): readonly Buffer[] => {
    const visitor = firstVisitor + Math.floor(index / PARTS_OF_VISITOR);
    const visit = visits.get(visitor) ?? randomBytes(16).toString("hex");
    visits.set(visitor, visit);
    const stays = [{ place: "", seconds: 1 }];
    const body = JSON.stringify({ visit, part: index % PARTS_OF_VISITOR, from: "", things: [], stays });
    const lines = [
      `POST /v/${eventIds[visitor % eventIds.length]}${search} HTTP/1.1`,
      `Host: ${origin.host}`,
      `User-Agent: ${USER_AGENT}`,
      "Content-Type: text/plain;charset=UTF-8",
      `CF-Connecting-IP: 10.${visitor >> 16}.${(visitor >> 8) & 255}.${visitor & 255}`,
      `Content-Length: ${body.length}`,
    ];
    return [Buffer.from(`${lines.join("\r\n")}\r\n\r\n${body}`)];
  };
}

/** Repeats a read until it returns true. @returns the elapsed milliseconds; Infinity after LAG_TIMEOUT_MS */
async function timeUntil(isReached: () => Promise<boolean>): Promise<number> {
  const startedAt = performance.now();
  while (!(await isReached())) {
    if (performance.now() - startedAt > LAG_TIMEOUT_MS) return Number.POSITIVE_INFINITY;
    await sleep(10);
  }
  return performance.now() - startedAt;
}

async function measureReportLag(origin: URL, hotEvents: number): Promise<Spread> {
  const headers = { Authorization: `Bearer ${await logInOwner(origin)}` };
  const readVisits = async () => {
    const url = new URL(`/api/v1/events/${demoIds.mainEvent}/report?period=all`, origin);
    const report = (await (await fetch(url, { headers })).json()) as {
      numbers: { visits: { value: number } };
    };
    return report.numbers.visits.value;
  };
  const lags: number[] = [];
  for (let round = 0; round < LAG_ROUNDS; round++) {
    const before = await readVisits();
    await reportVisit(origin, demoIds.mainEvent, `10.200.${hotEvents & 255}.${round}`, 0);
    lags.push(await timeUntil(async () => (await readVisits()) > before));
  }
  return computeSpread(lags);
}

async function measureChangeLag(db: Database, webs: readonly Web[]): Promise<Spread> {
  let reads = 0;
  const readStatuses = () =>
    Promise.all(
      webs.map(async ({ origin }) => {
        const response = await fetch(demoLink(origin.origin, "published"), {
          redirect: "manual",
          // Each read comes from another network, because the number of rendered pages per network is limited.
          headers: { "cf-connecting-ip": `10.201.${reads >> 8}.${reads++ & 255}` },
        });
        await response.arrayBuffer();
        return response.status;
      }),
    );
  const lags: number[] = [];
  for (let round = 0; round < 2 * LAG_ROUNDS; round++) {
    const [eventStatus, expectedStatus] =
      round % 2 ? [EVENT_STATUS.published, 200] : [EVENT_STATUS.archived, 302];
    await sleep(300);
    await readStatuses();
    await db
      .prepare("UPDATE events SET status_id = ?, enable_auto_change_status = 0 WHERE id = ?")
      .bind(eventStatus, demoIds.mainEvent)
      .run();
    lags.push(
      await timeUntil(async () => (await readStatuses()).every((status) => status === expectedStatus)),
    );
  }
  return computeSpread(lags);
}

/** The processes of one implementation, which all measurements use. */
interface Processes {
  readonly host: Host;
  readonly webs: readonly Web[];
  /** Hot events, and one more for each room that is measured alone. */
  readonly eventIds: readonly Uuid[];
  stop(): Promise<void>;
}

async function startProcesses(older: string | null): Promise<Processes> {
  const registry = mkdtempSync(join(tmpdir(), "hiroba-registry-"));
  const host = await startHost(older, registry);
  const webs: Web[] = [];
  const stop = async () => {
    await Promise.all(webs.map((web) => web.stop()));
    await host.stop();
    rmSync(registry, { recursive: true, force: true });
  };
  try {
    const count = Math.max(...HOT_EVENTS) + PARTS_PER_CALL.length - 1;
    const copies = await copyEventRows(host.db, demoIds.mainEvent, count);
    const secret = randomBytes(32).toString("hex");
    const folder = older ?? fromRoot("build", "worker");
    for (let index = 0; index < PROCESSES; index++) {
      const webOptions = { name: `web-${index}`, folder, host: ROOMS_WORKER, registry, secret };
      webs.push(await startWeb({ ...webOptions, hasRooms: older === null }));
    }
    return { host, webs, eventIds: [demoIds.mainEvent, ...copies], stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function measureScenario(
  { host, webs, ...processes }: Processes,
  older: string | null,
  hotEvents: number,
  seconds: number,
): Promise<ScaleFigures> {
  const eventIds = processes.eventIds.slice(0, hotEvents);
  const visitors = Math.ceil((RATE * seconds) / PARTS_OF_VISITOR / PROCESSES);
  const partsPerProcess = visitors * PARTS_OF_VISITOR;
  // No visitor was in an earlier scenario. The first visitor visits the first event.
  const firstVisitor = hotEvents * 1000;
  const visitedIds = eventIds.slice(0, visitors * PROCESSES);
  // Each part reports one second, so the sum of the seconds is the number of counted parts.
  const readCountedParts = async () =>
    (await host.db
      .prepare("SELECT coalesce(sum(seconds), 0) AS n FROM visit_totals WHERE grain = 'year'")
      .first<number>("n")) ?? 0;
  const flush = async (ids: readonly Uuid[]) => {
    if (older === null) return void (await host.call("/flush", ids));
    // The older build writes what it has collected for 0.4 s, and takes longer when it is busy.
    for (
      let previous = -1, current = await readCountedParts();
      previous !== current;
      current = await readCountedParts()
    ) {
      previous = current;
      await sleep(3000);
    }
  };
  const readWebSeconds = async () => {
    const secondsByWeb = await Promise.all(webs.map((web) => web.seconds()));
    return secondsByWeb.some((value) => value === null)
      ? null
      : secondsByWeb.reduce<number>((sum, value) => sum + (value ?? 0), 0);
  };
  // Every isolate, room and event is used once before the measurement.
  await Promise.all(webs.map(({ origin }) => visitEvents(origin, eventIds)));
  await flush(eventIds);
  const before = { counted: await readCountedParts(), web: await readWebSeconds(), host: workerdSeconds() };
  await host.call("/counts");
  const streams = await Promise.all(
    webs.map(({ origin }, index) =>
      runStream(
        origin,
        RATE / PROCESSES,
        partsPerProcess,
        createReports(origin, eventIds, firstVisitor + index * visitors),
      ),
    ),
  );
  await flush(visitedIds);
  const counts = (await (await host.call("/counts")).json()) as { statements: number; rowsWritten: number };
  const after = { counted: await readCountedParts(), web: await readWebSeconds(), host: workerdSeconds() };
  const parts = partsPerProcess * PROCESSES;
  const msPerPart = (from: number | null, to: number | null) =>
    from === null || to === null ? null : ((to - from) * 1000) / parts;
  const reportLag = await measureReportLag(webs[0]?.origin as URL, hotEvents);
  const changeLag = await measureChangeLag(host.db, webs);
  return {
    implementation: older === null ? "rooms" : "older",
    hotEvents,
    parts,
    counted: after.counted - before.counted,
    again: streams.reduce((sum, { again }) => sum + again, 0),
    statements: counts.statements / parts,
    rowsWritten: counts.rowsWritten / parts,
    webMs: msPerPart(before.web, after.web),
    hostMs: msPerPart(before.host, after.host),
    reportLag,
    changeLag,
  };
}

/** Texts of calls with parts of different visitors, each of whom reports several times. */
function createCallTexts(calls: number, partsPerCall: number): string[] {
  const visitors = Array.from({ length: Math.ceil((calls * partsPerCall) / PARTS_OF_VISITOR) }, () => ({
    visit: randomBytes(16).toString("hex"),
    visitor: randomBytes(16).toString("hex"),
  }));
  const hour = new Date().toISOString().slice(0, 13);
  const traits = { lang: "ja", device: "phone", country: "JP", from: "news.example" };
  const stays = [
    { place: "c1,0,2", seconds: 12 },
    { place: "c1,0,3", seconds: 18 },
  ];
  return Array.from({ length: calls }, (_, call) => {
    const parts = Array.from({ length: partsPerCall }, (__, index) => {
      const partIndex = call * partsPerCall + index;
      const part = Math.floor(partIndex / visitors.length);
      return {
        ...visitors[partIndex % visitors.length],
        part,
        at: Date.now(),
        hour,
        traits,
        things: [],
        stays,
      };
    });
    return JSON.stringify(parts);
  });
}

/** Measures a room alone: the host calls it, instead of web processes. */
async function measureRoom(host: Host, eventId: Uuid, partsPerCall: number): Promise<RoomCpu> {
  const calls = Math.min(CALLS_ALONE, Math.ceil(PARTS_ALONE / partsPerCall));
  const measureCpuMs = async (run: () => Promise<unknown>) => {
    const before = workerdSeconds();
    await run();
    const after = workerdSeconds();
    return before === null || after === null ? null : ((after - before) * 1000) / (calls * partsPerCall);
  };
  const store = (shard: number, count = calls) => {
    const texts = createCallTexts(count, partsPerCall);
    return measureCpuMs(() => host.call("/store", { eventId, shard, texts, parts: partsPerCall }));
  };
  const flush = () => measureCpuMs(() => host.call("/flush", [eventId]));
  // The first run warms up.
  await store(0, Math.ceil(calls / 10));
  await flush();
  // A room already counts while it stores: at every 500 parts (FLUSH_PARTS). Storing alone is therefore measured on a shard, which does not count.
  const shardStoreMs = await store(1);
  const mergeMs = await measureCpuMs(async () => {
    await host.call("/merge", { eventId, shard: 1 });
    await host.call("/flush", [eventId]);
  });
  const roomStoreMs = await store(0);
  const flushMs = await flush();
  const countMs =
    roomStoreMs === null || flushMs === null || shardStoreMs === null
      ? null
      : roomStoreMs + flushMs - shardStoreMs;
  return { partsPerCall, storeMs: shardStoreMs, countMs, mergeMs };
}

/**
 * Measures all scenarios. The product must have been built.
 * @param seconds time for which visits are sent in each scenario
 * @param older folder of an older build's worker (its build/worker, in its checkout), or null
 */
export async function benchScale(
  seconds: number,
  older: string | null,
  log: (line: string) => void,
): Promise<ScaleResult> {
  const startedAt = performance.now();
  const logStep = (step: string) =>
    log(`Scale, ${Math.round((performance.now() - startedAt) / 1000)} s: ${step}`);
  const rooms: RoomCpu[] = [];
  const scenarios: ScaleFigures[] = [];
  for (const build of older === null ? [null] : [older, null]) {
    logStep(`start ${build === null ? "rooms" : "the older build"}`);
    const processes = await startProcesses(build);
    try {
      if (build === null)
        for (const [index, partsPerCall] of PARTS_PER_CALL.entries()) {
          logStep(`one room, ${partsPerCall} parts per call`);
          const eventId = processes.eventIds[processes.eventIds.length - 1 - index] as Uuid;
          rooms.push(await measureRoom(processes.host, eventId, partsPerCall));
        }
      for (const hotEvents of HOT_EVENTS) {
        logStep(`${hotEvents} hot events`);
        scenarios.push(await measureScenario(processes, build, hotEvents, seconds));
      }
    } finally {
      await processes.stop();
    }
  }
  scenarios.sort((a, b) => a.hotEvents - b.hotEvents);
  logStep("done");
  return { processes: PROCESSES, scenarios, rooms };
}
