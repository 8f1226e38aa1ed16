import { RateLimitedError } from "./errors";
import type { RateLimiter } from "./ports";

/**
 * Checks a guess of a secret under a rate limit. Its places are taken before the work, so that guesses that come at once
 * are not all checked; `check` answers null when the guess was wrong, which is what counts.
 * @param keys what the guess is counted against, all of them
 * @param what for the log, which is told of wrong ones and of those that are refused
 * @throws RateLimitedError when one of the keys has no allowance left; then nothing was checked
 */
export async function checkGuess<T>(
  limiter: RateLimiter,
  keys: readonly string[],
  what: string,
  check: () => Promise<T | null>,
): Promise<T | null> {
  await reserveAll(limiter, keys, what);
  let found: T | null;
  try {
    found = await check();
  } catch (error) {
    giveBack(limiter, keys);
    throw error;
  }
  if (found === null) {
    limiter.note(what, "wrong");
    await Promise.all(keys.map((key) => limiter.fail(key)));
  } else giveBack(limiter, keys);
  return found;
}

/**
 * Counts a request that costs something whatever comes of it, such as one that sends a mail.
 * @throws RateLimitedError when one of the keys has no allowance left, here or with all machines together
 */
export async function countUse(limiter: RateLimiter, keys: readonly string[], what: string): Promise<void> {
  await reserveAll(limiter, keys, what);
  const within = await Promise.all(keys.map((key) => limiter.fail(key)));
  if (within.includes(false)) throw new RateLimitedError(what);
}

const giveBack = (limiter: RateLimiter, keys: readonly string[]) => {
  for (const key of keys) limiter.release(key);
};

/** Takes a place of every key, or of none. @throws RateLimitedError */
async function reserveAll(limiter: RateLimiter, keys: readonly string[], what: string): Promise<void> {
  for (const [index, key] of keys.entries()) {
    if (await limiter.reserve(key)) continue;
    giveBack(limiter, keys.slice(0, index));
    limiter.note(what, "refused");
    throw new RateLimitedError(what);
  }
}
