import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ConversionError, type ConversionStep } from "./conversion";
import { runWorker, type WorkerMessage } from "./run-worker";
import { SILENCE_MS, timeLimitFor } from "./time-limit";

class FakeWorker {
  onmessage: ((event: { data: WorkerMessage<string> }) => void) | null = null;
  onerror: ((event: { message: string; preventDefault(): void }) => void) | null = null;
  isEnded = false;
  readonly requests: unknown[] = [];
  postMessage(request: unknown) {
    this.requests.push(request);
  }
  terminate() {
    this.isEnded = true;
  }
  send(data: WorkerMessage<string>) {
    this.onmessage?.({ data });
  }
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function start(signal = new AbortController().signal) {
  const worker = new FakeWorker();
  const reports: [number, ConversionStep][] = [];
  let outcome: unknown = "running";
  runWorker<string>(() => worker as unknown as Worker, "request", {
    signal,
    onProgress: (share, step) => reports.push([share, step]),
  }).then(
    (result) => {
      outcome = result;
    },
    (error) => {
      outcome = error instanceof ConversionError ? error.code : error.name;
    },
  );
  return { worker, reports, outcome: () => outcome };
}

const progress = (work = {}) => ({ type: "progress", share: 0.5, step: "decode", work }) as const;

it("returns the result, reports progress and ends the worker", async () => {
  const { worker, reports, outcome } = start();
  worker.send(progress());
  worker.send({ type: "done", result: "converted" });
  await vi.advanceTimersByTimeAsync(1);
  expect([outcome(), worker.isEnded, worker.requests, reports]).toEqual([
    "converted",
    true,
    ["request"],
    [[0.5, "decode"]],
  ]);
});

it("fails when the worker sends no message for 20 seconds", async () => {
  const { worker, outcome } = start();
  await vi.advanceTimersByTimeAsync(SILENCE_MS - 1);
  expect([outcome(), worker.isEnded]).toEqual(["running", false]);
  await vi.advanceTimersByTimeAsync(1);
  expect([SILENCE_MS, outcome(), worker.isEnded]).toEqual([20_000, "timeout", true]);
});

it("fails 20 seconds after the last message, even after five minutes of messages", async () => {
  const { worker, outcome } = start();
  for (let second = 0; second < 300; second += 15) {
    worker.send(progress());
    await vi.advanceTimersByTimeAsync(15_000);
    expect(outcome()).toBe("running");
  }
  await vi.advanceTimersByTimeAsync(5_000);
  expect(outcome()).toBe("timeout");
});

it("waits longer for a single call on many triangles, and not for the next one", async () => {
  const { worker, outcome } = start();
  worker.send(progress({ triangles: 5_000_000 }));
  await vi.advanceTimersByTimeAsync(149_000);
  expect(outcome()).toBe("running");
  worker.send(progress());
  await vi.advanceTimersByTimeAsync(SILENCE_MS);
  expect(outcome()).toBe("timeout");
});

it("waits at least 20 seconds and at most three minutes for a call", () => {
  expect(timeLimitFor({ bytes: 1000, triangles: 10 })).toBe(SILENCE_MS);
  expect(timeLimitFor({ triangles: 1e9 })).toBe(180_000);
});

it("does not count time while the page was suspended", async () => {
  const { worker, outcome } = start();
  await vi.advanceTimersByTimeAsync(1000);
  vi.setSystemTime(Date.now() + 3_600_000);
  await vi.advanceTimersByTimeAsync(SILENCE_MS);
  expect(outcome()).toBe("running");
  worker.send({ type: "done", result: "converted" });
  await vi.advanceTimersByTimeAsync(1);
  expect(outcome()).toBe("converted");
});

it("ends the worker when the conversion is cancelled", async () => {
  const controller = new AbortController();
  const { worker, outcome } = start(controller.signal);
  controller.abort();
  await vi.advanceTimersByTimeAsync(1);
  expect([outcome(), worker.isEnded]).toEqual(["AbortError", true]);
});

it("reports the worker's own failure, and a worker that ends", async () => {
  const outcomes = (["damaged", null] as const).map((code) => {
    const { worker, outcome } = start();
    worker.send({ type: "failed", code, message: "", values: {} });
    return outcome;
  });
  for (const message of [
    "",
    "Uncaught RangeError: Array buffer allocation failed",
    "Uncaught TypeError: x",
  ]) {
    const { worker, outcome } = start();
    worker.send(progress());
    worker.onerror?.({ message, preventDefault() {} });
    outcomes.push(outcome);
  }
  await vi.advanceTimersByTimeAsync(1);
  expect(outcomes.map((outcome) => outcome())).toEqual([
    "damaged",
    "ConverterLoadError",
    "out_of_memory",
    "out_of_memory",
    "damaged",
  ]);
});

it("reports a worker whose script cannot be loaded as such, and not as a lack of memory", async () => {
  const { worker, outcome } = start();
  // The event of a failed load is no ErrorEvent and has no message.
  worker.onerror?.({ preventDefault() {} } as { message: string; preventDefault(): void });
  await vi.advanceTimersByTimeAsync(1);
  expect([outcome(), worker.isEnded]).toEqual(["ConverterLoadError", true]);
});
