/**
 * Time after the start of a caller's work for which others wait for it, in milliseconds. One of them then does the work as well, because the first
 * request may have been cancelled.
 */
export const WAIT_MS = 500;
/** Interval at which a waiting request checks for the result, in milliseconds. */
const POLL_INTERVAL_MS = 4;

/** A piece of work, in progress or ended. */
interface Flight {
  /** Time at which it began, in epoch milliseconds. */
  readonly since: number;
  hasEnded: boolean;
}

/** The clock and the timers of waiting requests. Tests inject their own. */
export interface SingleFlightOptions {
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Default: WAIT_MS. */
  readonly waitMs?: number;
}

/**
 * Lets one request do a piece of work while other requests for the same key wait for its stored result. In workerd a request must not await another
 * request's promise: under load some of the waiting requests are cancelled as hung, or resumed in the other request's context, where they cannot
 * respond. Therefore they poll with their own timers.
 */
export class SingleFlight {
  readonly #flights = new Map<string, Flight>();
  readonly #options: SingleFlightOptions;

  constructor(options: SingleFlightOptions) {
    this.#options = options;
  }

  /**
   * The stored result of a key, or the result of the work for it.
   * @param readCached returns the stored result, or undefined; its parameter states whether another request is doing the work now
   * @param work stores its result where `readCached` finds it, or stores nothing: then every waiting caller does the work itself
   */
  async run<T>(
    key: string,
    readCached: (isInFlight: boolean) => T | undefined,
    work: () => Promise<T>,
  ): Promise<T> {
    let awaited: Flight | undefined;
    for (;;) {
      const flight = this.#flights.get(key);
      const cached = readCached(flight !== undefined);
      if (cached !== undefined) return cached;
      const { now, waitMs = WAIT_MS } = this.#options;
      const isLate = flight && now() - flight.since >= waitMs;
      // If that work is late, the other callers now wait for this request instead.
      if (!flight || isLate || awaited?.hasEnded) return this.#fly(key, work);
      awaited = flight;
      await this.#options.sleep(POLL_INTERVAL_MS);
    }
  }

  /** From now on, callers no longer wait for work in progress for this key. */
  forget(key: string): void {
    this.#flights.delete(key);
  }

  async #fly<T>(key: string, work: () => Promise<T>): Promise<T> {
    const flight: Flight = { since: this.#options.now(), hasEnded: false };
    this.#flights.set(key, flight);
    try {
      return await work();
    } finally {
      flight.hasEnded = true;
      if (this.#flights.get(key) === flight) this.#flights.delete(key);
    }
  }
}
