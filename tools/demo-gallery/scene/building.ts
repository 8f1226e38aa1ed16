/** The parts of a building under construction, and the geometry of walls. */
import type { Vec3 } from "~/domain/shared/model";
import { type RoomId, type Side, wallNormal, wallPlane } from "../../../seed/gallery-plan";
import { createFace, type FaceStyle, type Mesh, type SceneFace } from "./geometry";
import type { MaterialId } from "./materials";

/** A lamp with a cone of light. */
export interface Spot {
  readonly position: Vec3;
  readonly direction: Vec3;
  /** Light at one metre on the axis. */
  readonly power: number;
  /** Cosines of the angle up to which the light is full, and of the angle at which it ends. */
  readonly inner: number;
  readonly outer: number;
}

/** Pixels per metre of the floor images. */
export const floorPixels = 200;

/** Width and height of the wood image in metres. */
export const woodMetres: readonly [number, number] = [2.56, 1.28];

/** Height of the cut through the walls in the view from above, in metres. */
export const wallTop = 3.6;

/** Depth of a street door's panel or a paper screen behind the wall's plane, in metres. */
export const recess = 0.1;

/** The parts that the functions of this folder add to. */
export interface Building {
  readonly faces: SceneFace[];
  readonly meshes: Mesh[];
  readonly spots: Spot[];
}

/** Returns a point of a wall by its coordinate along the wall (x or z), its height, and its distance from the wall. */
function onWall(room: RoomId, side: Side, along: number, y: number, off = 0): Vec3 {
  const plane = wallPlane(room, side);
  const n = wallNormal(side);
  return side === "north" || side === "south"
    ? [along, y, plane + n[2] * off]
    : [plane + n[0] * off, y, along];
}

/** Direction of a wall's normal, by the side of the room on which the wall is. */
export const wallDirection: Readonly<Record<Side, "+z" | "-z" | "-x" | "+x">> = {
  north: "+z",
  south: "-z",
  east: "-x",
  west: "+x",
};

/** Returns the lower and the upper corner of the box between two opposite corners. */
export function minMaxCorners(a: Vec3, c: Vec3): [Vec3, Vec3] {
  return [
    [Math.min(a[0], c[0]), Math.min(a[1], c[1]), Math.min(a[2], c[2])],
    [Math.max(a[0], c[0]), Math.max(a[1], c[1]), Math.max(a[2], c[2])],
  ];
}

/** Returns a rectangle on (or parallel to) a wall. */
export function wallFace(
  node: string,
  room: RoomId,
  side: Side,
  from: number,
  to: number,
  y0: number,
  y1: number,
  off: number,
  material: MaterialId,
  style: FaceStyle = {},
): SceneFace {
  const [low, high] = minMaxCorners(onWall(room, side, from, y0, off), onWall(room, side, to, y1, off));
  return createFace(node, wallDirection[side], low, high, material, style);
}

/** Returns a box on a wall that reaches from `off0` to `off1` metres into the room. */
export function wallBox(
  room: RoomId,
  side: Side,
  from: number,
  to: number,
  y0: number,
  y1: number,
  off0: number,
  off1: number,
): [Vec3, Vec3] {
  return minMaxCorners(onWall(room, side, from, y0, off0), onWall(room, side, to, y1, off1));
}

/** Style of faces with one colour that light does not change. */
export const flatStyle: FaceStyle = { grain: 10, pixels: 1 };

/**
 * Returns the style of a wooden face.
 * @param seed number that selects the part of the wood image, so that neighbouring boards differ
 * @param turned whether the grain runs along v
 */
export function woodStyle(seed: number, turned = false): FaceStyle {
  return {
    grain: 0.04,
    pixels: 150,
    image: { id: "oak", repeatSize: woodMetres, offset: [(seed * 0.37) % 2, (seed * 0.29) % 1], turned },
  };
}
