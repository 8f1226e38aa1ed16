import { describe, expect, it } from "vitest";
import { isEquirectangular } from "~/domain/spaces/panorama-shape";
import { fc, testProperty } from "../../../tests/viewer/shapes";
import { computeAngles, direction, shortestTurn } from "./angles";
import {
  createEquirectSphere,
  directionAt,
  findHomeNode,
  findNearestNode,
  findNodeAhead,
  isPinVisibleFrom,
} from "./equirect";

const PI = Math.PI;

describe("an equirectangular image", () => {
  it("shows its heading in the middle, directions to the left of it on the left, and up at the top", () => {
    expect(directionAt(0.5, 0.5, 0.7)).toEqual(direction(0.7, 0));
    expect(computeAngles(directionAt(0.4, 0.5, 0.7)).yaw).toBeGreaterThan(0.7);
    expect(directionAt(0.5, 1, 0.7)[1]).toBe(1);
    expect(directionAt(0.5, 0, 0.7)[1]).toBe(-1);
  });

  it("has its seam behind the heading, where both edges show the same direction", () => {
    for (const heading of [0, 0.7, PI]) {
      const [left, right] = [directionAt(0, 0.5, heading), directionAt(1, 0.5, heading)];
      for (const axis of [0, 1, 2] as const) {
        expect(left[axis]).toBeCloseTo(right[axis], 9);
        expect(left[axis]).toBeCloseTo(direction(heading + PI, 0)[axis], 9);
      }
    }
  });

  testProperty(
    "each column is one yaw and each row one pitch, both true to scale, for every heading",
    [
      fc.double({ min: 0.001, max: 0.999, noNaN: true }),
      fc.double({ min: 0.001, max: 0.999, noNaN: true }),
      fc.double({ min: -20, max: 20, noNaN: true }),
    ],
    (u, v, heading) => {
      const { yaw, pitch } = computeAngles(directionAt(u, v, heading));
      expect(shortestTurn(yaw, heading)).toBeCloseTo((u - 0.5) * 2 * PI, 6);
      expect(pitch).toBeCloseTo((v - 0.5) * PI, 6);
    },
  );

  it("is twice as wide as high, with a tolerance of 2 %", () => {
    expect(isEquirectangular(4096, 2048)).toBe(true);
    expect(isEquirectangular(4020, 2048)).toBe(true);
    expect(isEquirectangular(4010, 2048)).toBe(false);
    expect(isEquirectangular(1920, 1080)).toBe(false);
    expect(isEquirectangular(2048, 2048)).toBe(false);
    expect(isEquirectangular(0, 0)).toBe(false);
  });

  it("becomes a sphere whose vertices have the texture coordinates of their direction", () => {
    const { positions, uvs, indices } = createEquirectSphere(5, 16, 8);
    expect(Math.max(...indices)).toBe(17 * 9 - 1);
    for (const index of [40, 60, 77]) {
      const coordinateAt = (offset: number) => positions[index * 3 + offset] ?? 0;
      const expected = directionAt(uvs[index * 2] ?? -1, 1 - (uvs[index * 2 + 1] ?? -1), 0);
      for (const axis of [0, 1, 2] as const) expect(coordinateAt(axis) / 5).toBeCloseTo(expected[axis], 5);
    }
  });
});

describe("panorama nodes", () => {
  const a = { id: "a", position: [0, 1.6, 0] as const };
  const b = { id: "b", position: [0, 1.6, -4] as const };
  const c = { id: "c", position: [0, 1.6, -9] as const };
  const d = { id: "d", position: [5, 1.6, 0] as const };

  it("the node ahead is in the direction of view, the nearer of two, and neither beside nor behind the visitor", () => {
    expect(findNodeAhead([b, c, d], a.position, 0)?.id).toBe("b");
    expect(findNodeAhead([c, b, d], a.position, 0.2)?.id).toBe("b");
    expect(findNodeAhead([b, c, d], a.position, -PI / 2)?.id).toBe("d");
    expect(findNodeAhead([b, c, d], a.position, PI / 2)).toBeNull();
    expect(findNodeAhead([b], a.position, PI)).toBeNull();
    expect(findNodeAhead([a], a.position, 0)).toBeNull();
  });

  it("finds a node ahead across the seam of angles", () => {
    expect(findNodeAhead([{ id: "s", position: [0.1, 1.6, 4] }], a.position, PI - 0.1)?.id).toBe("s");
    expect(findNodeAhead([{ id: "s", position: [0.1, 1.6, 4] }], a.position, -PI + 0.1)?.id).toBe("s");
  });

  it("the home node of a pin is near and in front of its wall", () => {
    expect(findNearestNode([a, b, c], [0, 1, -8])?.id).toBe("c");
    // A wall at z = −6.9 that faces +z: c is nearer but behind it.
    expect(findHomeNode([a, b, c], [0, 1.5, -6.9], [0, 0, 0.2])?.id).toBe("b");
    expect(findHomeNode([], [0, 0, 0], [0, 0, 1])).toBeNull();
  });

  it("a pin is visible neither from behind its wall nor from far away", () => {
    const anchor = [0, 1.5, -5] as const;
    expect(isPinVisibleFrom(b, b, anchor, [0, 0, 0.2])).toBe(true);
    expect(isPinVisibleFrom(c, b, anchor, [0, 0, 0.2])).toBe(false);
    expect(isPinVisibleFrom(a, b, anchor, [0, 0, 0.2])).toBe(false);
    expect(isPinVisibleFrom({ id: "e", position: [1, 1.6, -3.9] }, b, anchor, [0, 0, 0.2])).toBe(true);
  });
});
