/** Tests visits while R2 fails for web isolates, which read the salt of the day from it, and for rooms, which move parts to it. */
import { randomBytes } from "node:crypto";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Miniflare, type MiniflareOptions } from "miniflare";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { sessionCookieName } from "~/domain/auth/session";
import type { Worker } from "../../../bench/bench-environment";
import { logInOwner } from "../../../bench/load/scenarios";
import { demoLink } from "../../../scripts/lib/demo-links";
import { localOptions } from "../../../scripts/lib/local-product";
import { ENTRY, workerModules } from "../../../scripts/lib/worker-modules";
import { demoIds } from "../../../seed/demo";
import { flushRoom } from "../../support/app/rooms";

const eventId = demoIds.mainEvent;
const DAY_MS = 86_400_000;

/** A bucket whose methods fail while `isBroken` is true. */
const FAULTY_BUCKET = `
let isBroken = false;
const faulty = (bucket) => new Proxy(bucket, {
  get(target, method) {
    const value = target[method];
    if (typeof value !== "function") return value;
    return (...args) => isBroken ? Promise.reject(new Error("R2 does not respond")) : value.apply(target, args);
  },
});`;
/** The web worker, whose bucket fails after the path /break was requested, and works again after /repair. */
const WEB = `
import product from "./${ENTRY}";
export * from "./${ENTRY}";
${FAULTY_BUCKET}
let environment;
export default {
  fetch(request, env, ctx) {
    const { pathname } = new URL(request.url);
    if (pathname === "/repair" || pathname === "/break") {
      isBroken = pathname === "/break";
      return new Response();
    }
    environment ??= { ...env, FILES: faulty(env.FILES) };
    return product.fetch(request, environment, ctx);
  },
};`;
/** The rooms worker with such a bucket. */
const ROOMS = `
import { EventRoom as BuiltRoom } from "./${ENTRY}";
export * from "./${ENTRY}";
export { default } from "./${ENTRY}";
${FAULTY_BUCKET}
export class EventRoom extends BuiltRoom {
  constructor(ctx, env) { super(ctx, { ...env, FILES: faulty(env.FILES) }); }
  breakBucket(value) { isBroken = value; }
  age(ms) { this.ctx.storage.sql.exec("UPDATE calls SET received_at = received_at - ?", ms); }
  runAlarm() { return this.alarm(); }
}`;

interface FaultyRoom {
  breakBucket(isBroken: boolean): Promise<void>;
  /** Makes all calls older. */
  age(ms: number): Promise<void>;
  runAlarm(): Promise<void>;
}

let state: string;
let mf: Miniflare;
let origin: string;
let lines: string[];

beforeEach(async () => {
  state = mkdtempSync(join(tmpdir(), "hiroba-r2-"));
  cpSync(inject("snapshotFolder"), state, { recursive: true });
  lines = [];
  const options = localOptions({ port: 0, state, onLog: (line) => lines.push(line) }) as unknown as {
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

/** Number of the event's visits in D1, after its room has written all. */
async function visits(): Promise<number> {
  await flushRoom({ mf }, eventId);
  const db = await mf.getD1Database("DB", "hiroba");
  const sum = "SELECT coalesce(sum(visits), 0) AS n FROM visit_totals WHERE event_id = ? AND grain = 'year'";
  return (await db.prepare(sum).bind(eventId).first<number>("n")) ?? 0;
}

/** Reports a visit as a page does. @returns the status */
async function report(visit: string, ipAddress: string): Promise<number> {
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
const messages = () =>
  lines.flatMap((line) => (line.startsWith("{") ? [JSON.parse(line).message as string] : []));

test("visitors see the event while R2 fails, and their visits are counted once afterwards", async () => {
  const before = await visits();
  const names = Array.from({ length: 3 }, newVisit);
  const reportAll = () => Promise.all(names.map((name, index) => report(name, `10.4.0.${index}`)));

  // The isolate has no salt yet: a page repeats its report, and shows the event as usual.
  await fetch(`${origin}/break`);
  expect(new Set(await reportAll())).toEqual(new Set([503]));
  expect((await fetch(demoLink(origin, "published"))).status).toBe(200);
  expect(await visits()).toBe(before);
  expect(messages().filter((message) => message === "visit not counted")).toHaveLength(1);
  expect(messages()).not.toContain("deferred work failed");
  await fetch(`${origin}/repair`);
  expect(new Set(await reportAll())).toEqual(new Set([204]));
  expect((await visits()) - before).toBe(3);
});

test("ten seconds of errors of R2 lose nothing acknowledged, and visitors see the event", async () => {
  const rooms = await mf.getDurableObjectNamespace("EVENT_ROOMS", "hiroba");
  const room = (rooms as unknown as DurableObjectNamespace).getByName(eventId) as unknown as FaultyRoom;
  const before = await visits();
  const reported: string[] = [];
  const reportGroup = () =>
    Promise.all(
      Array.from({ length: 20 }, () => {
        const visit = newVisit();
        reported.push(visit);
        return report(visit, `10.6.${reported.length >> 8}.${reported.length & 255}`);
      }),
    );
  // The isolate reads the salt of the day.
  expect(new Set(await reportGroup())).toEqual(new Set([204]));
  await visits();
  await room.age(4 * DAY_MS);

  await fetch(`${origin}/break`);
  await room.breakBucket(true);
  for (const end = Date.now() + 10_000; Date.now() < end; ) {
    expect(new Set(await reportGroup())).toEqual(new Set([204]));
    expect((await fetch(demoLink(origin, "published"))).status).toBe(200);
    // The room cannot move the parts of a past day to R2.
    await room.runAlarm();
  }
  expect(messages()).toContain("room not maintained");
  expect((await visits()) - before).toBe(reported.length);

  await fetch(`${origin}/repair`);
  await room.breakBucket(false);
  await room.runAlarm();
  const bucket = await mf.getR2Bucket("FILES", "hiroba");
  expect((await bucket.list({ prefix: `visits/${eventId}/` })).objects).toHaveLength(1);
  expect((await visits()) - before).toBe(reported.length);
  const response = await fetch(`${origin}/event/${eventId}/report/export?period=all&format=visits`, {
    headers: { cookie: `${sessionCookieName(false)}=${await logInOwner(new URL(origin))}` },
  });
  const csv = await response.text();
  expect(reported.filter((visit) => !csv.includes(visit))).toEqual([]);
});
