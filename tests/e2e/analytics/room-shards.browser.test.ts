/**
 * Tests shards on workerd (decision 104): objects that receive calls for the room of a large event, which stores and counts its visits. The tests use
 * several isolates, and a limit that few calls exceed.
 */
import { randomBytes } from "node:crypto";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Miniflare } from "miniflare";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import type { EventRoom } from "#functions/rooms/event-room";
import { roomName } from "#functions/rooms/room-shards";
import { sessionCookieName } from "~/domain/auth/session";
import { logInOwner } from "../../../bench/load/scenarios";
import { demoLink } from "../../../scripts/lib/local/demo-links";
import { startLocal } from "../../../scripts/lib/local/local-product";
import { demoIds } from "../../../seed/demo";
import { startIsolates } from "../../support/app/isolates";
import { startKillable } from "../../support/app/killable-product";

const eventId = demoIds.mainEvent;
/** User agent of a browser. Visits of other programs are not counted. */
const USER_AGENT =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
/** Four isolates that report all the time make up to 22 calls a second, which is enough for four shards and not for sixteen, the next number. */
const OPTIONS = { count: 4, callsPerSecond: 10 };
const SHARDS = 4;
/** Parts that are sent at the same time. */
const GROUP_SIZE = 40;

let state: string;
let mf: Miniflare | null = null;

beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "hiroba-shards-"));
  cpSync(inject("snapshotFolder"), state, { recursive: true });
});

afterEach(async () => {
  await mf?.dispose();
  mf = null;
  rmSync(state, { recursive: true, force: true });
});

type Room = Pick<EventRoom, "state" | "report" | "erase" | "takeCalls">;

async function getRoom(product: Miniflare, shard = 0): Promise<Room> {
  const rooms = await product.getDurableObjectNamespace("EVENT_ROOMS", "hiroba");
  return (rooms as unknown as DurableObjectNamespace).getByName(roomName(eventId, shard)) as unknown as Room;
}

const readShardCount = async (product: Miniflare) =>
  (await (await getRoom(product)).state(eventId, 0)).shards;

/** Numbers of calls that the shards have and the room has not taken. */
const countWaitingCalls = async (product: Miniflare): Promise<readonly number[]> =>
  Promise.all(
    Array.from({ length: SHARDS }, async (_, index) => {
      const shard = index + 1;
      const request = { eventId, shard, shards: SHARDS, storage: "", taken: 0 };
      return (await (await getRoom(product, shard)).takeCalls(request)).calls.length;
    }),
  );

interface Counts {
  readonly visits: number;
  readonly visitors: number;
  readonly seconds: number;
}

async function readCounts(product: Miniflare): Promise<Counts> {
  const db = await product.getD1Database("DB", "hiroba");
  const sums = ["visits", "visitors", "seconds"].map((name) => `coalesce(sum(${name}), 0) AS ${name}`);
  const query = `SELECT ${sums.join(", ")} FROM visit_totals WHERE event_id = ? AND grain = 'year'`;
  return (await db.prepare(query).bind(eventId).first<Counts>()) as Counts;
}

const difference = (after: Counts, before: Counts): Counts => ({
  visits: after.visits - before.visits,
  visitors: after.visitors - before.visitors,
  seconds: after.seconds - before.seconds,
});

/** Visitors of the event. Each part states one second. */
class VisitorCrowd {
  readonly #visits = new Map<number, string>();

  /** Reports a part of a visitor's visit as a page does, and again after each 503. @returns whether it was acknowledged */
  async report(origin: string, visitor: number, part: number): Promise<boolean> {
    const visit = this.#visits.get(visitor) ?? randomBytes(16).toString("hex");
    this.#visits.set(visitor, visit);
    const { search } = new URL(demoLink(origin, "published"));
    for (;;) {
      const status = await fetch(`${origin}/v/${eventId}${search}`, {
        method: "POST",
        headers: { "user-agent": USER_AGENT, "cf-connecting-ip": `10.3.${visitor >> 8}.${visitor & 255}` },
        body: JSON.stringify({ visit, part, from: "", things: [], stays: [{ place: "", seconds: 1 }] }),
      }).then(
        (response) => response.status,
        () => 0,
      );
      if (status !== 503) return status === 204;
      await sleep(200);
    }
  }

  /** Reports parts in groups. Each part goes to the next isolate, and every tenth to another one as well. */
  async reportAll(
    origins: readonly string[],
    parts: readonly (readonly [visitor: number, part: number])[],
  ): Promise<void> {
    for (let start = 0; start < parts.length; start += GROUP_SIZE) {
      const group = parts.slice(start, start + GROUP_SIZE).flatMap(([visitor, part]) => {
        const origin = (shift: number) => origins[(visitor + part + shift) % origins.length] ?? "";
        const reports = [this.report(origin(0), visitor, part)];
        if ((visitor + part) % 10 === 0) reports.push(this.report(origin(1), visitor, part));
        return reports;
      });
      expect(new Set(await Promise.all(group))).toEqual(new Set([true]));
    }
  }
}

/** The parts of each visitor from `from` to before `until`. */
const listParts = (visitors: number, from: number, until: number) =>
  Array.from({ length: until - from }, (_, index) => from + index).flatMap((part) =>
    Array.from({ length: visitors }, (_, visitor) => [visitor, part] as const),
  );

