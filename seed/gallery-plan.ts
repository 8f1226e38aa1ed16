/**
 * Plan of the demo gallery: rooms, doorways, works and objects. The generator of the demo's files (tools/demo-gallery) and the
 * demo's records both read it, so that a tag lies exactly on its work. In metres, y up, floor at y = 0; north is −z, east is +x.
 */
import type { Vec3, Viewpoint } from "~/domain/shared/model";

export const eyeHeight = 1.6;
export const wallThickness = 0.3;

export type RoomId = "entrance" | "hall" | "indigo" | "cabinet";
/** Side of a room on which a wall is. The wall's normal points the other way, into the room. */
export type Side = "north" | "south" | "east" | "west";

export interface Room {
  readonly id: RoomId;
  readonly x0: number;
  readonly x1: number;
  readonly z0: number;
  readonly z1: number;
  readonly height: number;
}

export const rooms: Readonly<Record<RoomId, Room>> = {
  entrance: { id: "entrance", x0: -4, x1: 4, z0: 4, z1: 10, height: 3.3 },
  hall: { id: "hall", x0: -6, x1: 6, z0: -6.3, z1: 3.7, height: 3.6 },
  indigo: { id: "indigo", x0: 6.3, x1: 11.3, z0: -0.9, z1: 3.7, height: 3.2 },
  cabinet: { id: "cabinet", x0: 6.3, x1: 11.3, z0: -6.3, z1: -1.2, height: 2.8 },
};

/** An opening in the wall between two rooms. `from` and `to` are along x (north–south doors) or z (east–west doors). */
export interface Doorway {
  readonly id: string;
  readonly a: { readonly room: RoomId; readonly side: Side };
  readonly b: { readonly room: RoomId; readonly side: Side };
  readonly from: number;
  readonly to: number;
  readonly height: number;
}

export const doorways: readonly Doorway[] = [
  {
    id: "entrance-hall",
    a: { room: "entrance", side: "north" },
    b: { room: "hall", side: "south" },
    from: -1.5,
    to: 1.5,
    height: 2.8,
  },
  {
    id: "hall-indigo",
    a: { room: "hall", side: "east" },
    b: { room: "indigo", side: "west" },
    from: 0.7,
    to: 2.1,
    height: 2.5,
  },
  {
    id: "hall-cabinet",
    a: { room: "hall", side: "east" },
    b: { room: "cabinet", side: "west" },
    from: -4.6,
    to: -3.4,
    height: 2.2,
  },
  {
    id: "indigo-cabinet",
    a: { room: "indigo", side: "north" },
    b: { room: "cabinet", side: "south" },
    from: 9.5,
    to: 10.7,
    height: 2.2,
  },
];

/** The alcove in the cabinet's north wall. */
export const alcove = { x0: 9.2, x1: 11, z0: -7, z1: -6.3, height: 2.3, step: 0.12 };
/** The paper screens in the cabinet's east wall. */
export const screens = { z0: -5.75, z1: -1.75, y0: 0, y1: 2.1 };
const PLAN_MARGIN = 0.7;
/** Area of the floor plan in metres: every room and the alcove, with a margin around them. */
export const floorPlanExtent = {
  x0: Math.min(...Object.values(rooms).map(({ x0 }) => x0)) - PLAN_MARGIN,
  x1: Math.max(...Object.values(rooms).map(({ x1 }) => x1)) + PLAN_MARGIN,
  z0: alcove.z0 - PLAN_MARGIN,
  z1: Math.max(...Object.values(rooms).map(({ z1 }) => z1)) + PLAN_MARGIN,
};
/** Position of the floor plan under the gallery: its centre, and its width in metres. North is at its top. */
export const floorPlanFrame = {
  center: [(floorPlanExtent.x0 + floorPlanExtent.x1) / 2, (floorPlanExtent.z0 + floorPlanExtent.z1) / 2],
  width: floorPlanExtent.x1 - floorPlanExtent.x0,
} as const;
/** The hall's roof light. */
export const lantern = { x0: -3.6, x1: 3.6, z0: -4.3, z1: 1.7, top: 4.5 };
/** The street doors in the entrance's south wall. */
export const streetDoor = { x0: -1.5, x1: 1.5, height: 2.6 };

export type WorkId =
  | "asanoha"
  | "rain"
  | "waves"
  | "bamboo"
  | "garden"
  | "moons"
  | "ichimatsu"
  | "fold"
  | "ai"
  | "stars"
  | "ridges"
  | "enso";

