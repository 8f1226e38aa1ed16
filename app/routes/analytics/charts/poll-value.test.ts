import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { POLL_INTERVAL_MS, pollValue } from "./poll-value";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Fakes a page that can be hidden, and counts its requests. */
function page(responses: (number | null | Error)[] = []) {
  const state = { hidden: false, asked: 0, heard: [] as number[], turned: () => {}, listens: false };
  const end = pollValue({
    fetchValue: async () => {
      state.asked++;
      const response = responses.length >= state.asked ? responses[state.asked - 1] : state.asked;
      if (response instanceof Error) throw response;
      return response ?? null;
    },
    onValue: (count) => state.heard.push(count),
    isHidden: () => state.hidden,
    onVisibilityChange: (turned) => {
      Object.assign(state, { turned, listens: true });
      return () => void Object.assign(state, { listens: false });
    },
  });
  const turn = (hidden: boolean) => {
    state.hidden = hidden;
    state.turned();
  };
  return { state, end, turn };
}

it("the live number is requested every half minute, but not while the page is hidden", async () => {
  const { state, turn, end } = page();
  await vi.advanceTimersByTimeAsync(2 * POLL_INTERVAL_MS);
  expect(state.heard).toEqual([1, 2]);
  turn(true);
  expect(vi.getTimerCount()).toBe(0);
  await vi.advanceTimersByTimeAsync(20 * POLL_INTERVAL_MS);
  expect(state.asked).toBe(2);
  turn(false);
  await vi.advanceTimersByTimeAsync(0);
  expect(state.heard).toEqual([1, 2, 3]);
  // Hiding the page for a second causes no request.
  turn(true);
  turn(false);
  await vi.advanceTimersByTimeAsync(POLL_INTERVAL_MS);
  expect(state.asked).toBe(4);
  end();
  expect([vi.getTimerCount(), state.listens]).toEqual([0, false]);
});

it("a failed request is repeated", async () => {
  const { state, end } = page([new Error("no network"), null]);
  await vi.advanceTimersByTimeAsync(3 * POLL_INTERVAL_MS);
  expect([state.asked, state.heard]).toEqual([3, [3]]);
  end();
});

it("a response after the end is ignored", async () => {
  const { state, end } = page();
  vi.advanceTimersByTime(POLL_INTERVAL_MS);
  end();
  await vi.advanceTimersByTimeAsync(POLL_INTERVAL_MS);
  expect([state.asked, state.heard]).toEqual([1, []]);
});
