/**
 * Tests rooms (the Durable Objects that store and count the visits of an event) on workerd while their storage fails, and with calls that are repeated,
 * late or out of order. A call brings the visits of one isolate; a shard is a further object that receives calls for the room of a large event.
 */
import { randomBytes } from "node:crypto";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Miniflare, type MiniflareOptions } from "miniflare";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import type { EventRoom } from "#functions/rooms/event-room";
import { roomName } from "#functions/rooms/room-shards";
import type { VisitCall } from "#functions/rooms/visit-call";
import type { VisitRecord } from "~/domain/analytics/visit";
import { sessionCookieName } from "~/domain/auth/session";
import type { Worker } from "../../../bench/bench-environment";
import { logInOwner } from "../../../bench/load/scenarios";
import { launchBrowser } from "../../../scripts/lib/browser";
import { workerModules } from "../../../scripts/lib/build/worker-modules";
import { demoLink } from "../../../scripts/lib/local/demo-links";
import { localOptions } from "../../../scripts/lib/local/local-product";
import { demoIds } from "../../../seed/demo";
import { createVisitCall } from "../../support/app/test-rooms";
import { translateIn } from "../../support/translate";

const eventId = demoIds.mainEvent;
const DAY_MS = 86_400_000;

/**
 * The rooms worker, whose rooms can be told to fail. `full`: number of calls that fit. `fullRows`: number of calls and flushes that fit together.
 * `broken`: every statement fails. `alarm`: no alarm can be set. `bucket`: R2 fails. `down`: record, state and report fail. `nextCall`: a call
 * that a shard receives after the room took the calls that it had.
 */
const FAULTY_ROOMS = `
const readClock = Date.now;
let fixedTime = null;
Date.now = () => fixedTime ?? readClock();
import { EventRoom as BuiltRoom } from "./worker.js";
export * from "./worker.js";
export { default } from "./worker.js";
export class EventRoom extends BuiltRoom {
  #faults;
  #setAlarm;
  constructor(ctx, env) {
    const faults = { full: Infinity, broken: false, alarm: false, bucket: false, down: false, fullRows: Infinity, nextCall: null, read: { rows: 0, maxCharacters: 0 } };
    const { sql } = ctx.storage;
    if (REPAIRS) sql.exec("ALTER TABLE settings RENAME COLUMN damaged TO value");
    const setAlarm = ctx.storage.setAlarm.bind(ctx.storage);
    Object.defineProperty(ctx.storage, "setAlarm", {
      value: (time) => (faults.alarm ? Promise.reject(new Error("disk I/O error: SQLITE_IOERR")) : setAlarm(time)),
    });
    const rows = (table) => sql.exec("SELECT count(*) AS n FROM " + table).one().n;
    Object.defineProperty(ctx.storage, "sql", { value: {
      get databaseSize() { return sql.databaseSize; },
      exec(query, ...bindings) {
        if (faults.broken) throw new Error("disk I/O error: SQLITE_IOERR");
        if (/^INSERT (OR REPLACE )?INTO (calls|flushes|archives)/.test(query) && rows("calls") + rows("flushes") >= faults.fullRows)
          throw new Error("database or disk is full: SQLITE_FULL");
        if (query.startsWith("INSERT INTO calls") && rows("calls") >= faults.full)
          throw new Error("database or disk is full: SQLITE_FULL");
        const cursor = sql.exec(query, ...bindings);
        const results = cursor.toArray();
        faults.read.rows += cursor.rowsRead;
        faults.read.maxCharacters = Math.max(faults.read.maxCharacters, JSON.stringify(results).length);
        return { toArray: () => results };
      },
    } });
    const fails = (method) => (...args) => faults.bucket ? Promise.reject(new Error("R2 does not respond")) : env.FILES[method](...args);
    const methods = ["put", "get", "head", "list", "delete", "createMultipartUpload"];
    super(ctx, { ...env, FILES: Object.fromEntries(methods.map((method) => [method, fails(method)])) });
    this.#faults = faults;
    this.#setAlarm = setAlarm;
  }
  #respond(run) { if (this.#faults.down) throw new Error("The room is down"); return run(); }
  async record(...args) { return this.#respond(() => super.record(...args)); }
  async state(...args) { return this.#respond(() => super.state(...args)); }
  async report(...args) { return this.#respond(() => super.report(...args)); }
  async takeCalls(...args) {
    const { nextCall } = this.#faults;
    this.#faults.nextCall = null;
    const calls = await super.takeCalls(...args);
    if (nextCall) await super.record(nextCall);
    return calls;
  }
  setMissingSince(time) { this.ctx.storage.sql.exec("UPDATE settings SET value = ? WHERE name = 'missing_since'", time); }
  readSince() { const { read } = this.#faults; this.#faults.read = { rows: 0, maxCharacters: 0 }; return read; }
  age(ms) { this.ctx.storage.sql.exec("UPDATE calls SET received_at = received_at - ?", ms); }
  callCount() { return this.ctx.storage.sql.exec("SELECT count(*) AS n FROM calls").toArray()[0].n; }
  damage() { this.ctx.storage.sql.exec("ALTER TABLE settings RENAME COLUMN value TO damaged"); }
  setClock(time) { fixedTime = time; }
  fail(faults) { Object.assign(this.#faults, faults); }
  runAlarm() { return this.alarm(); }
  wakeNow() { return this.#setAlarm(readClock()); }
  deleteAlarm() { return this.ctx.storage.deleteAlarm(); }
  alarmTime() { return this.ctx.storage.getAlarm(); }
}`;

