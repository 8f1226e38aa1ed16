import type { RateLimiter } from "#functions/services/ports";

/** The limits and the window of the bindings (wrangler.toml). */
const LIMIT = { subject: 10, place: 50, event: 300 } as const;
const WINDOW_MS = 60_000;
const MAX_KEYS = 10_000;

type Scope = keyof typeof LIMIT;

const scopeOf = (key: string): Scope =>
  key.startsWith("place:") ? "place" : key.startsWith("event:") ? "event" : "subject";

interface Guesses {
  /** When each guess of the window began that has failed or is under way. */
  readonly began: number[];
  /** Until when the key is closed because failures elsewhere have used it up. */
  closedUntil: number;
}

/** What the log is told of guesses. */
export interface GuessesNoted {
  readonly what: string;
  readonly outcome: "wrong" | "refused";
  /** How many there were in the last minute that had any. */
  readonly before: { readonly wrong: number; readonly refused: number };
}

/**
 * Counts guesses twice. Here exactly and before they are checked; a guess that was cut off, whose request nobody waited for,
 * leaves with its window like a failure. And with the platform's rate limit, for what other isolates see: it knows no way
 * to ask without counting, so it hears of failures alone, and success costs nobody anything.
 */
export class GuessLimit implements RateLimiter {
  readonly #bindings: Readonly<Record<Scope, RateLimit>>;
  readonly #now: () => number;
  readonly #tell: (line: GuessesNoted) => void;
  /** By what was guessed at. */
  readonly #noted = new Map<string, { readonly window: number; wrong: number; refused: number }>();
  /** Least recently used first. */
  readonly #keys = new Map<string, Guesses>();

  /** @param tell is told of the first wrong guess of a minute, the first that is refused, and of how many there were in the minute before */
  constructor(
    bindings: Readonly<Record<Scope, RateLimit>>,
    now: () => number,
    tell: (line: GuessesNoted) => void,
  ) {
    this.#bindings = bindings;
    this.#now = now;
    this.#tell = tell;
  }

  async reserve(key: string): Promise<boolean> {
    const now = this.#now();
    const known = this.#keys.get(key);
    const began = (known?.began ?? []).filter((time) => time > now - WINDOW_MS);
    const closedUntil = known?.closedUntil ?? 0;
    if (closedUntil > now || began.length >= LIMIT[scopeOf(key)]) return false;
    this.#keep(key, { began: [...began, now], closedUntil });
    return true;
  }

  async fail(key: string): Promise<boolean> {
    const { success } = await this.#bindings[scopeOf(key)].limit({ key });
    if (!success) {
      const began = this.#keys.get(key)?.began ?? [];
      this.#keep(key, { began, closedUntil: this.#now() + WINDOW_MS });
    }
    return success;
  }

  release(key: string): void {
    const known = this.#keys.get(key);
    known?.began.pop();
    if (known?.began.length === 0 && known.closedUntil <= this.#now()) this.#keys.delete(key);
  }

  note(what: string, outcome: "wrong" | "refused"): void {
    const window = Math.floor(this.#now() / WINDOW_MS);
    const known = this.#noted.get(what);
    const counts = known?.window === window ? known : { window, wrong: 0, refused: 0 };
    this.#noted.set(what, counts);
    // A flood of guesses is none of lines.
    if (++counts[outcome] > 1) return;
    const { wrong, refused } = known && known !== counts ? known : { wrong: 0, refused: 0 };
    this.#tell({ what, outcome, before: { wrong, refused } });
  }

  #keep(key: string, guesses: Guesses): void {
    this.#keys.delete(key);
    const [oldest] = this.#keys.keys();
    if (this.#keys.size >= MAX_KEYS && oldest !== undefined) this.#keys.delete(oldest);
    this.#keys.set(key, guesses);
  }
}
