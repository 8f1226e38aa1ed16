/** Shades of indigo, and functions that the prints share. */
import { clamp, lerp } from "../noise";
import { type Pigment, type Press, pigment } from "./press";

/** Indigo shades by number of dippings, from nearly white to nearly black. */
const dippings: readonly Pigment[] = [
  "#e3ecea",
  "#cfe0e6",
  "#b0cdd9",
  "#8db5cb",
  "#6a9bbb",
  "#4d82a8",
  "#396a96",
  "#2d5585",
  "#254474",
  "#1e3562",
  "#18284e",
  "#111c39",
  "#0c1328",
].map(pigment);

/**
 * Returns a shade of indigo between those of the dippings.
 * @param t 0 for the lightest shade, 1 for the darkest
 */
export function dippedIndigo(t: number): Pigment {
  const x = clamp(t) * (dippings.length - 1);
  const i = Math.min(dippings.length - 2, Math.floor(x));
  return mixPigment(dippings[i] as Pigment, dippings[i + 1] as Pigment, x - i);
}

/** Caches a function of the horizontal position u, which is computed once for each column of a sheet. */
export function byColumn(compute: (u: number) => number): (p: Press) => number {
  let cachedValues = new Float64Array(0);
  return (p) => {
    if (cachedValues.length !== p.width) cachedValues = new Float64Array(p.width).fill(Number.NaN);
    const column = Math.floor(p.x);
    let value = cachedValues[column] as number;
    if (Number.isNaN(value)) {
      value = compute(p.x / p.width);
      cachedValues[column] = value;
    }
    return value;
  };
}

/** Interpolates linearly between two pigments. */
export function mixPigment(a: Pigment, b: Pigment, t: number): Pigment {
  return [lerp(a[0], b[0], t), lerp(a[1], b[1], t), lerp(a[2], b[2], t)];
}
