/**
 * Rules of the shards of a large event's room (decision 104). A room is the Durable Object that collects an event's visits; a call is a request of an
 * isolate of the web worker to it. All functions are pure.
 */
import type { Uuid } from "~/domain/shared/model";

/** Number of calls per second above which a room shares its calls among shards: less than half of the 1,000 that one object can handle. */
export const CALLS_PER_SECOND_MAX = 400;
/** Maximum number of shards of one event. */
export const SHARDS_MAX = 64;
/** Time without a new shard after which a room may receive the calls itself again, in milliseconds. */
export const SHARDS_KEPT_MS = 10 * 60_000;

/** Name of the object that receives calls: the event's room (shard 0), or one of its shards, which are numbered from 1. */
export const roomName = (eventId: Uuid, shard: number): string =>
  shard === 0 ? eventId : `${eventId}/${shard}`;

/** Whether a value is the number of a room (0) or of a shard. */
export const isShard = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= SHARDS_MAX;

/**
 * Returns the shard to which an isolate sends all its calls; 0 for the room itself. It does not depend on the visitor: otherwise the parts of one batch
 * would go to many shards, and each call has a cost (decision 104).
 */
export function chooseShard(isolate: string, shards: number): number {
  if (shards <= 1) return 0;
  // FNV-1a, 32 bits.
  let hash = 0x811c9dc5;
  for (let index = 0; index < isolate.length; index++)
    hash = Math.imul(hash ^ isolate.charCodeAt(index), 0x01000193);
  return ((hash >>> 0) % shards) + 1;
}

/**
 * Returns the number of shards for a number of calls per second: four times as many as now, up to SHARDS_MAX, if they have too many calls. It does not fall.
 * @param current present number; 1 if the room has no shards
 * @param limit maximum number of calls per second of one object
 */
export const shardsFor = (callsPerSecond: number, current: number, limit: number): number =>
  callsPerSecond > limit * current ? Math.min(SHARDS_MAX, 4 * current) : current;

/** Counts calls by the second. */
export class CallRate {
  #second = 0;
  #calls = 0;
  #previousCalls = 0;

  /** Counts a call. @param now epoch milliseconds */
  add(now: number): void {
    this.#advance(now);
    this.#calls++;
  }

  /** Calls of this second or of the second before, whichever has more. */
  perSecond(now: number): number {
    this.#advance(now);
    return Math.max(this.#calls, this.#previousCalls);
  }

  #advance(now: number): void {
    const second = Math.floor(now / 1000);
    if (second === this.#second) return;
    this.#previousCalls = second === this.#second + 1 ? this.#calls : 0;
    this.#calls = 0;
    this.#second = second;
  }
}
