import { RevalidatingCache } from "#functions/cache/revalidating-cache";
import type { StoredFile } from "#functions/services/shared/ports";

/** As long as anything is used without being asked for again (DESIGN §5). */
const FRESH_MS = 1_000;
const MAX_READS = 500;

/**
 * Files by the reader who was let in to them: a player asks for one part after the other, and each within a second of being let in
 * needs no other look at the session and the record. Only for parts of files: whatever is asked for whole is always looked up.
 */
export type RecentReads = RevalidatingCache<StoredFile>;

/** @param now epoch milliseconds */
export const recentReads = (now: () => number): RecentReads =>
  new RevalidatingCache({ now, maxEntries: MAX_READS, freshMs: FRESH_MS });
