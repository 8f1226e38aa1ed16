import type { Uuid } from "~/domain/shared/model";
import { RateLimitedError } from "../shared/errors";
import type { RateLimiter } from "./auth-ports";

/** The key of an IPv6 network: the purpose, the /64, and further parts. */
const PLACE_KEY = /^place:([a-z-]+):([0-9a-f:]+::\/64)(.*)$/;

/**
 * Checks an attempt to enter a secret under a rate limit. The attempt is counted before the check, so that simultaneous attempts cannot
 * exceed the limit. A successful attempt is not counted.
 * @param keys the counters of the attempt; each must be below its limit
 * @param limitName name of the limit, for the error and the log of wrong and rejected attempts
 * @param check returns null for a wrong secret
 * @param account the account of the secret, for the log
 * @throws RateLimitedError when the limit of one of the keys is used up; the secret is then not checked
 */
export async function limitAttempts<T>(
  limiter: RateLimiter,
  keys: readonly string[],
  limitName: string,
  check: () => Promise<T | null>,
  account: Uuid | null = null,
): Promise<T | null> {
  const allKeys = withSiteKeys(keys);
  await reserveAll(limiter, allKeys, limitName, account);
  let result: T | null;
  try {
    result = await check();
  } catch (error) {
    releaseAll(limiter, allKeys);
    throw error;
  }
  if (result === null) {
    limiter.note(limitName, "wrong", account);
    await Promise.all(allKeys.map((key) => limiter.fail(key)));
  } else releaseAll(limiter, allKeys);
  return result;
}

/**
 * Counts a request that costs something whether or not it succeeds, such as one that sends a mail.
 * @throws RateLimitedError when the limit of one of the keys is used up, in this isolate or across all machines
 */
export async function countUse(
  limiter: RateLimiter,
  keys: readonly string[],
  limitName: string,
): Promise<void> {
  const allKeys = withSiteKeys(keys);
  await reserveAll(limiter, allKeys, limitName, null);
  const areWithinLimit = await Promise.all(allKeys.map((key) => limiter.fail(key)));
  if (areWithinLimit.includes(false)) throw new RateLimitedError(limitName);
}

/** An IPv6 /64 of one subscriber, in the form that functions/security/client-network.ts writes. */
const SUBSCRIBER = /^([0-9a-f]+:[0-9a-f]+:[0-9a-f]+):[0-9a-f]+::\/64$/;

/**
 * Returns the IPv6 /48 that contains a /64. A provider's customer may have a whole /48, which has 65,536 /64s.
 * @returns null for an IPv4 address, and for anything else that is no /64
 */
export function siteNetwork(network: string): string | null {
  const [, site] = SUBSCRIBER.exec(network) ?? [];
  return site === undefined ? null : `${site}::/48`;
}

/** Returns the keys, with one for the IPv6 /48 after each key of a /64, so that a caller with many /64s does not get the limit of each. */
const withSiteKeys = (keys: readonly string[]): readonly string[] =>
  keys.flatMap((key) => {
    const [, purpose, network, suffix] = PLACE_KEY.exec(key) ?? [];
    const site = network === undefined ? null : siteNetwork(network);
    return site === null ? [key] : [key, `site:${purpose}:${site}${suffix}`];
  });

const releaseAll = (limiter: RateLimiter, keys: readonly string[]) => {
  for (const key of keys) limiter.release(key);
};

/** Reserves an attempt of every key, or of none. @throws RateLimitedError */
async function reserveAll(
  limiter: RateLimiter,
  keys: readonly string[],
  limitName: string,
  account: Uuid | null,
): Promise<void> {
  for (const [index, key] of keys.entries()) {
    if (await limiter.reserve(key)) continue;
    releaseAll(limiter, keys.slice(0, index));
    limiter.note(limitName, "rejected", account);
    throw new RateLimitedError(limitName);
  }
}
