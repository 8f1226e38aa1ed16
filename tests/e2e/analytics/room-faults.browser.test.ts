/** Tests rooms on workerd while their storage fails, and with calls that are repeated, late or out of order. */
import { randomBytes } from "node:crypto";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Miniflare, type MiniflareOptions } from "miniflare";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import type { EventRoom } from "#functions/rooms/event-room";
import type { VisitRecord } from "~/domain/analytics/visit";
import type { Worker } from "../../../bench/bench-environment";
import { demoLink } from "../../../scripts/lib/demo-links";
import { localOptions } from "../../../scripts/lib/local-product";
import { workerModules } from "../../../scripts/lib/worker-modules";
import { demoIds } from "../../../seed/demo";
import { callOf } from "../../support/app/test-rooms";

const eventId = demoIds.mainEvent;
const DAY = 86_400_000;

/** The rooms worker, whose rooms can be told to fail. `full`: number of calls that fit. `broken`: every statement fails. */
const FAULTY_ROOMS = `
import { EventRoom as BuiltRoom } from "./worker.js";
export * from "./worker.js";
export { default } from "./worker.js";
export class EventRoom extends BuiltRoom {
  #faults;
  constructor(ctx, env) {
    const faults = { full: Infinity, broken: false };
    const { sql } = ctx.storage;
    Object.defineProperty(ctx.storage, "sql", { value: {
      get databaseSize() { return sql.databaseSize; },
      exec(query, ...bindings) {
        if (faults.broken) throw new Error("disk I/O error: SQLITE_IOERR");
        if (query.startsWith("INSERT INTO calls") && sql.exec("SELECT count(*) AS n FROM calls").one().n >= faults.full)
          throw new Error("database or disk is full: SQLITE_FULL");
        return sql.exec(query, ...bindings);
      },
    } });
    super(ctx, env);
    this.#faults = faults;
  }
  fail(faults) { Object.assign(this.#faults, faults); }
  runAlarm() { return this.alarm(); }
  alarmTime() { return this.ctx.storage.getAlarm(); }
}`;

interface FaultyRoom extends Pick<EventRoom, "record" | "report" | "erase"> {
  fail(faults: { readonly full?: number; readonly broken?: boolean }): Promise<void>;
  runAlarm(): Promise<void>;
  alarmTime(): Promise<number | null>;
}

let state: string;
let mf: Miniflare;
let lines: string[];

async function start() {
  lines = [];
  const options = localOptions({ port: 0, state, onLog: (line) => lines.push(line) }) as unknown as {
    workers: [Worker, Worker & { modulesRoot: string }];
  };
  const [web, rooms] = options.workers;
  const contents = FAULTY_ROOMS;
  const faulty = { ...rooms, ...workerModules(rooms.modulesRoot, { name: "faulty.js", contents }) };
  mf = new Miniflare({ ...options, workers: [web, faulty] } as unknown as MiniflareOptions);
  await mf.ready;
}

beforeEach(async () => {
  state = mkdtempSync(join(tmpdir(), "hiroba-faults-"));
  cpSync(inject("snapshotFolder"), state, { recursive: true });
  await start();
});

afterEach(async () => {
  await mf.dispose();
  rmSync(state, { recursive: true, force: true });
});

const room = async (): Promise<FaultyRoom> => {
  const rooms = await mf.getDurableObjectNamespace("EVENT_ROOMS", "hiroba");
  return (rooms as unknown as DurableObjectNamespace).getByName(eventId) as unknown as FaultyRoom;
};
const database = () => mf.getD1Database("DB", "hiroba");
const origin = async () => (await mf.unsafeGetDirectURL("hiroba")).origin;

async function count(column: "visits" | "visitors" = "visits"): Promise<number> {
  const sum = `SELECT coalesce(sum(${column}), 0) AS n FROM visit_totals WHERE event_id = ? AND grain = 'year'`;
  return (await (await database()).prepare(sum).bind(eventId).first<number>("n")) ?? 0;
}

const recordOf = (fields: Partial<VisitRecord> = {}): VisitRecord => ({
  eventId,
  visit: randomBytes(16).toString("hex"),
  part: 0,
  at: Date.now(),
  hour: `${new Date().toISOString().slice(0, 13)}`,
  visitor: randomBytes(16).toString("hex"),
  traits: { lang: "ja", device: "phone", country: "JP", from: "" },
  things: [],
  stays: [],
  ...fields,
});

/** Reports a visit as a page does. @returns the status */
async function report(visit = randomBytes(16).toString("hex"), ipAddress = "10.2.0.1"): Promise<number> {
  const from = await origin();
  const { search } = new URL(demoLink(from, "published"));
  const response = await fetch(`${from}/v/${eventId}${search}`, {
    method: "POST",
    headers: {
      "user-agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36",
      "cf-connecting-ip": ipAddress,
    },
    body: JSON.stringify({ visit, part: 0, from: "", things: [], stays: [] }),
  });
  return response.status;
}

