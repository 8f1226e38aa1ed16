import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { SILENCE_MS } from "./time-limit";
import { runConversion } from "./video.client";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A conversion that never ends. */
function startHangingConversion() {
  const conversion = {
    execute: () => new Promise<void>(() => {}),
    cancel: vi.fn(async () => {}),
    onProgress: undefined as ((share: number, seconds: number) => void) | undefined,
  };
  const shares: number[] = [];
  let code: unknown = null;
  runConversion(conversion, new AbortController().signal, (share) => shares.push(share)).catch((error) => {
    code = error.code;
  });
  return { conversion, shares, getCode: () => code };
}

it("a video conversion is cancelled 20 seconds after its last progress", async () => {
  const { conversion, shares, getCode } = startHangingConversion();
  await vi.advanceTimersByTimeAsync(SILENCE_MS - 1);
  conversion.onProgress?.(0.5, 1);
  await vi.advanceTimersByTimeAsync(SILENCE_MS - 1);
  expect([getCode(), shares, conversion.cancel.mock.calls.length]).toEqual([null, [0.5], 0]);
  await vi.advanceTimersByTimeAsync(1);
  expect([getCode(), conversion.cancel.mock.calls.length]).toEqual(["timeout", 1]);
});
