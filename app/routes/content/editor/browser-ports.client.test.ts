import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { API_BODY_MAX, LEAVING_CALL_BYTES_MAX } from "~/domain/shared/limits";
import { createBrowserPorts } from "./browser-ports.client";

const EVENT = "00000000-0000-4000-8000-0000000000e0";
const MINUTE_MS = 60_000;

describe("a request of the editor", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  /**
   * Fakes a connection on which the response begins after `beginMs` milliseconds and each of its chunks takes `chunkMs`. Returns the options of each
   * request.
   */
  function fakeConnection(beginMs: number, chunks: readonly string[] = [], chunkMs = 0) {
    const calls: RequestInit[] = [];
    const wait = (ms: number, signal: AbortSignal | null | undefined) =>
      new Promise<void>((resolve, reject) => {
        setTimeout(resolve, ms);
        signal?.addEventListener("abort", () => reject(signal.reason));
      });
    vi.stubGlobal("fetch", async (_path: string, init: RequestInit) => {
      calls.push(init);
      await wait(beginMs, init.signal);
      const remainingChunks = [...chunks];
      const encoder = new TextEncoder();
      const body = new ReadableStream<Uint8Array>({
        pull: async (controller) => {
          const chunk = remainingChunks.shift();
          if (chunk === undefined) return controller.close();
          await wait(chunkMs, init.signal);
          controller.enqueue(encoder.encode(chunk));
        },
      });
      return new Response(body);
    });
    return calls;
  }
  const send = async (length: number, { leaving = false } = {}) => {
    const values = { body: { ja: "x".repeat(length), en: "" } };
    const command = { op: "update_tag", id: EVENT, version: 1, values } as const;
    const response = createBrowserPorts(EVENT).send([command], { isPageLeaving: leaving });
    await vi.advanceTimersByTimeAsync(5 * MINUTE_MS);
    return (await response).state;
  };
  const RESPONSE_CHUNKS = ['{"seq":3,', '"act":"a",', '"results":[]}'];

  it("has a longer timeout the more it sends, so that a slow connection does not count as lost", async () => {
    fakeConnection(2 * MINUTE_MS, RESPONSE_CHUNKS);
    expect(await send(10)).toBe("lost");
    expect(await send(API_BODY_MAX - 1000)).toBe("done");
  });

  it("is lost when nothing arrives for the timeout, not when the whole response takes that long", async () => {
    fakeConnection(0, RESPONSE_CHUNKS, 15_000);
    expect(await send(10)).toBe("done");
    fakeConnection(0, RESPONSE_CHUNKS, MINUTE_MS);
    expect(await send(10)).toBe("lost");
  });

  it("outlives its page if it is small enough for browsers to allow that", async () => {
    const calls = fakeConnection(0, RESPONSE_CHUNKS);
    await send(10);
    await send(10, { leaving: true });
    await send(LEAVING_CALL_BYTES_MAX, { leaving: true });
    expect(calls.map(({ keepalive }) => keepalive)).toEqual([false, true, false]);
  });
});