interface FaultyRoom extends Pick<EventRoom, "record" | "report" | "erase" | "merge"> {
  fail(faults: {
    readonly full?: number;
    readonly broken?: boolean;
    readonly alarm?: boolean;
    readonly bucket?: boolean;
    readonly down?: boolean;
    readonly fullRows?: number;
    readonly nextCall?: VisitCall | null;
  }): Promise<void>;
  /** Sets the time since which D1 lacks the event. */
  setMissingSince(time: number): Promise<void>;
  /** Damages a table, so that the room cannot start again. */
  damage(): Promise<void>;
  /** Sets the time that Date.now returns. */
  setClock(time: number): Promise<void>;
  /** Rows that all statements read, and the largest result, since the last call of this function. */
  readSince(): Promise<{ readonly rows: number; readonly maxCharacters: number }>;
  /** Makes all calls older. */
  age(ms: number): Promise<void>;
  callCount(): Promise<number>;
  runAlarm(): Promise<void>;
  /** Sets the alarm to now, even with the fault `alarm`. */
  wakeNow(): Promise<void>;
  deleteAlarm(): Promise<void>;
  alarmTime(): Promise<number | null>;
}

let state: string;
let mf: Miniflare;
let lines: string[];

/** @param repairs repairs the table that `damage` has damaged, before the room starts */
async function start({ repairs = false } = {}) {
  lines = [];
  const options = localOptions({ port: 0, state, onLog: (line) => lines.push(line) }) as unknown as {
    workers: [Worker, Worker & { modulesRoot: string }];
  };
  const [web, rooms] = options.workers;
  const contents = `const REPAIRS = ${repairs};${FAULTY_ROOMS}`;
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

const getRoom = async (shard = 0): Promise<FaultyRoom> => {
  const rooms = await mf.getDurableObjectNamespace("EVENT_ROOMS", "hiroba");
  return (rooms as unknown as DurableObjectNamespace).getByName(
    roomName(eventId, shard),
  ) as unknown as FaultyRoom;
};
const getDatabase = () => mf.getD1Database("DB", "hiroba");
const getOrigin = async () => (await mf.unsafeGetDirectURL("hiroba")).origin;

async function countTotals(column: "visits" | "visitors" = "visits"): Promise<number> {
  const sum = `SELECT coalesce(sum(${column}), 0) AS n FROM visit_totals WHERE event_id = ? AND grain = 'year'`;
  return (await (await getDatabase()).prepare(sum).bind(eventId).first<number>("n")) ?? 0;
}

const createRecord = (fields: Partial<VisitRecord> = {}): VisitRecord => ({
  eventId,
  visit: randomBytes(16).toString("hex"),
  part: 0,
  at: Date.now(),
  hour: new Date().toISOString().slice(0, 13),
  visitor: randomBytes(16).toString("hex"),
  traits: { lang: "ja", device: "phone", country: "JP", from: "" },
  things: [],
  stays: [],
  ...fields,
});

/** Sends a visit to the room. Miniflare does not pass on the message of an error. */
const recordOne = async () => await (await getRoom()).record(createVisitCall([createRecord()]));
const readReport = async () => await (await getRoom()).report(eventId);

/** Messages of the warnings and errors that were logged, without those of the demo's shop, which does not respond in tests. */
const readProblems = (): readonly string[] =>
  lines
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as { readonly level: string; readonly message: string })
    .flatMap(({ level, message }) => (level === "info" || message === "store failure" ? [] : [message]));
