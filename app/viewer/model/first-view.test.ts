import { describe, expect, it } from "vitest";
import { box, space } from "../../../tests/viewer/shapes";
import { direction } from "../core/angles";
import { Breath } from "../core/breath";
import type { Vec3, Viewpoint } from "../core/contract";
import type { Triangles } from "../core/triangles";
import { cross, dot, subtract } from "../core/vec";
import { chooseFirstView } from "./first-view";

const FOV = (50 * Math.PI) / 180;
const size = { width: 680, height: 640 };

const firstView = (of: Triangles) =>
  chooseFirstView({
    space: of,
    body: { radius: 0.25, eyeHeight: 1.6, step: 0.35 },
    size,
    walkFov: FOV,
    orbitFov: FOV,
    breath: new Breath(),
    bothSides: 1,
  });

/** Positions of the corners on the canvas: 1 is the right and the upper edge, −1 the left and the lower one. */
function corners({ corners: list }: Triangles, { position, yaw, pitch }: Viewpoint) {
  const ahead = direction(yaw, pitch);
  const right = direction(yaw - Math.PI / 2, 0);
  const up = cross(right, ahead);
  const high = Math.tan(FOV / 2);
  return Array.from({ length: list.length / 3 }, (_, at) => {
    const corner = [...list.slice(at * 3, at * 3 + 3)] as unknown as Vec3;
    const from = subtract(corner, position);
    const depth = dot(from, ahead) * high;
    return { x: dot(from, right) / depth / (size.width / size.height), y: dot(from, up) / depth };
  });
}

describe("the first view of an object", () => {
  it("shows the whole of one that covers enough of the canvas", async () => {
    const cube = space(box(-0.5, 0, -0.5, 0.5, 1, 0.5));
    const { isObject, start } = await firstView(cube);
    expect(isObject).toBe(true);
    for (const { x, y } of corners(cube, start))
      expect(Math.max(Math.abs(x), Math.abs(y))).toBeLessThan(0.95);
  });

  it("shows the whole of a figure that covers enough without a margin", async () => {
    // Covers about 16 % of a canvas that its height fills, and less with the usual margins.
    const figure = space(box(-0.14, 0, -0.14, 0.14, 1.8, 0.14));
    for (const { x, y } of corners(figure, (await firstView(figure)).start))
      expect(Math.max(Math.abs(x), Math.abs(y))).toBeLessThanOrEqual(1);
  });

  it("keeps the upper end of a thin figure in view, and lets its lower end go", async () => {
    const figure = space(box(-0.05, 0, -0.05, 0.05, 1.8, 0.05));
    const heights = corners(figure, (await firstView(figure)).start).map(({ y }) => y);
    expect(Math.max(...heights)).toBeLessThan(1);
    expect(Math.max(...heights)).toBeGreaterThan(0.9);
    expect(Math.min(...heights)).toBeLessThan(-1);
  });
});
