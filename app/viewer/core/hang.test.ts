import { describe, expect, it } from "vitest";
import { fc, test } from "../../../tests/viewer/shapes";
import type { Vec3 } from "./contract";
import { cornersOf, cubeOn, hang, meetHanging, pixelsAcross, surfaceAxes } from "./hang";
import { nudge } from "./nudge";
import { add, dot, length, normalize, scale, subtract } from "./vec";

const place = (more: object = {}) => ({
  position: [-3, 1.5, 0] as Vec3,
  normal: [0, 0, 1] as Vec3,
  width: 2,
  rotation: 0,
  play: "click" as const,
  reach: 8,
  ...more,
});
const close = (a: Vec3 | undefined, b: Vec3) =>
  b.forEach((value, axis) => {
    expect(a?.[axis]).toBeCloseTo(value, 6);
  });
const unit = fc
  .tuple(fc.integer({ min: -9, max: 9 }), fc.integer({ min: -9, max: 9 }), fc.integer({ min: -9, max: 9 }))
  .filter((vector) => Math.hypot(...vector) > 0)
  .map((vector) => normalize(vector));

describe("a medium on a surface", () => {
  it("hangs upright on a wall, seen from the room", () => {
    const { right, up, width, height, centre } = hang(place(), 0.5) ?? {};
    close(right, [1, 0, 0]);
    close(up, [0, 1, 0]);
    expect([width, height]).toEqual([2, 1]);
    expect(centre?.[2]).toBeGreaterThan(0);
    expect(centre?.[2]).toBeLessThan(0.05);
  });

  it("is turned counter-clockwise seen from its front", () => {
    const { right, up } = surfaceAxes([0, 0, 1], Math.PI / 2);
    close(right, [0, 1, 0]);
    close(up, [-1, 0, 0]);
  });

  it("reads from the south where it lies on the floor", () => {
    const { right, up } = surfaceAxes([0, 1, 0], 0);
    close(right, [1, 0, 0]);
    close(up, [0, 0, -1]);
  });

  test(
    "has axes at right angles whatever the surface and the turn",
    [unit, fc.double({ min: -9, max: 9, noNaN: true })],
    (normal, rotation) => {
      const axes = surfaceAxes(normal, rotation);
      for (const axis of [axes.right, axes.up, axes.normal]) expect(length(axis)).toBeCloseTo(1, 6);
      expect(dot(axes.right, axes.up)).toBeCloseTo(0, 6);
      expect(dot(axes.right, axes.normal)).toBeCloseTo(0, 6);
      expect(dot(axes.up, axes.normal)).toBeCloseTo(0, 6);
    },
  );

  it("does not hang at all where its placement is nowhere", () => {
    for (const bad of [
      { position: [Number.NaN, 0, 0] },
      { position: [0, Number.POSITIVE_INFINITY, 0] },
      { normal: [0, 0, 0] },
      { normal: [Number.NaN, 0, 1] },
      { width: Number.NaN },
      { width: 0 },
      { width: -1 },
    ])
      expect(hang(place(bad), 1)).toBeNull();
  });

  it("takes a turn or a shape that is none for the usual one, and keeps within what can be drawn", () => {
    expect(hang(place({ rotation: Number.NaN }), 1)?.right[0]).toBeCloseTo(1);
    for (const aspect of [null, 0, -1, Number.NaN, Number.POSITIVE_INFINITY])
      expect(hang(place(), aspect)?.height, String(aspect)).toBe(1.5);
    expect(hang(place(), 1e9)?.height).toBe(40);
    expect(hang(place({ width: 1e9 }), 1)?.width).toBe(100);
  });

  it("lies above the one before it, so that two that overlap do not flicker", () => {
    const [first, second] = [hang(place(), 1, 0), hang(place(), 1, 1)];
    expect((second?.centre[2] ?? 0) - (first?.centre[2] ?? 0)).toBeGreaterThan(0.0005);
    expect(hang(place(), 1, 5000)?.centre[2]).toBeLessThan(0.05);
  });
});

