import { describe, expect, it } from "vitest";
import { fc, testProperty } from "../../../tests/viewer/shapes";
import { computeOrbit, computeOrbitPosition, computeOverview, minOrbitDistance, slideOrbit } from "./orbit";
import { createProjector } from "./projection";

const extent = { min: [-6, 0, 0], max: [6, 3, 6] } as const;

describe("the camera outside", () => {
  testProperty(
    "sees every corner of the space from its overview, on wide and narrow canvases",
    [
      fc.constantFrom("orbit" as const, "plan" as const),
      fc.record({ width: fc.integer({ min: 200, max: 2000 }), height: fc.integer({ min: 200, max: 2000 }) }),
      fc.double({ min: -3, max: 3, noNaN: true }),
    ],
    (mode, size, yaw) => {
      const fov = mode === "plan" ? 0.25 : 0.7;
      const view = computeOverview(mode, extent, size, fov, yaw);
      const project = createProjector({ ...view, fov }, size);
      for (const x of [-6, 6])
        for (const y of [0, 3])
          for (const z of [0, 6]) {
            const point = project([x, y, z]);
            expect(point.x).toBeGreaterThanOrEqual(-1);
            expect(point.x).toBeLessThanOrEqual(size.width + 1);
            expect(point.y).toBeGreaterThanOrEqual(-1);
            expect(point.y).toBeLessThanOrEqual(size.height + 1);
          }
    },
  );

  it("turns about a point of the floor, from which its position can be computed again", () => {
    const view = computeOverview("orbit", extent, { width: 800, height: 600 }, 0.7, 0.4);
    const orbit = computeOrbit(view, extent);
    expect(orbit.centre[1]).toBeCloseTo(0);
    const position = computeOrbitPosition(orbit, view.yaw, view.pitch);
    position.forEach((value, axis) => {
      expect(value).toBeCloseTo(view.position[axis] ?? 99);
    });
  });

  it("has a finite centre when it looks at the sky", () => {
    const orbit = computeOrbit({ position: [0, 5, 20], yaw: 0, pitch: 0.5, mode: "orbit" }, extent);
    expect(orbit.distance).toBeGreaterThanOrEqual(minOrbitDistance("orbit", extent));
    expect(orbit.centre.every(Number.isFinite)).toBe(true);
  });

  it("comes nearer to a small object, and turns about the object's centre", () => {
    const small = { min: [-0.001, 0, -0.001], max: [0.001, 0.002, 0.001] } as const;
    for (const mode of ["orbit", "plan"] as const) expect(minOrbitDistance(mode, small)).toBeLessThan(0.005);
    const view = { position: [0, 0.001, 0.01], yaw: 0, pitch: 0, mode: "orbit" } as const;
    expect(computeOrbit(view, small, "middle").centre[2]).toBeCloseTo(0);
    expect(computeOverview("plan", small, { width: 800, height: 600 }, 0.25, 0).position[1]).toBeLessThan(
      0.05,
    );
  });

  it("keeps its centre within the space's floor area when it slides", () => {
    expect(slideOrbit({ centre: [0, 0, 3], distance: 9 }, [100, 0, -100], extent).centre).toEqual([6, 0, 0]);
  });
});
