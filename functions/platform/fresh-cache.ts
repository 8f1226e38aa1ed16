import { SingleFlight } from "./single-flight";

/** How long a record may be used without asking whether it has changed (DESIGN §5): a change holds everywhere within it. */
export const FRESH_MS = 1_000;
/** From this age on, one request asks while the others go on using the record, so that nobody waits for the answer. */
export const RENEW_MS = 700;

interface Entry<T> {
  readonly value: T;
  /** When the read that confirmed the value was sent, epoch ms. */
  readonly confirmedAt: number;
}

/** Where records come from, and how many are kept. */
export interface FreshCacheOptions<T> {
  /** Reads the whole record; null when there is none. One round trip. */
  readonly load: (key: string) => Promise<T | null>;
  /** Reads only the record's revision; null when it has gone. */
  readonly check: (key: string) => Promise<number | null>;
  readonly revisionOf: (value: T) => number;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly maxEntries: number;
}

/**
 * Records kept in the isolate under their revision. A record older than FRESH_MS is used only after its revision was read
 * again; callers that come meanwhile wait for that one read. What is missing is not kept. Those used longest ago go first.
 */
export class FreshCache<T> {
  readonly #entries = new Map<string, Entry<T>>();
  readonly #flights: SingleFlight;
  readonly #options: FreshCacheOptions<T>;
  #drops = 0;

  constructor(options: FreshCacheOptions<T>) {
    this.#options = options;
    this.#flights = new SingleFlight(options);
  }

  /** The record as it was at most FRESH_MS ago, or null. */
  get(key: string): Promise<T | null> {
    return this.#flights.run<T | null>(
      key,
      (underWay) => {
        const entry = this.#entries.get(key);
        const age = entry ? this.#options.now() - entry.confirmedAt : Number.POSITIVE_INFINITY;
        return age < (underWay ? FRESH_MS : RENEW_MS) ? entry?.value : undefined;
      },
      () => this.#read(key),
    );
  }

  /** Forgets a record because this isolate has just changed it; a read under way no longer counts. */
  drop(key: string): void {
    this.#drops++;
    this.#entries.delete(key);
    this.#flights.forget(key);
  }

  async #read(key: string): Promise<T | null> {
    const entry = this.#entries.get(key);
    const drops = this.#drops;
    let confirmedAt = this.#options.now();
    let value: T | null;
    if (entry && (await this.#options.check(key)) === this.#options.revisionOf(entry.value)) {
      value = entry.value;
    } else {
      confirmedAt = this.#options.now();
      value = await this.#options.load(key);
    }
    // A drop during the read means that the value may already be old: nobody but this caller, who asked before, gets it.
    if (this.#drops === drops) this.#keep(key, value, confirmedAt);
    return value;
  }

  #keep(key: string, value: T | null, confirmedAt: number): void {
    const known = this.#entries.get(key);
    if (known && known.confirmedAt > confirmedAt) return;
    this.#entries.delete(key);
    if (value === null) return;
    this.#entries.set(key, { value, confirmedAt });
    if (this.#entries.size <= this.#options.maxEntries) return;
    const oldest = this.#entries.keys().next().value;
    if (oldest !== undefined) this.#entries.delete(oldest);
  }
}
