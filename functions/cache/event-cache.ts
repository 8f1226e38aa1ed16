import type { EventRecord } from "#functions/services/visitors/visitor-ports";
import { type CacheOptions, RevalidatingCache } from "./revalidating-cache";

/**
 * Time for which a record is used without revalidation, in milliseconds. The revision comes from the event's room, which caches it for the same time
 * (REVISION_FRESH_MS), so that a change takes effect everywhere within one second (design §5).
 */
export const RECORD_FRESH_MS = 400;
/** Age at which one request checks the record while the others continue to use it without waiting. */
export const RENEW_MS = 280;

/**
 * Time since its last check for which a record is used while its revision cannot be read, in milliseconds. A short failure of D1 thus does not change
 * visitors' pages. No owner can close an event while D1 fails; its dates take effect all the same.
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
  const cache = new RevalidatingCache<T>({ ...options, freshMs: RECORD_FRESH_MS, renewMs: RENEW_MS });
  return {
    /** The record if it was valid at most RECORD_FRESH_MS ago, or null. @throws when D1 fails and no record was valid in the last UNCHECKED_MAX_MS */
    async get(id: string): Promise<T | null> {
      let isUnchecked = false;
      try {
        return await cache.get(id, async (known) => {
          if (!known) return source.load(id);
          isUnchecked = true;
          const revision = await source.revision(id);
          isUnchecked = false;
          return revision === known.revision ? known : source.load(id);
        });
      } catch (error) {
        const known = cache.find(id);
        // The record is outdated, but the current one could not be read.
        if (!isUnchecked) cache.drop(id);
        else if (known && options.now() - known.at < UNCHECKED_MAX_MS) return known.value;
        throw error;
      }
    },
    /** Whether there is a record, valid or not. */
    has: (id: string) => cache.find(id) !== undefined,
    /** Removes a record that this isolate has just changed. */
    drop: (id: string) => cache.drop(id),
  };
}
