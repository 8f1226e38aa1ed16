import { LRUCache } from "lru-cache";
import { SingleFlight, type SingleFlightOptions } from "./single-flight";

/** A cached value. */
export interface CacheEntry<T> {
  readonly value: T;
  /** Time at which the read that confirmed the value began, in epoch milliseconds. */
  readonly at: number;
}

/** Size, clock and ages of a cache. */
export interface CacheOptions<T> {
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Default: the platform's timer. */
  readonly sleep?: SingleFlightOptions["sleep"];
  /** Time that callers wait for another caller's read, in milliseconds. Default: WAIT_MS. */
  readonly waitMs?: number;
  readonly maxEntries?: number;
  /** Limit of the sum of all sizes. A value that alone is larger is not cached. */
  readonly maxSize?: number;
  /** Returns the size of a value that is set without a size. */
  readonly sizeOf?: (value: T) => number;
  /** Age from which a value is no longer used without being read again. Default: never. */
  readonly freshMs?: number;
  /** Age from which one caller reads a value again while the others use it as long as it is fresh. Default: `freshMs`. */
  readonly renewMs?: number;
}

/** Reads a value; null for none. @param known the cached value, fresh or not */
type Read<T> = (known: T | undefined) => Promise<T | null>;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * A bounded cache of an isolate; the least recently used values are removed first. One request reads a value while the others wait for it, or use
 * the cached value.
 */
export class RevalidatingCache<T extends NonNullable<unknown>> {
  readonly #entries: LRUCache<string, CacheEntry<T>>;
  readonly #flights: SingleFlight;
  readonly #options: CacheOptions<T>;
  #drops = 0;

  constructor(options: CacheOptions<T>) {
    const { now, sleep = pause, waitMs, maxEntries = 0, maxSize = 0, sizeOf } = options;
    this.#options = options;
    this.#entries = new LRUCache<string, CacheEntry<T>>({
      max: maxEntries,
      maxSize,
      ...(sizeOf && { sizeCalculation: ({ value }) => Math.max(1, sizeOf(value)) }),
    });
    this.#flights = new SingleFlight({ now, sleep, ...(waitMs !== undefined && { waitMs }) });
  }

  /** The entry of a key, fresh or not. */
  find(key: string): (CacheEntry<T> & { readonly isFresh: boolean }) | undefined {
    const entry = this.#entries.get(key);
    return entry && { ...entry, isFresh: this.#isYounger(entry, this.#options.freshMs) };
  }

  /** The value of a key while it is fresh. */
  fresh(key: string): T | undefined {
    const entry = this.find(key);
    return entry?.isFresh ? entry.value : undefined;
  }

  /** Caches a value. @param at time from which its age counts; default: now */
  set(key: string, value: T, { at = this.#options.now(), size }: { at?: number; size?: number } = {}): void {
    this.#entries.set(key, { value, at }, size === undefined ? {} : { size });
  }

  /** Removes a changed value. The results of all reads in progress are not cached. */
  drop(key: string): void {
    this.#drops++;
    this.#entries.delete(key);
    this.#flights.forget(key);
  }

  /** The value of a key, which is at most `freshMs` old; null for none. */
  get(key: string, read: Read<T>): Promise<T | null> {
    const { freshMs, renewMs = freshMs } = this.#options;
    const readFresh = (isInFlight: boolean) => {
      const entry = this.#entries.get(key);
      return entry && this.#isYounger(entry, isInFlight ? freshMs : renewMs) ? entry.value : undefined;
    };
    return this.#flights.run<T | null>(key, readFresh, () => this.read(key, read));
  }

  /**
   * Returns the fresh value of a key. If there is none, one request reads it, and all callers get the value of the first cached key of `previous` at
   * once. Without such a value they wait for the read.
   * @param previous returns the keys of values that may be used instead, newest first
   * @param defer receives work that the response does not wait for
   */
  getOrStale(
    key: string,
    read: Read<T>,
    { previous, defer }: { previous: () => readonly string[]; defer: (work: Promise<unknown>) => void },
  ): Promise<T | null> {
    const freshValue = this.fresh(key);
    if (freshValue) return Promise.resolve(freshValue);
    const stale = this.#firstOf(previous());
    const readStale = (isInFlight: boolean) => this.fresh(key) ?? (isInFlight ? stale : undefined);
    const value = this.#flights.run<T | null>(key, readStale, () => {
      const work = this.read(key, read);
      // The read continues after its first caller has left, because others wait for it. Its failure is reported to those who await it.
      defer(work.catch(() => null));
      return work;
    });
    if (!stale) return value;
    defer(value);
    return Promise.resolve(stale);
  }

  /** The value of the first of these keys that is cached. */
  #firstOf(keys: readonly string[]): T | undefined {
    for (const key of keys) {
      const entry = this.#entries.get(key);
      if (entry) return entry.value;
    }
    return undefined;
  }

  /** Reads a value, even if one is cached, and caches it. Null removes the cached one. */
  async read(key: string, read: Read<T>): Promise<T | null> {
    const drops = this.#drops;
    const now = this.#options.now();
    const value = await read(this.#entries.get(key)?.value);
    // After a drop during the read the value may be outdated. Only this caller, whose request began before the drop, may use it.
    if (this.#drops !== drops) return value;
    const entry = this.#entries.get(key);
    if (entry && entry.at > now) return value;
    if (value === null) this.#entries.delete(key);
    else this.set(key, value, { at: now });
    return value;
  }

  #isYounger = ({ at }: CacheEntry<T>, ms = Number.POSITIVE_INFINITY) => this.#options.now() - at < ms;
}
