import { LRUCache } from "lru-cache";

/** For how long a place stays closed, in milliseconds: the window of the limit that it has used up. */
const CLOSED_MS = 60_000;
const MAX_KEPT = 10_000;

/**
 * Places from which too many calls came with tickets that are nobody's. Whether a ticket is somebody's only D1 knows, and it is what
 * such a flood is to be kept from: until the minute is over nobody of that place is let in but those whom this isolate has met.
 */
export class InvalidTokenThrottle {
  readonly #now: () => number;
  /** Until when. */
  readonly #closed = new LRUCache<string, number>({ max: MAX_KEPT });
  readonly #met = new LRUCache<string, true>({ max: MAX_KEPT });

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Closes a place. */
  block(place: string): void {
    this.#closed.set(place, this.#now() + CLOSED_MS);
  }

  /** Whether a place is closed to a caller. */
  isBlocked(place: string, caller: string): boolean {
    return (this.#closed.get(place) ?? 0) > this.#now() && !this.isKnownCaller(caller);
  }

  /** Notes whether a caller was somebody when D1 was asked. */
  record(caller: string, isSomebody: boolean): void {
    if (isSomebody) this.#met.set(caller, true);
    else this.#met.delete(caller);
  }

  /** Whether a caller was somebody when D1 was asked last. */
  isKnownCaller(caller: string): boolean {
    return this.#met.has(caller);
  }
}
