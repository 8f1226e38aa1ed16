/** Repeatable random numbers and smooth noise: the same arguments give the same numbers on every machine. */

/** Returns a well mixed 32-bit hash of up to three integers. */
export function hash(x: number, y = 0, z = 0): number {
  let h = (Math.imul(x | 0, 0x9e3779b1) ^ Math.imul(y | 0, 0x85ebca77) ^ Math.imul(z | 0, 0xc2b2ae3d)) | 0;
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39);
  return (h ^ (h >>> 15)) >>> 0;
}

/** Returns the hash as a number from 0 to below 1. */
export function random(x: number, y = 0, z = 0): number {
  return hash(x, y, z) / 4294967296;
}

/** Returns a sequence of numbers from 0 to below 1 that its seed determines. */
export function randomSequence(seed: number): () => number {
  let i = 0;
  return () => random(seed, i++, 0x51ed);
}

/** Returns the nearest number from `low` to `high`. */
export const clamp = (x: number, low = 0, high = 1): number => (x < low ? low : Math.min(x, high));
/** Interpolates linearly: `a` for t = 0, `b` for t = 1. */
export const lerp = (a: number, b: number, t: number): number => a + (b - a) * t;
/** Returns smooth noise from 0 to 1 with features about one unit wide. */
export function noise(x: number, y: number, seed = 0): number {
  const ix = Math.floor(x);
  const iy = Math.floor(y);
  const fx = x - ix;
  const fy = y - iy;
  const u = fx * fx * (3 - 2 * fx);
  const v = fy * fy * (3 - 2 * fy);
  const a = random(ix, iy, seed);
  const b = random(ix + 1, iy, seed);
  const c = random(ix, iy + 1, seed);
  const d = random(ix + 1, iy + 1, seed);
  return a + (b - a) * u + (c - a) * v + (a - b - c + d) * u * v;
}

/** Returns the sum of several octaves of noise (fractal Brownian motion), from 0 to 1 around 0.5. */
export function fbm(x: number, y: number, octaves: number, seed = 0): number {
  let sum = 0;
  let weight = 0.5;
  let total = 0;
  for (let i = 0; i < octaves; i++) {
    sum += weight * noise(x, y, seed + i * 101);
    total += weight;
    weight *= 0.5;
    x *= 2.03;
    y *= 2.03;
  }
  return sum / total;
}
