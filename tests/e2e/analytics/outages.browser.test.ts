/**
 * Tests visits while R2 or D1 fails for web isolates and for rooms (the Durable Objects that store and count the visits of an event). Web isolates read
 * the salt of the day, with which they hash visitors, from R2. Rooms move the parts of past days (a visit is reported in numbered parts) to R2, and
 * write sums of visits to D1.
 */
import { randomBytes } from "node:crypto";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Miniflare, type MiniflareOptions } from "miniflare";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { sessionCookieName } from "~/domain/auth/session";
import type { Worker } from "../../../bench/bench-environment";
import { logInOwner } from "../../../bench/load/scenarios";
import { ENTRY, workerModules } from "../../../scripts/lib/build/worker-modules";
import { demoLink } from "../../../scripts/lib/local/demo-links";
import { localOptions } from "../../../scripts/lib/local/local-product";
import { demoIds } from "../../../seed/demo";
import { flushRoom } from "../../support/app/rooms";

const eventId = demoIds.mainEvent;
const DAY_MS = 86_400_000;

/** Code that replaces the bindings of an environment: every call of the database or bucket fails while `broken` is the name of the binding. */
const FAULTY_BINDINGS = `
let broken = null;
const faulty = (env, name) => new Proxy(env[name], {
  get(target, method) {
    const value = target[method];
    if (typeof value !== "function") return value;
    const fail = () => Promise.reject(new Error(name + " does not respond"));
    const statement = { bind: () => statement, all: fail, run: fail, raw: fail, first: fail };
    return (...args) => broken !== name ? value.apply(target, args) : method === "prepare" ? statement : fail();
  },
});
const withFaults = (env) => ({ ...env, DB: faulty(env, "DB"), FILES: faulty(env, "FILES") });`;
/** The web worker, whose binding fails after the path /break/NAME was requested, and works again after /repair. */
const WEB = `
import product from "./${ENTRY}";
export * from "./${ENTRY}";
${FAULTY_BINDINGS}
let environment;
export default {
  fetch(request, env, ctx) {
    const { pathname } = new URL(request.url);
    const [, action, name = null] = pathname.split("/");
    if (action === "repair" || action === "break") {
      broken = name;
      return new Response();
    }
    environment ??= withFaults(env);
    return product.fetch(request, environment, ctx);
  },
};`;
/** The rooms worker with such bindings. */
const ROOMS = `
import { EventRoom as BuiltRoom } from "./${ENTRY}";
export * from "./${ENTRY}";
export { default } from "./${ENTRY}";
${FAULTY_BINDINGS}
export class EventRoom extends BuiltRoom {
  constructor(ctx, env) { super(ctx, withFaults(env)); }
  break(name) { broken = name; }
  age(ms) { this.ctx.storage.sql.exec("UPDATE calls SET received_at = received_at - ?", ms); }
  runAlarm() { return this.alarm(); }
}`;

interface FaultyRoom {
  break(name: "DB" | "FILES" | null): Promise<void>;
  /** Makes all calls older. */
  age(ms: number): Promise<void>;
  runAlarm(): Promise<void>;
}

let state: string;
let mf: Miniflare;
let origin: string;
let logLines: string[];

beforeEach(async () => {
  state = mkdtempSync(join(tmpdir(), "hiroba-r2-"));
  cpSync(inject("snapshotFolder"), state, { recursive: true });
  logLines = [];
  const options = localOptions({ port: 0, state, onLog: (line) => logLines.push(line) }) as unknown as {
    workers: [Worker & { modulesRoot: string }, Worker & { modulesRoot: string }];
  };
  const workers = options.workers.map((worker, index) => ({
    ...worker,
    ...workerModules(worker.modulesRoot, { name: "faulty.js", contents: index === 0 ? WEB : ROOMS }),
  }));
  mf = new Miniflare({ ...options, workers } as unknown as MiniflareOptions);
  ({ origin } = await mf.unsafeGetDirectURL("hiroba"));
});

afterEach(async () => {
  await mf.dispose();
  rmSync(state, { recursive: true, force: true });
});

/** Number of the event's visits in D1, after its room has written (flushed) all. */
async function countVisits(): Promise<number> {
  await flushRoom({ mf }, eventId);
  const db = await mf.getD1Database("DB", "hiroba");
  const sum = "SELECT coalesce(sum(visits), 0) AS n FROM visit_totals WHERE event_id = ? AND grain = 'year'";
  return (await db.prepare(sum).bind(eventId).first<number>("n")) ?? 0;
}

/** Reports a visit as a page does. @returns the status */
async function reportVisit(visit: string, ipAddress: string): Promise<number> {
  const { search } = new URL(demoLink(origin, "published"));
  const response = await fetch(`${origin}/v/${eventId}${search}`, {
    method: "POST",
    headers: {
      "user-agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36",
      "cf-connecting-ip": ipAddress,
    },
    body: JSON.stringify({ visit, part: 0, from: "", things: [], stays: [{ place: "", seconds: 3 }] }),
  });
  return response.status;
}

