import { beforeEach, describe, expect, it } from "vitest";
import { memoryResponseStore } from "../../tests/support/external/demo-store";
import { OPERATION_TIMEOUT_MS } from "./send-to-store";
import {
  edgeResponseStore,
  RESPONSE_FRESH_MS,
  RESPONSE_STALE_MS,
  type ResponseStore,
  responseKey,
  StorefrontCache,
} from "./storefront-cache";

let now = 0;
let deferred: Promise<unknown>[] = [];
const defer = (work: Promise<unknown>) => void deferred.push(work);
const finishDeferred = async () => {
  while (deferred.length > 0) await Promise.allSettled(deferred.splice(0));
};
const createCache = (store: ResponseStore) =>
  new StorefrontCache({ store, now: () => now, once: (_key, _readCached, work) => work() });

beforeEach(() => {
  now = 1_000_000;
  deferred = [];
});

describe("cached responses", () => {
  it("are shared with other isolates through the edge cache", async () => {
    const edge = memoryResponseStore();
    expect(await createCache(edge).get("k", async () => ({ a: "藍" }), defer)).toEqual({ a: "藍" });
    await finishDeferred();
    const otherIsolate = createCache(edge);
    const failingFetch = () => Promise.reject(new Error("asked"));
    expect(await otherIsolate.get("k", failingFetch, defer)).toEqual({ a: "藍" });
    now += RESPONSE_FRESH_MS - 1;
    expect(await otherIsolate.get("k", failingFetch, defer)).toEqual({ a: "藍" });
  });

  it("are renewed by one of many simultaneous callers, and no caller waits for it", async () => {
    const cache = createCache(memoryResponseStore());
    let fetchCount = 0;
    const fetchValue = async () => ++fetchCount;
    await cache.get("k", fetchValue, defer);
    now += RESPONSE_FRESH_MS;
    const responses = await Promise.all([1, 2, 3].map(() => cache.get("k", fetchValue, defer)));
    expect([responses, fetchCount]).toEqual([[1, 1, 1], 2]);
    await finishDeferred();
    expect(await cache.get("k", fetchValue, defer)).toBe(2);
  });

  it("are read from the edge if another isolate has renewed them", async () => {
    const edge = memoryResponseStore();
    const [firstIsolate, otherIsolate] = [createCache(edge), createCache(edge)];
    await firstIsolate.get("k", async () => "old", defer);
    await finishDeferred();
    await otherIsolate.get("k", async () => "unasked", defer);
    now += RESPONSE_FRESH_MS;
    await firstIsolate.get("k", async () => "new", defer);
    await finishDeferred();
    expect(await otherIsolate.get("k", async () => "unasked", defer)).toBe("new");
  });

  it("are renewed by another caller if the first one was cancelled", async () => {
    const cache = createCache(memoryResponseStore());
    await cache.get("k", async () => 1, defer);
    now += RESPONSE_FRESH_MS;
    let fetchCount = 0;
    const neverEnds = () => {
      fetchCount++;
      return new Promise<number>(() => {});
    };
    await cache.get("k", neverEnds, defer);
    now += OPERATION_TIMEOUT_MS;
    await cache.get("k", neverEnds, defer);
    expect(fetchCount).toBe(1);
    deferred = [];
    now += 1;
    expect(await cache.get("k", async () => 2, defer)).toBe(1);
    await finishDeferred();
    expect(await cache.get("k", neverEnds, defer)).toBe(2);
  });

  it("expire an hour after their fresh time, even if the store still fails", async () => {
    const cache = createCache(memoryResponseStore());
    await cache.get("k", async () => "kept", defer);
    const failingFetch = () => Promise.reject(new Error("down"));
    now += RESPONSE_FRESH_MS + RESPONSE_STALE_MS - 1;
    expect(await cache.get("k", failingFetch, defer)).toBe("kept");
    await finishDeferred();
    now += 1;
    await expect(cache.get("k", failingFetch, defer)).rejects.toThrow("down");
  });

  it("may be null", async () => {
    const cache = createCache(memoryResponseStore());
    await cache.get("k", async () => null, defer);
    expect(await cache.get("k", () => Promise.reject(new Error("asked")), defer)).toBeNull();
    expect(await cache.peek("k")).toEqual({ value: null, isFresh: true, at: 1_000_000 });
    expect(await cache.peek("other")).toBeUndefined();
  });
});

describe("the key of a response", () => {
  const parts = {
    origin: "https://a.example",
    token: "secret-token",
    document: "query",
    variables: { a: 1 },
  };
  it("differs for every store, token, document, and variable", () => {
    const keys = [
      parts,
      { ...parts, origin: "https://b.example" },
      { ...parts, token: "other" },
      { ...parts, document: "other" },
      { ...parts, variables: { a: 2 } },
      { ...parts, variables: { a: 1, language: "JA" } },
    ].map(responseKey);
    expect(new Set(keys).size).toBe(6);
    expect(responseKey({ ...parts })).toBe(keys[0]);
    expect(keys.join()).not.toContain("secret");
  });
});

it("stores responses at the edge for their lifetime, under a key that no page can request", async () => {
  const storedResponses: [string, Response][] = [];
  const store = edgeResponseStore(async () => ({
    match: async (request: RequestInfo | URL) =>
      storedResponses.find(([url]) => url === String(request))?.[1].clone() as never,
    put: async (request: RequestInfo | URL, response: unknown) =>
      void storedResponses.push([String(request), response as Response]),
  }));
  await store.put("k", '{"at":1}');
  expect(await store.get("k")).toBe('{"at":1}');
  expect(await store.get("other")).toBeNull();
  expect(storedResponses[0]?.[0]).toBe("https://answers.invalid/k");
  expect(storedResponses[0]?.[1].headers.get("cache-control")).toBe("max-age=3660");
});