/** Names of the objects in R2 (archives) with parts of the event's visits. */
const listArchives = async () =>
  (await (await mf.getR2Bucket("FILES", "hiroba")).list({ prefix: `visits/${eventId}/` })).objects.map(
    ({ key }) => key.split("/").at(-1),
  );

/** Matches the name of an object with parts of a day: the day, and the time at which they were moved. */
const archiveOf = (day: string) => expect.stringMatching(new RegExp(`^${day}\\.\\d+\\.ndjson\\.gz$`));

/** Reports a visit as a page does. @returns the status */
async function reportVisit(visit = randomBytes(16).toString("hex"), ipAddress = "10.2.0.1"): Promise<number> {
  const productOrigin = await getOrigin();
  const { search } = new URL(demoLink(productOrigin, "published"));
  const response = await fetch(`${productOrigin}/v/${eventId}${search}`, {
    method: "POST",
    headers: {
      "user-agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36",
      "cf-connecting-ip": ipAddress,
    },
    body: JSON.stringify({ visit, part: 0, from: "", things: [], stays: [] }),
  });
  return response.status;
}

test("a room whose storage is full moves counted calls to R2, then rejects calls, and loses nothing acknowledged", async () => {
  const visitsBefore = await countTotals();
  for (let times = 0; times < 3; times++) await (await getRoom()).record(createVisitCall([createRecord()]));
  await (await getRoom()).report(eventId);
  await (await getRoom()).fail({ full: 3 });
  // The three counted calls are moved to R2, and make room for the next one.
  expect(await (await getRoom()).record(createVisitCall([createRecord()]))).toBe("stored");
  const today = new Date().toISOString().slice(0, 10);
  expect([await (await getRoom()).callCount(), await listArchives()]).toEqual([1, [archiveOf(today)]]);
  await (await getRoom()).fail({ full: 1 });
  const visit = randomBytes(16).toString("hex");
  expect(await reportVisit(visit)).toBe(503);
  expect((await fetch(demoLink(await getOrigin(), "published"))).status).toBe(200);
  await (await getRoom()).fail({ full: Number.POSITIVE_INFINITY });
  expect(await reportVisit(visit)).toBe(204);
  await (await getRoom()).report(eventId);
  expect((await countTotals()) - visitsBefore).toBe(5);
  expect(lines.filter((line) => line.includes("room is full"))).toHaveLength(1);
});

