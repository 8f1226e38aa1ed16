import { describe, expect, it } from "vitest";
import { createTemplate, type PageTemplate } from "../http/pages/page-template";
import { eventCache, RECORD_FRESH_MS, RECORD_RENEW_MS, UNCHECKED_MAX_MS } from "./event-cache";
import { RevalidatingCache } from "./revalidating-cache";

function setUp() {
  const stored = new Map<string, { revision: number; text: string }>();
  const reads: string[] = [];
  let now = 0;
  let gate: Promise<void> = Promise.resolve();
  const cache = eventCache<{ revision: number; text: string }>(
    {
      load: async (key) => {
        reads.push(`load ${key}`);
        const value = stored.get(key) ?? null;
        await gate;
        return value;
      },
      revision: async (key) => {
        reads.push(`check ${key}`);
        await gate;
        return stored.get(key)?.revision ?? null;
      },
    },
    { now: () => now, sleep: () => new Promise((resolve) => setImmediate(resolve)), maxEntries: 2 },
  );
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

describe("a cache of records", () => {
  it("reads a record once for simultaneous callers", async () => {
    const { cache, stored, reads } = setUp();
    stored.set("a", { revision: 1, text: "one" });
    const all = await Promise.all([cache.get("a"), cache.get("a"), cache.get("a")]);
    expect(all.map((value) => value?.text)).toEqual(["one", "one", "one"]);
    expect(reads).toEqual(["load a"]);
  });

  it("shows a change made elsewhere after RECORD_FRESH_MS, and reads only the revision of an unchanged record", async () => {
    const { cache, stored, reads, advance } = setUp();
    stored.set("a", { revision: 1, text: "one" });
    await cache.get("a");
    stored.set("a", { revision: 2, text: "two" });
    advance(RECORD_RENEW_MS - 1);
    expect((await cache.get("a"))?.text).toBe("one");
    advance(RECORD_FRESH_MS - RECORD_RENEW_MS + 1);
    expect((await cache.get("a"))?.text).toBe("two");
    advance(RECORD_FRESH_MS);
    expect((await cache.get("a"))?.text).toBe("two");
    expect(reads).toEqual(["load a", "check a", "load a", "check a"]);
  });

  it("lets others use a record while one caller checks its revision, but only while it is fresh", async () => {
    const { cache, stored, reads, advance, hold } = setUp();
    stored.set("a", { revision: 1, text: "one" });
    await cache.get("a");
    stored.set("a", { revision: 2, text: "two" });
    advance(RECORD_RENEW_MS);
    const release = hold();
    const checking = cache.get("a");
    expect((await cache.get("a"))?.text).toBe("one");
    advance(RECORD_FRESH_MS - RECORD_RENEW_MS);
    const waiting = cache.get("a");
    release();
    expect((await checking)?.text).toBe("two");
    expect((await waiting)?.text).toBe("two");
    expect(reads).toEqual(["load a", "check a", "load a"]);
  });

  it("removes the least recently used record first", async () => {
    const { cache, stored, reads, advance } = setUp();
    for (const key of ["a", "b", "c"]) stored.set(key, { revision: 1, text: key });
    await cache.get("a");
    await cache.get("b");
    advance(RECORD_FRESH_MS);
    await cache.get("a");
    await cache.get("c");
    reads.length = 0;
    await cache.get("a");
    expect(reads).toEqual([]);
    expect(cache.has("b")).toBe(false);
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

  it("removes deleted records, and keeps at most the maximum number", async () => {
    const { cache, stored, reads, advance } = setUp();
    for (const key of ["a", "b", "c"]) stored.set(key, { revision: 1, text: key });
    await cache.get("a");
    stored.delete("a");
    advance(RECORD_FRESH_MS);
    expect(await cache.get("a")).toBeNull();
    expect(cache.has("a")).toBe(false);
    for (const key of ["b", "c"]) await cache.get(key);
    stored.set("d", { revision: 1, text: "d" });
    await cache.get("d");
    reads.length = 0;
    await cache.get("b");
    expect(reads).toEqual(["load b"]);
  });

  it("rejects with the error of a failed read, and reads again the next time", async () => {
    let fail = true;
    const load = async () => {
      if (fail) throw new Error("D1 is away");
      return { revision: 1 };
    };
    const cache = eventCache({ load, revision: async () => 1 }, { now: () => 0, maxEntries: 2 });
    await expect(cache.get("a")).rejects.toThrow("away");
    fail = false;
    expect(await cache.get("a")).toEqual({ revision: 1 });
  });

  it("uses a record for a limited time while its revision cannot be read, but never one that is known to be outdated", async () => {
    let now = 0;
    let readRevision = async () => 1;
    const record = { revision: 1 };
    const load = async () => {
      if (now > 0) throw new Error("D1 is away");
      return record;
    };
    const cache = eventCache({ load, revision: () => readRevision() }, { now: () => now, maxEntries: 2 });
    await cache.get("a");
    readRevision = () => Promise.reject(new Error("D1 is away"));
    for (now of [RECORD_FRESH_MS, 10_000, UNCHECKED_MAX_MS - 1]) expect(await cache.get("a")).toBe(record);
    now = UNCHECKED_MAX_MS;
    await expect(cache.get("a")).rejects.toThrow("away");
    // The time since the last check counts, not the time since the last use.
    readRevision = async () => 1;
    expect(await cache.get("a")).toBe(record);
    readRevision = () => Promise.reject(new Error("D1 is away"));
    now += UNCHECKED_MAX_MS - 1;
    expect(await cache.get("a")).toBe(record);
    readRevision = async () => 2;
    await expect(cache.get("a")).rejects.toThrow("away");
    readRevision = () => Promise.reject(new Error("D1 is away"));
    await expect(cache.get("a")).rejects.toThrow("away");
  });

  it("does not use an outdated record while another request waits for the current one", async () => {
    let now = 0;
    let load = async (): Promise<{ revision: number }> => ({ revision: 1 });
    let readRevision = async () => 2;
    const cache = eventCache(
      { load: () => load(), revision: () => readRevision() },
      { now: () => now, maxEntries: 2, waitMs: 0 },
    );
    await cache.get("a");
    now = RECORD_FRESH_MS;
    let markLoading = () => {};
    const isLoading = new Promise<void>((resolve) => {
      markLoading = resolve;
    });
    load = () => {
      markLoading();
      return new Promise(() => {});
    };
    void cache.get("a");
    await isLoading;
    readRevision = () => Promise.reject(new Error("D1 is away"));
    await expect(cache.get("a")).rejects.toThrow("away");
  });
});

describe("a cache of pages", () => {
  const page = (bytes: number) =>
    createTemplate("x".repeat(bytes), new Headers(), { noncePlaceholder: "no nonce in it at all" });
  const pageCache = (maxSize: number) =>
    new RevalidatingCache<PageTemplate>({
      now: () => 0,
      sleep: () => new Promise((resolve) => setTimeout(resolve)),
      maxSize,
      sizeOf: ({ bytes }) => bytes.length,
    });

  it("keeps pages up to its size, and removes the least recently used ones first", () => {
    const cache = pageCache(100);
    for (const key of ["a", "b", "c"]) cache.set(key, page(30));
    cache.find("a");
    cache.set("d", page(30));
    expect(["a", "b", "c", "d"].filter((key) => cache.find(key))).toEqual(["a", "c", "d"]);
  });

  it("counts a page that was rendered again only once", () => {
    const cache = pageCache(100);
    for (let i = 0; i < 10; i++) cache.set("a", page(60));
    cache.set("b", page(40));
    expect(["a", "b"].filter((key) => cache.find(key))).toEqual(["a", "b"]);
  });

  it("does not remove other pages for one that is too large", () => {
    const cache = pageCache(100);
    cache.set("a", page(60));
    cache.set("b", page(101));
    expect(["a", "b"].filter((key) => cache.find(key))).toEqual(["a"]);
  });

  it("serves the newest previous page while one request renders the new one, and waits only without a previous page", async () => {
    const cache = pageCache(1000);
    const deferred: Promise<unknown>[] = [];
    let renderings = 0;
    let finish = () => {};
    const render = async () => {
      renderings++;
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      return page(renderings);
    };
    const getValue = (key: string, ...previous: string[]) =>
      cache.getOrStale(key, render, { previous: () => previous, defer: (work) => deferred.push(work) });
    const first = getValue("1", "0");
    finish();
    expect((await first)?.bytes.length).toBe(1);
    // The next result is not awaited.
    const meanwhile = await Promise.all([getValue("2", "1"), getValue("2", "1"), getValue("2", "1")]);
    expect(meanwhile.map((template) => template?.bytes.length)).toEqual([1, 1, 1]);
    expect(renderings).toBe(2);
    finish();
    await Promise.all(deferred);
    expect((await getValue("2", "1"))?.bytes.length).toBe(2);
    // The newest remaining page is served.
    expect((await getValue("5", "4", "3", "2", "1"))?.bytes.length).toBe(2);
    finish();
    await Promise.all(deferred);
    // No previous page is cached, so the request waits.
    const late = getValue("9", "8");
    finish();
    expect((await late)?.bytes.length).toBe(4);
  });
});

describe("a cache whose reader decides when to read", () => {
  it("keeps a read's result with the time at which the read began, reports whether it is fresh, and removes it after a read that returns null", async () => {
    let now = 0;
    const cache = new RevalidatingCache<string>({ now: () => now, maxEntries: 5, freshMs: 1000 });
    await cache.read("a", async () => {
      now += 400;
      return "one";
    });
    now = 999;
    expect(cache.find("a")).toEqual({ value: "one", at: 0, isFresh: true });
    now = 1000;
    expect([cache.fresh("a"), cache.find("a")?.value]).toEqual([undefined, "one"]);
    await cache.read("a", async () => null);
    expect(cache.find("a")).toBeUndefined();
  });
});
