import { describe, expect, it } from "vitest";
import { ease, fly, flyAround, type Pose, pointOnWay, smoothstep, wayLength } from "./flight";

const pose = (x: number, yaw: number, fov = 1): Pose => ({ position: [x, 1.6, 0], yaw, pitch: 0, fov });

describe("a flight", () => {
  it("begins and ends exactly at its poses", () => {
    const flight = fly(pose(0, 3), pose(5, -3, 0.5));
    expect(flight.at(-1)).toEqual(pose(0, 3));
    expect(flight.at(0)).toEqual(pose(0, 3));
    expect(flight.at(flight.duration)).toEqual(pose(5, -3, 0.5));
    expect(flight.at(flight.duration + 1e6)).toEqual(pose(5, -3, 0.5));
  });

  it("turns across the seam instead of all the way round", () => {
    const flight = fly(pose(0, 3), pose(1, -3));
    for (let time = 0; time <= flight.duration; time += flight.duration / 20)
      expect(Math.abs(flight.at(time).yaw)).toBeGreaterThanOrEqual(3 - 1e-9);
  });

  it("takes no time when nothing changes, and never more than three seconds", () => {
    expect(fly(pose(1, 1), pose(1, 1)).duration).toBe(0);
    expect(fly(pose(0, 0), pose(10_000, 3)).duration).toBeLessThan(3000);
  });

  it("follows its way, rounds the corners and looks ahead on the way", () => {
    const way = [
      [0, 1.6, 0],
      [0, 1.6, -5],
      [5, 1.6, -5],
    ] as const;
    const end: Pose = { position: way[2], yaw: 0, pitch: 0, fov: 1 };
    const flight = fly(pose(0, 2), end, way);
    const middle = flight.at(flight.duration * 0.35);
    expect(middle.position[0]).toBeCloseTo(0, 0);
    expect(Math.abs(middle.yaw)).toBeLessThan(0.4);
    for (let time = 0; time < flight.duration; time += 16) {
      const { position } = flight.at(time);
      expect(Math.min(Math.abs(position[0]), Math.abs(position[2] + 5))).toBeLessThan(0.4);
    }
  });

  it("moves without jumps", () => {
    const flight = fly(pose(0, 0), pose(8, 2), [
      [0, 1.6, 0],
      [4, 1.6, 3],
      [8, 1.6, 0],
    ]);
    let before = flight.at(0);
    for (let time = 16; time <= flight.duration + 16; time += 16) {
      const now = flight.at(time);
      expect(wayLength([before.position, now.position])).toBeLessThan(0.35);
      expect(Math.abs(now.yaw - before.yaw)).toBeLessThan(0.3);
      before = now;
    }
  });
});

describe("a flight out of the space", () => {
  const inside: Pose = { position: [1, 1.6, 4], yaw: 0.5, pitch: 0, fov: 1.1 };
  const above: Pose = { position: [0, 60, 3], yaw: 0, pitch: -Math.PI / 2, fov: 0.25 };

  it("begins and ends exactly at its poses", () => {
    const flight = flyAround(inside, 2, above, 60);
    expect(flight.at(0)).toEqual(inside);
    expect(flight.at(flight.duration)).toEqual(above);
    expect(flight.at(flight.duration * 0.001).position[1]).toBeCloseTo(1.6, 1);
  });

  it("has what it looks at in the middle of the picture all the time, and always sees more", () => {
    const flight = flyAround(inside, 2, above, 60);
    let before = 0;
    for (let time = 1; time < flight.duration; time += 20) {
      const pose = flight.at(time);
      expect(pose.position.every(Number.isFinite)).toBe(true);
      // On the way the camera is above the floor and looks down on the rooms, which are 12 m wide.
      const down = pose.position[1] / Math.max(1e-9, -Math.sin(pose.pitch));
      if (pose.pitch < -0.3) {
        const x = pose.position[0] - Math.sin(pose.yaw) * Math.cos(pose.pitch) * down;
        expect(Math.abs(x)).toBeLessThan(6);
        const seen = down * Math.tan(pose.fov / 2);
        expect(seen).toBeGreaterThan(before - 0.5);
        before = seen;
      }
    }
  });
});

describe("easing and ways", () => {
  it("ease keeps its ends and its middle", () => {
    expect([ease(-1), ease(0), ease(0.5), ease(1), ease(2)]).toEqual([0, 0, 0.5, 1, 1]);
    expect([smoothstep(1, 2, 0), smoothstep(1, 2, 1.5), smoothstep(1, 2, 3)]).toEqual([0, 0.5, 1]);
  });

  it("a point on a way stays within its ends, also with doubled corners", () => {
    const way = [
      [0, 0, 0],
      [0, 0, 0],
      [2, 0, 0],
    ] as const;
    expect(pointOnWay(way, -1)).toEqual([0, 0, 0]);
    expect(pointOnWay(way, 1)).toEqual([1, 0, 0]);
    expect(pointOnWay(way, 9)).toEqual([2, 0, 0]);
    expect(pointOnWay([], 1)).toEqual([0, 0, 0]);
  });
});
