import { expect, it } from "vitest";
import { FloodGate, hashVisitor, Salts } from "./visitors";

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

it("a day's salt is asked for once, and forgotten with its day", async () => {
  const day = (date: string) => ({ timeZone: "Asia/Tokyo", day: date, endsAt: `${date}T15:00:00.000Z` });
  let now = Date.parse("2026-04-01T01:00:00.000Z");
  const asked: string[] = [];
  const salts = new Salts(
    async ({ day: date }, fresh) => {
      asked.push(date);
      return fresh;
    },
    () => now,
  );
  const first = await salts.of(day("2026-04-01"));
  expect(await salts.of(day("2026-04-01"))).toBe(first);
  now = Date.parse("2026-04-01T15:00:00.000Z");
  await salts.of(day("2026-04-02"));
  expect(await salts.of(day("2026-04-01"))).not.toBe(first);
  expect(asked).toEqual(["2026-04-01", "2026-04-02", "2026-04-01"]);
  // Whoever comes next finds no salt of a day that is over, although nobody has asked for another day's.
  expect(await salts.of(day("2026-04-01"))).not.toBe(await salts.of(day("2026-04-01")));
});

it("people get through, and little of a flood", async () => {
  let now = 0;
  const elsewhere: string[] = [];
  let isFree = true;
  const limit = async ({ key }: { key: string }) => {
    elsewhere.push(key);
    return { success: isFree };
  };
  const gate = new FloodGate({ limit }, () => now);
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
  // Whoever invents devices is believed sixty of them in an hour, and people at the place go on.
  isFree = true;
  let invented = 0;
  for (const minutes = now + 50 * 60_000; now < minutes; now += 60_000)
    invented += await admitted("inventor", (time) => `device ${now + time}`, 500);
  expect(invented).toBe(60);
  expect(await admitted("other office", () => "one", 1)).toBe(1);
  now += 10 * 60_000;
  expect(await admitted("inventor", () => "new", 1)).toBe(1);
});
