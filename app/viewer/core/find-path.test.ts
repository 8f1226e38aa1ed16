import { describe, expect, it } from "vitest";
import { boxTriangles, floor, space, twoRooms, wall } from "../../../tests/viewer/shapes";
import { findPath } from "./find-path";
import { pointOnRoute, routeLength } from "./flight";
import { BODY } from "./walker";

const body = { ...BODY, eyeHeight: 1.6 };

describe("a walking route", () => {
  it("is straight when nothing is in between", () => {
    expect(findPath(twoRooms(), body, [-4, 1.6, 3], 0, [4, 1.6, 3])).toEqual([
      [-4, 1.6, 3],
      [4, 1.6, 3],
    ]);
  });

  it("leads through the door to a position behind the wall", () => {
    const rooms = twoRooms();
    const route = findPath(rooms, body, [-1, 1.6, 0.8], 0, [1, 1.6, 0.8]);
    expect(route?.at(0)).toEqual([-1, 1.6, 0.8]);
    expect(route?.at(-1)).toEqual([1, 1.6, 0.8]);
    expect(routeLength(route ?? [])).toBeGreaterThan(4);
    expect(routeLength(route ?? [])).toBeLessThan(7);
    for (let metres = 0; metres < routeLength(route ?? []); metres += 0.02) {
      const [x, , z] = pointOnRoute(route ?? [], metres);
      // It goes through the door, with room for the camera's near plane.
      if (Math.abs(x) < 0.1) expect(Math.abs(z - 3)).toBeLessThan(0.45);
    }
  });

  it("leads around an obstacle in the room", () => {
    const route = findPath(
      twoRooms(boxTriangles(-3.5, 0, 2, -2.5, 1, 4)),
      body,
      [-5, 1.6, 3],
      0,
      [-1, 1.6, 3],
    );
    expect(route?.length).toBeGreaterThan(2);
    for (let metres = 0; metres < routeLength(route ?? []); metres += 0.02) {
      const [x, , z] = pointOnRoute(route ?? [], metres);
      expect(x > -3.5 && x < -2.5 && z > 2 && z < 4).toBe(false);
    }
  });

  it("climbs stairs, and ends on the floor of its target", () => {
    const steps = Array.from({ length: 8 }, (_, step) =>
      boxTriangles(step * 0.3, 0, -1, step * 0.3 + 0.3, (step + 1) * 0.2, 1),
    );
    const house = space(
      floor(-4, -3, 0, 3),
      floor(2.4, -3, 6, 3, 1.6),
      wall(2.4, -3, 2.4, -1, 0, 1.6),
      wall(2.4, 1, 2.4, 3, 0, 1.6),
      ...steps,
    );
    const route = findPath(house, body, [-3, 1.6, 2], 0, [5, 3.2, 0]);
    expect(route?.at(-1)).toEqual([5, 3.2, 0]);
    for (const [, y] of route ?? []) expect(y).toBeGreaterThanOrEqual(1.59);
    expect(findPath(house, body, [-3, 1.6, 2], 0, [5, 1.6, 0])).toBeNull();
  });

  it("is null when the door is closed", () => {
    expect(findPath(twoRooms(wall(0, 2.5, 0, 3.5)), body, [-4, 1.6, 3], 0, [4, 1.6, 3])).toBeNull();
  });
});