test("a room whose storage is full while R2 fails for a short time rejects calls, and loses nothing acknowledged", async () => {
  const visitsBefore = await countTotals();
  for (let times = 0; times < 3; times++) await (await getRoom()).record(createVisitCall([createRecord()]));
  await (await getRoom()).report(eventId);
  await (await getRoom()).fail({ full: 3, bucket: true });
  const visit = randomBytes(16).toString("hex");
  expect(await reportVisit(visit)).toBe(503);
  expect(await (await getRoom()).callCount()).toBe(3);
  expect((await fetch(demoLink(await getOrigin(), "published"))).status).toBe(200);
  await (await getRoom()).fail({ bucket: false });
  expect(await reportVisit(visit)).toBe(204);
  expect((await (await getRoom()).report(eventId)).lost).toBeNull();
  expect((await listArchives()).length).toBe(1);
  expect((await countTotals()) - visitsBefore).toBe(4);
  expect(new Set(readProblems())).toEqual(
    new Set(["room is full", "storage not freed", "visits not stored"]),
  );
});

test("a room whose storage is full and whose bucket fails for a minute deletes counted calls, and its report states it", async () => {
  const visitsBefore = await countTotals();
  const from = new Date().toISOString().slice(0, 16);
  for (let times = 0; times < 3; times++) await (await getRoom()).record(createVisitCall([createRecord()]));
  await (await getRoom()).report(eventId);
  await (await getRoom()).fail({ full: 3, bucket: true });
  await expect(recordOne()).rejects.toThrow();
  await (await getRoom()).setClock(Date.now() + 60_000);
  for (let times = 0; times < 5; times++) {
    expect(await (await getRoom()).record(createVisitCall([createRecord()]))).toBe("stored");
    await (await getRoom()).report(eventId);
  }
  expect((await countTotals()) - visitsBefore).toBe(8);
  expect(await listArchives()).toEqual([]);
  const messages = ["room is full", "single visits deleted without R2", "storage not freed"];
  expect([...new Set(readProblems())].sort()).toEqual(messages);

  const cookie = `${sessionCookieName(false)}=${await logInOwner(new URL(await getOrigin()))}`;
  for (const lang of ["ja", "en"] as const) {
    const page = await fetch(`${await getOrigin()}/event/${eventId}/report?lang=${lang}`, {
      headers: { cookie },
    });
    const texts = translateIn(lang)("analytics:lost", { since: "…", until: "…" }).split("…");
    const html = await page.text();
    for (const text of texts) expect(html).toContain(text);
  }
  const response = await fetch(`${await getOrigin()}/api/v1/events/${eventId}/report?period=all`, {
    headers: { cookie },
  });
  const { lost } = (await response.json()) as { lost: { since: string; until: string } };
  expect([lost.since >= from, lost.until >= lost.since]).toEqual([true, true]);
});

test("a room whose storage is full frees what is counted when it takes the calls of a shard", async () => {
  const visitsBefore = await countTotals();
  for (let times = 0; times < 3; times++) await (await getRoom()).record(createVisitCall([createRecord()]));
  await (await getRoom()).report(eventId);
  await (await getRoom()).fail({ full: 1 });
  const shard = await getRoom(1);
  expect(await shard.record(createVisitCall([createRecord()], { shard: 1 }))).toBe("stored");
  await (await getRoom()).merge(eventId, 1);
  expect([await (await getRoom()).callCount(), await shard.callCount()]).toEqual([1, 0]);
  await (await getRoom()).report(eventId);
  expect((await countTotals()) - visitsBefore).toBe(4);
});

test("a room whose storage is full when it counts frees what is counted, although no call arrives", async () => {
  const visitsBefore = await countTotals();
  for (let times = 0; times < 3; times++) await (await getRoom()).record(createVisitCall([createRecord()]));
  await (await getRoom()).report(eventId);
  await (await getRoom()).fail({ fullRows: 5 });
  expect(await (await getRoom()).record(createVisitCall([createRecord()]))).toBe("stored");
  await (await getRoom()).runAlarm();
  expect([await (await getRoom()).callCount(), (await listArchives()).length]).toEqual([1, 1]);
  expect((await countTotals()) - visitsBefore).toBe(4);
});

