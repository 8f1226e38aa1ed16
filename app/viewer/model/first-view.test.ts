import { describe, expect, it } from "vitest";
import { boxShape } from "../../../tests/viewer/objects";
import { boxPoints, boxTriangles, space, twoRooms } from "../../../tests/viewer/shapes";
import { direction } from "../core/angles";
import type { Vec3, Viewpoint } from "../core/contract";
import { TimeSlicer } from "../core/time-slicer";
import { Triangles } from "../core/triangles";
import { cross, dot, subtract } from "../core/vec";
import { pointNormals, pointSpacing, pointSquares } from "../shared/point-normals";
import { chooseFirstView } from "./first-view";

const FOV = (50 * Math.PI) / 180;
const size = { width: 680, height: 640 };

const firstView = (triangles: Triangles, poses?: Float32Array, pins?: readonly Vec3[]) =>
  chooseFirstView({
    space: triangles,
    poses,
    pins,
    body: { radius: 0.25, eyeHeight: 1.6, step: 0.35 },
    size,
    walkFov: FOV,
    orbitFov: FOV,
    slicer: new TimeSlicer(),
    doubleSidedBit: 1,
  });

/** Positions of the corners on the canvas: 1 is the right and the upper edge, −1 the left and the lower one. */
function projectCorners(
  { corners: cornerCoordinates }: { readonly corners: Float32Array },
  { position, yaw, pitch }: Viewpoint,
) {
  const ahead = direction(yaw, pitch);
  const right = direction(yaw - Math.PI / 2, 0);
  const up = cross(right, ahead);
  const halfHeight = Math.tan(FOV / 2);
  return Array.from({ length: cornerCoordinates.length / 3 }, (_, index) => {
    const corner = [...cornerCoordinates.slice(index * 3, index * 3 + 3)] as unknown as Vec3;
    const offset = subtract(corner, position);
    const depth = dot(offset, ahead) * halfHeight;
    return { x: dot(offset, right) / depth / (size.width / size.height), y: dot(offset, up) / depth };
  });
}

describe("the first view of an object", () => {
  it("shows all of it when it covers enough of the canvas", async () => {
    const cube = space(boxTriangles(-0.5, 0, -0.5, 0.5, 1, 0.5));
    const { isObject, start } = await firstView(cube);
    expect(isObject).toBe(true);
    for (const { x, y } of projectCorners(cube, start))
      expect(Math.max(Math.abs(x), Math.abs(y))).toBeLessThan(0.95);
  });

  it("shows all of a figure that covers enough of the canvas without a margin", async () => {
    // A figure that covers about 16 % of the canvas at full height, and less with the usual margins.
    const figure = space(boxTriangles(-0.14, 0, -0.14, 0.14, 1.8, 0.14));
    for (const { x, y } of projectCorners(figure, (await firstView(figure)).start))
      expect(Math.max(Math.abs(x), Math.abs(y))).toBeLessThanOrEqual(1);
  });

  it("keeps the upper end of a thin figure in view, but not its lower end", async () => {
    const figure = space(boxTriangles(-0.05, 0, -0.05, 0.05, 1.8, 0.05));
    const heights = projectCorners(figure, (await firstView(figure)).start).map(({ y }) => y);
    expect(Math.max(...heights)).toBeLessThan(1);
    expect(Math.max(...heights)).toBeGreaterThan(0.9);
    expect(Math.min(...heights)).toBeLessThan(-1);
  });

  it("keeps the hands of a figure with its arms out in view", async () => {
    const figure = space(
      boxTriangles(-0.11, 0, -0.09, 0.11, 1.8, 0.09),
      boxTriangles(-0.9, 1.39, -0.05, 0.9, 1.48, 0.05),
    );
    const { start } = await firstView(figure);
    const cornerPositions = projectCorners(figure, start);
    expect(Math.max(...cornerPositions.map(({ x }) => Math.abs(x)))).toBeLessThanOrEqual(1);
    expect(Math.max(...cornerPositions.map(({ y }) => y))).toBeLessThanOrEqual(1);
  });

  it("keeps the head of an animated figure in view when it jumps", async () => {
    const figure = space(boxTriangles(-0.12, 0, -0.12, 0.12, 1.6, 0.12));
    const jumpPose = {
      corners: figure.corners.map((value, index) => (index % 3 === 1 ? value + 0.3 : value)),
    };
    const heights = (start: Viewpoint) => Math.max(...projectCorners(jumpPose, start).map(({ y }) => y));
    expect(heights((await firstView(figure)).start)).toBeGreaterThan(1);
    expect(heights((await firstView(figure, jumpPose.corners)).start)).toBeLessThanOrEqual(1);
  });
});

