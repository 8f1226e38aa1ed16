/** Summary of a series of measurements. */
export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

/** The value below which a share of sorted numbers lies (for 1, the largest); NaN when there are no numbers. */
export function percentile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** The spread of a series. The median of an even number of values is the mean of the two middle values. @throws Error for an empty series */
export function computeSpread(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(half) - 1], sorted[Math.floor(half)]];
  const [min, max] = [sorted[0], sorted.at(-1)];
  if (low === undefined || high === undefined || min === undefined || max === undefined)
    throw new Error("An empty series has no spread.");
  return { min, median: (low + high) / 2, max };
}