test("a room whose storage is full moves past days to R2, although no call arrives", async () => {
  await (await getRoom()).record(createVisitCall([createRecord()]));
  await (await getRoom()).report(eventId);
  await (await getRoom()).age(4 * DAY_MS);
  await (await getRoom()).fail({ fullRows: 2 });
  await (await getRoom()).runAlarm();
  const day = new Date(Date.now() - 4 * DAY_MS).toISOString().slice(0, 10);
  expect([await (await getRoom()).callCount(), await listArchives()]).toEqual([0, [archiveOf(day)]]);
  expect(readProblems()).toEqual(["room is full"]);
});

test("a call that a shard receives after it deleted its storage sets an alarm", async () => {
  const visitsBefore = await countTotals();
  const shard = await getRoom(1);
  await shard.fail({ nextCall: createVisitCall([createRecord()], { shard: 1 }) });
  await shard.record(createVisitCall([createRecord()], { shard: 1 }));
  await shard.runAlarm();
  await (await getRoom()).report(eventId);
  expect((await countTotals()) - visitsBefore).toBe(2);
  expect(await shard.record(createVisitCall([createRecord()], { shard: 1 }))).toBe("stored");
  expect(await shard.alarmTime()).toBeGreaterThan(Date.now());
});

test("the room of an event that D1 has again is not deleted", async () => {
  await (await getRoom()).record(createVisitCall([createRecord()]));
  await (await getRoom()).setMissingSince(Date.now() - 8 * DAY_MS);
  const visitsBefore = await countTotals();
  await (await getRoom()).runAlarm();
  expect(await (await getRoom()).callCount()).toBe(1);
  expect((await countTotals()) - visitsBefore).toBe(1);
});

test("an alarm does not read calls that were counted before", async () => {
  for (let times = 0; times < 300; times++) await (await getRoom()).record(createVisitCall([createRecord()]));
  await (await getRoom()).report(eventId);
  await (await getRoom()).runAlarm();
  await (await getRoom()).record(createVisitCall([createRecord()]));
  await (await getRoom()).readSince();
  await (await getRoom()).runAlarm();
  expect((await (await getRoom()).readSince()).rows).toBeLessThan(100);
});

test("a room reads waiting calls of 10 MB in small pieces", async () => {
  const visitsBefore = await countTotals();
  const { signs } = createVisitCall([createRecord()]);
  const text = `${signs.slice(0, -1)},"${"x".repeat(250_000)}"]`;
  for (let times = 0; times < 40; times++)
    await (await getRoom()).record(createVisitCall([createRecord()], { signs: text }));
  for (let times = 0; times < 40; times++)
    await (await getRoom(1)).record(createVisitCall([createRecord()], { signs: text, shard: 1 }));
  await (await getRoom()).readSince();
  await (await getRoom()).report(eventId);
  expect((await (await getRoom()).readSince()).maxCharacters).toBeLessThan(3_000_000);
  await (await getRoom(1)).readSince();
  await (await getRoom()).merge(eventId, 1);
  expect((await (await getRoom(1)).readSince()).maxCharacters).toBeLessThan(3_000_000);
  expect((await countTotals()) - visitsBefore).toBe(1);
});

test("the alarm of a room whose storage fails is set again, and counts the visits later", async () => {
  const visitsBefore = await countTotals();
  await (await getRoom()).record(createVisitCall([createRecord()]));
  await (await getRoom()).fail({ broken: true });
  for (let times = 0; times < 2; times++) {
    await (await getRoom()).runAlarm();
    expect(await (await getRoom()).alarmTime()).toBeGreaterThan(Date.now());
  }
  expect(readProblems()).toHaveLength(1);
  await (await getRoom()).fail({ broken: false });
  await expect.poll(countTotals, { timeout: 60_000 }).toBe(visitsBefore + 1);
});

test("an alarm that could not be set is set with the next call", async () => {
  await (await getRoom()).fail({ alarm: true });
  await expect(recordOne()).rejects.toThrow();
  await (await getRoom()).fail({ alarm: false });
  expect(await (await getRoom()).record(createVisitCall([createRecord()]))).toBe("stored");
  expect(await (await getRoom()).alarmTime()).toBeGreaterThan(Date.now());
});

