/** Shapes of triangles or points, and property-based tests. */
import * as fc from "fast-check";
import { it } from "vitest";
import { Triangles } from "~/viewer/core/triangles";

export { fc };

/** A property-based test. */
export function testProperty<T extends [unknown, ...unknown[]]>(
  name: string,
  inputs: { [K in keyof T]: fc.Arbitrary<T[K]> },
  check: (...values: T) => void,
): void {
  it(name, () => fc.assert(fc.property(...(inputs as unknown as [fc.Arbitrary<unknown>]), check as never)));
}

/** Corners of an upright or lying rectangle as two triangles. */
export function quad(a: number[], b: number[], c: number[], d: number[]): number[] {
  return [...a, ...b, ...c, ...a, ...c, ...d];
}

/** A floor, x0…x1 by z0…z1 at a height. */
export function floor(x0: number, z0: number, x1: number, z1: number, y = 0): number[] {
  return quad([x0, y, z0], [x1, y, z0], [x1, y, z1], [x0, y, z1]);
}

/** A wall without thickness from one point of the plan to another. */
export function wall(x0: number, z0: number, x1: number, z1: number, from = 0, to = 3): number[] {
  return quad([x0, from, z0], [x1, from, z1], [x1, to, z1], [x0, to, z0]);
}

/** A box with its six faces. */
export function boxTriangles(
  x0: number,
  y0: number,
  z0: number,
  x1: number,
  y1: number,
  z1: number,
): number[] {
  return [
    ...floor(x0, z0, x1, z1, y0),
    ...floor(x0, z0, x1, z1, y1),
    ...wall(x0, z0, x1, z0, y0, y1),
    ...wall(x0, z1, x1, z1, y0, y1),
    ...wall(x0, z0, x0, z1, y0, y1),
    ...wall(x1, z0, x1, z1, y0, y1),
  ];
}

/** Points on the six sides of a box that begins at 0, at most `step` metres apart. */
export function boxPoints([w, h, d]: readonly [number, number, number], step: number): Float32Array {
  const list: number[] = [];
  for (let x = 0; x <= w; x += step) for (let z = 0; z <= d; z += step) list.push(x, 0, z, x, h, z);
  for (let y = step; y < h; y += step) {
    for (let x = 0; x <= w; x += step) list.push(x, y, 0, x, y, d);
    for (let z = step; z < d; z += step) list.push(0, y, z, w, y, z);
  }
  return Float32Array.from(list);
}

/** The triangles of all parts as one space. */
export function space(...parts: number[][]): Triangles {
  return new Triangles(Float32Array.from(parts.flat()));
}

/** Two rooms of 6 × 6 m beside each other (x −6…0 and 0…6, z 0…6), with a door 1 m wide at z 2.5…3.5, 2.1 m high. */
export function twoRooms(...otherTriangles: number[][]): Triangles {
  return space(
    floor(-6, 0, 6, 6),
    floor(-6, 0, 6, 6, 3),
    wall(-6, 0, 6, 0),
    wall(-6, 6, 6, 6),
    wall(-6, 0, -6, 6),
    wall(6, 0, 6, 6),
    wall(0, 0, 0, 2.5),
    wall(0, 3.5, 0, 6),
    wall(0, 2.5, 0, 3.5, 2.1, 3),
    ...otherTriangles,
  );
}
