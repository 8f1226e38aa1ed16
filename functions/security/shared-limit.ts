import { LRUCache } from "lru-cache";

/** Window of the counts, in milliseconds. */
const WINDOW_MS = 60_000;
/** Number of Durable Objects (shards) among which the keys of one limit are divided. */
const SHARDS = 64;
/** Maximum number of keys in an isolate's memory. */
const KEYS_MAX = 20_000;
/** Timeout of a call to a Durable Object, in milliseconds. */
const TIMEOUT_MS = 500;

/** Dependencies of a shared limit. */
export interface SharedLimitDeps {
  /** The objects that count across all locations (functions/rooms/limit-counter.ts). */
  readonly counters: DurableObjectNamespace;
  /** Rate limit of one location, which decides when the object does not respond. */
  readonly fallback: RateLimit;
  /** Hashes a key, because networks and addresses must not be stored. Returns hex digits. */
  readonly hashKey: (key: string) => string;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** Values of a shared limit. */
export interface SharedLimitOptions {
  readonly name: string;
  /** Maximum count per minute. */
  readonly max: number;
  /** Number per minute that the caller admits itself, before it calls `limit`. The first call to the object adds it. */
  readonly free?: number;
  /** Time for which a total is used before the object is asked again, in milliseconds. Default: 0, every attempt is counted at once. */
  readonly freshMs?: number;
}

/** The count of a key in one minute. */
interface LimitCount {
  /** Minutes since 1970. */
  readonly minute: number;
  /** Counts that were not sent to the object yet. */
  waiting: number;
  /** The object's total of all isolates. */
  total: number;
  /** Time of the last call to the object, in epoch milliseconds. */
  readAt: number;
}

/** The method of LimitCounter that is called. It returns the new total of the key in this minute. */
interface Counter {
  add(key: string, count: number): Promise<number>;
}

/** Limits how often something happens per key and minute, across all locations. */
export class SharedLimit {
  readonly #deps: SharedLimitDeps;
  readonly #options: Required<SharedLimitOptions>;
  readonly #keys = new LRUCache<string, LimitCount>({ max: KEYS_MAX });

  constructor(deps: SharedLimitDeps, options: SharedLimitOptions) {
    this.#deps = deps;
    this.#options = { free: 0, freshMs: 0, ...options };
  }

  /** Counts one occurrence for a key. `success` is false above the limit. */
  async limit({ key }: { readonly key: string }): Promise<{ success: boolean }> {
    const { max, free, freshMs } = this.#options;
    const now = this.#deps.now();
    const minute = Math.floor(now / WINDOW_MS);
    const cachedCount = this.#keys.get(key);
    const count =
      cachedCount?.minute === minute
        ? cachedCount
        : { minute, waiting: free, total: 0, readAt: Number.NEGATIVE_INFINITY };
    this.#keys.set(key, count);
    count.waiting++;
    if (count.total > max || now - count.readAt < freshMs)
      return { success: count.total + count.waiting <= max };
    const sentCount = count.waiting;
    count.waiting = 0;
    count.readAt = now;
    try {
      count.total = await this.#add(this.#deps.hashKey(`${this.#options.name} ${key}`), sentCount);
    } catch {
      count.waiting += sentCount;
      return this.#deps.fallback.limit({ key });
    }
    return { success: count.total + count.waiting <= max };
  }

  #add(hash: string, count: number): Promise<number> {
    const { counters, sleep } = this.#deps;
    const shard = Number.parseInt(hash.slice(0, 4), 16) % SHARDS;
    const counter = counters.getByName(`${this.#options.name} ${shard}`) as unknown as Counter;
    const timeout = sleep(TIMEOUT_MS).then(() => {
      throw new Error("The counter did not respond");
    });
    // Prevents an unhandled rejection if the timeout is the slower of the two promises.
    timeout.catch(() => {});
    return Promise.race([counter.add(hash, count), timeout]);
  }
}
