import type { EventRecord } from "#functions/services/visitors/visitor-ports";
import { type CacheOptions, RevalidatingCache } from "./revalidating-cache";

/**
 * Time for which a record is used without revalidation, in milliseconds. The revision, a number that every change of the event increases, comes from
 * the event's room (its Durable Object). The room caches it for the same time (REVISION_FRESH_MS), so that a change takes effect everywhere within
 * one second.
 */
export const RECORD_FRESH_MS = 400;
/** Age at which one request checks the record while the others continue to use it without waiting, in milliseconds. */
export const RECORD_RENEW_MS = 280;

/**
 * Time since its last check for which a record is used while its revision cannot be read, in milliseconds. A short failure of D1 thus does not change
 * visitors' pages. No owner can close an event while D1 fails; the event's dates take effect all the same.
 */
export const UNCHECKED_MAX_MS = 15_000;

/** Source of the records. */
export interface RecordSource<T> {
  /** Reads the whole record; null when there is none. One round trip. */
  load(id: string): Promise<T | null>;
  /** Reads only the record's revision; null if the record was deleted. */
  revision(id: string): Promise<number | null>;
}

/** The cache of events' records. */
export type EventCache = ReturnType<typeof eventCache<EventRecord>>;

/**
 * Caches records in the isolate. A record older than RECORD_FRESH_MS is used only after its revision was read again, or for UNCHECKED_MAX_MS while that
 * fails.
 */
export function eventCache<T extends { readonly revision: number }>(
  source: RecordSource<T>,
  options: CacheOptions<T>,
) {
  const cache = new RevalidatingCache<T>({ ...options, freshMs: RECORD_FRESH_MS, renewMs: RECORD_RENEW_MS });
  /** Cached records whose revision was found to have changed. */
  const outdatedRecords = new WeakSet<T>();
  return {
    /**
     * The record; null when there is none. It was checked at most RECORD_FRESH_MS ago, or UNCHECKED_MAX_MS while its revision cannot be read.
     * @throws when D1 fails and no such record is cached, or the cached one is known to be outdated
     */
    async get(id: string): Promise<T | null> {
      try {
        return await cache.get(id, async (known) => {
          if (!known) return source.load(id);
          if ((await source.revision(id)) === known.revision) return known;
          outdatedRecords.add(known);
          return source.load(id);
        });
      } catch (error) {
        const known = cache.find(id);
        const isUsable =
          known && !outdatedRecords.has(known.value) && options.now() - known.at < UNCHECKED_MAX_MS;
        if (isUsable) return known.value;
        throw error;
      }
    },
    /** Whether a record is cached, valid or not. */
    has: (id: string) => cache.find(id) !== undefined,
    /** Removes a record that this isolate has just changed. */
    drop: (id: string) => cache.drop(id),
  };
}