export interface WorkPlace {
  readonly id: WorkId;
  /** Number of the work in the leaflet, on its label and in its node's name. */
  readonly number: number;
  readonly room: RoomId;
  readonly side: Side;
  /** Position along the wall: x for north and south walls, z for east and west ones. */
  readonly along: number;
  readonly centreHeight: number;
  readonly width: number;
  readonly height: number;
  /** Distance of the sheet from the wall. */
  readonly depth: number;
  /** Plane of the wall when it is not the room's own (the alcove). */
  readonly plane?: number;
}

const frameDepth = 0.035;

export const works: readonly WorkPlace[] = [
  {
    id: "asanoha",
    number: 1,
    room: "entrance",
    side: "west",
    along: 7,
    centreHeight: 1.6,
    width: 1.2,
    height: 1.6,
    depth: frameDepth,
  },
  {
    id: "ichimatsu",
    number: 2,
    room: "hall",
    side: "south",
    along: -3.8,
    centreHeight: 1.6,
    width: 1.4,
    height: 1.4,
    depth: frameDepth,
  },
  {
    id: "moons",
    number: 3,
    room: "hall",
    side: "west",
    along: 0.9,
    centreHeight: 1.6,
    width: 1.5,
    height: 1.5,
    depth: frameDepth,
  },
  {
    id: "garden",
    number: 4,
    room: "hall",
    side: "west",
    along: -3.3,
    centreHeight: 1.6,
    width: 2.1,
    height: 1.4,
    depth: frameDepth,
  },
  {
    id: "rain",
    number: 5,
    room: "hall",
    side: "north",
    along: -4,
    centreHeight: 1.6,
    width: 1.1,
    height: 1.65,
    depth: frameDepth,
  },
  {
    id: "waves",
    number: 6,
    room: "hall",
    side: "north",
    along: 0,
    centreHeight: 1.65,
    width: 3.2,
    height: 1.8,
    depth: frameDepth,
  },
  {
    id: "bamboo",
    number: 7,
    room: "hall",
    side: "north",
    along: 4,
    centreHeight: 1.6,
    width: 1.1,
    height: 1.65,
    depth: frameDepth,
  },
  {
    id: "ai",
    number: 8,
    room: "hall",
    side: "east",
    along: -1.35,
    centreHeight: 1.6,
    width: 1.2,
    height: 1.8,
    depth: frameDepth,
  },
  {
    id: "fold",
    number: 9,
    room: "hall",
    side: "south",
    along: 3.8,
    centreHeight: 1.6,
    width: 1.4,
    height: 1.4,
    depth: frameDepth,
  },
  {
    id: "stars",
    number: 10,
    room: "indigo",
    side: "east",
    along: 1.4,
    centreHeight: 1.6,
    width: 2.4,
    height: 1.5,
    depth: frameDepth,
  },
  {
    id: "ridges",
    number: 11,
    room: "indigo",
    side: "south",
    along: 8.9,
    centreHeight: 1.6,
    width: 1.8,
    height: 1.2,
    depth: frameDepth,
  },
  {
    id: "enso",
    number: 12,
    room: "cabinet",
    side: "north",
    along: 10.1,
    centreHeight: 1.32,
    width: 0.8,
    height: 1.2,
    depth: 0.012,
    plane: alcove.z0,
  },
];

export type ObjectId = "vase" | "facets" | "ring" | "jar" | "bowl";

/** A free-standing object, on a plinth or (the bowl) on the low table. */
export interface ObjectPlace {
  readonly id: ObjectId;
  readonly number: number;
  readonly room: RoomId;
  readonly x: number;
  readonly z: number;
  /** Half the side of the object's base, and the height of the base's top. */
  readonly baseHalf: number;
  readonly baseHeight: number;
}

export const objects: readonly ObjectPlace[] = [
  { id: "vase", number: 13, room: "entrance", x: -2.75, z: 5.1, baseHalf: 0.2, baseHeight: 0.95 },
  { id: "facets", number: 14, room: "hall", x: -3.1, z: 1.5, baseHalf: 0.22, baseHeight: 1.0 },
  { id: "ring", number: 15, room: "hall", x: 3.1, z: 1.5, baseHalf: 0.22, baseHeight: 0.9 },
  { id: "jar", number: 16, room: "indigo", x: 7.3, z: -0.05, baseHalf: 0.24, baseHeight: 0.85 },
  { id: "bowl", number: 17, room: "cabinet", x: 8.8, z: -3.75, baseHalf: 0.36, baseHeight: 0.3 },
];

