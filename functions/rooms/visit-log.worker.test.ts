import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { dayOfHour, LIVE_MINUTES, partKey, type VisitRecord, visitorKey } from "~/domain/analytics/visit";
import {
  type StoredVisitState,
  tally,
  VISIT_NUMBERS,
  type VisitorState,
} from "~/domain/analytics/visit-tally";
import { useTestApp } from "../../tests/support/app/test-app";
import { createVisitCall } from "../../tests/support/app/test-rooms";
import { visitLive, visitRooms, visitTotals } from "../data/schema";
import { CALL_VERSION, callProblem, readVisitRecords } from "./visit-call";
import { VisitFlusher } from "./visit-flusher";

const testApp = useTestApp();
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
let eventId: string;

beforeEach(async () => {
  ({ eventId } = await testApp.addSpace(await testApp.addUser()));
});

const HOUR = "2026-04-01T09";
const recordOf = (fields: Partial<VisitRecord> = {}): VisitRecord => ({
  eventId,
  visit: "a",
  part: 0,
  at: testApp.time.now,
  hour: HOUR,
  visitor: "v",
  traits: { lang: "ja", device: "phone", country: "JP", from: "" },
  things: [],
  stays: [],
  ...fields,
});
const recordsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => recordOf({ visit: `visit ${index}`, visitor: `v${index}` }));

const totals = async () =>
  (await testApp.db.select().from(visitTotals)).filter(({ grain }) => grain === "year");
const visits = async () => (await totals())[0]?.visits ?? 0;
/** Makes every D1 call of rooms fail. */
function breakD1() {
  const { data } = testApp;
  const { flush, position } = data.visits;
  const fail = async () => {
    throw new Error("D1 does not respond");
  };
  Object.assign(data.visits, { flush: fail, position: fail });
  return () => Object.assign(data.visits, { flush, position });
}

