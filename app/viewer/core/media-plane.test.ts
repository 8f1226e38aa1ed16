import { describe, expect, it } from "vitest";
import { fc, testProperty } from "../../../tests/viewer/shapes";
import type { Vec3 } from "./contract";
import {
  cubeCorners,
  estimateScreenPixels,
  intersectMediaPlane,
  placeMedia,
  planeCorners,
  surfaceAxes,
} from "./media-plane";
import { nudgePosition } from "./nudge";
import { add, dot, length, normalize, scale, subtract } from "./vec";

const placementWith = (overrides: object = {}) => ({
  position: [-3, 1.5, 0] as Vec3,
  normal: [0, 0, 1] as Vec3,
  width: 2,
  rotation: 0,
  play: "click" as const,
  reach: 8,
  ...overrides,
});
const expectClose = (a: Vec3 | undefined, b: Vec3) =>
  b.forEach((value, axis) => {
    expect(a?.[axis]).toBeCloseTo(value, 6);
  });
const unitVector = fc
  .tuple(fc.integer({ min: -9, max: 9 }), fc.integer({ min: -9, max: 9 }), fc.integer({ min: -9, max: 9 }))
  .filter((vector) => Math.hypot(...vector) > 0)
  .map((vector) => normalize(vector));

describe("a media item on a surface", () => {
  it("is upright on a wall, seen from the room", () => {
    const { right, up, width, height, centre } = placeMedia(placementWith(), 0.5) ?? {};
    expectClose(right, [1, 0, 0]);
    expectClose(up, [0, 1, 0]);
    expect([width, height]).toEqual([2, 1]);
    expect(centre?.[2]).toBeGreaterThan(0);
    expect(centre?.[2]).toBeLessThan(0.05);
  });

  it("is turned counter-clockwise, seen from its front", () => {
    const { right, up } = surfaceAxes([0, 0, 1], Math.PI / 2);
    expectClose(right, [0, 1, 0]);
    expectClose(up, [-1, 0, 0]);
  });

  it("is readable from the south when it lies on the floor", () => {
    const { right, up } = surfaceAxes([0, 1, 0], 0);
    expectClose(right, [1, 0, 0]);
    expectClose(up, [0, 0, -1]);
  });

  testProperty(
    "has perpendicular axes for any surface and rotation",
    [unitVector, fc.double({ min: -9, max: 9, noNaN: true })],
    (normal, rotation) => {
      const axes = surfaceAxes(normal, rotation);
      for (const axis of [axes.right, axes.up, axes.normal]) expect(length(axis)).toBeCloseTo(1, 6);
      expect(dot(axes.right, axes.up)).toBeCloseTo(0, 6);
      expect(dot(axes.right, axes.normal)).toBeCloseTo(0, 6);
      expect(dot(axes.up, axes.normal)).toBeCloseTo(0, 6);
    },
  );

  it("is null for a placement that is invalid", () => {
    for (const invalidValues of [
      { position: [Number.NaN, 0, 0] },
      { position: [0, Number.POSITIVE_INFINITY, 0] },
      { normal: [0, 0, 0] },
      { normal: [Number.NaN, 0, 1] },
      { width: Number.NaN },
      { width: 0 },
      { width: -1 },
    ])
      expect(placeMedia(placementWith(invalidValues), 1)).toBeNull();
  });

  it("replaces an invalid rotation or aspect with the default, and stays within the drawable size", () => {
    expect(placeMedia(placementWith({ rotation: Number.NaN }), 1)?.right[0]).toBeCloseTo(1);
    for (const aspect of [null, 0, -1, Number.NaN, Number.POSITIVE_INFINITY])
      expect(placeMedia(placementWith(), aspect)?.height, String(aspect)).toBe(1.5);
    expect(placeMedia(placementWith(), 1e9)?.height).toBe(40);
    expect(placeMedia(placementWith({ width: 1e9 }), 1)?.width).toBe(100);
  });

  it("is placed above the previous plane, so that two overlapping planes do not flicker", () => {
    const [first, second] = [placeMedia(placementWith(), 1, 0), placeMedia(placementWith(), 1, 1)];
    expect((second?.centre[2] ?? 0) - (first?.centre[2] ?? 0)).toBeGreaterThan(0.0005);
    expect(placeMedia(placementWith(), 1, 5000)?.centre[2]).toBeLessThan(0.05);
  });
});

