import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { afterSpace, holdParts } from "./first";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function watched() {
  const seen = { came: false };
  const part = afterSpace(async () => {
    seen.came = true;
  });
  void part();
  return seen;
}

test("parts come at once where no space is on its way", async () => {
  const part = watched();
  await vi.advanceTimersByTimeAsync(0);
  expect(part.came).toBe(true);
});

test("parts wait until every space is there, however often one says so", async () => {
  const [one, two] = [holdParts(), holdParts()];
  const part = watched();
  one();
  one();
  await vi.advanceTimersByTimeAsync(0);
  expect(part.came).toBe(false);
  two();
  await vi.advanceTimersByTimeAsync(0);
  expect(part.came).toBe(true);
});

test("a space that takes long is waited for no longer", async () => {
  holdParts();
  const part = watched();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(part.came).toBe(true);
});
