import { afterEach, expect, test, vi } from "vitest";
import { createPause, queryHref } from "./use-live-query";

afterEach(() => {
  vi.useRealTimers();
});

test("the URL of a query contains only the fields that have a value", () => {
  const form = new FormData();
  for (const [name, value] of Object.entries({ panel: "tags", q: "ドア & 窓", show: "", k: "入口" }))
    form.append(name, value);
  expect([...new URLSearchParams(queryHref(form))]).toEqual([
    ["panel", "tags"],
    ["q", "ドア & 窓"],
    ["k", "入口"],
  ]);
});

test("the callback runs after a pause of typing, but not during a composition or after a stop", () => {
  vi.useFakeTimers();
  const onPause = vi.fn();
  const pause = createPause(onPause);
  pause.typed(false);
  // A composition begins before the pause is over.
  pause.typed(true);
  pause.typed(true);
  vi.runAllTimers();
  expect(onPause).not.toHaveBeenCalled();
  pause.typed(false);
  vi.runAllTimers();
  expect(onPause).toHaveBeenCalledTimes(1);
  pause.typed(false);
  pause.stop();
  vi.runAllTimers();
  expect(onPause).toHaveBeenCalledTimes(1);
});
