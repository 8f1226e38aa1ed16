import { describe, expect, it } from "vitest";
import {
  createFlight,
  createOrbitFlight,
  ease,
  type Pose,
  pointOnRoute,
  routeLength,
  smoothstep,
} from "./flight";

const pose = (x: number, yaw: number, fov = 1): Pose => ({
  position: [x, 1.6, 0],
  yaw,
  pitch: 0,
  fov,
});

describe("a flight", () => {
  it("begins and ends exactly at its poses", () => {
    const flight = createFlight(pose(0, 3), pose(5, -3, 0.5));
    expect(flight.poseAt(-1)).toEqual(pose(0, 3));
    expect(flight.poseAt(0)).toEqual(pose(0, 3));
    expect(flight.poseAt(flight.duration)).toEqual(pose(5, -3, 0.5));
    expect(flight.poseAt(flight.duration + 1e6)).toEqual(pose(5, -3, 0.5));
  });

  it("turns across the seam instead of all the way round", () => {
    const flight = createFlight(pose(0, 3), pose(1, -3));
    for (let time = 0; time <= flight.duration; time += flight.duration / 20)
      expect(Math.abs(flight.poseAt(time).yaw)).toBeGreaterThanOrEqual(3 - 1e-9);
  });

  it("takes no time when nothing changes, and never more than three seconds", () => {
    expect(createFlight(pose(1, 1), pose(1, 1)).duration).toBe(0);
    expect(createFlight(pose(0, 0), pose(10_000, 3)).duration).toBeLessThan(3000);
  });

  it("follows its route, rounds the corners and looks ahead on the route", () => {
    const route = [
      [0, 1.6, 0],
      [0, 1.6, -5],
      [5, 1.6, -5],
    ] as const;
    const end: Pose = { position: route[2], yaw: 0, pitch: 0, fov: 1 };
    const flight = createFlight(pose(0, 2), end, route);
    const middle = flight.poseAt(flight.duration * 0.35);
    expect(middle.position[0]).toBeCloseTo(0, 0);
    expect(Math.abs(middle.yaw)).toBeLessThan(0.4);
    let largestOffset = 0;
    for (let time = 0; time < flight.duration; time += 16) {
      const { position } = flight.poseAt(time);
      const offset = Math.min(Math.abs(position[0]), Math.abs(position[2] + 5));
      expect(offset).toBeLessThan(0.4);
      largestOffset = Math.max(largestOffset, offset);
    }
    expect(largestOffset).toBeGreaterThan(0.05);
  });

  it("moves without jumps", () => {
    const flight = createFlight(pose(0, 0), pose(8, 2), [
      [0, 1.6, 0],
      [4, 1.6, 3],
      [8, 1.6, 0],
    ]);
    let previous = flight.poseAt(0);
    for (let time = 16; time <= flight.duration + 16; time += 16) {
      const current = flight.poseAt(time);
      expect(routeLength([previous.position, current.position])).toBeLessThan(0.35);
      expect(Math.abs(current.yaw - previous.yaw)).toBeLessThan(0.3);
      previous = current;
    }
  });
});

describe("a flight out of the space", () => {
  const inside: Pose = { position: [1, 1.6, 4], yaw: 0.5, pitch: 0, fov: 1.1 };
  const above: Pose = { position: [0, 60, 3], yaw: 0, pitch: -Math.PI / 2, fov: 0.25 };

  it("begins and ends exactly at its poses", () => {
    const flight = createOrbitFlight(inside, 2, above, 60);
    expect(flight.poseAt(0)).toEqual(inside);
    expect(flight.poseAt(flight.duration)).toEqual(above);
    expect(flight.poseAt(flight.duration * 0.001).position[1]).toBeCloseTo(1.6, 1);
  });

  it("keeps the middle of its view within the width of the rooms, and never suddenly shows much less", () => {
    const flight = createOrbitFlight(inside, 2, above, 60);
    let previousDistance = 0;
    for (let time = 1; time < flight.duration; time += 20) {
      const pose = flight.poseAt(time);
      expect(pose.position.every(Number.isFinite)).toBe(true);
      // On the route, the camera is above the floor and looks down on the rooms, which are 12 m wide.
      const distanceToFloor = pose.position[1] / Math.max(1e-9, -Math.sin(pose.pitch));
      if (pose.pitch < -0.3) {
        const x = pose.position[0] - Math.sin(pose.yaw) * Math.cos(pose.pitch) * distanceToFloor;
        expect(Math.abs(x)).toBeLessThan(6);
        const visibleDistance = distanceToFloor * Math.tan(pose.fov / 2);
        expect(visibleDistance).toBeGreaterThan(previousDistance - 0.5);
        previousDistance = visibleDistance;
      }
    }
  });
});

describe("easing and routes", () => {
  it("ease and smoothstep are 0 before their range, 0.5 in its middle, and 1 after it", () => {
    expect([ease(-1), ease(0), ease(0.5), ease(1), ease(2)]).toEqual([0, 0, 0.5, 1, 1]);
    expect([smoothstep(1, 2, 0), smoothstep(1, 2, 1.5), smoothstep(1, 2, 3)]).toEqual([0, 0.5, 1]);
  });

  it("a point on a route stays within its ends, also with repeated corners", () => {
    const route = [
      [0, 0, 0],
      [0, 0, 0],
      [2, 0, 0],
    ] as const;
    expect(pointOnRoute(route, -1)).toEqual([0, 0, 0]);
    expect(pointOnRoute(route, 1)).toEqual([1, 0, 0]);
    expect(pointOnRoute(route, 9)).toEqual([2, 0, 0]);
    expect(pointOnRoute([], 1)).toEqual([0, 0, 0]);
  });
});
