import { describe, expect, it } from "vitest";
import type { SaltStore, ZoneDay } from "#functions/services/analytics/visit-ports";
import { DailySalts, hashVisitor } from "./daily-salts";
import { VisitRateLimiter } from "./visit-rate-limiter";

it("a visitor's hash is 128 bits that depend on all that it is made of", () => {
  const made = hashVisitor("salt", ["192.0.2.1", "Mozilla", "event"]);
  expect(made).toMatch(/^[\w-]{22}$/);
  expect(hashVisitor("salt", ["192.0.2.1", "Mozilla", "event"])).toBe(made);
  const others = [
    hashVisitor("other", ["192.0.2.1", "Mozilla", "event"]),
    hashVisitor("salt", ["192.0.2.1", "Mozilla", "other"]),
    hashVisitor("salt", ["192.0.2.1Mozilla", "", "event"]),
  ];
  expect(new Set([made, ...others]).size).toBe(4);
});

describe("a day's salt", () => {
  const day = (date: string) => ({ timeZone: "Asia/Tokyo", day: date, endsAt: `${date}T15:00:00.000Z` });
  const [first, second] = ["2026-04-01", "2026-04-02"].map(day) as [ZoneDay, ZoneDay];
  /** Isolates that have a store in common, to which the job never comes. */
  function makeStore() {
    const clock = { now: Date.parse("2026-04-01T01:00:00.000Z") };
    const kept = new Map<string, string>();
    const asked: string[] = [];
    const line = { works: true };
    const store: SaltStore = {
      async salt({ endsAt, day: date }, fresh) {
        asked.push(date);
        if (!kept.has(endsAt)) kept.set(endsAt, fresh);
        return kept.get(endsAt) as string;
      },
      async forget(before) {
        if (!line.works) throw new Error("The store does not answer");
        for (const endsAt of kept.keys()) if (endsAt <= before) kept.delete(endsAt);
      },
    };
    const isolate = () => new DailySalts(store, () => clock.now);
    return { clock, kept, asked, line, isolate };
  }
  const [noon, end] = ["2026-04-02T03:00:00.000Z", first.endsAt].map(Date.parse) as [number, number];

  it("is asked for once, and forgotten with its day", async () => {
    const { clock, asked, isolate } = makeStore();
    const salts = isolate();
    const salt = await salts.of(first);
    expect(await salts.of(first)).toBe(salt);
    clock.now = end;
    await salts.of(second);
    // A visit at the end of the day still uses the salt, which the isolate reads from the store then.
    expect(await salts.of(first)).toBe(salt);
    expect(asked).toEqual(["2026-04-01", "2026-04-02", "2026-04-01"]);
    clock.now = end + 60_000;
    // The salt is not used any more, even if it is still stored.
    expect(await salts.of(first)).not.toBe(salt);
    expect(await salts.of(first)).not.toBe(await salts.of(first));
    expect(asked).toHaveLength(3);
  });

  it("is deleted without the job, by the first request of an isolate that knew it", async () => {
    const { clock, kept, line, isolate } = makeStore();
    const salts = isolate();
    await salts.forget();
    await salts.of(first);
    expect(salts.forget()).toBeNull();
    clock.now = end + 59_999;
    expect(salts.forget()).toBeNull();
    clock.now++;
    line.works = false;
    await expect(salts.forget()).rejects.toThrow("does not answer");
    line.works = true;
    clock.now += 60_000;
    await salts.forget();
    expect([...kept]).toEqual([]);
    expect(salts.forget()).toBeNull();
  });

  it("is deleted without the job, by the first request of another isolate, or its first visit of another day", async () => {
    const { clock, kept, line, isolate } = makeStore();
    const [one, two] = [isolate(), isolate()];
    await one.of(first);
    await two.forget();
    clock.now = noon;
    await isolate().forget();
    expect([...kept]).toEqual([]);
    kept.set(first.endsAt, "of yesterday");
    line.works = false;
    // A visit is counted although nothing can be deleted just now.
    const salt = await two.of(second);
    expect([...kept.values()]).toEqual(["of yesterday", salt]);
    line.works = true;
    await one.of(second);
    expect([...kept.values()]).toEqual([salt]);
  });
});

it("people get through, and little of a flood", async () => {
  let now = 0;
  const elsewhere: string[] = [];
  let isFree = true;
  const limit = async ({ key }: { key: string }) => {
    elsewhere.push(key);
    return { success: isFree };
  };
  const gate = new VisitRateLimiter({ limit }, () => now);
  const admitted = async (place: string, device: (time: number) => string, times: number) => {
    let count = 0;
    for (let time = 0; time < times; time++) if (await gate.admits(place, device(time))) count++;
    return count;
  };
  expect(await admitted("office", () => "one", 1000)).toBe(40);
  expect(await admitted("office", () => "another", 1)).toBe(1);
  // Sixty at a place are known here; of more the platform is asked.
  expect(elsewhere).toEqual([]);
  expect(await admitted("hall", (time) => `device ${time % 50}`, 2000)).toBe(600);
  expect(elsewhere).toHaveLength(540);
  isFree = false;
  expect(await admitted("other hall", (time) => `device ${time}`, 200)).toBe(60);
  expect(await admitted("nobody", () => "one", 1)).toBe(1);
  now += 60_000;
  expect(await admitted("office", () => "one", 1)).toBe(1);
  // A client that invents devices gets sixty of them per hour, and known devices in the network are not affected.
  isFree = true;
  let invented = 0;
  for (const minutes = now + 50 * 60_000; now < minutes; now += 60_000)
    invented += await admitted("inventor", (time) => `device ${now + time}`, 500);
  expect(invented).toBe(60);
  expect(await admitted("other office", () => "one", 1)).toBe(1);
  now += 10 * 60_000;
  expect(await admitted("inventor", () => "new", 1)).toBe(1);
});
