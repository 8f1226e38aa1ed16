/** Time limits for web workers. A web worker reports the amount of work before each long call that it cannot interrupt (decision 079). */

/** Minimum time without progress after which a conversion counts as failed, in milliseconds. */
export const SILENCE_MS = 20_000;
/** Maximum time limit for a single call that cannot report progress, in milliseconds. */
const SILENCE_MAX_MS = 180_000;

/** Time in microseconds that a single call needs at most for each unit of its work. Decision 079 contains the measured values. */
const UNIT_US = {
  triangles: 30,
  splats: 30,
  /** Pixels that are decoded, drawn or encoded. */
  pixels: 1.5,
  /** Pixels that are encoded as KTX2. */
  ktx2Pixels: 30,
  /** Bytes of a file that a loader reads in one call. */
  bytes: 0.5,
} as const;

/** Amount of work in a single call. */
export type Work = { readonly [unit in keyof typeof UNIT_US]?: number };

/** Returns the time limit of a single call, in milliseconds. */
export function timeLimitFor(work: Work): number {
  const units = Object.entries(work) as [keyof typeof UNIT_US, number][];
  const needed = units.reduce((sum, [unit, amount]) => sum + (amount * UNIT_US[unit]) / 1000, 0);
  return Math.min(SILENCE_MAX_MS, Math.max(SILENCE_MS, Math.round(needed)));
}
