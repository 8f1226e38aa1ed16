/** Numbers of a visit's parts (the reports of its page, numbered from 0) as ranges, because most pages report all of theirs: [[0, 57], [59, 59]]. */
export type PartRanges = readonly (readonly [first: number, last: number])[];

/** True if a number is in one of the ranges. */
export const hasPart = (ranges: PartRanges, part: number): boolean =>
  ranges.some(([first, last]) => first <= part && part <= last);

/** Adds a number to ranges. The result is sorted, and ranges that touch are joined. */
export function addPart(ranges: PartRanges, part: number): PartRanges {
  const sorted = [...ranges, [part, part] as const].sort(([a], [b]) => a - b);
  const joined: [number, number][] = [];
  for (const [first, last] of sorted) {
    const previous = joined.at(-1);
    if (previous && first <= previous[1] + 1) previous[1] = Math.max(previous[1], last);
    else joined.push([first, last]);
  }
  return joined;
}
