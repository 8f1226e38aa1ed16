import type { EventRecord } from "#functions/services/visitors/visitor-ports";
import { type CacheOptions, RevalidatingCache } from "./revalidating-cache";

/**
 * Time for which a record is used without revalidation, in milliseconds. The revision comes from the event's room, which caches it for the same time
 * (REVISION_FRESH_MS), so that a change takes effect everywhere within one second (design §5).
 */
export const RECORD_FRESH_MS = 400;
/** Age at which one request checks the record while the others continue to use it without waiting. */
export const RENEW_MS = 280;

/** Source of the records. */
export interface RecordSource<T> {
  /** Reads the whole record; null when there is none. One round trip. */
  load(id: string): Promise<T | null>;
  /** Reads only the record's revision; null if the record was deleted. */
  revision(id: string): Promise<number | null>;
}

/** The cache of events' records. */
export type EventCache = ReturnType<typeof eventCache<EventRecord>>;

/** Caches records in the isolate. A record older than RECORD_FRESH_MS is used only after its revision was read again. */
export function eventCache<T extends { readonly revision: number }>(
  source: RecordSource<T>,
  options: CacheOptions<T>,
) {
  const cache = new RevalidatingCache<T>({ ...options, freshMs: RECORD_FRESH_MS, renewMs: RENEW_MS });
  return {
    /** The record if it was valid at most RECORD_FRESH_MS ago, or null. */
    get: (id: string) =>
      cache.get(id, async (known) =>
        known && (await source.revision(id)) === known.revision ? known : source.load(id),
      ),
    /** Whether there is a record, valid or not. */
    has: (id: string) => cache.find(id) !== undefined,
    /** Removes a record that this isolate has just changed. */
    drop: (id: string) => cache.drop(id),
  };
}