describe("a ray", () => {
  const plane = placeMedia(placementWith(), 0.5);
  if (!plane) throw new Error("The media item has no plane.");

  it("meets an image only from its front and inside of its edges", () => {
    const hitTowards = (target: Vec3, from: Vec3 = [-3, 1.5, 4]) =>
      intersectMediaPlane(plane, from, normalize(subtract(target, from)));
    expect(hitTowards([-3, 1.5, 0])?.distance).toBeCloseTo(4, 1);
    expect(hitTowards([-2.05, 1.95, 0])).not.toBeNull();
    expect(hitTowards([-1.95, 1.5, 0])).toBeNull();
    expect(hitTowards([-3, 2.05, 0])).toBeNull();
    expect(hitTowards([-3, 1.5, 0], [-3, 1.5, -4])).toBeNull();
    expect(hitTowards([-3, 1.5, 8])).toBeNull();
    expect(intersectMediaPlane(plane, [-3, 1.5, 4], [1, 0, 0])).toBeNull();
  });

  testProperty(
    "meets every point on a diagonal of a rotated image on any surface",
    [
      unitVector,
      fc.double({ min: -4, max: 4, noNaN: true }),
      fc.double({ min: 0.02, max: 0.98, noNaN: true }),
    ],
    (normal, rotation, share) => {
      const rotatedPlane = placeMedia(placementWith({ normal, rotation }), 0.7);
      if (!rotatedPlane) throw new Error("The media item has no plane.");
      const [a, , c] = planeCorners(rotatedPlane);
      const point = add(a, scale(subtract(c, a), share));
      const eye = add(rotatedPlane.centre, scale(rotatedPlane.normal, 3));
      expect(intersectMediaPlane(rotatedPlane, eye, normalize(subtract(point, eye)))).not.toBeNull();
    },
  );
});

describe("the size of an image on the screen", () => {
  const plane = placeMedia(placementWith(), 0.5);
  if (!plane) throw new Error("The media item has no plane.");
  it("shrinks with the distance, is 0 from behind, and stays finite at the surface", () => {
    expect(estimateScreenPixels(plane, [-3, 1.5, 4], 500)).toBeCloseTo(250, -1);
    expect(estimateScreenPixels(plane, [-3, 1.5, 8], 500)).toBeCloseTo(125, -1);
    expect(estimateScreenPixels(plane, [-3, 1.5, -1], 500)).toBe(0);
    expect(estimateScreenPixels(plane, [-3, 1.5, 0.02], 500)).toBeLessThan(4000);
  });
});

describe("a nudge", () => {
  it("moves along a wall as the visitor sees it, for any yaw of the camera", () => {
    for (const yaw of [-3, 0, 2]) {
      expectClose(nudgePosition([0, 1, 0], [0, 0, 1], yaw, "right", 0.1), [0.1, 1, 0]);
      expectClose(nudgePosition([0, 1, 0], [0, 0, 1], yaw, "up", 0.1), [0, 1.1, 0]);
      expectClose(nudgePosition([0, 1, 0], [0, 0, -1], yaw, "right", 0.1), [-0.1, 1, 0]);
    }
  });

  it("moves away from the visitor on a floor, and to the visitor's right", () => {
    expectClose(nudgePosition([0, 0, 0], [0, 1, 0], 0, "up", 0.1), [0, 0, -0.1]);
    expectClose(nudgePosition([0, 0, 0], [0, 1, 0], Math.PI / 2, "up", 0.1), [-0.1, 0, 0]);
    expectClose(nudgePosition([0, 0, 0], [0, 1, 0], Math.PI / 2, "right", 0.1), [0, 0, -0.1]);
  });

  it("moves out of the surface and back to the start", () => {
    const out = nudgePosition([1, 2, 3], [0, 0, 1], 0, "out", 0.2);
    expectClose(out, [1, 2, 3.2]);
    expectClose(nudgePosition(out, [0, 0, 1], 0, "in", 0.2), [1, 2, 3]);
  });
});

it("the cube assumed for a model meets its surface at its position: with its foot on a floor and with its back on a wall", () => {
  const placement = { position: [1, 0, 2], width: 2, rotation: 0, play: "click", reach: 8 } as const;
  const boxOn = (normal: readonly [number, number, number]) => {
    const frame = placeMedia({ ...placement, normal }, null);
    const points = frame ? cubeCorners(frame) : [];
    return [0, 1, 2].map((axis) => {
      const values = points.map((point) => Math.round((point[axis] ?? 9) * 10) / 10 + 0);
      return [Math.min(...values), Math.max(...values)];
    });
  };
  expect(boxOn([0, 1, 0])).toEqual([
    [0, 2],
    [0, 2],
    [1, 3],
  ]);
  expect(boxOn([0, 0, 1])).toEqual([
    [0, 2],
    [-1, 1],
    [2, 4],
  ]);
});
