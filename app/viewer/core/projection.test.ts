import { describe, expect, it } from "vitest";
import { fc, testProperty } from "../../../tests/viewer/shapes";
import type { Vec3 } from "./contract";
import { computeFieldOfView, computeScreenRay, createProjector, findScreenEdge } from "./projection";
import { add, scale } from "./vec";

const size = { width: 800, height: 600 };
const pose = { position: [1, 1.6, 2] as const, yaw: 0, pitch: 0, fov: Math.PI / 2 };

describe("projection", () => {
  it("maps the point ahead to the centre, right to the right, and up to the top", () => {
    const project = createProjector(pose, size);
    expect(project([1, 1.6, -3])).toEqual({ x: 400, y: 300, depth: 5 });
    expect(project([2, 1.6, 1]).x).toBeCloseTo(700);
    expect(project([1, 2.6, 1]).y).toBeCloseTo(0);
    expect(project([1, 1.6, 5]).depth).toBeLessThan(0);
  });

  it("finds the edge towards a point outside of the screen, also behind the visitor", () => {
    const edgeTowards = (point: Vec3) => findScreenEdge(createProjector(pose, size)(point), size);
    expect(edgeTowards([9, 1.6, 1]).x).toBeCloseTo(800);
    expect(edgeTowards([-9, 1.6, 1]).x).toBeCloseTo(0);
    expect(edgeTowards([1, -9, 1]).y).toBeCloseTo(600);
    // A point behind the right shoulder is reached by a turn to the right.
    expect(edgeTowards([5, 1.6, 4]).x).toBeCloseTo(800);
    expect(edgeTowards([-5, 1.6, 4]).x).toBeCloseTo(0);
    expect(edgeTowards([1, 0, 3]).y).toBeCloseTo(600);
  });

  it("looks straight down without rotating the plan", () => {
    const project = createProjector({ ...pose, pitch: -Math.PI / 2 }, size);
    const right = project([2, 0, 2]);
    const north = project([1, 0, 1]);
    expect(right.x).toBeGreaterThan(400);
    expect(right.y).toBeCloseTo(300);
    expect(north.y).toBeLessThan(300);
  });

  testProperty(
    "the ray through a point of the screen is projected to that point again",
    [
      fc.double({ min: -3, max: 3, noNaN: true }),
      fc.double({ min: -1.5, max: 1.5, noNaN: true }),
      fc.double({ min: 0, max: 800, noNaN: true }),
      fc.double({ min: 0, max: 600, noNaN: true }),
    ],
    (yaw, pitch, x, y) => {
      const turnedPose = { ...pose, yaw, pitch };
      const point = add(turnedPose.position, scale(computeScreenRay(turnedPose, size, x, y), 7));
      const projected = createProjector(turnedPose, size)(point);
      expect(projected.x).toBeCloseTo(x, 3);
      expect(projected.y).toBeCloseTo(y, 3);
    },
  );

  it("widens the view of a narrow canvas, and lowers that of a very wide one", () => {
    const horizontalFieldOfView = (width: number, height: number) =>
      2 * Math.atan((Math.tan(computeFieldOfView({ width, height }, 1.1, 1) / 2) * width) / height);
    expect(horizontalFieldOfView(2400, 500)).toBeCloseTo((100 * Math.PI) / 180);
    expect(horizontalFieldOfView(390, 844)).toBeCloseTo(1);
    expect(computeFieldOfView({ width: 1600, height: 900 }, 1, 1)).toBe(1);
    expect(computeFieldOfView({ width: 390, height: 844 }, 1, 1)).toBeGreaterThan(1.5);
    expect(computeFieldOfView({ width: 0, height: 0 }, 1, 1)).toBe(1);
  });
});
