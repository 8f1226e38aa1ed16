import { describe, expect, it } from "vitest";
import { isEquirectangular } from "~/domain/spaces/panorama-shape";
import { fc, test } from "../../../tests/viewer/shapes";
import { direction } from "./angles";
import {
  createEquirectSphere,
  directionAt,
  findHomeNode,
  findNearestNode,
  findNodeAhead,
  imagePointAt,
  isPinVisibleFrom,
} from "./equirect";

const PI = Math.PI;

describe("an equirectangular image", () => {
  it("shows its heading in the middle, left of it to the left, up at the top", () => {
    expect(imagePointAt(direction(0.7, 0), 0.7)).toEqual({ u: 0.5, v: 0.5 });
    expect(imagePointAt(direction(0.7 + 0.2, 0), 0.7).u).toBeLessThan(0.5);
    expect(imagePointAt([0, 1, 0], 0.7)).toEqual({ u: 0.5, v: 1 });
    expect(imagePointAt([0, -1, 0], 0.7)).toEqual({ u: 0.5, v: 0 });
  });

  it("has its seam behind the heading, where u wraps from 1 to 0", () => {
    expect(imagePointAt(direction(PI, 0), 0).u).toBe(0);
    expect(imagePointAt(direction(PI - 1e-6, 0), 0).u).toBeCloseTo(0, 5);
    expect(imagePointAt(direction(-PI + 1e-6, 0), 0).u).toBeCloseTo(1, 5);
    expect(imagePointAt(direction(-PI + 1e-6, 0), 0).u).toBeLessThan(1);
    // The heading itself may be at the seam of angles.
    expect(imagePointAt(direction(-PI + 0.1, 0), PI).u).toBeCloseTo(0.5 - 0.1 / (2 * PI));
    expect(imagePointAt(direction(PI - 0.1, 0), -PI).u).toBeCloseTo(0.5 + 0.1 / (2 * PI));
  });

  test(
    "directions and points are each other's inverse for every heading",
    [
      fc.double({ min: 0.001, max: 0.999, noNaN: true }),
      fc.double({ min: 0.001, max: 0.999, noNaN: true }),
      fc.double({ min: -20, max: 20, noNaN: true }),
    ],
    (u, v, heading) => {
      const found = imagePointAt(directionAt(u, v, heading), heading);
      expect(found.u).toBeCloseTo(u, 6);
      expect(found.v).toBeCloseTo(v, 6);
    },
  );

  it("is twice as wide as high, give or take a pixel", () => {
    expect(isEquirectangular(4096, 2048)).toBe(true);
    expect(isEquirectangular(4095, 2048)).toBe(true);
    expect(isEquirectangular(1920, 1080)).toBe(false);
    expect(isEquirectangular(2048, 2048)).toBe(false);
    expect(isEquirectangular(0, 0)).toBe(false);
  });

  it("becomes a sphere whose vertices have the texture coordinates of their direction", () => {
    const { positions, uvs, indices } = createEquirectSphere(5, 16, 8);
    expect(Math.max(...indices)).toBe(17 * 9 - 1);
    for (const index of [40, 60, 77]) {
      const at = (offset: number) => positions[index * 3 + offset] ?? 0;
      const found = imagePointAt([at(0), at(1), at(2)], 0);
      expect(found.u).toBeCloseTo(uvs[index * 2] ?? -1, 5);
      expect(1 - found.v).toBeCloseTo(uvs[index * 2 + 1] ?? -1, 5);
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

  it("finds a node behind the visitor across the seam of angles", () => {
    expect(findNodeAhead([{ id: "s", position: [0.1, 1.6, 4] }], a.position, PI - 0.1)?.id).toBe("s");
    expect(findNodeAhead([{ id: "s", position: [0.1, 1.6, 4] }], a.position, -PI + 0.1)?.id).toBe("s");
  });

  it("the home node of a pin is near and in front of its wall", () => {
    expect(findNearestNode([a, b, c], [0, 1, -8])?.id).toBe("c");
    // A wall at z = −5 that faces +z: c is nearer but behind it.
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