test("an alarm that could not be set after a failed flush is set with the next call", async () => {
  const db = await getDatabase();
  await (await getRoom()).record(createVisitCall([createRecord()]));
  await db.prepare("ALTER TABLE visit_rooms RENAME TO visit_rooms_gone").run();
  await (await getRoom()).fail({ alarm: true });
  await expect(readReport()).rejects.toThrow();
  await (await getRoom()).deleteAlarm();
  await (await getRoom()).fail({ alarm: false });
  expect(await (await getRoom()).record(createVisitCall([createRecord()]))).toBe("stored");
  expect(await (await getRoom()).alarmTime()).toBeGreaterThan(Date.now());
});

test("an alarm that cannot be set again is repeated by the runtime", async () => {
  const visitsBefore = await countTotals();
  const db = await getDatabase();
  await (await getRoom()).record(createVisitCall([createRecord()]));
  await db.prepare("ALTER TABLE visit_rooms RENAME TO visit_rooms_gone").run();
  await (await getRoom()).fail({ alarm: true });
  await (await getRoom()).wakeNow();
  await expect.poll(readProblems, { timeout: 60_000 }).toContain("alarm not computed");
  await db.prepare("ALTER TABLE visit_rooms_gone RENAME TO visit_rooms").run();
  await (await getRoom()).fail({ alarm: false });
  // No call and no report wakes the room.
  await expect.poll(countTotals, { timeout: 60_000 }).toBe(visitsBefore + 1);
});

test("a room flushes every five seconds while a report is open, and otherwise once a minute", async () => {
  // The runtime does not run alarms of the next day during the test.
  const time = Date.now() + DAY_MS;
  const alarmAfterCall = async (now: number) => {
    await (await getRoom()).setClock(now);
    await (await getRoom()).runAlarm();
    await (await getRoom()).record(createVisitCall([createRecord()]));
    return ((await (await getRoom()).alarmTime()) ?? 0) - time;
  };
  expect(await alarmAfterCall(time)).toBe(60_000);
  await (await getRoom()).report(eventId);
  expect(await alarmAfterCall(time + 1)).toBe(5_001);
  expect(await alarmAfterCall(time + 5_001)).toBe(10_001);
  // A report reads the live visitors again every half minute while it is open.
  await (await getRoom()).report(eventId);
  expect(await alarmAfterCall(time + 50_000)).toBe(55_000);
  expect(await alarmAfterCall(time + 60_000)).toBe(120_000);
});

test("a room that cannot start is like one that is down, and loses nothing that it acknowledged", async () => {
  const visitsBefore = await countTotals();
  expect(await reportVisit()).toBe(204);
  await (await getRoom()).damage();
  await mf.dispose();
  await start();
  const visit = randomBytes(16).toString("hex");
  expect(await reportVisit(visit, "10.2.0.5")).toBe(503);
  expect((await fetch(demoLink(await getOrigin(), "published"))).status).toBe(200);
  const cookie = `${sessionCookieName(false)}=${await logInOwner(new URL(await getOrigin()))}`;
  const readApiReport = async () => {
    const path = `/api/v1/events/${eventId}/report?period=all`;
    const response = await fetch(`${await getOrigin()}${path}`, { headers: { cookie } });
    return (await response.json()) as { readonly missing: { readonly since: string | null } | null };
  };
  expect((await readApiReport()).missing).not.toBeNull();
  expect(new Set(readProblems())).toEqual(new Set(["visits not stored"]));
  await mf.dispose();
  await start({ repairs: true });
  expect(await reportVisit(visit, "10.2.0.5")).toBe(204);
  expect((await readApiReport()).missing).toBeNull();
  expect((await countTotals()) - visitsBefore).toBe(2);
});