describe("a ray", () => {
  const hanging = hang(place(), 0.5);
  if (!hanging) throw new Error("It does not hang.");

  it("meets a picture from its front, inside of its edges, and nowhere else", () => {
    const towards = (target: Vec3, from: Vec3 = [-3, 1.5, 4]) =>
      meetHanging(hanging, from, normalize(subtract(target, from)));
    expect(towards([-3, 1.5, 0])?.distance).toBeCloseTo(4, 1);
    expect(towards([-2.05, 1.95, 0])).not.toBeNull();
    expect(towards([-1.95, 1.5, 0])).toBeNull();
    expect(towards([-3, 2.05, 0])).toBeNull();
    expect(towards([-3, 1.5, 0], [-3, 1.5, -4])).toBeNull();
    expect(towards([-3, 1.5, 8])).toBeNull();
    expect(meetHanging(hanging, [-3, 1.5, 4], [1, 0, 0])).toBeNull();
  });

  test(
    "meets every point between the corners of a turned picture on any surface",
    [unit, fc.double({ min: -4, max: 4, noNaN: true }), fc.double({ min: 0.02, max: 0.98, noNaN: true })],
    (normal, rotation, share) => {
      const turned = hang(place({ normal, rotation }), 0.7);
      if (!turned) throw new Error("It does not hang.");
      const [a, , c] = cornersOf(turned);
      const point = add(a, scale(subtract(c, a), share));
      const eye = add(turned.centre, scale(turned.normal, 3));
      expect(meetHanging(turned, eye, normalize(subtract(point, eye)))).not.toBeNull();
    },
  );
});

describe("how large a picture is on the screen", () => {
  const hanging = hang(place(), 0.5);
  if (!hanging) throw new Error("It does not hang.");
  it("shrinks with the way to it, is nothing from behind, and stays finite at its surface", () => {
    expect(pixelsAcross(hanging, [-3, 1.5, 4], 500)).toBeCloseTo(250, -1);
    expect(pixelsAcross(hanging, [-3, 1.5, 8], 500)).toBeCloseTo(125, -1);
    expect(pixelsAcross(hanging, [-3, 1.5, -1], 500)).toBe(0);
    expect(pixelsAcross(hanging, [-3, 1.5, 0.02], 500)).toBeLessThan(4000);
  });
});

describe("a nudge", () => {
  it("moves along a wall as one sees it, whatever the camera's yaw", () => {
    close(nudge([0, 1, 0], [0, 0, 1], 2, "right", 0.1), [0.1, 1, 0]);
    close(nudge([0, 1, 0], [0, 0, 1], 2, "up", 0.1), [0, 1.1, 0]);
    close(nudge([0, 1, 0], [0, 0, -1], 0, "right", 0.1), [-0.1, 1, 0]);
  });

  it("moves away from the visitor on a floor, and right as the visitor has it", () => {
    close(nudge([0, 0, 0], [0, 1, 0], 0, "up", 0.1), [0, 0, -0.1]);
    close(nudge([0, 0, 0], [0, 1, 0], Math.PI / 2, "up", 0.1), [-0.1, 0, 0]);
    close(nudge([0, 0, 0], [0, 1, 0], Math.PI / 2, "right", 0.1), [0, 0, -0.1]);
  });

  it("moves out of the surface and back to where it was", () => {
    const out = nudge([1, 2, 3], [0, 0, 1], 0, "out", 0.2);
    close(out, [1, 2, 3.2]);
    close(nudge(out, [0, 0, 1], 0, "in", 0.2), [1, 2, 3]);
  });
});

it("a model meets its surface at its position, with its foot on a floor and its back on a wall", () => {
  const at = { position: [1, 0, 2], width: 2, rotation: 0, play: "click", reach: 8 } as const;
  const boxOn = (normal: readonly [number, number, number]) => {
    const frame = hang({ ...at, normal }, null);
    const points = frame ? cubeOn(frame) : [];
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
