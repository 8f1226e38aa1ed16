import { LRUCache } from "lru-cache";
import type { RateLimiter } from "#functions/services/auth/auth-ports";
import type { Uuid } from "~/domain/shared/model";

/**
 * Maximum failed attempts per minute, which are also the limits of the bindings (wrangler.toml). `place` limits a network (keys with `place:`);
 * `event` limits all visitors of an event (`event:`), and an IPv6 /48 (`site:`); `subject` limits every other key, such as an account.
 */
export const ATTEMPT_LIMITS = { subject: 10, place: 50, event: 300 } as const;
const WINDOW_MS = 60_000;
const MAX_KEYS = 10_000;

type Scope = keyof typeof ATTEMPT_LIMITS;

const scopeOf = (key: string): Scope =>
  key.startsWith("place:")
    ? "place"
    : key.startsWith("event:") || key.startsWith("site:")
      ? "event"
      : "subject";

interface AttemptRecord {
  /** Start times of the attempts in the current window that failed or are in progress, in epoch milliseconds. */
  readonly startedAt: number[];
  /** Epoch milliseconds until which the key is blocked, because failures in other isolates have used up its limit. */
  blockedUntil: number;
}

/** A log line about attempts. */
export interface AttemptLogEntry {
  /** The kind of secret that the attempt was for, such as "log-in" or "publish password". */
  readonly secretKind: string;
  readonly outcome: "wrong" | "rejected";
  /** The account of the attempt that caused the log line; null for a secret without an account and for an unknown address. */
  readonly account: Uuid | null;
  /** Numbers of attempts in the most recent earlier minute with attempts. */
  readonly before: { readonly wrong: number; readonly rejected: number };
}

/**
 * Limits attempts at two levels. This isolate counts attempts exactly and before they are checked; an attempt whose request was aborted counts as a
 * failure until its window ends. A shared limit counts for all locations together (shared-limit.ts). Reading it also counts, so only failures are counted
 * there and successful attempts use up nothing.
 */
export class AttemptLimiter implements RateLimiter {
  readonly #bindings: Readonly<Record<Scope, Pick<RateLimit, "limit">>>;
  readonly #now: () => number;
  readonly #writeLine: (line: AttemptLogEntry) => void;
  /** Counts of the latest minute with attempts, by the kind of secret. `window` is the number of the minute. */
  readonly #noted = new Map<string, { readonly window: number; wrong: number; rejected: number }>();
  readonly #keys = new LRUCache<string, AttemptRecord>({ max: MAX_KEYS });

  /** @param writeLine logs the first wrong and the first rejected attempt of a minute, with the numbers of the last minute that had attempts */
  constructor(
    bindings: Readonly<Record<Scope, Pick<RateLimit, "limit">>>,
    now: () => number,
    writeLine: (line: AttemptLogEntry) => void,
  ) {
    this.#bindings = bindings;
    this.#now = now;
    this.#writeLine = writeLine;
  }

  async reserve(key: string): Promise<boolean> {
    const now = this.#now();
    const record = this.#keys.get(key);
    const startedAt = (record?.startedAt ?? []).filter((time) => time > now - WINDOW_MS);
    const blockedUntil = record?.blockedUntil ?? 0;
    if (blockedUntil > now || startedAt.length >= ATTEMPT_LIMITS[scopeOf(key)]) return false;
    this.#keys.set(key, { startedAt: [...startedAt, now], blockedUntil });
    return true;
  }

  async fail(key: string): Promise<boolean> {
    const { success } = await this.#bindings[scopeOf(key)].limit({ key });
    if (!success) {
      const startedAt = this.#keys.get(key)?.startedAt ?? [];
      this.#keys.set(key, { startedAt, blockedUntil: this.#now() + WINDOW_MS });
    }
    return success;
  }

  release(key: string): void {
    const record = this.#keys.get(key);
    record?.startedAt.pop();
    if (record?.startedAt.length === 0 && record.blockedUntil <= this.#now()) this.#keys.delete(key);
  }

  note(secretKind: string, outcome: "wrong" | "rejected", account: Uuid | null): void {
    const window = Math.floor(this.#now() / WINDOW_MS);
    const record = this.#noted.get(secretKind);
    const counts = record?.window === window ? record : { window, wrong: 0, rejected: 0 };
    this.#noted.set(secretKind, counts);
    // Logs only the first attempt with this outcome per minute.
    if (++counts[outcome] > 1) return;
    const { wrong, rejected } = record && record !== counts ? record : { wrong: 0, rejected: 0 };
    this.#writeLine({ secretKind, outcome, account, before: { wrong, rejected } });
  }
}
