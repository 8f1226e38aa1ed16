import { LRUCache } from "lru-cache";

/** Duration of a block in milliseconds: the window of the rate limit that the network has used up. */
const CLOSED_MS = 60_000;
const MAX_KEPT = 10_000;

/**
 * Blocks networks that sent too many calls with invalid tickets. Only D1 knows whether a ticket is valid, and this protects D1: until the minute
 * ends, only callers whom this isolate has seen with a valid ticket are admitted from such a network.
 */
export class InvalidTokenThrottle {
  readonly #now: () => number;
  /** End of the block by network, in epoch milliseconds. */
  readonly #closed = new LRUCache<string, number>({ max: MAX_KEPT });
  readonly #met = new LRUCache<string, true>({ max: MAX_KEPT });

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Blocks a network. */
  block(place: string): void {
    this.#closed.set(place, this.#now() + CLOSED_MS);
  }

  /** True if a network is blocked for this caller. */
  isBlocked(place: string, caller: string): boolean {
    return (this.#closed.get(place) ?? 0) > this.#now() && !this.isKnownCaller(caller);
  }

  /** Records whether D1 accepted a caller's ticket. */
  record(caller: string, isSomebody: boolean): void {
    if (isSomebody) this.#met.set(caller, true);
    else this.#met.delete(caller);
  }

  /** True if D1 accepted the caller's ticket at the last check. */
  isKnownCaller(caller: string): boolean {
    return this.#met.has(caller);
  }
}
