import { describe, expect, it } from "vitest";
import { fc, testProperty } from "../../../tests/viewer/shapes";
import { clampPitch, computeAngles, direction, lerpAngle, lookAt, shortestTurn, wrapAngle } from "./angles";

const PI = Math.PI;

describe("angles", () => {
  it("wraps into (−π, π], with the seam on the positive side", () => {
    expect(wrapAngle(PI)).toBe(PI);
    expect(wrapAngle(-PI)).toBe(PI);
    expect(wrapAngle(3 * PI)).toBeCloseTo(PI);
    expect(wrapAngle(PI + 0.1)).toBeCloseTo(-PI + 0.1);
    expect(wrapAngle(-PI - 0.1)).toBeCloseTo(PI - 0.1);
    expect(wrapAngle(0)).toBe(0);
  });

  it("turns the short way across the seam", () => {
    expect(shortestTurn(PI - 0.1, -PI + 0.1)).toBeCloseTo(0.2);
    expect(shortestTurn(-PI + 0.1, PI - 0.1)).toBeCloseTo(-0.2);
    expect(lerpAngle(PI - 0.1, -PI + 0.1, 0.5)).toBeCloseTo(PI);
    expect(lerpAngle(PI - 0.1, -PI + 0.1, 0.75)).toBeCloseTo(-PI + 0.05);
  });

  it("looks along −z at yaw 0, to the left as yaw grows, and up as pitch grows", () => {
    expect(direction(0, 0)).toEqual([-0, 0, -1]);
    const [x, , z] = direction(PI / 2, 0);
    expect(x).toBeCloseTo(-1);
    expect(z).toBeCloseTo(0);
    expect(direction(0, PI / 2)[1]).toBeCloseTo(1);
  });

  it("keeps the given yaw when the vector is vertical or has no length", () => {
    expect(computeAngles([0, 5, 0], 1.25)).toEqual({ yaw: 1.25, pitch: PI / 2 });
    expect(computeAngles([0, -5, 0], 1.25)).toEqual({ yaw: 1.25, pitch: -PI / 2 });
    expect(computeAngles([0, 0, 0], 1.25)).toEqual({ yaw: 1.25, pitch: 0 });
  });

  it("clamps the pitch", () => {
    expect(clampPitch(2)).toBe(PI / 2);
    expect(clampPitch(-2, 1)).toBe(-1);
  });

  testProperty(
    "finds the angles of a direction",
    [fc.double({ min: -3.1, max: 3.1, noNaN: true }), fc.double({ min: -1.5, max: 1.5, noNaN: true })],
    (yaw, pitch) => {
      const angles = lookAt(
        [1, 2, 3],
        direction(yaw, pitch).map((value, axis) => value * 4 + axis + 1) as unknown as [
          number,
          number,
          number,
        ],
      );
      expect(angles.yaw).toBeCloseTo(yaw, 6);
      expect(angles.pitch).toBeCloseTo(pitch, 6);
    },
  );

  testProperty(
    "wrapping changes no direction and has no further effect when repeated",
    [fc.double({ min: -1e4, max: 1e4, noNaN: true })],
    (angle) => {
      const wrapped = wrapAngle(angle);
      expect(wrapped).toBeGreaterThan(-PI - 1e-12);
      expect(wrapped).toBeLessThanOrEqual(PI);
      expect(wrapAngle(wrapped)).toBeCloseTo(wrapped, 9);
      expect(Math.cos(wrapped)).toBeCloseTo(Math.cos(angle), 6);
      expect(Math.sin(wrapped)).toBeCloseTo(Math.sin(angle), 6);
    },
  );
});