export const bench = { x: 0, z: -1.3, length: 2.4, depth: 0.46, height: 0.42 };
export const desk = { x0: 2.35, x1: 3.05, z0: 5.7, z1: 7.9, height: 1.02 };

const normals: Readonly<Record<Side, Vec3>> = {
  north: [0, 0, 1],
  south: [0, 0, -1],
  east: [-1, 0, 0],
  west: [1, 0, 0],
};

/** Unit normal of a room's wall, pointing into the room. */
export function wallNormal(side: Side): Vec3 {
  return normals[side];
}

/** Coordinate of a wall's plane: z for north and south, x for east and west. */
export function wallPlane(room: RoomId, side: Side): number {
  const r = rooms[room];
  return side === "north" ? r.z0 : side === "south" ? r.z1 : side === "east" ? r.x1 : r.x0;
}

/**
 * A point on a work's sheet.
 * @param u 0 at its left edge as seen by a visitor, 1 at its right
 * @param v 0 at its lower edge, 1 at its upper
 */
export function pointOnWork(work: WorkPlace, u = 0.5, v = 0.5): Vec3 {
  const normal = wallNormal(work.side);
  const plane = work.plane ?? wallPlane(work.room, work.side);
  const y = work.centreHeight + (v - 0.5) * work.height;
  const offset = (u - 0.5) * work.width;
  // A visitor's right hand points east in front of a north wall, south in front of an east one, and so on.
  if (work.side === "north") return [work.along + offset, y, plane + work.depth];
  if (work.side === "south") return [work.along - offset, y, plane - work.depth];
  if (work.side === "east") return [plane + normal[0] * work.depth, y, work.along + offset];
  return [plane + normal[0] * work.depth, y, work.along - offset];
}

/** Yaw (see Viewpoint) of a visitor at `from` who looks at `to`. */
export function yawTowards(from: Vec3, to: Vec3): number {
  return Math.atan2(-(to[0] - from[0]), -(to[2] - from[2]));
}

/** Viewpoint at `position` that looks at `target`. */
export function viewFrom(position: Vec3, target: Vec3): Viewpoint {
  const horizontal = Math.hypot(target[0] - position[0], target[2] - position[2]);
  return {
    position,
    yaw: yawTowards(position, target),
    pitch: Math.atan2(target[1] - position[1], horizontal),
    mode: "walk",
  };
}

/** Viewpoint at eye height that looks at `target`, `distance` metres along `direction` from it. */
export function viewpointAt(target: Vec3, direction: Vec3, distance: number): Viewpoint {
  const position: Vec3 = [
    target[0] + direction[0] * distance,
    eyeHeight,
    target[2] + direction[2] * distance,
  ];
  return {
    position,
    yaw: yawTowards(position, target),
    pitch: Math.atan2(target[1] - eyeHeight, distance),
    mode: "walk",
  };
}

/** Start of visitors: inside the street doors, looking north through the entrance into the hall. */
export const start: Viewpoint = { position: [0, eyeHeight, 8.9], yaw: 0, pitch: 0, mode: "walk" };

/** First view of the exhibition: from a corner of the hall over the ring to works on two walls, on wide screens and on phones. */
export const hallView: Viewpoint = viewFrom([4.7, eyeHeight, 3.1], [-2.75, 1.45, -3.5]);

export interface PanoramaPlace {
  readonly id: RoomId;
  readonly room: RoomId;
  readonly position: Vec3;
  /** Yaw of the panorama's middle column. */
  readonly heading: number;
  readonly links: readonly string[];
}

/** Camera positions of the panoramas. */
export const panoramas: readonly PanoramaPlace[] = [
  { id: "entrance", room: "entrance", position: [0, eyeHeight, 7], heading: 0, links: ["hall"] },
  {
    id: "hall",
    room: "hall",
    position: [0, eyeHeight, 1.1],
    heading: 0,
    links: ["entrance", "indigo", "cabinet"],
  },
  {
    id: "indigo",
    room: "indigo",
    position: [8.6, eyeHeight, 1.4],
    heading: -Math.PI / 2,
    links: ["hall", "cabinet"],
  },
  { id: "cabinet", room: "cabinet", position: [9.5, eyeHeight, -2.4], heading: 0, links: ["indigo", "hall"] },
];
