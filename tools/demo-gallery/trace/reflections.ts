/** Smooths reflections and adds them to a rendered image. */

/** Number of rows beyond a band that its blur and its edges need. */
export const margin = 4;

/** Some rows of an image during rendering. */
export interface RowBuffer {
  readonly width: number;
  readonly height: number;
  /** Id of the surface in each pixel. */
  readonly ids: Int32Array;
  readonly base: Float32Array;
  /** Share of the reflection in each pixel. */
  readonly shares: Float32Array;
  /** Red, green and blue of reflections, and 1 where one was traced. */
  readonly mirror: Float32Array;
}

/** Smooths the noise of blurred reflections over pixels of the same surface, and adds them to the image. */
export function addReflections({ width, height, ids, base, shares, mirror }: RowBuffer): void {
  const rowSums = new Float32Array(mirror.length);
  for (let i = 0; i < shares.length; i++) {
    if (shares[i] === 0) continue;
    const x = i % width;
    sumAlong(mirror, ids, i, 1, Math.max(-2, -x), Math.min(2, width - 1 - x), rowSums);
  }
  const sums = new Float32Array(mirror.length);
  for (let i = 0; i < shares.length; i++) {
    const share = shares[i] as number;
    if (share === 0) continue;
    const y = (i / width) | 0;
    sumAlong(rowSums, ids, i, width, Math.max(1 - margin, -y), Math.min(margin - 1, height - 1 - y), sums);
    const tracedWeight = sums[i * 4 + 3] as number;
    if (tracedWeight === 0) continue;
    for (let c = 0; c < 3; c++)
      base[i * 3 + c] =
        (base[i * 3 + c] as number) * (1 - share) + ((sums[i * 4 + c] as number) / tracedWeight) * share;
  }
}

/** Sums four numbers per pixel over pixels of one surface, from `low` to `high` steps away. */
function sumAlong(
  from: Float32Array,
  ids: Int32Array,
  i: number,
  step: number,
  low: number,
  high: number,
  to: Float32Array,
): void {
  const id = ids[i];
  let r = 0;
  let g = 0;
  let b = 0;
  let n = 0;
  for (let j = i + low * step; j <= i + high * step; j += step) {
    const m = from[j * 4 + 3] as number;
    if (m === 0 || ids[j] !== id) continue;
    r += from[j * 4] as number;
    g += from[j * 4 + 1] as number;
    b += from[j * 4 + 2] as number;
    n += m;
  }
  to[i * 4] = r;
  to[i * 4 + 1] = g;
  to[i * 4 + 2] = b;
  to[i * 4 + 3] = n;
}