/** Layer of triangles that show only their front. */
const ONE_SIDE = 2;
/** Layer of triangles that show both sides. */
const BOTH_SIDES = 1;

function model(layer: number, ...parts: readonly ReturnType<typeof boxShape>[]): Triangles {
  const corners = parts.flatMap(({ positions, indices }) =>
    indices.flatMap((index) => positions.slice(index * 3, index * 3 + 3)),
  );
  return new Triangles(Float32Array.from(corners), new Uint8Array(corners.length / 9).fill(layer));
}

/** Boxes in rows and columns. @param step distance between their centres in metres @param side their width in metres */
const rows = (count: number, step: number, side: number, bottom: number, top: number) =>
  Array.from({ length: count * count }, (_, index) => {
    const [x, z] = [(index % count) * step, Math.floor(index / count) * step];
    return boxShape([x, bottom, z], [x + side, top, z + side]);
  });

const cabinets = [
  boxShape([-2.4, 0, -2.8], [-0.4, 2, -2.2]),
  boxShape([1.8, 0, -1], [2.4, 1.9, 1.5]),
  boxShape([-0.6, 0, -0.4], [0.6, 0.75, 0.4]),
];

/** Surfaces of points on the sides of a box, as the viewer computes them. */
async function scanBox(size: Vec3, step: number): Promise<Triangles> {
  const points = boxPoints(size, step);
  const squares = pointSquares(
    points,
    await pointNormals(points, new TimeSlicer()),
    pointSpacing(points) * 0.75,
  );
  return new Triangles(squares, new Uint8Array(squares.length / 9).fill(BOTH_SIDES));
}

describe("a scan of points", () => {
  it("of a room begins inside, standing on its floor", async () => {
    const { isObject, start } = await firstView(await scanBox([5, 2.6, 4], 0.08));
    expect(isObject).toBe(false);
    expect(start.position[1]).toBeCloseTo(1.6, 1);
  });

  it("of a small object begins outside", async () => {
    expect((await firstView(await scanBox([0.6, 0.9, 0.5], 0.02))).isObject).toBe(true);
  });
});

describe("a model with an inside", () => {
  const walls = [[-2.5, 0, -3] as const, [2.5, 2.7, 3] as const] as const;
  const rooms = {
    "a room whose walls face inwards": model(ONE_SIDE, boxShape(...walls, true)),
    "a room of two-sided walls that face outwards, with cabinets": model(
      BOTH_SIDES,
      boxShape(...walls),
      ...cabinets,
    ),
    "two rooms of two-sided walls that face anywhere": twoRooms(),
    "a house whose walls are a closed shell": model(
      ONE_SIDE,
      boxShape([-2.7, -0.2, -3.2], [2.7, 2.9, 3.2]),
      boxShape(...walls, true),
    ),
    "a house whose walls are a closed shell of two-sided surfaces": model(
      BOTH_SIDES,
      boxShape([-2.7, -0.2, -3.2], [2.7, 2.9, 3.2]),
      boxShape(...walls, true),
    ),
  };
  it.for(Object.entries(rooms))("begins inside %s", async ([, room]) => {
    const { isObject, start } = await firstView(room);
    expect(isObject).toBe(false);
    expect(start).toMatchObject({ mode: "walk", pitch: 0 });
    expect(start.position[1]).toBeCloseTo(1.6);
  });

  it("begins in the room with most of the pins, and faces them", async () => {
    const room = twoRooms();
    const isAhead = ({ position, yaw }: Viewpoint, pin: Vec3) =>
      dot(subtract(pin, position), direction(yaw, 0)) > 0;
    // Three pins on the far wall of one room, and one behind the wall between the rooms.
    for (const side of [-1, 1]) {
      const pins: Vec3[] = [1.5, 3, 4.5].map((z) => [side * 5.95, 1.5, z]);
      const { start } = await firstView(room, undefined, [...pins, [side * -5.95, 1.5, 3]]);
      expect(Math.sign(start.position[0])).toBe(side);
      for (const pin of pins) expect(isAhead(start, pin)).toBe(true);
    }
  });

  const board = boxShape([-8, 0, -8], [264, 4, 264]);
  const objects = {
    "a hollow board whose pieces reach into it": model(BOTH_SIDES, board, ...rows(8, 32, 20, 0.5, 40)),
    "a hundred closed boxes on a ground": model(
      BOTH_SIDES,
      boxShape([-20, -1, -20], [560, 4, 560]),
      ...rows(10, 57, 24, 0, 20),
    ),
    "a closed box of one-sided surfaces": model(ONE_SIDE, boxShape(...walls)),
  };
  it.for(Object.entries(objects))("begins outside of %s", async ([, object]) => {
    const { isObject, start } = await firstView(object);
    expect(isObject).toBe(true);
    expect(start.mode).toBe("orbit");
  });
});
