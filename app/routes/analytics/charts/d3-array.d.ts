/** The functions of d3-array that charts use. */
declare module "d3-array" {
  /** Extends a range to rounded values. */
  export function nice(start: number, stop: number, count: number): [number, number];
  /** About `count` rounded values between two values. */
  export function ticks(start: number, stop: number, count: number): number[];
}
