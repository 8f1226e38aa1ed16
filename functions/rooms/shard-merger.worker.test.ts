import { beforeEach, expect, it } from "vitest";
import type { VisitRecord } from "~/domain/analytics/visit";
import { useTestApp } from "../../tests/support/app/test-app";
import { createVisitCall, memoryStorage } from "../../tests/support/app/test-rooms";
import { visitTotals } from "../data/schema";
import { SHARDS_KEPT_MS } from "./room-shards";
import { ShardMerger, type TakeCalls } from "./shard-merger";
import { VisitFlusher } from "./visit-flusher";
import { VisitLog } from "./visit-log";

const testApp = useTestApp();
const LIMIT = 10;
let eventId: string;
let log: VisitLog;
let merger: ShardMerger;
/** Logs by shard. Shards are additional Durable Objects that relieve a busy room, the Durable Object of an event. */
let shards: Map<number, VisitLog>;
/** Shards that do not answer. */
let broken: Set<number>;
let requests: TakeCalls[];
let shardCallsPerSecond: number;

const createMerger = () =>
  new ShardMerger({
    log,
    takeCalls: async (request) => {
      requests.push(request);
      if (broken.has(request.shard)) throw new Error("The shard does not respond");
      const shard = shardLog(request.shard);
      const storage = shard.getSetting("room");
      const calls = shard.takeCalls(request.storage === storage ? request.taken : 0);
      return { storage, calls, callsPerSecond: shardCallsPerSecond };
    },
    store: async (calls) => log.recordAll(calls),
    now: () => testApp.time.now,
    limit: LIMIT,
    onError: () => {},
  });

function shardLog(shard: number): VisitLog {
  const existing = shards.get(shard);
  if (existing) return existing;
  const created = new VisitLog(memoryStorage());
  created.create(eventId, `shard ${shard} ${crypto.randomUUID()}`, shard);
  shards.set(shard, created);
  return created;
}

beforeEach(async () => {
  ({ eventId } = await testApp.addSpace(await testApp.addUser()));
  log = new VisitLog(memoryStorage());
  log.create(eventId, "room");
  [shards, broken, requests, shardCallsPerSecond] = [new Map(), new Set(), [], 0];
  merger = createMerger();
});

const recordOf = (visit: string, part = 0): VisitRecord => ({
  eventId,
  visit,
  part,
  at: testApp.time.now,
  hour: "2026-04-01T09",
  visitor: `visitor ${visit}`,
  traits: { lang: "ja", device: "phone", country: "JP", from: "" },
  things: [],
  stays: [{ place: "", seconds: 1 }],
});

/** Makes the room exceed its limit. */
function addShards() {
  for (let calls = 0; calls <= LIMIT; calls++) merger.countCall();
}

async function readCounts() {
  const { visits } = testApp.data;
  await new VisitFlusher({ log, visits, now: () => testApp.time.now, onRepair: () => {} }).flush();
  const rows = await testApp.db.select().from(visitTotals);
  const sum = rows.find(({ grain }) => grain === "year");
  return { visitors: sum?.visitors ?? 0, seconds: sum?.seconds ?? 0 };
}

it("counts a visitor once whose parts are in the room and in several shards", async () => {
  log.record(createVisitCall([recordOf("a", 0)]), testApp.time.now);
  addShards();
  expect(log.shards).toBe(4);
  shardLog(2).record(createVisitCall([recordOf("a", 1)]), testApp.time.now);
  shardLog(4).record(createVisitCall([recordOf("a", 2), recordOf("a", 1)]), testApp.time.now);
  expect(await merger.mergeAll()).toBe(true);
  expect(await readCounts()).toEqual({ visitors: 1, seconds: 3 });
});

it("takes a call once that it took before it crashed, and that its isolate also sent to the room", async () => {
  addShards();
  const call = createVisitCall([recordOf("a")]);
  log.record(call, testApp.time.now);
  shardLog(1).record(call, testApp.time.now);
  shardLog(1).record(createVisitCall([recordOf("b")]), testApp.time.now);
  // The room crashes after it has stored the calls and before it confirms them.
  log.recordAll(shardLog(1).takeCalls(0));
  merger = createMerger();
  await merger.mergeAll();
  expect(shardLog(1).pendingParts).toBe(0);
  expect(await readCounts()).toEqual({ visitors: 2, seconds: 2 });
});

it("takes everything from a shard with more calls than fit into one message", async () => {
  addShards();
  for (let index = 0; index < 900; index++)
    shardLog(1 + (index % 2)).record(createVisitCall([recordOf(`${index}`)]), testApp.time.now);
  await merger.mergeAll();
  expect(await readCounts()).toEqual({ visitors: 900, seconds: 900 });
});

