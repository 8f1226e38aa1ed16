import fc from "fast-check";
import { expect, it } from "vitest";
import { attemptDelay, attemptWait, currentAttempts, isAttack, type StoredAttempts } from "./attempt-delay";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

it("delays the next guess from the tenth wrong one of an hour, and doubles the delay with every ten more, up to an hour", () => {
  const minutes = [0, 9, 10, 19, 20, 30, 40, 50, 60, 70, 200].map((hour) =>
    attemptDelay({ hour, day: hour % 50 }),
  );
  expect(minutes.map((ms) => ms / MINUTE_MS)).toEqual([0, 0, 2, 2, 4, 8, 16, 32, 60, 60, 60]);
});

it("also increases the delay with the guesses of a day that are spread over its hours", () => {
  const minutes = [49, 50, 99, 100, 150, 200, 500].map((day) => attemptDelay({ hour: 0, day }) / MINUTE_MS);
  expect(minutes).toEqual([0, 5, 5, 10, 20, 40, 60]);
});

it("does not count the guesses of a past hour or day", () => {
  const stored = { hour: 40, day: 60, lastAt: 10 * DAY_MS + 5 * HOUR_MS };
  expect(currentAttempts(stored, stored.lastAt + HOUR_MS - 1)).toEqual({ hour: 40, day: 60 });
  expect(currentAttempts(stored, stored.lastAt + HOUR_MS)).toEqual({ hour: 0, day: 60 });
  expect(currentAttempts(stored, 11 * DAY_MS)).toEqual({ hour: 0, day: 0 });
  expect(currentAttempts(null, 0)).toEqual({ hour: 0, day: 0 });
  expect(attemptWait(stored, stored.lastAt + 3 * MINUTE_MS)).toBe(13 * MINUTE_MS);
  expect(attemptWait(stored, stored.lastAt + 16 * MINUTE_MS)).toBe(0);
});

it("allows at most 100 guesses in any hour, also if up to ten are sent at once", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: DAY_MS }),
      fc.integer({ min: 1, max: 10 }),
      (start, concurrency) => {
        const guessTimes: number[] = [];
        let stored: StoredAttempts | null = null;
        for (let now = start; now < start + 2 * DAY_MS; now += MINUTE_MS) {
          if (attemptWait(stored, now) > 0) continue;
          const { hour, day } = currentAttempts(stored, now);
          for (let i = 0; i < concurrency; i++) guessTimes.push(now);
          stored = { hour: hour + concurrency, day: day + concurrency, lastAt: now };
        }
        const maxPerHour = Math.max(
          ...guessTimes.map(
            (from) => guessTimes.filter((time) => time >= from && time < from + HOUR_MS).length,
          ),
        );
        expect(maxPerHour).toBeLessThanOrEqual(100);
      },
    ),
    { numRuns: 50 },
  );
});

it("reports an attack from twenty wrong guesses in an hour or fifty in a day", () => {
  expect([19, 20].map((hour) => isAttack({ hour, day: hour }))).toEqual([false, true]);
  expect([49, 50].map((day) => isAttack({ hour: 1, day }))).toEqual([false, true]);
});