test("2,000 parts of 300 visitors are counted once before, while and after a room gets four shards", {
  timeout: 180_000,
}, async () => {
  const { mf: product, origins } = await startIsolates(state, OPTIONS);
  mf = product;
  const countsBefore = await readCounts(product);
  const crowd = new VisitorCrowd();

  // One isolate makes too few calls for shards.
  await crowd.reportAll(origins.slice(0, 1), listParts(60, 0, 1));
  expect(await readShardCount(product)).toBe(1);
  await (await getRoom(product)).report(eventId);
  expect(difference(await readCounts(product), countsBefore)).toEqual({
    visits: 60,
    visitors: 60,
    seconds: 60,
  });

  const remainingParts = [...listParts(300, 0, 6), ...listParts(200, 6, 7)].filter(
    ([visitor, part]) => part > 0 || visitor >= 60,
  );
  expect(remainingParts).toHaveLength(1940);
  await crowd.reportAll(origins, remainingParts.slice(0, 1000));
  expect(await readShardCount(product)).toBe(SHARDS);
  await crowd.reportAll(origins, remainingParts.slice(1000));
  // The shards have calls that the room does not have yet. While a report is open, the room takes them every five seconds, perhaps just now; the parts
  // are then reported again.
  while ((await countWaitingCalls(product)).filter((calls) => calls > 0).length <= 1)
    await crowd.reportAll(origins, remainingParts.slice(-GROUP_SIZE));

  // A report asks the room, which asks its shards.
  const origin = origins[0] ?? "";
  const page = await fetch(`${origin}/event/${eventId}/report?period=all`, {
    headers: { cookie: `${sessionCookieName(false)}=${await logInOwner(new URL(origin))}` },
    redirect: "manual",
  });
  expect(page.status).toBe(200);
  expect(difference(await readCounts(product), countsBefore)).toEqual({
    visits: 300,
    visitors: 300,
    seconds: 2000,
  });
  expect(await countWaitingCalls(product)).toEqual([0, 0, 0, 0]);
  const { visits } = await readCounts(product);
  expect((await page.text()).replaceAll(",", "")).toContain(`${visits}`);

  // Parts that are reported again, to any isolate, change nothing.
  await crowd.reportAll([...origins].reverse(), listParts(300, 4, 5));
  await (await getRoom(product)).report(eventId);
  expect(difference(await readCounts(product), countsBefore)).toEqual({
    visits: 300,
    visitors: 300,
    seconds: 2000,
  });
});

test("acknowledged parts are counted once after a product with shards was killed", {
  timeout: 180_000,
}, async () => {
  const firstProduct = await startLocal({ port: 0, state });
  const countsBefore = await readCounts(firstProduct.mf);
  await firstProduct.stop();
  const crowd = new VisitorCrowd();
  const acknowledgedVisitors = new Set<number>();
  let acknowledgedParts = 0;
  const VISITORS = 400;
  for (let kill = 0; kill < 2; kill++) {
    const product = await startKillable(state, OPTIONS);
    const visitors = Array.from({ length: VISITORS / 2 }, (_, index) => index + (kill * VISITORS) / 2);
    let isKilled = false;
    const streams = Array.from({ length: GROUP_SIZE }, async (_, stream) => {
      for (const visitor of visitors.filter((number) => number % GROUP_SIZE === stream))
        for (let part = 0; part < 3 && !isKilled; part++)
          if (await crowd.report(product.origins[(visitor + part) % 4] ?? "", visitor, part)) {
            acknowledgedVisitors.add(visitor);
            acknowledgedParts++;
          }
    });
    await sleep(2500 + Math.random() * 1500);
    isKilled = true;
    await product.kill();
    await Promise.all(streams);
  }
  expect(acknowledgedVisitors.size).toBeGreaterThan(GROUP_SIZE);
  const local = await startLocal({ port: 0, state });
  try {
    // The room remembers its shards, and takes what they have.
    expect(await readShardCount(local.mf)).toBe(SHARDS);
    expect((await countWaitingCalls(local.mf)).reduce((sum, calls) => sum + calls)).toBeGreaterThan(0);
    await (await getRoom(local.mf)).report(eventId);
    const newCounts = difference(await readCounts(local.mf), countsBefore);
    expect(newCounts.visitors).toBeGreaterThanOrEqual(acknowledgedVisitors.size);
    expect(newCounts.seconds).toBeGreaterThanOrEqual(acknowledgedParts);
    await crowd.reportAll([local.origin], listParts(VISITORS, 0, 3));
    await (await getRoom(local.mf)).report(eventId);
    expect(difference(await readCounts(local.mf), countsBefore)).toEqual({
      visits: VISITORS,
      visitors: VISITORS,
      seconds: 3 * VISITORS,
    });
  } finally {
    await local.stop();
  }
});

test("deleted visits are deleted from the shards too, and stay deleted", { timeout: 120_000 }, async () => {
  const { mf: product, origins } = await startIsolates(state, OPTIONS);
  mf = product;
  const crowd = new VisitorCrowd();
  await crowd.reportAll(origins, listParts(300, 0, 3));
  expect(await readShardCount(product)).toBe(SHARDS);
  await crowd.reportAll(origins, listParts(300, 3, 4));
  expect((await countWaitingCalls(product)).some((calls) => calls > 0)).toBe(true);
  await (await getRoom(product)).erase(eventId, Date.now());
  expect(await countWaitingCalls(product)).toEqual([0, 0, 0, 0]);
  await (await getRoom(product)).report(eventId);
  expect(await readCounts(product)).toEqual({ visits: 0, visitors: 0, seconds: 0 });
  // A later part of the same visitor begins a new visit.
  await crowd.reportAll(origins, listParts(1, 9, 10));
  await (await getRoom(product)).report(eventId);
  expect(await readCounts(product)).toEqual({ visits: 1, visitors: 1, seconds: 1 });
});
