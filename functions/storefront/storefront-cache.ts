/**
 * The cache of stores' responses: fresh for a minute, at the edge and in the isolate, and used for another hour while they are renewed. They contain
 * no data of visitors and no carts. A failure is shared by all callers who wait for the same response, and by the callers of the following second.
 */
import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { RevalidatingCache } from "#functions/cache/revalidating-cache";
import { StoreFailure } from "~/domain/store/store-failure";
import { OPERATION_TIMEOUT_MS } from "./send-to-store";

/** Time for which a response is fresh, in milliseconds. */
export const RESPONSE_FRESH_MS = 60_000;
/** Time for which a stale response is used while it is renewed, in milliseconds: cached products stay visible while a store is down. */
export const RESPONSE_STALE_MS = 3_600_000;
/** Time that callers wait for another caller's query, in milliseconds. Longer than a slow store takes, and shorter than visitors wait for a page. */
export const STORE_QUERY_WAIT_MS = 4_000;
/** Time for which the failure of a query is returned without another call, in milliseconds. */
export const FAILURE_KEPT_MS = 1_000;
/** Maximum number of failures in an isolate's memory. */
const FAILED_MAX = 200;
/** Maximum number of renewals in progress that an isolate remembers. */
const RENEWALS_MAX = 1000;
/** Version of the cached data's format. Responses of another version are ignored. */
const DATA_VERSION = 3;
/** Maximum number of characters of responses that an isolate with its 128 MB caches. */
const MEMORY_MAX = 8_000_000;

/** The shared cache of responses for all isolates at one location. */
export interface ResponseStore {
  get(key: string): Promise<string | null>;
  put(key: string, text: string): Promise<void>;
}

/** Dependencies of the cache, one set per isolate. */
export interface StorefrontCacheDeps {
  readonly store: ResponseStore;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Lets one request do the work for several waiting ones (see SingleFlight). */
  readonly once: <T>(key: string, readCached: () => T | undefined, work: () => Promise<T>) => Promise<T>;
}

interface Entry {
  readonly at: number;
  readonly value: unknown;
}

/** Returns a cache key of everything on which a response depends. It contains only a hash of the token. */
export function responseKey(parts: {
  readonly origin: string;
  readonly token: string;
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
}): string {
  const token = createHash("sha256").update(parts.token).digest("hex");
  return createHash("sha256")
    .update(JSON.stringify([DATA_VERSION, parts.origin, token, parts.document, parts.variables]))
    .digest("hex");
}

/** The cache of responses. */
export class StorefrontCache {
  readonly #deps: StorefrontCacheDeps;
  readonly #memory = new LRUCache<string, Entry>({ maxSize: MEMORY_MAX });
  readonly #failed: RevalidatingCache<StoreFailure>;
  /** The caller that is renewing a key. Entries live longer than any operation takes: an older one belongs to a request that was cancelled. */
  readonly #renewing: RevalidatingCache<symbol>;