describe("the totals", () => {
  /** Counts batches with the tally alone, without a room. Each batch continues from the state after the previous one. */
  function expectedTotals(batches: readonly (readonly VisitRecord[])[]) {
    const parts = new Set<string>();
    const states = new Map<string, VisitorState>();
    const numbers = new Map<string, number>();
    const live = new Map<number, number>();
    for (const records of batches) {
      const storedState: StoredVisitState = { parts, visitors: states, erased: new Map() };
      const sums = tally(records, storedState);
      for (const record of sums.newParts) parts.add(partKey(record));
      for (const { state, ...visitor } of sums.visitors) states.set(visitorKey(visitor), state);
      for (const total of sums.totals)
        for (const [name, count] of [...Object.entries(total.numbers), ...Object.entries(total.parts)])
          numbers.set(
            `${dayOfHour(total.hour)} ${name}`,
            (numbers.get(`${dayOfHour(total.hour)} ${name}`) ?? 0) + count,
          );
      for (const { minute, visitors } of sums.live) live.set(minute, (live.get(minute) ?? 0) + visitors);
    }
    const isCounted = ([, count]: readonly [unknown, number]) => count !== 0;
    return {
      numbers: Object.fromEntries([...numbers].filter(isCounted)),
      live: Object.fromEntries([...live].filter(isCounted)),
    };
  }

  async function storedTotals() {
    const days = (await testApp.db.select().from(visitTotals)).filter(({ grain }) => grain === "day");
    const numbers = days.flatMap((row) =>
      [
        ...VISIT_NUMBERS.map((name) => [name, row[name]] as const),
        ...Object.entries(JSON.parse(row.parts) as Record<string, number>),
      ].map(([name, count]) => [`${row.period} ${name}`, count] as const),
    );
    const live = (await testApp.db.select().from(visitLive)).map(
      ({ minute, visitors }) => [minute, visitors] as const,
    );
    return {
      numbers: Object.fromEntries(numbers.filter(([, count]) => count !== 0)),
      live: Object.fromEntries(live.filter(([, count]) => count !== 0)),
    };
  }

  it("are those of the tally for any batches of reports", async () => {
    const record = fc.record({
      visit: fc.constantFrom("a", "b", "c", "d"),
      part: fc.nat(4),
      minutes: fc.nat(9),
      day: fc.constantFrom("2026-04-01T09", "2026-04-02T00"),
      visitor: fc.constantFrom("v", "w", "x"),
      from: fc.constantFrom(null, "", "example.org"),
      tag: fc.constantFrom("1", "2"),
      seconds: fc.integer({ min: 1, max: 60 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(record, { minLength: 1, maxLength: 8 }), { maxLength: 6 }),
        async (input) => {
          await testApp.db.delete(visitTotals);
          await testApp.db.delete(visitLive);
          await testApp.db.delete(visitRooms);
          testApp.rooms.lose(eventId);
          const batches = input.map((batch, index) =>
            batch.map(({ minutes, day, from, tag, seconds, ...fields }) =>
              recordOf({
                ...fields,
                at: testApp.time.now + (index * LIVE_MINUTES + minutes - 9) * MINUTE_MS,
                hour: day,
                traits: { lang: "ja", device: "phone", country: "JP", from },
                things: [{ act: "tag", id: tag }],
                stays: [{ place: "", seconds }],
              }),
            ),
          );
          const start = testApp.time.now;
          for (const [index, batch] of batches.entries()) {
            testApp.time.now = start + index * LIVE_MINUTES * MINUTE_MS;
            await testApp.rooms.recordAll(batch);
          }
          testApp.time.now = start;
          expect(await storedTotals()).toEqual(expectedTotals(batches));
        },
      ),
      { numRuns: 25 },
    );
  });

  it("contain 500 parts once that arrive again, in the same call and in other calls", async () => {
    const records = recordsOf(500);
    const { log, flusher } = testApp.rooms.room(eventId);
    const call = createVisitCall(records);
    for (const each of [call, call, createVisitCall(records)]) log.record(each, testApp.time.now);
    await flusher.flush();
    await testApp.rooms.recordAll(records);
    expect(await totals()).toMatchObject([{ visits: 500, visitors: 500 }]);
  });

  it("contain a visitor once whom two isolates report within milliseconds", async () => {
    const { log, flusher } = testApp.rooms.room(eventId);
    log.record(createVisitCall([recordOf({ visit: "a" })]), testApp.time.now);
    log.record(createVisitCall([recordOf({ visit: "b", at: testApp.time.now - 3 })]), testApp.time.now + 1);
    await flusher.flush();
    expect(await totals()).toMatchObject([{ visits: 1, visitors: 1 }]);
  });

  it("have the hour of the arrival when an isolate's clock jumps", async () => {
    const recordsOfWrongClocks = [-DAY_MS, 3 * DAY_MS].map((ms, index) =>
      recordOf({ visit: `${index}`, visitor: `${index}`, at: testApp.time.now + ms, hour: "2030-01-01T00" }),
    );
    await testApp.rooms.recordAll([...recordsOfWrongClocks, recordOf()]);
    expect(await totals()).toMatchObject([{ period: "2026", visits: 3 }]);
    const hours = (await testApp.db.select().from(visitTotals)).filter(({ grain }) => grain === "hour");
    expect(hours).toMatchObject([{ period: HOUR, visits: 3 }]);
    expect(testApp.rooms.repairs).toEqual([{ invalid: 0, repaired: 2 }]);
  });
});

describe("a failure of D1", () => {
  it("loses nothing: the room collects, and writes everything once when D1 responds again", async () => {
    const { log, flusher } = testApp.rooms.room(eventId);
    await testApp.rooms.recordAll(recordsOf(3));
    const repair = breakD1();
    for (let times = 0; times < 5; times++) {
      log.record(
        createVisitCall([recordOf({ visit: `late ${times}`, visitor: `late ${times}` })]),
        testApp.time.now,
      );
      await expect(flusher.flush()).rejects.toThrow("D1 does not respond");
    }
    repair();
    await flusher.flush();
    expect(await visits()).toBe(8);
  });

  it("that hides the outcome of a flush does not count it twice", async () => {
    const { log, flusher } = testApp.rooms.room(eventId);
    const { flush } = testApp.data.visits;
    Object.assign(testApp.data.visits, {
      async flush(input: Parameters<typeof flush>[0]) {
        await flush(input);
        throw new Error("The response was lost");
      },
    });
    log.record(createVisitCall(recordsOf(2)), testApp.time.now);
    await expect(flusher.flush()).rejects.toThrow("The response was lost");
    Object.assign(testApp.data.visits, { flush });
    await flusher.flush();
    expect(await visits()).toBe(2);
  });

  it("is noticed by reports, which name the last flush", async () => {
    const owner = await testApp.addUser();
    ({ eventId } = await testApp.addSpace(owner));
    await testApp.rooms.recordAll(recordsOf(1));
    const flushedAt = testApp.currentInstant();
    testApp.time.now += MINUTE_MS;
    const input = { actor: owner.actor, scope: { kind: "event", id: eventId }, period: "daily" } as const;
    expect((await testApp.services.reports.report(input)).missing).toBeNull();
    const repair = breakD1();
    expect((await testApp.services.reports.report(input)).missing).toEqual({ since: flushedAt });
    repair();
  });
});

it("a clock that jumped ahead leaves no last flush in the future", async () => {
  const owner = await testApp.addUser();
  ({ eventId } = await testApp.addSpace(owner));
  const input = { actor: owner.actor, scope: { kind: "event", id: eventId }, period: "daily" } as const;
  testApp.time.now += DAY_MS;
  await testApp.rooms.recordAll(recordsOf(1));
  testApp.time.now -= DAY_MS;
  const repair = breakD1();
  // It is unknown until when the visits are complete.
  expect((await testApp.services.reports.report(input)).missing).toEqual({ since: null });
  repair();
  await testApp.rooms.recordAll(recordsOf(2));
  expect(await testApp.db.select().from(visitRooms)).toMatchObject([{ flushedAt: testApp.currentInstant() }]);
});

describe("a restored database", () => {
  const restorePoint = async () => {
    const [rows, rooms] = [
      await testApp.db.select().from(visitTotals),
      await testApp.db.select().from(visitRooms),
    ];
    return async () => {
      await testApp.db.delete(visitTotals);
      await testApp.db.delete(visitRooms);
      for (const row of rows) await testApp.db.insert(visitTotals).values(row);
      for (const row of rooms) await testApp.db.insert(visitRooms).values(row);
    };
  };

  it("receives the flushes that it lacks again", async () => {
    await testApp.rooms.recordAll(recordsOf(2));
    const restore = await restorePoint();
    await testApp.rooms.recordAll(recordsOf(5));
    await testApp.rooms.recordAll(recordsOf(7));
    const totalsBefore = await testApp.db.select().from(visitTotals);
    await restore();
    expect(await visits()).toBe(2);
    await testApp.rooms.flush([eventId]);
    expect(await testApp.db.select().from(visitTotals)).toEqual(totalsBefore);
  });

  it("from before the first flush receives all of them", async () => {
    const restore = await restorePoint();
    await testApp.rooms.recordAll(recordsOf(2));
    await testApp.rooms.recordAll(recordsOf(5));
    await restore();
    await testApp.rooms.flush([eventId]);
    expect(await visits()).toBe(5);
  });

  it("has no erased visitors, even 30 days later", async () => {
    await testApp.rooms.recordAll(recordsOf(4));
    const restore = await restorePoint();
    testApp.time.now += MINUTE_MS;
    await testApp.rooms.erase(eventId, testApp.time.now);
    await testApp.rooms.recordAll([recordOf({ visit: "after", visitor: "after" })]);
    expect(await visits()).toBe(1);
    testApp.time.now += 30 * DAY_MS;
    const { log } = testApp.rooms.room(eventId);
    log.prune(testApp.time.now);
    await restore();
    await testApp.rooms.flush([eventId]);
    // Flushes are kept for a week only. The erasure is kept longer.
    expect(await totals()).toEqual([]);
  });
});

describe("a database that is restored to a time when it had another storage of the room", () => {
  for (const isWaiting of [false, true])
    it(`receives all flushes of this storage again${isWaiting ? ", and the one that it never had" : ""}`, async () => {
      const visit = (name: string) => recordOf({ visit: name, visitor: name });
      await testApp.rooms.recordAll([visit("a")]);
      const rows = await testApp.db.select().from(visitTotals);
      const [room] = await testApp.db.select().from(visitRooms);
      testApp.rooms.lose(eventId);
      await testApp.rooms.recordAll([visit("b")]);
      await testApp.rooms.recordAll([visit("c")]);
      await testApp.db.delete(visitTotals);
      await testApp.db.delete(visitRooms);
      for (const row of rows) await testApp.db.insert(visitTotals).values(row);
      if (room) await testApp.db.insert(visitRooms).values(room);
      expect(await visits()).toBe(1);
      const { log } = testApp.rooms.room(eventId);
      if (isWaiting) log.record(createVisitCall([visit("d")]), testApp.time.now);
      expect((await testApp.rooms.flush([eventId])).failed).toEqual([]);
      expect(await visits()).toBe(isWaiting ? 4 : 3);
      await testApp.rooms.recordAll([visit("e")]);
      expect(await visits()).toBe(isWaiting ? 5 : 4);
    });
});

it("visits that were reported after the erasure are counted, even if they were counted before the room learned of it", async () => {
  await testApp.rooms.recordAll([recordOf({ visit: "before", visitor: "before" })]);
  const erasedAt = testApp.time.now + 1;
  testApp.time.now += 1000;
  await testApp.rooms.recordAll([recordOf({ visit: "after", visitor: "after" })]);
  testApp.time.now += 1000;
  await testApp.rooms.erase(eventId, erasedAt);
  expect(await totals()).toMatchObject([{ visits: 1, visitors: 1 }]);
});

it("calls that cannot be stored together are not counted as waiting", () => {
  const { log, storage } = testApp.rooms.room(eventId);
  const calls = [recordsOf(2), recordsOf(3)].map((records, index) => ({
    ...createVisitCall(records),
    id: index + 1,
    receivedAt: testApp.time.now,
  }));
  const { exec } = storage.sql;
  let inserts = 0;
  storage.sql.exec = (query, ...bindings) => {
    if (query.startsWith("INSERT INTO calls") && ++inserts === 2) throw new Error("disk is full");
    return exec(query, ...bindings);
  };
  expect(() => log.recordAll(calls)).toThrow("disk is full");
  expect(log.pendingParts).toBe(0);
  log.recordAll(calls);
  expect(log.pendingParts).toBe(5);
});

it("a room that was lost continues after the flushes that D1 has", async () => {
  for (const count of [1, 2, 3]) await testApp.rooms.recordAll(recordsOf(count));
  testApp.rooms.lose(eventId);
  await testApp.rooms.recordAll([recordOf({ visit: "new", visitor: "new" })]);
  await testApp.rooms.recordAll([recordOf({ visit: "newer", visitor: "newer" })]);
  expect(await visits()).toBe(5);
  expect(await testApp.db.select().from(visitRooms)).toMatchObject([{ sequence: 5 }]);
});

it("a flush for a deleted event writes no totals, and the room can be deleted after a week", async () => {
  await testApp.rooms.recordAll(recordsOf(1));
  const { log, flusher } = testApp.rooms.room(eventId);
  await testApp.binding.prepare("DELETE FROM events WHERE id = ?").bind(eventId).run();
  log.record(createVisitCall(recordsOf(2)), testApp.time.now);
  await flusher.flush();
  expect(await testApp.db.select().from(visitTotals)).toEqual([]);
  expect(flusher.isAbandoned).toBe(false);
  testApp.time.now += 8 * DAY_MS;
  expect(flusher.isAbandoned).toBe(true);
});

it("a log is kept for a week, and longer while D1 or R2 lacks its content", async () => {
  await testApp.rooms.recordAll(recordsOf(2));
  const { log, flusher } = testApp.rooms.room(eventId);
  log.prune(testApp.time.now + 6 * DAY_MS);
  expect(testApp.rooms.rowsOf(eventId)).not.toEqual([]);
  log.record(createVisitCall([recordOf({ visit: "z" })]), testApp.time.now);
  const repair = breakD1();
  await expect(flusher.flush()).rejects.toThrow();
  log.prune(testApp.time.now + 20 * DAY_MS);
  log.deleteSentFlushes();
  expect(log.flushAfter(1)).not.toBeNull();
  repair();
  await flusher.flush();
  testApp.time.now += 20 * DAY_MS;
  log.prune(testApp.time.now);
  // Calls are kept until R2 has their parts. The index then has the name of the object.
  expect(testApp.rooms.rowsOf(eventId)).not.toEqual([]);
  await testApp.rooms.archive(eventId, testApp.files);
  expect(testApp.rooms.rowsOf(eventId)).toEqual([]);
  expect(log.hasExpiringData).toBe(true);
  testApp.time.now += 80 * DAY_MS;
  await testApp.rooms.archive(eventId, testApp.files);
  expect(log.hasExpiringData).toBe(false);
});

it("flushes of two processes of a room are counted once", async () => {
  const { storage, log } = testApp.rooms.room(eventId);
  expect(storage).toBeDefined();
  const deps = { log, visits: testApp.data.visits, now: () => testApp.time.now, onRepair: () => {} };
  const flushers = [new VisitFlusher(deps), new VisitFlusher(deps)];
  log.record(createVisitCall(recordsOf(3)), testApp.time.now);
  await Promise.all(flushers.map((flusher) => flusher.flush()));
  expect(await visits()).toBe(3);
});

describe("a call", () => {
  it("of an unknown version, or with another invalid field, is rejected", () => {
    const call = createVisitCall([recordOf()]);
    expect(callProblem(call)).toBeNull();
    const problems = [
      { version: 0 },
      { version: CALL_VERSION + 1 },
      { sequence: -1 },
      { sequence: 1.5 },
      { isolate: "" },
      { isolate: "x".repeat(100) },
      { signs: "x".repeat(1_000_000) },
      { count: 1e9 },
      { timeZone: "x".repeat(100) },
      { signs: null as unknown as string },
    ].map((fields) => callProblem({ ...call, ...fields }));
    expect(problems).toEqual([
      "version",
      "version",
      "sequence",
      "sequence",
      "sequence",
      "sequence",
      "length",
      "parts",
      "parts",
      "length",
    ]);
  });

  it("is read without its invalid parts, whatever they are", () => {
    const { eventId: _, ...record } = recordOf();
    const text = JSON.stringify([
      record,
      null,
      1,
      {},
      { ...record, at: "x" },
      { ...record, things: [{ act: "x", id: "" }] },
      { ...record, things: [{ act: "product", id: "1", title: {} }] },
    ]);
    expect(readVisitRecords(text)).toEqual({ records: [record], invalid: 6 });
    fc.assert(fc.property(fc.json(), (json) => readVisitRecords(json).records.length === 0));
    fc.assert(fc.property(fc.string(), (json) => readVisitRecords(json).records.length === 0));
  });

  it("with an invalid product title does not stop the flushes of the room", async () => {
    const { log, flusher } = testApp.rooms.room(eventId);
    const invalidTitles = [{}, "a title", { lang: "ja", text: 5 }] as unknown as {
      lang: "ja";
      text: string;
    }[];
    const forged = invalidTitles.map((title, index) =>
      recordOf({ visit: `forged ${index}`, things: [{ act: "product", id: "1", title }] }),
    );
    const title = { lang: "ja", text: "椅子" } as const;
    const valid = recordOf({ visit: "valid", things: [{ act: "product", id: "1", title }] });
    log.record(createVisitCall([...forged, valid]), testApp.time.now);
    await flusher.flush();
    expect(await visits()).toBe(1);
    expect(testApp.rooms.repairs).toEqual([{ invalid: 3, repaired: 0 }]);
  });

  it("with many titles is counted in flushes that a row of the room can hold", async () => {
    const { log, flusher, storage } = testApp.rooms.room(eventId);
    let id = 0;
    for (let call = 0; call < 8; call++) {
      const records = Array.from({ length: 25 }, (_, part) =>
        recordOf({
          visit: `visit ${id}`,
          visitor: `visitor ${id}`,
          hour: `20${10 + call}-04-01T${10 + part}`,
          things: Array.from({ length: 8 }, () => ({
            act: "product",
            id: `${id++}`,
            title: { lang: "ja", text: "椅".repeat(300) },
          })),
          stays: Array.from({ length: 9 }, () => ({ place: `n${id++}${"x".repeat(270)}`, seconds: 1 })),
        }),
      );
      const visitCall = createVisitCall(records);
      expect(callProblem(visitCall)).toBeNull();
      log.record(visitCall, testApp.time.now);
    }
    await flusher.flush();
    // A row of a room's storage has at most 2,000,000 bytes, which only Cloudflare and workerd check.
    const [row] = storage.sql.exec("SELECT max(octet_length(content)) AS bytes FROM flushes").toArray();
    expect(row?.bytes).toBeLessThan(2_000_000);
  });

  it("whose number was used for other parts is stored, too", async () => {
    const { log, flusher } = testApp.rooms.room(eventId);
    const call = createVisitCall([recordOf()]);
    const callWithSameNumber = {
      ...createVisitCall([recordOf({ visit: "b", visitor: "w" })]),
      isolate: call.isolate,
    };
    expect(
      [call, call, callWithSameNumber, { ...call, sequence: 0 }].map((each) =>
        log.record(each, testApp.time.now),
      ),
    ).toEqual(["new", "known", "reused", "unordered"]);
    await flusher.flush();
    expect(await visits()).toBe(2);
  });
});
