import { RateLimitedError } from "./errors";
import type { RateLimiter } from "./ports";

/**
 * Checks a guess of a secret under a rate limit. Its places are taken before the work, so that guesses that come at once
 * are not all checked; `check` answers null when the guess was wrong, which is what counts.
 * @param keys what the guess is counted against, all of them
 * @param what for the log
 * @throws RateLimitedError when one of the keys has no allowance left; then nothing was checked
 */
export async function checkGuess<T>(
  limiter: RateLimiter,
  keys: readonly string[],
  what: string,
  check: () => Promise<T | null>,
): Promise<T | null> {
  const held: string[] = [];
  const giveBack = () => {
    for (const key of held) limiter.release(key);
  };
  for (const key of keys) {
    if (!(await limiter.reserve(key))) {
      giveBack();
      throw new RateLimitedError(what);
    }
    held.push(key);
  }
  let found: T | null;
  try {
    found = await check();
  } catch (error) {
    giveBack();
    throw error;
  }
  if (found === null) await Promise.all(held.map((key) => limiter.fail(key)));
  else giveBack();
  return found;
}

/**
 * Counts a request that costs something whatever comes of it, such as one that sends a mail.
 * @throws RateLimitedError when one of the keys has no allowance left
 */
export async function countUse(limiter: RateLimiter, keys: readonly string[], what: string): Promise<void> {
  await checkGuess(limiter, keys, what, async () => null);
}