  constructor(deps: StorefrontCacheDeps) {
    this.#deps = deps;
    this.#failed = new RevalidatingCache({ now: deps.now, maxEntries: FAILED_MAX, freshMs: FAILURE_KEPT_MS });
    this.#renewing = new RevalidatingCache({
      now: deps.now,
      maxEntries: RENEWALS_MAX,
      freshMs: OPERATION_TIMEOUT_MS + 1,
    });
  }

  /**
   * Returns a cached response, or the result of `fetchResponse`, which is then cached. A response older than a minute is returned immediately and renewed in
   * the background.
   * @param defer receives work that the visitor's response does not wait for
   */
  async get<T>(
    key: string,
    fetchResponse: () => Promise<T>,
    defer: (work: Promise<unknown>) => void,
  ): Promise<T> {
    const cached = await this.#findUsable(key);
    if (cached) {
      if (!this.#isFresh(cached)) this.#renew(key, fetchResponse, defer);
      return cached.value as T;
    }
    const response = this.once(key, async () => {
      const value = await fetchResponse();
      this.put(key, value, defer);
      return value;
    });
    // Other requests may wait for the response, so the work continues when this visitor leaves.
    defer(response.catch(() => {}));
    return response;
  }

  /**
   * Returns the result of `work`, which caches it, or the result that another caller has cached meanwhile. There is one query at a time per key,
   * unless it takes longer than STORE_QUERY_WAIT_MS. All waiting callers get the same StoreFailure.
   */
  once<T>(key: string, work: () => Promise<T>): Promise<T> {
    const readCached = () => {
      const failure = this.#failed.fresh(key);
      if (failure) throw failure.repeatWithoutCall();
      const entry = this.#memory.get(key);
      return entry && this.#isFresh(entry) ? (entry.value as T) : undefined;
    };
    return this.#deps.once<T>(key, readCached, async () => {
      try {
        return await work();
      } catch (error) {
        if (error instanceof StoreFailure) this.#failed.set(key, error);
        throw error;
      }
    });
  }

  /** Caches an incomplete response for the callers who wait for it in this isolate. It is stale after FAILURE_KEPT_MS. */
  share(key: string, value: unknown): void {
    const entry = { at: this.#deps.now() - RESPONSE_FRESH_MS + FAILURE_KEPT_MS, value };
    this.#memory.set(key, entry, { size: JSON.stringify(entry).length });
  }

  /** Like `once`, but ignores responses from before `since` (epoch milliseconds), and does not remember failures. */
  onceSince<T>(key: string, since: number, work: () => Promise<T>): Promise<T> {
    const readCached = () => {
      const entry = this.#memory.get(key);
      return entry && entry.at >= since ? (entry.value as T) : undefined;
    };
    return this.#deps.once<T>(`${key} renewed`, readCached, work);
  }

  /** Epoch milliseconds. */
  now(): number {
    return this.#deps.now();
  }

  /** Returns the cached value of a key, fresh or not, and its time; undefined for none. */
  async peek<T>(
    key: string,
  ): Promise<{ readonly value: T; readonly isFresh: boolean; readonly at: number } | undefined> {
    const cached = await this.#findUsable(key);
    return cached && { value: cached.value as T, isFresh: this.#isFresh(cached), at: cached.at };
  }

  /** Caches a response. */
  put(key: string, value: unknown, defer: (work: Promise<unknown>) => void): void {
    const entry = { at: this.#deps.now(), value };
    const text = JSON.stringify(entry);
    this.#failed.drop(key);
    this.#memory.set(key, entry, { size: text.length });
    defer(this.#deps.store.put(key, text));
  }

  /** Renews a response, unless another caller of this isolate is renewing it already. */
  renewOnce(key: string, work: () => Promise<unknown>, defer: (work: Promise<unknown>) => void): void {
    if (this.#renewing.fresh(key)) return;
    const renewal = Symbol();
    this.#renewing.set(key, renewal);
    // The cached response stays valid if the store fails.
    defer(
      work()
        .catch(() => {})
        .finally(() => {
          if (this.#renewing.find(key)?.value === renewal) this.#renewing.drop(key);
        }),
    );
  }

  #renew(key: string, fetchResponse: () => Promise<unknown>, defer: (work: Promise<unknown>) => void): void {
    this.renewOnce(key, async () => this.put(key, await fetchResponse(), defer), defer);
  }

  #isFresh = ({ at }: Entry) => this.#deps.now() - at < RESPONSE_FRESH_MS;
  #isUsable = ({ at }: Entry) => this.#deps.now() - at < RESPONSE_FRESH_MS + RESPONSE_STALE_MS;

  async #findUsable(key: string): Promise<Entry | undefined> {
    const cached = this.#memory.get(key);
    if (cached && this.#isFresh(cached)) return cached;
    const text = await this.#deps.store.get(key);
    const stored = text === null ? undefined : readEntry(text);
    if (text !== null && stored && (!cached || stored.at > cached.at))
      this.#memory.set(key, stored, { size: text.length });
    const newestEntry = this.#memory.get(key);
    if (newestEntry && this.#isUsable(newestEntry)) return newestEntry;
    this.#memory.delete(key);
    return undefined;
  }
}

function readEntry(text: string): Entry | undefined {
  const entry = JSON.parse(text) as Partial<Entry>;
  return typeof entry.at === "number" && entry.value !== undefined
    ? { at: entry.at, value: entry.value }
    : undefined;
}

/** Uses the edge's Cache API as the shared cache of responses. */
export function edgeResponseStore(cache: () => Promise<Pick<Cache, "match" | "put">>): ResponseStore {
  const cacheUrl = (key: string) => `https://answers.invalid/${key}`;
  return {
    get: async (key) => (await (await cache()).match(cacheUrl(key)))?.text() ?? null,
    async put(key, text) {
      const headers = {
        "content-type": "application/json",
        "cache-control": `max-age=${(RESPONSE_FRESH_MS + RESPONSE_STALE_MS) / 1000}`,
      };
      await (await cache()).put(cacheUrl(key), new Response(text, { headers }));
    },
  };
}
