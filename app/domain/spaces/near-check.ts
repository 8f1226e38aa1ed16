/** Detects positions far outside a space, where visitors never go. Most of them are typing errors. */

/** Distance from the median that is never too far, in metres. */
const NEAR_METRES = 100;
/** Multiple of the median distance from the median beyond which a position is too far. */
const FAR_TIMES = 10;
/** Minimum number of positions. With fewer, outliers cannot be determined. */
const POSITIONS_MIN = 4;

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;

/**
 * Creates the check of positions along one axis.
 * @param positions positions of all items, in metres
 * @returns a function that returns whether a position is near most of these
 */
export function createNearCheck(positions: readonly number[]): (coordinate: number) => boolean {
  if (positions.length < POSITIONS_MIN) return () => true;
  const centre = median(positions);
  const maxDistance = Math.max(
    NEAR_METRES,
    FAR_TIMES * median(positions.map((position) => Math.abs(position - centre))),
  );
  return (coordinate) => Math.abs(coordinate - centre) <= maxDistance;
}