it("deletes no call of a shard that lost its storage in the meantime", async () => {
  addShards();
  shardLog(1).record(createVisitCall([recordOf("a")]), testApp.time.now);
  await merger.mergeAll();
  shards.delete(1);
  shardLog(1).record(createVisitCall([recordOf("b")]), testApp.time.now);
  await merger.mergeAll();
  expect(await readCounts()).toEqual({ visitors: 2, seconds: 2 });
});

it("states until when the calls are complete while a shard does not respond", async () => {
  addShards();
  testApp.time.now += 1000;
  expect(await merger.mergeAll()).toBe(true);
  const complete = testApp.time.now;
  testApp.time.now += 60_000;
  broken.add(3);
  shardLog(2).record(createVisitCall([recordOf("a")]), testApp.time.now);
  shardLog(3).record(createVisitCall([recordOf("b")]), testApp.time.now);
  expect(await merger.mergeAll()).toBe(false);
  expect(merger.completeUntil).toBe(complete);
  expect(await readCounts()).toEqual({ visitors: 1, seconds: 1 });
  // The next process of the room does not know this time, which D1 keeps.
  merger = createMerger();
  expect(merger.completeUntil).toBe(0);
  broken.clear();
  expect(await merger.mergeAll()).toBe(true);
  expect(merger.completeUntil).toBe(testApp.time.now);
  expect(await readCounts()).toEqual({ visitors: 2, seconds: 2 });
});

it("adds shards when the shards receive too many calls, and removes them only when none was added for a while and all respond", async () => {
  addShards();
  shardCallsPerSecond = 2 * LIMIT;
  await merger.mergeAll();
  expect(log.shards).toBe(16);
  shardCallsPerSecond = 0;
  await merger.mergeAll();
  await merger.shrink();
  expect(log.shards).toBe(16);
  testApp.time.now += SHARDS_KEPT_MS;
  broken.add(7);
  await merger.shrink();
  expect(log.shards).toBe(16);
  broken.clear();
  shardLog(7).record(createVisitCall([recordOf("a")]), testApp.time.now);
  requests.length = 0;
  await merger.shrink();
  expect(log.shards).toBe(1);
  // Every shard is informed that the room has no shards any more.
  const requestedShards = requests.filter((request) => request.shards === 1).map(({ shard }) => shard);
  expect(new Set(requestedShards).size).toBe(16);
  expect(await readCounts()).toEqual({ visitors: 1, seconds: 1 });
});

it("a room that was created before shards existed has none until it needs them", () => {
  const storage = memoryStorage();
  new VisitLog(storage).create(eventId, "room");
  storage.sql.exec("DELETE FROM settings WHERE name IN (?, ?)", "shard", "shards");
  log = new VisitLog(storage);
  expect([log.shard, log.shards]).toEqual([0, 1]);
  merger = createMerger();
  addShards();
  expect(new VisitLog(storage).shards).toBe(4);
});

it("keeps its shards if it gets more of them while it takes their last calls", async () => {
  addShards();
  testApp.time.now += SHARDS_KEPT_MS;
  shardCallsPerSecond = 5 * LIMIT;
  await merger.shrink();
  // The shards answered that they receive too many calls. None was told that the room receives the calls itself.
  expect(requests.every((request) => request.shards > 1)).toBe(true);
  expect(log.shards).toBeGreaterThan(4);
});

it("returns to no shards although its process ends every minute", async () => {
  addShards();
  for (let minutes = 0; minutes <= SHARDS_KEPT_MS / 60_000; minutes++) {
    merger = createMerger();
    await merger.shrink();
    testApp.time.now += 60_000;
  }
  merger = createMerger();
  await merger.shrink();
  expect(log.shards).toBe(1);
});

it("does not claim to have the calls of an earlier shard when it gets shards again", async () => {
  addShards();
  testApp.time.now += SHARDS_KEPT_MS;
  await merger.shrink();
  expect(log.shards).toBe(1);
  const complete = testApp.time.now;
  // An isolate that does not know yet that the shards were removed uses one of them.
  testApp.time.now += 300;
  shardLog(3).record(createVisitCall([recordOf("a")]), testApp.time.now);
  testApp.time.now += 10_000;
  addShards();
  broken.add(3);
  expect(await merger.mergeAll()).toBe(false);
  expect(merger.completeUntil).toBeLessThanOrEqual(complete + 300);
});
