import { describe, expect, it } from "vitest";
import { boxTriangles, fc, floor, space, testProperty, twoRooms, wall } from "../../../tests/viewer/shapes";
import {
  BODY,
  type Body,
  findFloorBelow,
  findNearestStandingPosition,
  findStandingFloor,
  type WalkResult,
  walk,
} from "./walker";

const body: Body = { ...BODY, eyeHeight: 1.6 };
const eye = (x: number, z: number, feet = 0): [number, number, number] => [x, feet + 1.6, z];

describe("a walk", () => {
  it("reaches its target when nothing is in the way", () => {
    const { eye: end, isBlocked } = walk(twoRooms(), body, eye(-3, 3), 0, 1, 0.5);
    expect(end[0]).toBeCloseTo(-2);
    expect(end[1]).toBeCloseTo(1.6);
    expect(end[2]).toBeCloseTo(3.5);
    expect(isBlocked).toBe(false);
  });

  it("stops a body's radius before a wall, also on a long walk", () => {
    for (const distance of [3, 30, 300]) {
      const end = walk(twoRooms(), body, eye(-3, 1), 0, distance, 0);
      expect(end.eye[0]).toBeGreaterThan(-0.3);
      expect(end.eye[0]).toBeLessThan(-0.24);
      expect(end.isBlocked).toBe(true);
    }
  });

  it("slides along a wall that it meets at an angle", () => {
    const { eye: end } = walk(twoRooms(), body, eye(-1, 0.6), 0, 1.5, 0.5);
    expect(end[0]).toBeCloseTo(-0.25, 1);
    expect(end[2]).toBeGreaterThan(0.9);
  });

  it("passes through a door", () => {
    expect(walk(twoRooms(), body, eye(-3, 3), 0, 6, 0).eye[0]).toBeCloseTo(3);
  });

  it("crosses a gap between two floors that is narrower than the body", () => {
    const gap = space(floor(-3, -1, -0.2, 1), floor(0.2, -1, 3, 1));
    expect(walk(gap, body, eye(-2, 0), 0, 4, 0).eye[0]).toBeCloseTo(2);
  });

  it("climbs and descends stairs of up to 0.35 m, and stops before higher ones", () => {
    const stairs = space(
      floor(-4, -2, 0, 2, 0),
      floor(0, -2, 1, 2, 0.34),
      floor(1, -2, 6, 2, 0.68),
      wall(0, -2, 0, 2, 0, 0.34),
      wall(1, -2, 1, 2, 0.34, 0.68),
    );
    const up = walk(stairs, body, eye(-2, 0), 0, 5, 0);
    expect(up.eye[0]).toBeCloseTo(3);
    expect(up.feet).toBeCloseTo(0.68);
    const down = walk(stairs, body, up.eye, up.feet, -5, 0);
    expect(down.feet).toBeCloseTo(0);
    expect(down.eye[0]).toBeCloseTo(-2);
    const high = space(floor(-4, -2, 0, 2, 0), floor(0, -2, 4, 2, 0.45), wall(0, -2, 0, 2, 0, 0.45));
    expect(walk(high, body, eye(-2, 0), 0, 4, 0).eye[0]).toBeLessThanOrEqual(0.001);
    expect(walk(high, body, eye(2, 0, 0.45), 0.45, -4, 0).eye[0]).toBeGreaterThanOrEqual(-0.26);
  });

  it("is stopped by furniture but not by a carpet", () => {
    const bench = twoRooms(boxTriangles(-4, 0, 2.6, -3.4, 0.5, 3.4), boxTriangles(-2.5, 0, 2, -1, 0.02, 4));
    expect(walk(bench, body, eye(-5, 3), 0, 3, 0).eye[0]).toBeLessThan(-4.2);
    expect(walk(bench, body, eye(-3, 3), 0, 1.2, 0)).toMatchObject({ isBlocked: false });
  });

  it("ends at most a body's radius beyond the floor's edge", () => {
    const island = space(floor(-2, -2, 2, 2));
    const end = walk(island, body, eye(0, 0), 0, 10, 0).eye;
    expect(end[0]).toBeLessThanOrEqual(2.26);
  });

  it("can lead away from a wall that is too near, but neither nearer to it nor through it", () => {
    const rooms = twoRooms();
    expect(walk(rooms, body, eye(-0.1, 1), 0, -2, 0).eye[0]).toBeLessThan(-1);
    expect(walk(rooms, body, eye(-0.1, 1), 0, 2, 0).eye[0]).toBeLessThanOrEqual(-0.09);
    expect(walk(rooms, body, eye(-0.05, 1), 0, 2, 0).eye[0]).toBeLessThan(0);
  });

  it("finds a free position near an occupied one, on the same side of the wall", () => {
    const rooms = twoRooms(boxTriangles(-4, 0, 2.6, -3.4, 0.5, 3.4));
    expect(findNearestStandingPosition(rooms, body, eye(-3, 5))).toEqual(eye(-3, 5));
    const freePosition = findNearestStandingPosition(rooms, body, eye(-0.05, 1));
    expect(freePosition?.[0]).toBeLessThanOrEqual(-0.24);
    expect(findNearestStandingPosition(rooms, body, eye(-3.7, 3))?.[1]).toBeCloseTo(1.6);
    expect(findNearestStandingPosition(rooms, body, eye(20, 20))).toBeNull();
  });

  it("finds the floor to stand on, and the floor below", () => {
    const rooms = twoRooms();
    expect(findStandingFloor(rooms, body, -3, 0, 3)).toBeCloseTo(0);
    expect(findStandingFloor(rooms, body, -0.1, 0, 1)).toBeNull();
    expect(findStandingFloor(rooms, body, 20, 0, 3)).toBeNull();
    expect(findFloorBelow(rooms, [-3, 2.5, 3])).toBeCloseTo(0);
    expect(findFloorBelow(rooms, [-3, 9, 3])).toBeCloseTo(3);
    expect(findFloorBelow(rooms, [20, 2, 3])).toBeNull();
  });

  testProperty(
    "neither leaves a closed room nor enters an obstacle in it, for any sequence of steps",
    [
      fc.array(
        fc.tuple(fc.double({ min: -4, max: 4, noNaN: true }), fc.double({ min: -4, max: 4, noNaN: true })),
        { maxLength: 20 },
      ),
    ],
    (steps) => {
      const room = space(boxTriangles(-3, 0, -3, 3, 3, 3), boxTriangles(-0.5, 0, -0.5, 0.5, 1, 0.5));
      let position: Pick<WalkResult, "eye" | "feet"> = { eye: eye(2, 2), feet: 0 };
      for (const [dx, dz] of steps) {
        position = walk(room, body, position.eye, position.feet, dx, dz);
        expect(Math.abs(position.eye[0])).toBeLessThan(2.8);
        expect(Math.abs(position.eye[2])).toBeLessThan(2.8);
        expect(Math.max(Math.abs(position.eye[0]), Math.abs(position.eye[2]))).toBeGreaterThan(0.7);
      }
    },
  );
});
