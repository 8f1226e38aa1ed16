import { FIRST_RETRY_MS } from "./upload-state";

/** A slice of a file that has not arrived: its number, from 1, and its byte range from `start` up to but excluding `end`. */
export interface FileSlice {
  readonly number: number;
  readonly start: number;
  readonly end: number;
}

/** Returns the slices of a file that the server does not have. A slice whose size is wrong is sent again. */
export function missingSlices(
  byteSize: number,
  partSize: number,
  arrived: readonly { readonly number: number; readonly byte_size: number }[],
): FileSlice[] {
  const sizes = new Map(arrived.map(({ number, byte_size }) => [number, byte_size]));
  const missing: FileSlice[] = [];
  for (let number = 1, start = 0; start < byteSize; number++, start += partSize) {
    const end = Math.min(start + partSize, byteSize);
    if (sizes.get(number) !== end - start) missing.push({ number, start, end });
  }
  return missing;
}

/**
 * Returns the delay before a retry in milliseconds. It doubles with each attempt, minus up to a quarter at random, so that browsers that failed at
 * the same time do not retry at the same time. It is never shorter than the server requires.
 * @param attempts number of attempts so far, from 1
 * @param requestedDelay the server's Retry-After in milliseconds, or null
 * @param random random number from 0 up to 1
 */
export function computeRetryDelay(attempts: number, requestedDelay: number | null, random: number): number {
  const delay = FIRST_RETRY_MS * 2 ** (attempts - 1) * (1 - random / 4);
  return Math.max(delay, requestedDelay ?? 0);
}

/** Parses a Retry-After header to milliseconds from now: seconds or a date (RFC 9110 §10.2.3). Null for other values. */
export function readRetryAfter(header: string | null, now: number): number | null {
  if (header === null || header.trim() === "") return null;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
