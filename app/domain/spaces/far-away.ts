/** What lies so far outside of a space that nobody meets it there: a number typed wrongly, most of the time. */

/** Metres from the middle of all that are never too far. */
const NEAR_METRES = 100;
/** How many times as far from the middle as half of all something is too far. */
const FAR_TIMES = 10;
/** With fewer nobody can tell which of them are the odd ones. */
const ENOUGH = 4;

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;

/**
 * Tells of positions along one axis which of them belong together.
 * @param all positions of all things, in metres
 * @returns whether a position lies among them, or not far from them
 */
export function nearOnes(all: readonly number[]): (at: number) => boolean {
  if (all.length < ENOUGH) return () => true;
  const middle = median(all);
  const reach = Math.max(NEAR_METRES, FAR_TIMES * median(all.map((each) => Math.abs(each - middle))));
  return (at) => Math.abs(at - middle) <= reach;
}
