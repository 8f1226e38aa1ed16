/** Finds the viewpoint for a pin for which the owner set none. */
import { lookAt } from "./angles";
import type { Vec3 } from "./contract";
import type { Triangles } from "./triangles";
import { add, distance, normalize, subtract } from "./vec";
import { type Body, findFloorBelow, findStandingFloor } from "./walker";

/** Distances from a pin's disc in metres, in order of preference. */
const DISTANCES = [1.8, 2.4, 1.3, 3.2, 0.9];
/**
 * Distances in metres for large objects, in order of preference: the first from which the whole object is visible. The last ones
 * are for narrow rooms.
 */
const OBJECT_DISTANCES = [1.8, 2.1, 2.4, 2.8, 3.2, 3.7, 4.3, 5, 6, 7, 8.5, 10, 1.3, 0.9];
/** Directions from which a pin is viewed, relative to its stem, in radians and in order of preference. */
const TURNS = [0, 20, -20, 40, -40, 65, -65].map((degrees) => (degrees * Math.PI) / 180);

/** Whether nothing is between the eyes and a point. */
export function isPointVisible(space: Triangles, eye: Vec3, point: Vec3): boolean {
  const pointDistance = distance(eye, point);
  if (pointDistance < 0.05) return true;
  return space.raycast(eye, normalize(subtract(point, eye)), pointDistance - 0.03) === null;
}

/** Position of the eyes with their direction, in metres and radians. */
export interface ViewingPose {
  readonly position: Vec3;
  readonly yaw: number;
  readonly pitch: number;
}

/** An object that should be visible as a whole. */
export interface ViewedObject {
  /** Points that represent the object, for example its corners. */
  readonly points: readonly Vec3[];
  /** Returns the share of the object that fits the screen from a pose: 1 or more when all of it fits (core/screen-coverage). */
  coverage(pose: ViewingPose): number;
}

/**
 * Finds a pose from which a pin's disc is visible, in front of its surface if there is room, looking at the disc. Returns null
 * when there is no such place.
 * @param from the visitor's current position: pins on floors and ceilings are viewed from this side
 * @param object a media item: the result is the first pose, in the order of preference, from which all of it is visible, or else
 * the pose from which most of it is
 */
export function findViewingPose(
  space: Triangles,
  body: Body,
  anchor: Vec3,
  stem: Vec3,
  from: Vec3,
  object?: ViewedObject,
): ViewingPose | null {
  const disc = add(anchor, stem);
  const horizontalLength = Math.hypot(stem[0], stem[2]);
  const awayDirection: Vec3 =
    horizontalLength > 0.3 * Math.hypot(...stem) && horizontalLength > 1e-6
      ? [stem[0] / horizontalLength, 0, stem[2] / horizontalLength]
      : normalize([from[0] - disc[0], 0, from[2] - disc[2]], [0, 0, 1]);
  let best: ViewingPose | null = null;
  let bestVisibility = -1;
  for (const turn of TURNS)
    for (const distanceToDisc of object ? OBJECT_DISTANCES : DISTANCES) {
      const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
      const x = disc[0] + (awayDirection[0] * cos + awayDirection[2] * sin) * distanceToDisc;
      const z = disc[2] + (awayDirection[2] * cos - awayDirection[0] * sin) * distanceToDisc;
      const floorBelow = findFloorBelow(space, [x, disc[1] + 0.3, z]);
      if (floorBelow === null) continue;
      const feet = findStandingFloor(space, body, x, floorBelow, z);
      if (feet === null) continue;
      const position: Vec3 = [x, feet + body.eyeHeight, z];
      if (!isPointVisible(space, position, disc)) continue;
      const pose = { position, ...lookAt(position, disc) };
      const visibility = object ? measureVisibility(space, object, pose) : 1;
      if (visibility >= 1) return pose;
      if (visibility > bestVisibility) [best, bestVisibility] = [pose, visibility];
    }
  return best;
}

/**
 * Estimates the share of an object that is on the screen and not hidden: 1 for the whole object. The point at which the camera
 * looks, which the callers test themselves, counts as one more visible point.
 */
export function measureVisibility(
  space: Triangles,
  { points, coverage }: ViewedObject,
  pose: ViewingPose,
): number {
  const shareOnScreen = Math.min(1, coverage(pose));
  const unobstructedCount = points.filter((point) => isPointVisible(space, pose.position, point)).length;
  return (shareOnScreen * (1 + unobstructedCount)) / (1 + points.length);
}
