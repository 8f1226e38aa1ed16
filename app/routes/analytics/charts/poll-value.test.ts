import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { POLL_INTERVAL_MS, pollValue } from "./poll-value";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Fakes a page that can be hidden, and counts its requests. */
function openPage(responses: (number | null | Error)[] = []) {
  const state = {
    isHidden: false,
    requestCount: 0,
    received: [] as number[],
    onVisibilityChange: () => {},
    isListening: false,
  };
  const stop = pollValue({
    fetchValue: async () => {
      state.requestCount++;
      const response =
        responses.length >= state.requestCount ? responses[state.requestCount - 1] : state.requestCount;
      if (response instanceof Error) throw response;
      return response ?? null;
    },
    onValue: (count) => state.received.push(count),
    isHidden: () => state.isHidden,
    onVisibilityChange: (listener) => {
      Object.assign(state, { onVisibilityChange: listener, isListening: true });
      return () => void Object.assign(state, { isListening: false });
    },
  });
  const setHidden = (isHidden: boolean) => {
    state.isHidden = isHidden;
    state.onVisibilityChange();
  };
  return { state, stop, setHidden };
}

it("the live number is requested every half minute, but not while the page is hidden", async () => {
  const { state, setHidden, stop } = openPage();
  await vi.advanceTimersByTimeAsync(2 * POLL_INTERVAL_MS);
  expect(state.received).toEqual([1, 2]);
  setHidden(true);
  expect(vi.getTimerCount()).toBe(0);
  await vi.advanceTimersByTimeAsync(20 * POLL_INTERVAL_MS);
  expect(state.requestCount).toBe(2);
  setHidden(false);
  await vi.advanceTimersByTimeAsync(0);
  expect(state.received).toEqual([1, 2, 3]);
  // Hiding the page for a moment causes no request.
  setHidden(true);
  setHidden(false);
  await vi.advanceTimersByTimeAsync(POLL_INTERVAL_MS);
  expect(state.requestCount).toBe(4);
  stop();
  expect([vi.getTimerCount(), state.isListening]).toEqual([0, false]);
});

it("a failed request is repeated", async () => {
  const { state, stop } = openPage([new Error("no network"), null]);
  await vi.advanceTimersByTimeAsync(3 * POLL_INTERVAL_MS);
  expect([state.requestCount, state.received]).toEqual([3, [3]]);
  stop();
});

it("a response after the end is ignored", async () => {
  const { state, stop } = openPage();
  vi.advanceTimersByTime(POLL_INTERVAL_MS);
  stop();
  await vi.advanceTimersByTimeAsync(POLL_INTERVAL_MS);
  expect([state.requestCount, state.received]).toEqual([1, []]);
});