test("while R2 fails, parts stay in the room's log, and are moved to R2 afterwards", async () => {
  const visitsBefore = await countTotals();
  expect(await reportVisit()).toBe(204);
  await (await getRoom()).report(eventId);
  await (await getRoom()).age(4 * DAY_MS);
  await (await getRoom()).fail({ bucket: true });
  for (let times = 0; times < 2; times++) {
    await (await getRoom()).runAlarm();
    expect(await (await getRoom()).alarmTime()).toBeGreaterThan(Date.now());
  }
  // Not even calls that are a month old are deleted before R2 has them.
  await (await getRoom()).age(30 * DAY_MS);
  await (await getRoom()).runAlarm();
  expect([await (await getRoom()).callCount(), (await listArchives()).length]).toEqual([1, 0]);
  // Visitors see the event, and their visits are counted.
  expect((await fetch(demoLink(await getOrigin(), "published"))).status).toBe(200);
  expect(await reportVisit(undefined, "10.2.0.9")).toBe(204);
  await (await getRoom()).report(eventId);
  expect((await countTotals()) - visitsBefore).toBe(2);
  expect(readProblems()).toEqual(["room not maintained"]);
  await (await getRoom()).fail({ bucket: false });
  await (await getRoom()).runAlarm();
  expect([await (await getRoom()).callCount(), (await listArchives()).length]).toEqual([1, 1]);
});

describe("while the rooms are down", () => {
  for (const [lang, js] of [
    ["ja", true],
    ["ja", false],
    ["en", true],
    ["en", false],
  ] as const)
    test(`visitors see the event, and a report states since when visits are missing (${lang}, scripts ${js ? "on" : "off"})`, async () => {
      expect(await reportVisit()).toBe(204);
      await (await getRoom()).report(eventId);
      const flushedAt = await (await getDatabase())
        .prepare("SELECT flushed_at FROM visit_rooms WHERE event_id = ?")
        .bind(eventId)
        .first<string>("flushed_at");
      await (await getRoom()).fail({ down: true });
      expect((await fetch(demoLink(await getOrigin(), "published"))).status).toBe(200);
      const visit = randomBytes(16).toString("hex");
      expect(await reportVisit(visit, "10.2.0.4")).toBe(503);

      const browser = await launchBrowser();
      try {
        const originUrl = new URL(await getOrigin());
        const context = await browser.newContext({
          javaScriptEnabled: js,
          viewport: { width: 390, height: 844 },
        });
        const cookie = { name: sessionCookieName(false), value: await logInOwner(originUrl) };
        await context.addCookies([{ ...cookie, url: originUrl.origin }]);
        const page = await context.newPage();
        await page.goto(`${originUrl.origin}/event/${eventId}/report?lang=${lang}`);
        const t = translateIn(lang);
        const text =
          t("analytics:missingSince", { since: "…" })
            .split("…")
            .find((part) => part.length > 10) ?? "";
        const notice = page.getByRole("status").filter({ hasText: text.trim() });
        await notice.waitFor();
        const minutes = new Date(flushedAt ?? "")
          .toLocaleTimeString("en-GB", { timeZone: "Asia/Tokyo" })
          .slice(3, 5);
        expect(await notice.textContent()).toContain(`:${minutes}`);

        await (await getRoom()).fail({ down: false });
        expect(await reportVisit(visit, "10.2.0.4")).toBe(204);
        await page.goto(`${originUrl.origin}/event/${eventId}/report?lang=${lang}`);
        await page.getByRole("heading", { level: 1 }).waitFor();
        expect(await notice.count()).toBe(0);
      } finally {
        await browser.close();
      }
    });
});

