import type { Uuid } from "~/domain/shared/model";
import { coalesce } from "./coalesce";
import { CallRate, SHARDS_KEPT_MS, shardsFor } from "./room-shards";
import type { StoredCall } from "./visit-call";
import type { VisitLog } from "./visit-log";

/** Maximum time until a shard responds, in milliseconds. */
const TIMEOUT_MS = 2_000;

/** The request with which a room takes calls out of a shard. */
export interface TakeCalls {
  readonly eventId: Uuid;
  readonly shard: number;
  /** Number of shards that the shard states to its callers. */
  readonly shards: number;
  /** The storage and the id of the last call that the room has stored: the shard deletes the calls up to it. Empty and 0 in the first request. */
  readonly storage: string;
  readonly taken: number;
}

/** The next calls of a shard, in order. It has no others if the list is empty. */
export interface TakenCalls {
  /** Random name of the shard's storage. */
  readonly storage: string;
  readonly calls: readonly StoredCall[];
  /** Rate at which the shard receives calls now. */
  readonly callsPerSecond: number;
}

/** Dependencies of ShardMerger. */
export interface MergerDeps {
  readonly log: VisitLog;
  readonly takeCalls: (request: TakeCalls) => Promise<TakenCalls>;
  /** Stores taken calls in the log. */
  readonly store: (calls: readonly StoredCall[]) => Promise<void>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Maximum number of calls per second of one object. */
  readonly limit: number;
  readonly onError: (error: unknown, shard: number) => void;
}

/**
 * Moves the calls (messages with parts of visits) of an event's shards into the log of its room, and decides on the number of shards. A shard is a Durable
 * Object that receives some of a large event's calls (decision 104).
 */
export class ShardMerger {
  readonly #deps: MergerDeps;
  readonly #rate = new CallRate();
  /** Calls per second of each shard when it last responded. */
  readonly #shardRates = new Map<number, number>();
  /** Time until which the log has all calls of a shard, in epoch milliseconds. Unknown for a shard that has not responded since the room started. */
  readonly #completeUntil = new Map<number, number>();
  /** By shard: takes its calls, one run at a time. */
  readonly #takes = new Map<number, () => Promise<void>>();

  constructor(deps: MergerDeps) {
    this.#deps = deps;
  }

  /** Counts a call that the room itself received. Adds shards if there are too many calls. */
  countCall(): void {
    this.#rate.add(this.#deps.now());
    this.#grow();
  }

  /** Time until which the log has the calls of all shards, in epoch milliseconds; 0 if that is unknown. */
  get completeUntil(): number {
    const { shards } = this.#deps.log;
    const now = this.#deps.now();
    if (shards === 1) return now;
    return Math.min(now, ...numbersTo(shards).map((shard) => this.#completeUntil.get(shard) ?? 0));
  }

  /** Moves the calls of all shards into the log. Returns false if that failed for a shard. */
  async mergeAll(): Promise<boolean> {
    const { shards } = this.#deps.log;
    if (shards === 1) return true;
    const results = await Promise.allSettled(numbersTo(shards).map((shard) => this.merge(shard)));
    return results.every(({ status }) => status === "fulfilled");
  }

  /** Moves the calls of a shard into the log. Resolves when the log has all calls that the shard had acknowledged before. @throws when the shard does not respond, or the log cannot store them */
  merge(shard: number): Promise<void> {
    const take = this.#takes.get(shard) ?? coalesce(() => this.#take(shard, this.#deps.log.shards));
    this.#takes.set(shard, take);
    return take();
  }

  /** Makes isolates call the room itself again, if no shard was added for SHARDS_KEPT_MS, few calls arrive, and all shards respond. */
  async shrink(): Promise<void> {
    const { log, limit, now } = this.#deps;
    const { shards } = log;
    const isQuiet = () =>
      log.shards === shards &&
      now() - log.getSetting("grown_at") >= SHARDS_KEPT_MS &&
      this.#callsPerSecond() <= limit / 2;
    // The shards state how many calls they receive, when the room takes their calls.
    if (shards === 1 || !isQuiet() || !(await this.mergeAll()) || !isQuiet()) return;
    log.setShards(1);
    await Promise.allSettled(numbersTo(shards).map((shard) => this.merge(shard)));
    this.#shardRates.clear();
  }

  async #take(shard: number, shards: number): Promise<void> {
    const { log, takeCalls, store, now, onError } = this.#deps;
    const eventId = log.getSetting("event_id");
    const startedAt = now();
    try {
      for (let lastTaken = { storage: "", taken: 0 }; ; ) {
        const { storage, calls, callsPerSecond } = await within(
          TIMEOUT_MS,
          takeCalls({ eventId, shard, shards, ...lastTaken }),
        );
        this.#shardRates.set(shard, callsPerSecond);
        if (calls.length === 0) break;
        await store(calls);
        // The request that confirms these calls leaves only after the storage has them.
        lastTaken = { storage, taken: calls.at(-1)?.id ?? 0 };
      }
    } catch (error) {
      onError(error, shard);
      throw error;
    }
    this.#completeUntil.set(shard, startedAt);
    this.#grow();
  }

  #callsPerSecond(): number {
    const ownRate = this.#rate.perSecond(this.#deps.now());
    return [...this.#shardRates.values()].reduce((sum, rate) => sum + rate, ownRate);
  }

  #grow(): void {
    const { log, limit, now } = this.#deps;
    const { shards } = log;
    const newCount = shardsFor(this.#callsPerSecond(), shards, limit);
    if (newCount === shards || !log.exists) return;
    log.setShards(newCount, now());
  }
}

const numbersTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("The shard did not respond")), ms);
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}
