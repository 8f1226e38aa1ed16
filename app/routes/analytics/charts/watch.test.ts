import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { WATCH_MS, watch } from "./watch";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A page that can be put out of view, and counts how often it is asked. */
function page(answers: (number | null | Error)[] = []) {
  const state = { hidden: false, asked: 0, heard: [] as number[], turned: () => {}, listens: false };
  const end = watch({
    ask: async () => {
      state.asked++;
      const answer = answers.length >= state.asked ? answers[state.asked - 1] : state.asked;
      if (answer instanceof Error) throw answer;
      return answer ?? null;
    },
    heard: (count) => state.heard.push(count),
    isHidden: () => state.hidden,
    onTurn: (turned) => {
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

it("the live number is asked for every half minute, and not at all out of view", async () => {
  const { state, turn, end } = page();
  await vi.advanceTimersByTimeAsync(2 * WATCH_MS);
  expect(state.heard).toEqual([1, 2]);
  turn(true);
  expect(vi.getTimerCount()).toBe(0);
  await vi.advanceTimersByTimeAsync(20 * WATCH_MS);
  expect(state.asked).toBe(2);
  turn(false);
  await vi.advanceTimersByTimeAsync(0);
  expect(state.heard).toEqual([1, 2, 3]);
  // A look elsewhere of a second asks for nothing.
  turn(true);
  turn(false);
  await vi.advanceTimersByTimeAsync(WATCH_MS);
  expect(state.asked).toBe(4);
  end();
  expect([vi.getTimerCount(), state.listens]).toEqual([0, false]);
});

it("what fails is asked for again", async () => {
  const { state, end } = page([new Error("no network"), null]);
  await vi.advanceTimersByTimeAsync(3 * WATCH_MS);
  expect([state.asked, state.heard]).toEqual([3, [3]]);
  end();
});

it("an answer that comes after the end is not heard", async () => {
  const { state, end } = page();
  vi.advanceTimersByTime(WATCH_MS);
  end();
  await vi.advanceTimersByTimeAsync(WATCH_MS);
  expect([state.asked, state.heard]).toEqual([1, []]);
});
