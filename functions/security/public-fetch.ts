/** Requests to URLs that users enter. Each is rejected if its host name resolves to a private network. */
import { promises as dns } from "node:dns";
import { LRUCache } from "lru-cache";
import { isIpAddress, isPrivateAddress } from "~/domain/webhooks/private-address";

/** Time for which the check of a host name is cached, in milliseconds. */
const CHECK_CACHE_MS = 60_000;
/** Number of cached host names. */
const CHECK_CACHE_MAX = 500;

/** Returns all IPv4 and IPv6 addresses of a host name. Rejects when one of the two lookups fails. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>;

/** Thrown before a request is sent, because its host has no address, or one that is not public. */
export class PrivateNetworkError extends Error {
  constructor() {
    super("The host does not lead to public addresses alone");
    this.name = "PrivateNetworkError";
  }
}

/** Dependencies of publicFetch. */
export interface PublicFetchDeps {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly resolve: ResolveHost;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/**
 * Makes a fetch that sends nothing to a host without an address, or with one that is not public. It follows no redirect, whose target would be
 * unchecked: a caller that follows one calls it again.
 * @returns a function that rejects with PrivateNetworkError for such a host
 */
export function publicFetch(deps: PublicFetchDeps): PublicFetchDeps["fetch"] {
  const checkedNames = new LRUCache<string, number>({ max: CHECK_CACHE_MAX });

  async function requirePublic(hostname: string): Promise<void> {
    const now = deps.now();
    if ((checkedNames.get(hostname) ?? 0) > now) return;
    const addresses = isIpAddress(hostname) ? [hostname] : await deps.resolve(hostname);
    if (addresses.length === 0 || addresses.some(isPrivateAddress)) throw new PrivateNetworkError();
    checkedNames.set(hostname, now + CHECK_CACHE_MS);
  }

  return async (url, init) => {
    init.signal?.throwIfAborted();
    await raceWithSignal(requirePublic(new URL(url).hostname.replace(/^\[|\]$/g, "")), init.signal);
    return deps.fetch(url, { ...init, redirect: "manual" });
  };
}

/** Waits for work. Rejects when the signal is aborted first. */
async function raceWithSignal(work: Promise<void>, signal: AbortSignal | null | undefined): Promise<void> {
  if (!signal) return work;
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason as Error);
    signal.addEventListener("abort", abort, { once: true });
  });
  try {
    await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/** Error codes of resolvers for a name without addresses of one kind. */
const NO_ADDRESS = new Set(["ENODATA", "ENOTFOUND"]);

/** Resolves a host name by DNS; on Workers by Cloudflare's resolver, over HTTPS. */
export const resolveHost: ResolveHost = async (hostname) => {
  const resolveOrNone = (records: Promise<string[]>) =>
    records.catch((error: { readonly code?: string }) => {
      if (NO_ADDRESS.has(error.code ?? "")) return [];
      throw error;
    });
  const addresses = await Promise.all([
    resolveOrNone(dns.resolve4(hostname)),
    resolveOrNone(dns.resolve6(hostname)),
  ]);
  // On Workers the result also contains the names of CNAME records.
  return addresses.flat().filter(isIpAddress);
};
