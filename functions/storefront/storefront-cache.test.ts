import { beforeEach, describe, expect, it } from "vitest";
import { memoryIdempotencyStore } from "../../tests/support/external/demo-store";
import { OPERATION_MS } from "./send-to-store";
import {
  edgeResponseStore,
  FRESH_MS,
  type ResponseStore,
  responseKey,
  STALE_MS,
  StorefrontCache,
} from "./storefront-cache";

let now = 0;
let deferred: Promise<unknown>[] = [];
const defer = (work: Promise<unknown>) => void deferred.push(work);
const settle = async () => {
  while (deferred.length > 0) await Promise.allSettled(deferred.splice(0));
};
const isolate = (store: ResponseStore) =>
  new StorefrontCache({ store, now: () => now, once: (_key, _look, work) => work() });

beforeEach(() => {
  now = 1_000_000;
  deferred = [];
});

describe("answers that are kept", () => {
  it("are those of the edge for another isolate", async () => {
    const edge = memoryIdempotencyStore();
    expect(await isolate(edge).get("k", async () => ({ a: "藍" }), defer)).toEqual({ a: "藍" });
    await settle();
    const other = isolate(edge);
    const none = () => Promise.reject(new Error("asked"));
    expect(await other.get("k", none, defer)).toEqual({ a: "藍" });
    now += FRESH_MS - 1;
    expect(await other.get("k", none, defer)).toEqual({ a: "藍" });
  });

  it("are renewed by one of many simultaneous callers, and no caller waits for it", async () => {
    const answers = isolate(memoryIdempotencyStore());
    let asked = 0;
    const ask = async () => ++asked;
    await answers.get("k", ask, defer);
    now += FRESH_MS;
    const found = await Promise.all([1, 2, 3].map(() => answers.get("k", ask, defer)));
    expect([found, asked]).toEqual([[1, 1, 1], 2]);
    await settle();
    expect(await answers.get("k", ask, defer)).toBe(2);
  });

  it("are taken from the edge when another isolate has renewed them", async () => {
    const edge = memoryIdempotencyStore();
    const [one, other] = [isolate(edge), isolate(edge)];
    await one.get("k", async () => "old", defer);
    await settle();
    await other.get("k", async () => "unasked", defer);
    now += FRESH_MS;
    await one.get("k", async () => "new", defer);
    await settle();
    expect(await other.get("k", async () => "unasked", defer)).toBe("new");
  });

  it("are renewed by another caller if the first one was cancelled", async () => {
    const answers = isolate(memoryIdempotencyStore());
    await answers.get("k", async () => 1, defer);
    now += FRESH_MS;
    let asked = 0;
    const hangs = () => {
      asked++;
      return new Promise<number>(() => {});
    };
    await answers.get("k", hangs, defer);
    now += OPERATION_MS;
    await answers.get("k", hangs, defer);
    expect(asked).toBe(1);
    deferred = [];
    now += 1;
    expect(await answers.get("k", async () => 2, defer)).toBe(1);
    await settle();
    expect(await answers.get("k", hangs, defer)).toBe(2);
  });

  it("end with their hour, whether or not the store came back", async () => {
    const answers = isolate(memoryIdempotencyStore());
    await answers.get("k", async () => "kept", defer);
    const fails = () => Promise.reject(new Error("down"));
    now += FRESH_MS + STALE_MS - 1;
    expect(await answers.get("k", fails, defer)).toBe("kept");
    await settle();
    now += 1;
    await expect(answers.get("k", fails, defer)).rejects.toThrow("down");
  });

  it("may say that there is nothing", async () => {
    const answers = isolate(memoryIdempotencyStore());
    await answers.get("k", async () => null, defer);
    expect(await answers.get("k", () => Promise.reject(new Error("asked")), defer)).toBeNull();
    expect(await answers.peek("k")).toEqual({ value: null, isFresh: true, at: 1_000_000 });
    expect(await answers.peek("other")).toBeUndefined();
  });
});

describe("the name of an answer", () => {
  const parts = {
    origin: "https://a.example",
    token: "secret-token",
    document: "query",
    variables: { a: 1 },
  };
  it("is another one for every store, token, document, and variable", () => {
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

it("keeps answers at the edge for as long as they may be used, in no place that a page could be asked for at", async () => {
  const put: [string, Response][] = [];
  const store = edgeResponseStore(async () => ({
    match: async (request: RequestInfo | URL) =>
      put.find(([address]) => address === String(request))?.[1].clone() as never,
    put: async (request: RequestInfo | URL, response: unknown) =>
      void put.push([String(request), response as Response]),
  }));
  await store.put("k", '{"at":1}');
  expect(await store.get("k")).toBe('{"at":1}');
  expect(await store.get("other")).toBeNull();
  expect(put[0]?.[0]).toBe("https://answers.invalid/k");
  expect(put[0]?.[1].headers.get("cache-control")).toBe("max-age=3660");
});
