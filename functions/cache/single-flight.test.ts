import { describe, expect, it } from "vitest";
import { SingleFlight, WAIT_MS } from "./single-flight";

function setUp() {
  let now = 0;
  const flights = new SingleFlight({
    now: () => now,
    sleep: () => new Promise((resolve) => setImmediate(resolve)),
  });
  const values = new Map<string, string>();
  let workCount = 0;
  /** Work that ends when `finish` is called, and stores its result unless the result is null. */
  function work(result: string | null) {
    let finish = () => {};
    const ended = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const run = () =>
      flights.run<string | null>(
        "key",
        () => values.get("key"),
        async () => {
          workCount++;
          await ended;
          if (result !== null) values.set("key", result);
          return result;
        },
      );
    return { run, finish };
  }
  return {
    work,
    flights,
    count: () => workCount,
    advance: (ms: number) => {
      now += ms;
    },
  };
}

const soon = () => new Promise((resolve) => setTimeout(resolve, 5));

describe("SingleFlight", () => {
  it("does the work once for all callers that arrive meanwhile", async () => {
    const { work, count } = setUp();
    const { run, finish } = work("done");
    const all = [run(), run(), run()];
    await soon();
    finish();
    expect(await Promise.all(all)).toEqual(["done", "done", "done"]);
    expect(await run()).toBe("done");
    expect(count()).toBe(1);
  });

  it("lets all waiting callers do the work themselves when it had no result", async () => {
    const { work, count } = setUp();
    const { run, finish } = work(null);
    const all = [run(), run(), run()];
    await soon();
    expect(count()).toBe(1);
    finish();
    expect(await Promise.all(all)).toEqual([null, null, null]);
    expect(count()).toBe(3);
  });

  it("stops waiting for a request that never returns", async () => {
    const { work, advance } = setUp();
    void work("never").run();
    const { run, finish } = work("done");
    const waiting = run();
    await soon();
    advance(WAIT_MS);
    finish();
    expect(await waiting).toBe("done");
  });

  it("lets one of 100 waiting callers at a time take over from a late one", async () => {
    const { work, count, advance } = setUp();
    void work("never").run();
    const { run, finish } = work("done");
    const all = Array.from({ length: 100 }, run);
    await soon();
    for (let successors = 1; successors <= 3; successors++) {
      advance(WAIT_MS);
      await soon();
      expect(count()).toBe(1 + successors);
    }
    finish();
    expect(new Set(await Promise.all(all))).toEqual(new Set(["done"]));
    expect(count()).toBe(4);
  });

  it("passes a failure only to the caller that did the work", async () => {
    const { flights } = setUp();
    const failing = flights.run<string>(
      "key",
      () => undefined,
      async () => {
        await soon();
        throw new Error("away");
      },
    );
    const other = flights.run(
      "key",
      () => undefined,
      async () => "done",
    );
    await expect(failing).rejects.toThrow("away");
    expect(await other).toBe("done");
  });

  it("does not let a new caller wait for work that was forgotten", async () => {
    const { work, flights } = setUp();
    const old = work("old");
    const early = old.run();
    flights.forget("key");
    const fresh = work("new");
    const late = fresh.run();
    fresh.finish();
    expect(await late).toBe("new");
    old.finish();
    expect(await early).toBe("old");
  });
});
