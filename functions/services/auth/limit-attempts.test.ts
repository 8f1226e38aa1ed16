import { expect, it } from "vitest";
import type { RateLimiter } from "./auth-ports";
import { countUse, limitAttempts, siteNetwork } from "./limit-attempts";

/** A limiter that admits all attempts locally, while the shared limit is reached for some keys. */
function limiterThatIsFullElsewhere(...fullKeys: string[]) {
  const reservedKeys: string[] = [];
  const failed: string[] = [];
  const noted: string[] = [];
  const limiter: RateLimiter = {
    async reserve(key) {
      reservedKeys.push(key);
      return true;
    },
    async fail(key) {
      failed.push(key);
      return !fullKeys.includes(key);
    },
    release: (key) => {
      reservedKeys.splice(reservedKeys.indexOf(key), 1);
    },
    note: (limitName, outcome) => noted.push(`${limitName} ${outcome}`),
  };
  return { limiter, reservedKeys, failed, noted };
}

it("rejects a counted use beyond the shared limit of one of its keys", async () => {
  for (const full of ["place:a", "subject"]) {
    const { limiter, failed } = limiterThatIsFullElsewhere(full);
    await expect(countUse(limiter, ["place:a", "subject"], "mail")).rejects.toMatchObject({
      code: "rate_limited",
    });
    expect(failed).toEqual(["place:a", "subject"]);
  }
  const { limiter, reservedKeys } = limiterThatIsFullElsewhere();
  await countUse(limiter, ["place:a", "subject"], "mail");
  expect(reservedKeys).toEqual(["place:a", "subject"]);
});

it("returns the result of an admitted guess, even beyond the shared limit, and notes wrong and rejected guesses", async () => {
  const { limiter, reservedKeys, noted } = limiterThatIsFullElsewhere("subject");
  expect(await limitAttempts(limiter, ["subject"], "guess", async () => null)).toBeNull();
  expect(noted).toEqual(["guess wrong"]);
  reservedKeys.length = 0;
  expect(await limitAttempts(limiter, ["subject"], "guess", async () => 7)).toBe(7);
  expect(reservedKeys).toEqual([]);
  await expect(
    limitAttempts({ ...limiter, reserve: async () => false }, ["subject"], "guess", async () => 7),
  ).rejects.toMatchObject({ code: "rate_limited" });
  expect(noted).toEqual(["guess wrong", "guess rejected"]);
});

it("returns the /48 of an IPv6 /64, and null for anything else", () => {
  expect(siteNetwork("2001:db8:1:2::/64")).toBe("2001:db8:1::/48");
  expect(siteNetwork("2001:db8:1:ffff::/64")).toBe("2001:db8:1::/48");
  for (const otherNetwork of ["192.0.2.1", "local", "2001:db8:1:2::/64 x", ""])
    expect(siteNetwork(otherNetwork)).toBeNull();
});
