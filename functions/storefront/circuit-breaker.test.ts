import { beforeEach, describe, expect, it } from "vitest";
import { StoreFailure } from "~/domain/store/store-failure";
import {
  CIRCUIT_OPEN_MAX_MS,
  CIRCUIT_OPEN_MS,
  CircuitBreaker,
  chooseCircuit,
  OTHER_FAILURES_MAX,
} from "./circuit-breaker";

const DOWN = new StoreFailure("retries", "down", 503);
let now = 0;
let random = 0;
let breaker: CircuitBreaker;
beforeEach(() => {
  now = 1_000_000;
  random = 0;
  breaker = new CircuitBreaker({ now: () => now, random: () => random });
});
const admitsCall = () => {
  try {
    breaker.enter(["a"]);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ isRepeatedWithoutCall: true });
    return false;
  }
};

describe("a circuit breaker", () => {
  it("admits one trial call after its wait, and all calls after a success", () => {
    expect(admitsCall()).toBe(true);
    breaker.fail("a", DOWN, 1);
    expect(admitsCall()).toBe(false);
    now += CIRCUIT_OPEN_MS;
    expect([admitsCall(), admitsCall(), admitsCall()]).toEqual([true, false, false]);
    breaker.succeed(["a"]);
    expect([admitsCall(), admitsCall()]).toEqual([true, true]);
  });

  it("doubles its wait after each failed trial, up to a minute", () => {
    for (let i = 0, wait = CIRCUIT_OPEN_MS; i < 10; i++, wait = Math.min(CIRCUIT_OPEN_MAX_MS, wait * 2)) {
      expect(admitsCall()).toBe(true);
      breaker.fail("a", DOWN, 1);
      now += wait - 1;
      expect(admitsCall(), String(i)).toBe(false);
      now += 1;
    }
  });

  it("waits as long as Retry-After says, up to ten minutes, plus jitter", () => {
    random = 1;
    for (const [retryAfter, wait] of [
      [30_000, 30_000],
      [120_000, 120_000],
      [86_400_000, 600_000],
    ] as const) {
      breaker.fail("a", new StoreFailure("throttled", "busy", 429, { retryAfterMs: retryAfter }), 1);
      now += wait;
      expect(admitsCall()).toBe(false);
      now += wait / 4;
      expect(admitsCall()).toBe(true);
    }
  });

  it("admits another trial call if the first was cancelled with its request", () => {
    breaker.fail("a", DOWN, 1);
    now += CIRCUIT_OPEN_MS;
    expect(admitsCall()).toBe(true);
    now += 13_000;
    expect(admitsCall()).toBe(true);
  });

  it("opens only after several failures in a row if a single one may be a coincidence, and counts calls that fail together as one", () => {
    const failure = new StoreFailure("server", "error", 500);
    const threshold = chooseCircuit(failure)?.threshold ?? 0;
    expect(threshold).toBe(OTHER_FAILURES_MAX);
    for (let i = 1; i < threshold; i++) breaker.fail("a", failure, threshold);
    breaker.succeed(["a"]);
    for (let i = 1; i < threshold; i++) breaker.fail("a", failure, threshold);
    expect(admitsCall()).toBe(true);
    for (let i = 0; i < 20; i++) breaker.fail("a", DOWN, threshold);
    expect(admitsCall()).toBe(false);
    now += CIRCUIT_OPEN_MS;
    expect(admitsCall()).toBe(true);
  });

  it("lets only few operations wait for a retry at the same time", () => {
    expect([1, 2, 3, 4].map(() => breaker.beginRetry("a"))).toEqual([true, true, true, false]);
    breaker.endRetry("a");
    expect(breaker.beginRetry("a")).toBe(true);
  });
});

it("a failure concerns the store, one kind of operation, or one query", () => {
  const scopeOf = (code: StoreFailure["code"]) => chooseCircuit(new StoreFailure(code, ""))?.scope ?? "query";
  expect((["network", "throttled", "server", "timeout", "inactive"] as const).map(scopeOf)).toEqual(
    Array(5).fill("store"),
  );
  expect((["access_denied", "too_costly"] as const).map(scopeOf)).toEqual(["operation", "operation"]);
  // Visitors' URLs contain cursors. A bad cursor must not close the shop to other visitors.
  expect((["graphql", "too_large"] as const).map(scopeOf)).toEqual(["query", "query"]);
});
