import { expect, it } from "vitest";
import type { RateLimiter } from "./auth-ports";
import { countUse, limitAttempts } from "./limit-attempts";

/** A limiter that admits all attempts locally, while the shared limit is reached for some keys. */
function limiterThatIsFullElsewhere(...fullKeys: string[]) {
  const limitedKeys: string[] = [];
  const failed: string[] = [];
  const noted: string[] = [];
  const limiter: RateLimiter = {
    async reserve(key) {
      limitedKeys.push(key);
      return true;
    },
    async fail(key) {
      failed.push(key);
      return !fullKeys.includes(key);
    },
    release: (key) => {
      limitedKeys.splice(limitedKeys.indexOf(key), 1);
    },
    note: (limitName, outcome) => noted.push(`${limitName} ${outcome}`),
  };
  return { limiter, limitedKeys, failed, noted };
}

it("rejects an attempt beyond the shared limit of any of its keys", async () => {
  for (const full of ["place:a", "subject"]) {
    const { limiter, failed } = limiterThatIsFullElsewhere(full);
    await expect(countUse(limiter, ["place:a", "subject"], "mail")).rejects.toMatchObject({
      code: "rate_limited",
    });
    expect(failed).toEqual(["place:a", "subject"]);
  }
  const { limiter, limitedKeys } = limiterThatIsFullElsewhere();
  await countUse(limiter, ["place:a", "subject"], "mail");
  expect(limitedKeys).toEqual(["place:a", "subject"]);
});

it("returns the result of an admitted guess, even beyond the shared limit, and notes wrong and rejected guesses", async () => {
  const { limiter, limitedKeys, noted } = limiterThatIsFullElsewhere("subject");
  expect(await limitAttempts(limiter, ["subject"], "guess", async () => null)).toBeNull();
  expect(noted).toEqual(["guess wrong"]);
  limitedKeys.length = 0;
  expect(await limitAttempts(limiter, ["subject"], "guess", async () => 7)).toBe(7);
  expect(limitedKeys).toEqual([]);
  await expect(
    limitAttempts({ ...limiter, reserve: async () => false }, ["subject"], "guess", async () => 7),
  ).rejects.toMatchObject({ code: "rate_limited" });
  expect(noted).toEqual(["guess wrong", "guess refused"]);
});
