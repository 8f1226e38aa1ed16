import { describe, expect, it } from "vitest";
import { FRESH_MS, FreshCache, RENEW_MS } from "./fresh-cache";

function setUp() {
  const stored = new Map<string, { revision: number; text: string }>();
  const reads: string[] = [];
  let now = 0;
  let gate: Promise<void> = Promise.resolve();
  const cache = new FreshCache<{ revision: number; text: string }>({
    load: async (key) => {
      reads.push(`load ${key}`);
      const value = stored.get(key) ?? null;
      await gate;
      return value;
    },
    check: async (key) => {
      reads.push(`check ${key}`);
      await gate;
      return stored.get(key)?.revision ?? null;
    },
    revisionOf: (value) => value.revision,
    now: () => now,
    sleep: () => new Promise((resolve) => setImmediate(resolve)),
    maxEntries: 2,
  });
  return {
    stored,
    reads,
    cache,
    advance: (ms: number) => {
      now += ms;
    },
    hold: () => {
      let release = () => {};
      gate = new Promise((resolve) => {
        release = resolve;
      });
      return release;
    },
  };
}

describe("FreshCache", () => {
  it("reads a record once, whoever asks at the same time", async () => {
    const { cache, stored, reads } = setUp();
    stored.set("a", { revision: 1, text: "one" });
    const all = await Promise.all([cache.get("a"), cache.get("a"), cache.get("a")]);
    expect(all.map((value) => value?.text)).toEqual(["one", "one", "one"]);
    expect(reads).toEqual(["load a"]);
  });

  it("shows a change made elsewhere within a second, and asks for no more than its revision until then", async () => {
    const { cache, stored, reads, advance } = setUp();
    stored.set("a", { revision: 1, text: "one" });
    await cache.get("a");
    stored.set("a", { revision: 2, text: "two" });
    advance(RENEW_MS - 1);
    expect((await cache.get("a"))?.text).toBe("one");
    advance(FRESH_MS - RENEW_MS + 1);
    expect((await cache.get("a"))?.text).toBe("two");
    advance(FRESH_MS);
    expect((await cache.get("a"))?.text).toBe("two");
    expect(reads).toEqual(["load a", "check a", "load a", "check a"]);
  });

  it("lets others use a record while one asks whether it has changed, but never for longer than a second", async () => {
    const { cache, stored, reads, advance, hold } = setUp();
    stored.set("a", { revision: 1, text: "one" });
    await cache.get("a");
    stored.set("a", { revision: 2, text: "two" });
    advance(RENEW_MS);
    const release = hold();
    const asking = cache.get("a");
    expect((await cache.get("a"))?.text).toBe("one");
    advance(FRESH_MS - RENEW_MS);
    const waiting = cache.get("a");
    release();
    expect((await asking)?.text).toBe("two");
    expect((await waiting)?.text).toBe("two");
    expect(reads).toEqual(["load a", "check a", "load a"]);
  });

  it("keeps what is used before what is not", async () => {
    const { cache, stored, reads, advance } = setUp();
    for (const key of ["a", "b", "c"]) stored.set(key, { revision: 1, text: key });
    await cache.get("a");
    await cache.get("b");
    advance(FRESH_MS);
    await cache.get("a");
    await cache.get("c");
    reads.length = 0;
    await cache.get("a");
    expect(reads).toEqual([]);
  });

  it("shows a change made here at once, even when an older read is still under way", async () => {
    const { cache, stored, hold } = setUp();
    stored.set("a", { revision: 1, text: "one" });
    const release = hold();
    const early = cache.get("a");
    stored.set("a", { revision: 2, text: "two" });
    cache.drop("a");
    const late = cache.get("a");
    release();
    await early;
    expect((await late)?.text).toBe("two");
    expect((await cache.get("a"))?.text).toBe("two");
  });

  it("forgets what has gone, and keeps no more than it may", async () => {
    const { cache, stored, reads, advance } = setUp();
    for (const key of ["a", "b", "c"]) stored.set(key, { revision: 1, text: key });
    await cache.get("a");
    stored.delete("a");
    advance(FRESH_MS);
    expect(await cache.get("a")).toBeNull();
    for (const key of ["b", "c"]) await cache.get(key);
    stored.set("d", { revision: 1, text: "d" });
    await cache.get("d");
    reads.length = 0;
    await cache.get("b");
    expect(reads).toEqual(["load b"]);
  });

  it("passes a failed read on and asks again the next time", async () => {
    let fail = true;
    const cache = new FreshCache<{ revision: number }>({
      load: async () => {
        if (fail) throw new Error("D1 is away");
        return { revision: 1 };
      },
      check: async () => 1,
      revisionOf: (value) => value.revision,
      now: () => 0,
      sleep: async () => {},
      maxEntries: 2,
    });
    await expect(cache.get("a")).rejects.toThrow("away");
    fail = false;
    expect(await cache.get("a")).toEqual({ revision: 1 });
  });
});
