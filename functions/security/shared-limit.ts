import { LRUCache } from "lru-cache";

/** Window of the counts, in milliseconds. */
const WINDOW_MS = 60_000;
/** Number of objects that share the keys of one limit. */
const SHARDS = 64;
/** Keys that an isolate remembers. */
const KEYS_MAX = 20_000;
/** Time that an object may take, in milliseconds. */
const PATIENCE_MS = 500;

/** Dependencies of a shared limit. */
export interface SharedLimitDeps {
  /** The objects that count for all locations together (functions/rooms/limit-counter.ts). */
  readonly counters: DurableObjectNamespace;
  /** Counts for one location. It decides when the object does not respond. */
  readonly fallback: RateLimit;
  /** Hashes a key: networks and addresses are not stored. Returns hex digits. */
  readonly hashKey: (key: string) => string;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** Numbers of a shared limit. */
export interface SharedLimitOptions {
  readonly name: string;
  /** Maximum count per minute. */
  readonly max: number;
  /** Counts per minute that the caller admits before it asks: they are added at the first question. */
  readonly free?: number;
  /** Time for which a count is used before it is compared with the object's, in milliseconds. Default: 0, each question is counted at once. */
  readonly freshMs?: number;
}

interface KeyCount {
  readonly minute: number;
  /** Counts that the object does not have yet. */
  waiting: number;
  /** The object's count, of all isolates. */
  total: number;
  readAt: number;
}

interface Counter {
  add(key: string, count: number): Promise<number>;
}

/** Limits how often something happens per key and minute in all locations together. */
export class SharedLimit {
  readonly #deps: SharedLimitDeps;
  readonly #options: Required<SharedLimitOptions>;
  readonly #keys = new LRUCache<string, KeyCount>({ max: KEYS_MAX });

  constructor(deps: SharedLimitDeps, options: SharedLimitOptions) {
    this.#deps = deps;
    this.#options = { free: 0, freshMs: 0, ...options };
  }

  /** Counts one more for a key. `success` is false above the limit. */
  async limit({ key }: { readonly key: string }): Promise<{ success: boolean }> {
    const { max, free, freshMs } = this.#options;
    const now = this.#deps.now();
    const minute = Math.floor(now / WINDOW_MS);
    const known = this.#keys.get(key);
    const count =
      known?.minute === minute
        ? known
        : { minute, waiting: free, total: 0, readAt: Number.NEGATIVE_INFINITY };
    this.#keys.set(key, count);
    count.waiting++;
    if (count.total > max || now - count.readAt < freshMs)
      return { success: count.total + count.waiting <= max };
    const sent = count.waiting;
    count.waiting = 0;
    count.readAt = now;
    try {
      count.total = await this.#add(this.#deps.hashKey(`${this.#options.name} ${key}`), sent);
    } catch {
      count.waiting += sent;
      return this.#deps.fallback.limit({ key });
    }
    return { success: count.total + count.waiting <= max };
  }

  #add(hash: string, count: number): Promise<number> {
    const { counters, sleep } = this.#deps;
    const shard = Number.parseInt(hash.slice(0, 4), 16) % SHARDS;
    const counter = counters.getByName(`${this.#options.name} ${shard}`) as unknown as Counter;
    const timeout = sleep(PATIENCE_MS).then(() => {
      throw new Error("The counter did not respond");
    });
    // Only the first of the two is awaited.
    timeout.catch(() => {});
    return Promise.race([counter.add(hash, count), timeout]);
  }
}