const newVisit = () => randomBytes(16).toString("hex");
const readMessages = () =>
  logLines.flatMap((line) => (line.startsWith("{") ? [JSON.parse(line).message as string] : []));

test("visitors see the event while R2 fails, and their visits are counted once afterwards", async () => {
  const visitsBefore = await countVisits();
  const visitIds = Array.from({ length: 3 }, newVisit);
  const reportAll = () =>
    Promise.all(visitIds.map((visitId, index) => reportVisit(visitId, `10.4.0.${index}`)));

  // The isolate has no salt yet: a page repeats its report, and shows the event as usual.
  await fetch(`${origin}/break/FILES`);
  expect(new Set(await reportAll())).toEqual(new Set([503]));
  expect((await fetch(demoLink(origin, "published"))).status).toBe(200);
  expect(await countVisits()).toBe(visitsBefore);
  expect(readMessages().filter((message) => message === "visit not counted")).toHaveLength(1);
  expect(readMessages()).not.toContain("deferred work failed");
  await fetch(`${origin}/repair`);
  expect(new Set(await reportAll())).toEqual(new Set([204]));
  expect((await countVisits()) - visitsBefore).toBe(3);
});

async function getFaultyRoom(): Promise<FaultyRoom> {
  const rooms = await mf.getDurableObjectNamespace("EVENT_ROOMS", "hiroba");
  return (rooms as unknown as DurableObjectNamespace).getByName(eventId) as unknown as FaultyRoom;
}

/** Reports visits of 20 visitors at a time. `reportGroup` returns the different statuses. */
function createReporter() {
  const reported: string[] = [];
  const reportGroup = async () => {
    const statuses = Array.from({ length: 20 }, () => {
      const visit = newVisit();
      reported.push(visit);
      return reportVisit(visit, `10.6.${reported.length >> 8}.${reported.length & 255}`);
    });
    return new Set(await Promise.all(statuses));
  };
  return { reported, reportGroup };
}

test("ten seconds of errors of R2 lose nothing acknowledged, and visitors see the event", async () => {
  const room = await getFaultyRoom();
  const visitsBefore = await countVisits();
  const { reported, reportGroup } = createReporter();
  // The isolate reads the salt of the day.
  expect(await reportGroup()).toEqual(new Set([204]));
  await countVisits();
  await room.age(4 * DAY_MS);

  await fetch(`${origin}/break/FILES`);
  await room.break("FILES");
  for (const deadline = Date.now() + 10_000; Date.now() < deadline; ) {
    expect(await reportGroup()).toEqual(new Set([204]));
    expect((await fetch(demoLink(origin, "published"))).status).toBe(200);
    // The room cannot move the parts of a past day to R2.
    await room.runAlarm();
  }
  expect(readMessages()).toContain("room not maintained");
  expect((await countVisits()) - visitsBefore).toBe(reported.length);

  await fetch(`${origin}/repair`);
  await room.break(null);
  await room.runAlarm();
  const bucket = await mf.getR2Bucket("FILES", "hiroba");
  expect((await bucket.list({ prefix: `visits/${eventId}/` })).objects).toHaveLength(1);
  expect((await countVisits()) - visitsBefore).toBe(reported.length);
  const response = await fetch(`${origin}/event/${eventId}/report/export?period=all&format=visits`, {
    headers: { cookie: `${sessionCookieName(false)}=${await logInOwner(new URL(origin))}` },
  });
  const csv = await response.text();
  expect(reported.filter((visit) => !csv.includes(visit))).toEqual([]);
});

test("ten seconds of errors of D1 lose nothing acknowledged, and visitors see the event, but a closed one only for a limited time", async () => {
  const room = await getFaultyRoom();
  const visitsBefore = await countVisits();
  const { reported, reportGroup } = createReporter();
  const link = demoLink(origin, "published");
  expect(await reportGroup()).toEqual(new Set([204]));
  expect((await fetch(link)).status).toBe(200);

  await fetch(`${origin}/break/DB`);
  await room.break("DB");
  for (const deadline = Date.now() + 10_000; Date.now() < deadline; ) {
    expect(await reportGroup()).toEqual(new Set([204]));
    expect((await fetch(link, { redirect: "manual" })).status).toBe(200);
    // The room cannot write to D1.
    await room.runAlarm();
  }
  for (const message of ["revision not read", "visits not flushed"])
    expect(readMessages().filter((logged) => logged === message)).toHaveLength(1);
  await room.break(null);
  expect((await countVisits()) - visitsBefore).toBe(reported.length);

  // The event is closed while this isolate cannot read D1. It uses its record of the event only for a limited time.
  const db = await mf.getD1Database("DB", "hiroba");
  await db
    .prepare("UPDATE events SET status_id = 4, enable_auto_change_status = 0 WHERE id = ?")
    .bind(eventId)
    .run();
  await expect
    .poll(async () => (await fetch(link, { redirect: "manual" })).status, { timeout: 30_000 })
    .not.toBe(200);
  await fetch(`${origin}/repair`);
  expect((await fetch(link, { redirect: "manual" })).status).toBe(302);
});
