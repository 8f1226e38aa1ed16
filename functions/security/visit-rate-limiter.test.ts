import { describe, expect, it } from "vitest";
import type { SaltStore, ZoneDay } from "#functions/services/analytics/visit-ports";
import { DailySalts, hashVisitor } from "./daily-salts";
import { VisitRateLimiter } from "./visit-rate-limiter";

it("a visitor's hash is 128 bits that depend on all of its parts", () => {
  const hash = hashVisitor("salt", ["192.0.2.1", "Mozilla", "event"]);
  expect(hash).toMatch(/^[\w-]{22}$/);
  expect(hashVisitor("salt", ["192.0.2.1", "Mozilla", "event"])).toBe(hash);
  const otherHashes = [
    hashVisitor("other", ["192.0.2.1", "Mozilla", "event"]),
    hashVisitor("salt", ["192.0.2.1", "Mozilla", "other"]),
    hashVisitor("salt", ["192.0.2.1", "other", "event"]),
    hashVisitor("salt", ["other", "Mozilla", "event"]),
    hashVisitor("salt", ["192.0.2.1Mozilla", "", "event"]),
  ];
  expect(new Set([hash, ...otherHashes]).size).toBe(6);
});

describe("a day's salt", () => {
  const day = (date: string) => ({ timeZone: "Asia/Tokyo", day: date, endsAt: `${date}T15:00:00.000Z` });
  const [firstDay, secondDay] = ["2026-04-01", "2026-04-02"].map(day) as [ZoneDay, ZoneDay];
  /** Isolates that share a store. The cron job never runs. */
  function makeStore() {
    const clock = { now: Date.parse("2026-04-01T01:00:00.000Z") };
    const storedSalts = new Map<string, string>();
    const reads: string[] = [];
    const storeState = { works: true };
    const store: SaltStore = {
      async getOrCreate({ endsAt, day: date }, newSalt) {
        reads.push(date);
        if (!storedSalts.has(endsAt)) storedSalts.set(endsAt, newSalt);
        return storedSalts.get(endsAt) as string;
      },
      async deleteExpired(before) {
        if (!storeState.works) throw new Error("The store does not answer");
        for (const endsAt of storedSalts.keys()) if (endsAt <= before) storedSalts.delete(endsAt);
      },
    };
    const isolate = () => new DailySalts(store, () => clock.now);
    return { clock, storedSalts, reads, storeState, isolate };
  }
  const [noon, endOfFirstDay] = ["2026-04-02T03:00:00.000Z", firstDay.endsAt].map(Date.parse) as [
    number,
    number,
  ];

  it("is read once on its day, and not used from a minute after its end", async () => {
    const { clock, reads, isolate } = makeStore();
    const salts = isolate();
    const salt = await salts.getSalt(firstDay);
    expect(await salts.getSalt(firstDay)).toBe(salt);
    clock.now = endOfFirstDay;
    await salts.getSalt(secondDay);
    // A visit at the end of the day still uses the salt, which the isolate reads from the store then.
    expect(await salts.getSalt(firstDay)).toBe(salt);
    expect(reads).toEqual(["2026-04-01", "2026-04-02", "2026-04-01"]);
    clock.now = endOfFirstDay + 60_000;
    // The salt is not used any more, even if it is still stored.
    expect(await salts.getSalt(firstDay)).not.toBe(salt);
    expect(await salts.getSalt(firstDay)).not.toBe(await salts.getSalt(firstDay));
    expect(reads).toHaveLength(3);
  });

  it("is deleted a minute after the day without the cron job, by a request of an isolate that read it, and after a failure by a later one", async () => {
    const { clock, storedSalts, storeState, isolate } = makeStore();
    const salts = isolate();
    await salts.dropExpired();
    await salts.getSalt(firstDay);
    expect(salts.dropExpired()).toBeNull();
    clock.now = endOfFirstDay + 59_999;
    expect(salts.dropExpired()).toBeNull();
    clock.now++;
    storeState.works = false;
    await expect(salts.dropExpired()).rejects.toThrow("does not answer");
    storeState.works = true;
    clock.now += 60_000;
    await salts.dropExpired();
    expect([...storedSalts]).toEqual([]);
    expect(salts.dropExpired()).toBeNull();
  });

  it("is deleted without the cron job, by another isolate's first request or first visit of another day", async () => {
    const { clock, storedSalts, storeState, isolate } = makeStore();
    const [firstIsolate, secondIsolate] = [isolate(), isolate()];
    await firstIsolate.getSalt(firstDay);
    await secondIsolate.dropExpired();
    clock.now = noon;
    await isolate().dropExpired();
    expect([...storedSalts]).toEqual([]);
    storedSalts.set(firstDay.endsAt, "of yesterday");
    storeState.works = false;
    // A visit is counted although the deletion fails now.
    const salt = await secondIsolate.getSalt(secondDay);
    expect([...storedSalts.values()]).toEqual(["of yesterday", salt]);
    storeState.works = true;
    await firstIsolate.getSalt(secondDay);
    expect([...storedSalts.values()]).toEqual([salt]);
  });
});

it("the reports of people are admitted, and most of those of a program are rejected", async () => {
  let now = 0;
  const sharedKeys: string[] = [];
  let isFree = true;
  const limit = async ({ key }: { key: string }) => {
    sharedKeys.push(key);
    return { success: isFree };
  };
  const gate = new VisitRateLimiter({ limit }, () => now);
  const admitted = async (network: string, device: (time: number) => string, times: number) => {
    let count = 0;
    for (let time = 0; time < times; time++) if (await gate.admits(network, device(time))) count++;
    return count;
  };
  expect(await admitted("office", () => "one", 1000)).toBe(40);
  expect(await admitted("office", () => "another", 1)).toBe(1);
  // The isolate itself admits sixty per network. Beyond that it asks the shared limit.
  expect(sharedKeys).toEqual([]);
  expect(await admitted("hall", (time) => `device ${time % 50}`, 2000)).toBe(600);
  expect(sharedKeys).toHaveLength(540);
  isFree = false;
  expect(await admitted("other hall", (time) => `device ${time}`, 200)).toBe(60);
  expect(await admitted("nobody", () => "one", 1)).toBe(1);
  now += 60_000;
  expect(await admitted("office", () => "one", 1)).toBe(1);
  // A client that invents devices gets sixty of them per hour, and known devices in the network are not affected.
  isFree = true;
  const knownDevice = `device ${now}`;
  let inventedDevices = 0;
  for (const endMs = now + 50 * 60_000; now < endMs; now += 60_000)
    inventedDevices += await admitted("inventor", (time) => `device ${now + time}`, 500);
  expect(inventedDevices).toBe(60);
  expect(await admitted("inventor", () => knownDevice, 1)).toBe(1);
  expect(await admitted("other office", () => "one", 1)).toBe(1);
  now += 10 * 60_000;
  expect(await admitted("inventor", () => "new", 1)).toBe(1);
});
