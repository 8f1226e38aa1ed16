import { describe, expect, test } from "vitest";
import { mapAround, onMap } from "./plan-map";

const frame = { center: [2, 1], width: 10, height: 5, rotation: 0 } as const;

describe("a place on a map", () => {
  test("is right of the middle along x and below it along z", () => {
    expect(onMap([2, 9, 1], frame)).toEqual({ left: 0.5, top: 0.5 });
    expect(onMap([7, 0, 1], frame)).toEqual({ left: 1, top: 0.5 });
    expect(onMap([2, 0, 3.5], frame)).toEqual({ left: 0.5, top: 1 });
    expect(onMap([-3, 0, -1.5], frame)).toEqual({ left: 0, top: 0 });
  });

  test("is nowhere outside of it, or when it is no number", () => {
    expect(onMap([7.1, 0, 1], frame)).toBe(null);
    expect(onMap([2, 0, Number.NaN], frame)).toBe(null);
  });

  test("follows a picture that is turned: what lies towards −z is at the right of one turned by a quarter", () => {
    const turned = { ...frame, height: 10, rotation: Math.PI / 2 };
    const at = onMap([2, 0, -2], turned);
    expect(at?.left).toBeCloseTo(0.8);
    expect(at?.top).toBeCloseTo(0.5);
  });

  test("is found for every point of a map that was made around them", () => {
    expect(mapAround([], 1)).toBe(null);
    const points = [
      [0, 0, 0],
      [20, 0, 1],
      [5, 3, -1],
    ] as const;
    const made = mapAround(points, 2);
    if (!made) throw new Error("No map");
    expect(made).toEqual({ center: [10, 0], width: 24, height: 12, rotation: 0 });
    for (const point of points) expect(onMap(point, made)).not.toBe(null);
    expect(mapAround([[0, 0, 0]], 3)).toMatchObject({ width: 6, height: 6 });
  });
});
