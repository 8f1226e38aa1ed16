/**
 * How long a page waits for a worker. A worker that computes for long reports before each call that it cannot interrupt, and says how
 * much that call works on (decision 079).
 */

/** Time without a message after which a worker has failed, in milliseconds. */
export const SILENCE_MS = 20_000;
/** The same for the longest single call of a library that cannot report, in milliseconds. */
const SILENCE_MAX_MS = 180_000;

/** Maximum duration in microseconds of a single call for each item that it processes. Decision 079 states which were measured. */
const UNIT_US = {
  triangles: 30,
  splats: 30,
  /** Pixels that are decoded, drawn or written. */
  pixels: 1.5,
  /** Pixels that are written as KTX2. */
  ktx2Pixels: 30,
  /** Bytes of a file that a loader reads in one call. */
  bytes: 0.5,
} as const;

/** Amount that a single call works on. */
export type Work = { readonly [unit in keyof typeof UNIT_US]?: number };

/** Time that a page waits for the end of a single call, in milliseconds. */
export function patienceFor(work: Work): number {
  const units = Object.entries(work) as [keyof typeof UNIT_US, number][];
  const needed = units.reduce((sum, [unit, amount]) => sum + (amount * UNIT_US[unit]) / 1000, 0);
  return Math.min(SILENCE_MAX_MS, Math.max(SILENCE_MS, Math.round(needed)));
}
