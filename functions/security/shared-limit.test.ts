import { expect, it } from "vitest";
import { SharedLimit, type SharedLimitOptions } from "./shared-limit";

/** Isolates that share the Durable Objects that count. */
function createIsolates(options: SharedLimitOptions, count = 2) {
  const clock = { now: 0 };
  const objects = { respond: true, calls: 0, counts: new Map<string, number>() };
  const fallback = { limit: async () => ({ success: false }) };
  const counters = {
    getByName: (name: string) => ({
      async add(key: string, amount: number) {
        objects.calls++;
        if (!objects.respond) throw new Error("down");
        const id = `${Math.floor(clock.now / 60_000)} ${name} ${key}`;
        objects.counts.set(id, (objects.counts.get(id) ?? 0) + amount);
        return objects.counts.get(id);
      },
    }),
  } as unknown as DurableObjectNamespace;
  const deps = {
    counters,
    fallback: fallback as RateLimit,
    hashKey: (key: string) => Buffer.from(key).toString("hex"),
    now: () => clock.now,
    sleep: () => new Promise<void>(() => {}),
  };
  const isolates = Array.from({ length: count }, () => new SharedLimit(deps, options));
  const countTimes = async (isolate: number, times: number, key = "a") => {
    let admitted = 0;
    for (let time = 0; time < times; time++)
      if ((await isolates[isolate]?.limit({ key }))?.success) admitted++;
    return admitted;
  };
  return { countTimes, clock, objects };
}

it("counts all isolates together, exactly, and each key and minute separately", async () => {
  const { countTimes, clock } = createIsolates({ name: "guess", max: 10 });
  expect([await countTimes(0, 6), await countTimes(1, 6), await countTimes(0, 1)]).toEqual([6, 4, 0]);
  expect(await countTimes(1, 3, "b")).toBe(3);
  clock.now = 60_000;
  expect(await countTimes(0, 3)).toBe(3);
});

it("sends keys only as hashes", async () => {
  const { countTimes, objects } = createIsolates({ name: "guess", max: 10 });
  expect([await countTimes(0, 1, "192.0.2.1"), objects.calls]).toEqual([1, 1]);
  expect([...objects.counts.keys()].join()).not.toContain("192.0.2.1");
});

it("asks the object at most once in the given time, and sends what was admitted before", async () => {
  const { countTimes, clock, objects } = createIsolates({ name: "render", max: 600, free: 60, freshMs: 500 });
  expect([await countTimes(0, 100), await countTimes(1, 100), objects.calls]).toEqual([100, 100, 2]);
  clock.now = 500;
  // Each isolate has counted 160: 60 that the caller admitted before its first call, and 100 calls.
  expect([await countTimes(0, 1), await countTimes(1, 1)]).toEqual([1, 1]);
  expect([...objects.counts.values()]).toEqual([322]);
  expect(await countTimes(0, 1000)).toBeLessThan(600 - 200);
  clock.now = 1000;
  expect([await countTimes(1, 1), await countTimes(0, 1)]).toEqual([1, 0]);
  clock.now = 1500;
  expect(await countTimes(1, 1)).toBe(0);
});

it("uses the rate limit of one location when the call to the object fails, and loses no count", async () => {
  const { countTimes, objects } = createIsolates({ name: "guess", max: 10 });
  objects.respond = false;
  expect(await countTimes(0, 4)).toBe(0);
  objects.respond = true;
  expect(await countTimes(0, 1)).toBe(1);
  expect([...objects.counts.values()]).toEqual([5]);
});
