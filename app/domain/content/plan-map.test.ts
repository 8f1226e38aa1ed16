import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  alignFrame,
  findCrowded,
  findOnMap,
  isShownAt,
  type MapFrame,
  mapAround,
  moveFrame,
  toMapPoint,
} from "./plan-map";

const frame = { center: [2, 1], width: 10, height: 5, rotation: 0 } as const;

describe("a position on a map", () => {
  test("moves to the right with x and downwards with z", () => {
    expect(findOnMap([2, 9, 1], frame)).toEqual({ left: 0.5, top: 0.5 });
    expect(findOnMap([7, 0, 1], frame)).toEqual({ left: 1, top: 0.5 });
    expect(findOnMap([2, 0, 3.5], frame)).toEqual({ left: 0.5, top: 1 });
    expect(findOnMap([-3, 0, -1.5], frame)).toEqual({ left: 0, top: 0 });
  });

  test("is crowded next to another one, measured in shares of the image's width", () => {
    const pinAt = (left: number, top: number) => ({ point: { left, top } });
    expect([...findCrowded([pinAt(0.1, 0.5), pinAt(0.2, 0.5), pinAt(0.9, 0.5)], frame)]).toEqual([0, 1]);
    expect([...findCrowded([pinAt(0.5, 0.1), pinAt(0.5, 0.3)], frame)]).toEqual([0, 1]);
    expect([...findCrowded([pinAt(0.5, 0.1), pinAt(0.5, 0.5)], frame)]).toEqual([]);
    expect([...findCrowded([pinAt(0.5, 0.5)], frame)]).toEqual([]);
  });

  test("is null outside of the map, and for NaN", () => {
    expect(findOnMap([7.1, 0, 1], frame)).toBe(null);
    expect(findOnMap([2, 0, Number.NaN], frame)).toBe(null);
  });

  test("follows a rotated image: −z is at the right of an image that is rotated by a quarter turn", () => {
    const turned = { ...frame, height: 10, rotation: Math.PI / 2 };
    const point = findOnMap([2, 0, -2], turned);
    expect(point?.left).toBeCloseTo(0.8);
    expect(point?.top).toBeCloseTo(0.5);
  });

  test("exists for every position around which the map was made", () => {
    expect(mapAround([], 1)).toBe(null);
    const points = [
      [0, 0, 0],
      [20, 0, 1],
      [5, 3, -1],
    ] as const;
    const created = mapAround(points, 2);
    if (!created) throw new Error("No map");
    expect(created).toEqual({ center: [10, 0], width: 24, height: 12, rotation: 0 });
    for (const point of points) expect(findOnMap(point, created)).not.toBe(null);
    expect(mapAround([[0, 0, 0]], 3)).toMatchObject({ width: 6, height: 6 });
  });
});

describe("an image that is aligned with a space", () => {
  const coordinate = fc.double({ min: -50, max: 50, noNaN: true });
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const frames = fc.record({
    center: fc.tuple(coordinate, coordinate),
    width: fc.double({ min: 1, max: 100, noNaN: true }),
    height: fc.double({ min: 1, max: 100, noNaN: true }),
    rotation: fc.double({ min: -4, max: 4, noNaN: true }),
  });
  const points = fc.record({ place: fc.tuple(coordinate, coordinate), left: share, top: share });
  const expectShownAt = (
    created: MapFrame,
    { place: [x, z], left, top }: { place: [number, number]; left: number; top: number },
  ) => {
    const point = toMapPoint([x, 0, z], created);
    expect(point.left).toBeCloseTo(left, 5);
    expect(point.top).toBeCloseTo(top, 5);
  };

  test("shows a position at its fixed point, and keeps its size and rotation", () => {
    fc.assert(
      fc.property(frames, points, (given, point) => {
        const created = moveFrame(given, point);
        expectShownAt(created, point);
        expect(created).toEqual({ ...given, center: created.center });
      }),
    );
  });

  test("shows two positions at their fixed points, and keeps its aspect ratio", () => {
    fc.assert(
      fc.property(frames, points, points, (given, a, b) => {
        const created = alignFrame(given, a, b);
        if (!created) return;
        expectShownAt(created, a);
        expectShownAt(created, b);
        expect(created.height / created.width).toBeCloseTo(given.height / given.width, 6);
        expect(Math.abs(created.rotation)).toBeLessThanOrEqual(Math.PI);
      }),
    );
  });

  test("cannot be aligned by two points that are equal in the image or in the space", () => {
    const point = { place: [1, 1], left: 0.5, top: 0.5 } as const;
    expect(alignFrame(frame, point, point)).toBe(null);
    expect(alignFrame(frame, point, { ...point, place: [9, 9] })).toBe(null);
    expect(alignFrame(frame, point, { ...point, left: 0.9 })).toBe(null);
  });
});

test("a fixed point is shown at its place after it was set, and both after the second one was set", () => {
  const [first, second] = [
    { place: [0, 0], left: 0.25, top: 0.5 },
    { place: [3, 1], left: 0.75, top: 0.75 },
  ] as const;
  const moved = moveFrame(frame, first);
  expect([isShownAt(first, frame), isShownAt(first, moved)]).toEqual([false, true]);
  const turned = alignFrame(moved, first, second) as MapFrame;
  // Undoing the second step leaves the first point in place.
  expect([isShownAt(first, turned), isShownAt(second, turned)]).toEqual([true, true]);
  expect([isShownAt(first, moved), isShownAt(second, moved)]).toEqual([true, false]);
});