test("a room whose storage is full frees what D1 has, then refuses, and loses nothing acknowledged", async () => {
  const before = await count();
  for (let times = 0; times < 3; times++) await (await room()).record(callOf([recordOf()]));
  await (await room()).report(eventId);
  await (await room()).fail({ full: 3 });
  // The three calls that D1 has make room for the next one.
  expect(await (await room()).record(callOf([recordOf()]))).toBe("stored");
  await (await room()).fail({ full: 1 });
  const visit = randomBytes(16).toString("hex");
  expect(await report(visit)).toBe(503);
  expect((await fetch(demoLink(await origin(), "published"))).status).toBe(200);
  await (await room()).fail({ full: Number.POSITIVE_INFINITY });
  expect(await report(visit)).toBe(204);
  await (await room()).report(eventId);
  expect((await count()) - before).toBe(5);
  expect(lines.filter((line) => line.includes("room is full"))).toHaveLength(1);
});

test("the alarm of a room whose storage fails is set again, and counts the visits later", async () => {
  const before = await count();
  await (await room()).record(callOf([recordOf()]));
  await (await room()).fail({ broken: true });
  for (let times = 0; times < 2; times++) {
    await (await room()).runAlarm();
    expect(await (await room()).alarmTime()).toBeGreaterThan(Date.now());
  }
  await (await room()).fail({ broken: false });
  await expect.poll(count, { timeout: 60_000 }).toBe(before + 1);
});

test("repeated, simultaneous, late and unordered calls are counted once each", async () => {
  const before = { visits: await count(), visitors: await count("visitors") };
  const records = Array.from({ length: 500 }, () => recordOf());
  const call = callOf(records);
  const visitor = "the same visitor";
  const results = await Promise.all(
    [
      call,
      call,
      callOf(records),
      callOf([recordOf({ visitor })]),
      callOf([recordOf({ visitor, at: Date.now() - 3 })]),
      callOf([recordOf({ at: Date.now() + 3 * DAY, hour: "2030-01-01T00" })]),
      callOf([recordOf()], { isolate: "unordered", sequence: 5 }),
      callOf([recordOf()], { isolate: "unordered", sequence: 2 }),
    ].map(async (visitCall) => (await room()).record(visitCall)),
  );
  expect(new Set(results)).toEqual(new Set(["stored"]));
  await (await room()).report(eventId);
  expect((await count("visitors")) - before.visitors).toBe(504);
  expect((await count()) - before.visits).toBe(504);
  const future = "SELECT count(*) AS n FROM visit_totals WHERE period LIKE '2030%'";
  expect(await (await database()).prepare(future).first<number>("n")).toBe(0);
});

test("a visit a second after the link closed is ignored, and one before it is counted", async () => {
  const before = await count();
  expect(await report(undefined, "10.2.0.2")).toBe(204);
  await (await database())
    .prepare("UPDATE events SET status_id = 4, enable_auto_change_status = 0 WHERE id = ?")
    .bind(eventId)
    .run();
  await sleep(1000);
  expect(await report(undefined, "10.2.0.3")).toBe(204);
  await (await room()).report(eventId);
  expect((await count()) - before).toBe(1);
});

test("erased visits stay erased after the database is restored", async () => {
  await (await room()).record(callOf([recordOf(), recordOf()]));
  await (await room()).report(eventId);
  const db = await database();
  for (const table of ["visit_totals", "visit_rooms"])
    await db.prepare(`CREATE TABLE copy_of_${table} AS SELECT * FROM ${table}`).run();
  await (await room()).erase(eventId, Date.now());
  expect(await count()).toBe(0);
  for (const table of ["visit_totals", "visit_rooms"]) {
    await db.prepare(`DELETE FROM ${table}`).run();
    await db.prepare(`INSERT INTO ${table} SELECT * FROM copy_of_${table}`).run();
  }
  expect(await count()).toBeGreaterThan(0);
  await mf.dispose();
  await start();
  await (await room()).report(eventId);
  expect(await count()).toBe(0);
});

test("an event that is deleted while its room flushes leaves no totals", async () => {
  await (await room()).record(callOf([recordOf()]));
  const db = await database();
  await Promise.allSettled([
    (await room()).report(eventId),
    db.prepare("DELETE FROM events WHERE id = ?").bind(eventId).run(),
  ]);
  expect(await (await room()).record(callOf([recordOf()]))).toBe("stored");
  await (await room()).report(eventId);
  expect(await count()).toBe(0);
});
