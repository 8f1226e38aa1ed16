/** Chooses the split of a node in the bounding-volume tree by the surface area heuristic. */

/** Number of equal parts of the range of the primitives' centres, between which a node can be split. */
const bins = 12;

/**
 * Chooses the axis and the position of the split.
 * @param boxes low and high corner of each primitive's box
 * @param order primitive numbers in tree order; the node has `count` of them from `first` on
 * @returns null when all centres are at one point
 */
export function bestSplit(
  boxes: Float64Array,
  order: Int32Array,
  first: number,
  count: number,
  centreOf: (prim: number, axis: number) => number,
): { axis: number; position: number } | null {
  let bestCut: { axis: number; position: number } | null = null;
  let bestCost = Infinity;
  for (let axis = 0; axis < 3; axis++) {
    let low = Infinity;
    let high = -Infinity;
    for (let i = first; i < first + count; i++) {
      const m = centreOf(order[i] as number, axis);
      low = Math.min(low, m);
      high = Math.max(high, m);
    }
    if (high - low < 1e-6) continue;
    const counts = new Array<number>(bins).fill(0);
    const binBoxes = Array.from({ length: bins }, () => [
      Infinity,
      Infinity,
      Infinity,
      -Infinity,
      -Infinity,
      -Infinity,
    ]);
    for (let i = first; i < first + count; i++) {
      const prim = order[i] as number;
      const bin = Math.min(bins - 1, Math.floor(((centreOf(prim, axis) - low) / (high - low)) * bins));
      counts[bin] = (counts[bin] as number) + 1;
      extendBox(binBoxes[bin] as number[], boxes, prim * 6);
    }
    for (let cut = 1; cut < bins; cut++) {
      const left = sumBins(counts, binBoxes, 0, cut);
      const right = sumBins(counts, binBoxes, cut, bins);
      if (left.count === 0 || right.count === 0) continue;
      const cost = left.count * left.halfArea + right.count * right.halfArea;
      if (cost < bestCost) {
        bestCost = cost;
        bestCut = { axis, position: low + ((high - low) * cut) / bins };
      }
    }
  }
  return bestCut;
}

function extendBox(extent: number[], boxes: Float64Array, offset: number): void {
  for (let k = 0; k < 3; k++) {
    extent[k] = Math.min(extent[k] as number, boxes[offset + k] as number);
    extent[k + 3] = Math.max(extent[k + 3] as number, boxes[offset + k + 3] as number);
  }
}

function sumBins(
  counts: number[],
  binBoxes: number[][],
  from: number,
  to: number,
): { count: number; halfArea: number } {
  const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  let count = 0;
  for (let bin = from; bin < to; bin++) {
    if (counts[bin] === 0) continue;
    count += counts[bin] as number;
    extendBox(box, Float64Array.from(binBoxes[bin] as number[]), 0);
  }
  if (count === 0) return { count, halfArea: 0 };
  const [w, h, d] = [0, 1, 2].map((k) => (box[k + 3] as number) - (box[k] as number)) as [
    number,
    number,
    number,
  ];
  return { count, halfArea: w * h + h * d + d * w };
}
