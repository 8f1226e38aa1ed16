import { describe, expect, it } from "vitest";
import { boxTriangles, fc, floor, space, testProperty, wall } from "../../../tests/viewer/shapes";
import { Triangles } from "./triangles";
import { dot, length, normalize } from "./vec";

/** Coordinates are whole millimetres, so coarse that rounding has no effect. */
const coordinate = fc.integer({ min: -10_000, max: 10_000 }).map((value) => value / 1000);
const vector = fc.tuple(coordinate, coordinate, coordinate);

/** Returns the distance of the nearest hit without an index, by testing each triangle alone. */
function bruteForce(points: number[], origin: [number, number, number], direction: readonly number[]) {
  let best = Number.POSITIVE_INFINITY;
  for (let offset = 0; offset < points.length; offset += 9) {
    const single = new Triangles(Float32Array.from(points.slice(offset, offset + 9)));
    const hit = single.raycast(origin, direction as [number, number, number]);
    if (hit) best = Math.min(best, hit.distance);
  }
  return best;
}

describe("triangles", () => {
  it("meets the nearest wall from both sides, with the normal facing the ray", () => {
    const walls = space(wall(-1, 0, 1, 0), wall(-1, -2, 1, -2));
    expect(walls.raycast([0, 1, 5], [0, 0, -1])).toMatchObject({ distance: 5, normal: [0, 0, 1] });
    expect(walls.raycast([0, 1, -5], [0, 0, 1])).toMatchObject({ distance: 3, normal: [-0, -0, -1] });
    expect(walls.raycast([0, 1, 5], [0, 0, 1])).toBeNull();
    expect(walls.raycast([0, 1, 5], [0, 0, -1], 4.9)).toBeNull();
  });

  it("meets axis-aligned floors without height, straight down through an edge that two triangles share", () => {
    const plane = space(floor(-2, -2, 2, 2));
    for (const x of [-2, -1, 0, 1, 2])
      expect(plane.raycast([x, 1.6, x], [0, -1, 0])?.position[1]).toBeCloseTo(0);
  });

  it("meets a wall when the ray runs inside a face of its box", () => {
    const room = space(boxTriangles(0, 0, 0, 4, 3, 4));
    expect(room.raycast([0, 1, 2], [0, 0, -1])).not.toBeNull();
  });

  it("skips layers that are not in the mask", () => {
    const layered = new Triangles(
      Float32Array.from([...floor(-1, -1, 1, 1, 3), ...floor(-1, -1, 1, 1, 0)]),
      Uint8Array.from([2, 2, 1, 1]),
    );
    expect(layered.raycast([0, 5, 0], [0, -1, 0])?.distance).toBeCloseTo(2);
    expect(layered.raycast([0, 5, 0], [0, -1, 0], 99, 1)?.distance).toBeCloseTo(5);
  });

  it("returns null without triangles and for numbers that are not finite", () => {
    expect(new Triangles(new Float32Array()).raycast([0, 0, 0], [0, 0, 1])).toBeNull();
    const broken = new Triangles(Float32Array.from([Number.NaN, 0, 0, 1, 0, 0, 0, 1, 0]));
    expect(broken.raycast([0.2, 0.2, 1], [0, 0, -1])).toBeNull();
    expect(broken.min).toEqual([0, 0, 0]);
  });

  it("finds the nearest point of a triangle on its face, edges and corners", () => {
    const triangle = new Triangles(Float32Array.from([0, 0, 0, 2, 0, 0, 0, 2, 0]));
    expect(triangle.findNearestPoint(0, [0.5, 0.5, 3])).toEqual([0.5, 0.5, 0]);
    expect(triangle.findNearestPoint(0, [-1, -1, 0])).toEqual([0, 0, 0]);
    expect(triangle.findNearestPoint(0, [1, -1, 0])).toEqual([1, 0, 0]);
    expect(triangle.findNearestPoint(0, [2, 2, 0])).toEqual([1, 1, 0]);
    expect(triangle.findNearestPoint(0, [3, -1, 0])).toEqual([2, 0, 0]);
  });

  testProperty(
    "finds the same hit as a search through all triangles",
    [
      fc.array(fc.tuple(vector, vector, vector), { minLength: 1, maxLength: 60 }),
      vector,
      vector.filter((value) => length(value) > 0.1),
    ],
    (triangles, origin, unnormalisedDirection) => {
      const points = [...Float32Array.from(triangles.flat(2))];
      const direction = normalize(unnormalisedDirection);
      const indexed = new Triangles(Float32Array.from(points)).raycast(origin, direction);
      const expected = bruteForce(points, origin, direction);
      if (!indexed) expect(expected).toBe(Number.POSITIVE_INFINITY);
      else {
        expect(indexed.distance).toBeCloseTo(expected, 5);
        expect(length(indexed.normal)).toBeCloseTo(1, 5);
        expect(dot(indexed.normal, direction)).toBeLessThanOrEqual(1e-9);
      }
    },
  );

  testProperty(
    "visits every triangle that has a corner inside of a box",
    [fc.array(fc.tuple(vector, vector, vector), { minLength: 1, maxLength: 60 }), vector],
    (triangles, centre) => {
      const index = new Triangles(Float32Array.from(triangles.flat(2)));
      const visited = new Set<number>();
      const [x, y, z] = centre;
      index.visitBox([x - 3, y - 3, z - 3], [x + 3, y + 3, z + 3], (triangle) => visited.add(triangle));
      triangles.forEach((corners, triangle) => {
        const inside = corners.some((corner) =>
          corner.every((value, axis) => Math.abs(value - (centre[axis] ?? 0)) < 2.99),
        );
        if (inside) expect(visited).toContain(triangle);
      });
    },
  );
});
