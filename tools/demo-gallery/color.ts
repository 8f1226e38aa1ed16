import { clamp } from "./noise";

/** Linear light; each channel is usually 0…1. */
export type Rgb = readonly [r: number, g: number, b: number];

/** Converts an sRGB channel value 0…1 to linear light (IEC 61966-2-1). */
export function toLinear(s: number): number {
  return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
}

/** Converts linear light to an sRGB channel value 0…1. */
export function toSrgb(l: number): number {
  return l <= 0.0031308 ? l * 12.92 : 1.055 * l ** (1 / 2.4) - 0.055;
}

/** Converts `#rrggbb` to linear light. */
export function hex(text: string): Rgb {
  const n = Number.parseInt(text.slice(1), 16);
  return [toLinear((n >> 16) / 255), toLinear(((n >> 8) & 255) / 255), toLinear((n & 255) / 255)];
}

/** Linear light by sRGB byte. */
export const linearOfByte: Float32Array = Float32Array.from({ length: 256 }, (_, i) => toLinear(i / 255));

/** Number of steps of the table that replaces the slow power function. */
const steps = 4096;
const byteTable = Float32Array.from({ length: steps + 2 }, (_, i) => toSrgb(Math.min(1, i / steps)) * 255);

/** Converts linear light to an sRGB value 0…255 (not rounded), using a table. */
export function byteOfLinear(l: number): number {
  const x = clamp(l) * steps;
  const i = x | 0;
  const a = byteTable[i] as number;
  return a + ((byteTable[i + 1] as number) - a) * (x - i);
}

/**
 * Tone curve from the light of a scene to the light of an image: linear up to two thirds, so that prints keep their colours, then a soft
 * shoulder towards white.
 */
export function tone(l: number): number {
  const knee = 0.66;
  if (l < knee) return l;
  const excess = l - knee;
  return knee + ((1 - knee) * excess) / (excess + (1 - knee));
}
