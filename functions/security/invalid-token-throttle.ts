import { LRUCache } from "lru-cache";

/** Maximum number of calls with invalid tokens (tickets, which are the secrets of sessions, or API tokens) per network and minute, which is also the limit of API_LIMIT (wrangler.toml). */
export const INVALID_TOKENS_MAX = 600;
/** Duration of a block in milliseconds: the window of the rate limit that the network has used up. */
const BLOCK_MS = 60_000;
const MAX_ENTRIES = 10_000;

/**
 * Blocks networks that sent too many calls with invalid tokens. Only D1 knows whether a token is valid, and this protects D1: for a
 * minute, only callers whom this isolate has seen with a valid token are admitted from such a network.
 */
export class InvalidTokenThrottle {
  readonly #now: () => number;
  /** End of the block by network, in epoch milliseconds. */
  readonly #blockedUntil = new LRUCache<string, number>({ max: MAX_ENTRIES });
  readonly #knownCallers = new LRUCache<string, true>({ max: MAX_ENTRIES });

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Blocks a network. */
  block(network: string): void {
    this.#blockedUntil.set(network, this.#now() + BLOCK_MS);
  }

  /** True if a network is blocked for this caller. */
  isBlocked(network: string, caller: string): boolean {
    return (this.#blockedUntil.get(network) ?? 0) > this.#now() && !this.isKnownCaller(caller);
  }

  /** Records whether D1 accepted a caller's token. */
  record(caller: string, isValid: boolean): void {
    if (isValid) this.#knownCallers.set(caller, true);
    else this.#knownCallers.delete(caller);
  }

  /** True if D1 accepted the caller's token at the last check. */
  isKnownCaller(caller: string): boolean {
    return this.#knownCallers.has(caller);
  }
}
