import { RevalidatingCache } from "#functions/cache/revalidating-cache";
import type { StoredFile } from "#functions/services/library/stored-file-ports";

/** Time for which a cached value is used without revalidation, in milliseconds. */
const FRESH_MS = 1_000;
const MAX_READS = 500;

/**
 * Cache of the files that a reader was authorized to read, by file and reader. A player requests one range after the other; ranges that follow within a second need no
 * second check of the session and the record. Used only for ranges: a request for a whole file is always checked.
 */
export type RecentReads = RevalidatingCache<StoredFile>;

/**
 * Creates the cache of an isolate.
 * @param now epoch milliseconds
 */
export const createRecentReads = (now: () => number): RecentReads =>
  new RevalidatingCache({ now, maxEntries: MAX_READS, freshMs: FRESH_MS });
