import { describe, expect, it } from "vitest";
import { boxPoints } from "../../../tests/viewer/shapes";
import type { Vec3 } from "../core/contract";
import { TimeSlicer } from "../core/time-slicer";
import { Triangles } from "../core/triangles";
import { cross, dot, subtract } from "../core/vec";
import { PointCovariance, pointNormals, pointSpacing, pointSquares } from "./point-normals";

const toVectors = (flat: Float32Array) =>
  Array.from(
    { length: flat.length / 3 },
    (_, index) => [...flat.slice(index * 3, index * 3 + 3)] as unknown as Vec3,
  );
/** True when a coordinate is away from the edges of a side, where the normals of two sides mix. */
const isMiddle = (value: number, size: number) => value > 0.6 && value < size - 0.6;

describe("the normals of points", () => {
  const points = boxPoints([5, 2.5, 4], 0.1);

  it.each([
    ["floor", ([x, y, z]: Vec3) => y === 0 && isMiddle(x, 5) && isMiddle(z, 4), [0, 1, 0]],
    ["ceiling", ([x, y, z]: Vec3) => y === 2.5 && isMiddle(x, 5) && isMiddle(z, 4), [0, -1, 0]],
    ["wall", ([x, y, z]: Vec3) => x === 0 && isMiddle(y, 2.5) && isMiddle(z, 4), [1, 0, 0]],
  ] as const)("face the inside of a room on its %s", async (_name, isOnSide, normal) => {
    const normals = toVectors(await pointNormals(points, new TimeSlicer()));
    const cosines = toVectors(points).flatMap((point, index) =>
      isOnSide(point) ? [dot(normals[index] ?? [0, 0, 0], normal)] : [],
    );
    expect(cosines.length).toBeGreaterThan(50);
    expect(Math.min(...cosines)).toBeGreaterThan(0.99);
  });

  it("are zero for points without neighbours", async () => {
    expect([
      ...(await pointNormals(Float32Array.of(0, 0, 0, 100, 0, 0, 0, 90, 0), new TimeSlicer())),
    ]).toEqual(Array(9).fill(0));
  });

  it("give squares that close a floor and face upwards", async () => {
    const normals = await pointNormals(points, new TimeSlicer());
    const triangles = new Triangles(pointSquares(points, normals, pointSpacing(points) * 0.75));
    let hitCount = 0;
    for (let x = 1; x < 4; x += 0.13)
      for (let z = 1; z < 3; z += 0.13) {
        const hit = triangles.raycast([x, 1.2, z], [0, -1, 0], 1.3);
        if (hit) {
          hitCount++;
          expect(triangles.isFacing(hit.triangle, [0, -1, 0])).toBe(true);
        }
      }
    expect(hitCount).toBe(24 * 16);
  });
});

function flattestDirection(points: readonly Vec3[]): Vec3 {
  const covariance = new PointCovariance();
  for (const point of points) covariance.add(...point);
  return covariance.flattestDirection();
}

describe("the direction in which points vary least", () => {
  it.each([
    [
      "a lying plane",
      [
        [0, 0, 0],
        [1, 0, 0],
        [0, 0, 1],
        [1, 0, 1],
      ],
      [0, 1, 0],
    ],
    [
      "a leaning plane",
      [
        [0, 0, 0],
        [1, 1, 0],
        [0, 0, 1],
        [1, 1, 1],
      ],
      [Math.SQRT1_2, -Math.SQRT1_2, 0],
    ],
  ] as [string, Vec3[], Vec3][])("is the normal of %s", (_name, points, normal) => {
    expect(Math.abs(dot(flattestDirection(points), normal))).toBeCloseTo(1, 6);
  });

  it("is perpendicular to a line, and is upwards for points in one place", () => {
    const line: Vec3[] = [0, 1, 2, 3].map((coordinate) => [coordinate, coordinate, 2 * coordinate]);
    expect(dot(flattestDirection(line), [1, 1, 2])).toBeCloseTo(0, 6);
    expect(
      flattestDirection([
        [1, 1, 1],
        [1, 1, 1],
      ]),
    ).toEqual([0, 1, 0]);
  });
});

it("a square's corners are counterclockwise around its normal", () => {
  const corners = pointSquares(Float32Array.of(1, 2, 3), Float32Array.of(0, 1, 0), 0.5);
  const [a, b, c, d, e, f] = toVectors(corners) as [Vec3, Vec3, Vec3, Vec3, Vec3, Vec3];
  expect(cross(subtract(b, a), subtract(c, a))).toEqual([0, 1, 0]);
  expect(dot(cross(subtract(e, d), subtract(f, d)), [0, 1, 0])).toBe(1);
});
