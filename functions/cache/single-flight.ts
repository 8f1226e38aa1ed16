/** How long others wait for somebody's work before one of them does it as well: its request may have been cancelled. */
export const PATIENCE_MS = 500;
/** How long a waiting request sleeps before it looks again. */
const STEP_MS = 4;

interface Flight {
  readonly since: number;
  hasEnded: boolean;
}

/** The clock and the timers of waiting requests: a test brings its own. */
export interface SingleFlightOptions {
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** PATIENCE_MS unless given. */
  readonly patienceMs?: number;
}

/**
 * Lets one request do a piece of work while others that need the same wait for what it leaves behind.
 *
 * A request of workerd must not wait for a promise of another one: under load some of the waiting requests are cancelled as
 * hung, or resumed in the other's context, where they may not answer. So they look again by timers of their own.
 */
export class SingleFlight {
  readonly #flights = new Map<string, Flight>();
  readonly #options: SingleFlightOptions;

  constructor(options: SingleFlightOptions) {
    this.#options = options;
  }

  /**
   * What is there for a key, or what the work for it comes to.
   * @param look what is there; undefined for nothing. `underWay`: somebody is doing the work just now
   * @param work leaves its result where `look` finds it, or nothing: then everybody who waited does it for himself
   */
  async run<T>(key: string, look: (underWay: boolean) => T | undefined, work: () => Promise<T>): Promise<T> {
    let awaited: Flight | undefined;
    for (;;) {
      const flight = this.#flights.get(key);
      const found = look(flight !== undefined);
      if (found !== undefined) return found;
      const { now, patienceMs = PATIENCE_MS } = this.#options;
      const isLate = flight && now() - flight.since >= patienceMs;
      // Others go on waiting for whoever took over from somebody who was late.
      if (!flight || isLate || awaited?.hasEnded) return this.#fly(key, work);
      awaited = flight;
      await this.#options.sleep(STEP_MS);
    }
  }

  /** Whoever comes from now on no longer waits for work under way. */
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