test("repeated, simultaneous, late and unordered calls are counted once each", async () => {
  const before = { visits: await countTotals(), visitors: await countTotals("visitors") };
  const records = Array.from({ length: 500 }, () => createRecord());
  const call = createVisitCall(records);
  const visitor = "the same visitor";
  const results = await Promise.all(
    [
      call,
      call,
      createVisitCall(records),
      createVisitCall([createRecord({ visitor })]),
      createVisitCall([createRecord({ visitor, at: Date.now() - 3 })]),
      createVisitCall([createRecord({ at: Date.now() + 3 * DAY_MS, hour: "2030-01-01T00" })]),
      createVisitCall([createRecord()], { isolate: "unordered", sequence: 5 }),
      createVisitCall([createRecord()], { isolate: "unordered", sequence: 2 }),
    ].map(async (visitCall) => (await getRoom()).record(visitCall)),
  );
  expect(new Set(results)).toEqual(new Set(["stored"]));
  for (const sequence of [1, 0])
    await (await getRoom()).record(createVisitCall([createRecord()], { isolate: "unordered", sequence }));
  await (await getRoom()).report(eventId);
  expect((await countTotals("visitors")) - before.visitors).toBe(506);
  expect((await countTotals()) - before.visits).toBe(506);
  expect([...readProblems()].sort()).toEqual(["call out of order", "visits repaired"]);
  const future = "SELECT count(*) AS n FROM visit_totals WHERE period LIKE '2030%'";
  expect(await (await getDatabase()).prepare(future).first<number>("n")).toBe(0);
});

test("a visit a second after the link closed is ignored, and one before it is counted", async () => {
  const visitsBefore = await countTotals();
  expect(await reportVisit(undefined, "10.2.0.2")).toBe(204);
  await (await getDatabase())
    .prepare("UPDATE events SET status_id = 4, enable_auto_change_status = 0 WHERE id = ?")
    .bind(eventId)
    .run();
  await sleep(1000);
  for (const ipAddress of ["10.2.0.3", "10.2.0.4"]) expect(await reportVisit(undefined, ipAddress)).toBe(204);
  await (await getRoom()).report(eventId);
  expect((await countTotals()) - visitsBefore).toBe(1);
  expect(readProblems()).toEqual(["visit ignored"]);
});

test("erased visits stay erased after the database is restored", async () => {
  await (await getRoom()).record(createVisitCall([createRecord(), createRecord()]));
  await (await getRoom()).report(eventId);
  const db = await getDatabase();
  for (const table of ["visit_totals", "visit_rooms"])
    await db.prepare(`CREATE TABLE copy_of_${table} AS SELECT * FROM ${table}`).run();
  await (await getRoom()).erase(eventId, Date.now());
  expect(await countTotals()).toBe(0);
  for (const table of ["visit_totals", "visit_rooms"]) {
    await db.prepare(`DELETE FROM ${table}`).run();
    await db.prepare(`INSERT INTO ${table} SELECT * FROM copy_of_${table}`).run();
  }
  expect(await countTotals()).toBeGreaterThan(0);
  await mf.dispose();
  await start();
  await (await getRoom()).report(eventId);
  expect(await countTotals()).toBe(0);
});

for (const [clock, error] of [
  ["ahead", 3 * DAY_MS],
  ["behind", -3 * DAY_MS],
] as const)
  test(`an erasure by an isolate whose clock is ${clock} deletes all visits before it, and none after it`, async () => {
    await (await getRoom()).record(createVisitCall([createRecord()]));
    await (await getRoom()).report(eventId);
    await (await getRoom()).erase(eventId, Date.now() + error);
    expect([await (await getRoom()).callCount(), await countTotals()]).toEqual([0, 0]);
    await (await getRoom()).record(createVisitCall([createRecord()]));
    await (await getRoom()).report(eventId);
    expect(await countTotals()).toBe(1);
  });

test("an event that is deleted while its room flushes leaves no totals", async () => {
  await (await getRoom()).record(createVisitCall([createRecord()]));
  const db = await getDatabase();
  await Promise.allSettled([
    (await getRoom()).report(eventId),
    db.prepare("DELETE FROM events WHERE id = ?").bind(eventId).run(),
  ]);
  expect(await (await getRoom()).record(createVisitCall([createRecord()]))).toBe("stored");
  for (let times = 0; times < 2; times++) await (await getRoom()).report(eventId);
  expect(await countTotals()).toBe(0);
  expect(readProblems()).toEqual(["event missing in D1"]);
});
