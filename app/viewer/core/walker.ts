/** A visitor's body in a space of triangles: an upright capsule that follows the floor and that walls push back. Positions are those of the eyes. */
import type { Vec3 } from "./contract";
import type { MutablePoint, Triangles } from "./triangles";

/** Dimensions of the visitor's body, in metres. */
export interface Body {
  /** Height of the eyes above the floor. */
  readonly eyeHeight: number;
  readonly radius: number;
  /** Maximum height of a step that the body climbs or descends. */
  readonly step: number;
}

/** Narrower than a door, and wide enough that the camera's near plane never cuts into a wall. */
export const BODY: Omit<Body, "eyeHeight"> = { radius: 0.25, step: 0.35 };
/** Minimum normal.y of a floor: a floor is less steep than 45°. */
const FLOOR_NORMAL_Y_MIN = Math.SQRT1_2;
/** Tolerated penetration in metres, which is not visible. */
const PENETRATION_MAX = 0.005;
/** Maximum number of pushes out of obstacles in one step. */
const PUSHES_MAX = 6;
const POINT: MutablePoint = { x: 0, y: 0, z: 0 };

/** Returns the floor's height under a point, searched from `from` down to `to`, or null. */
function castFloorRay(space: Triangles, x: number, z: number, from: number, to: number): number | null {
  let top = from;
  // A steep face, for example a table's edge, may be above the floor.
  for (let tries = 0; tries < 4; tries++) {
    const hit = space.raycast([x, top, z], [0, -1, 0], top - to);
    if (!hit) return null;
    if (hit.normal[1] >= FLOOR_NORMAL_Y_MIN) return hit.position[1];
    top = hit.position[1] - 0.001;
  }
  return null;
}

/**
 * Returns the height of the floor that carries a visitor whose feet were at `feet`, within a step up or down, or null. Gaps that
 * are narrower than the body, for example between the floors of two rooms, are ignored.
 */
export function findSupportingFloor(
  space: Triangles,
  body: Body,
  x: number,
  feet: number,
  z: number,
): number | null {
  const from = feet + body.step + 0.01;
  const to = feet - body.step - 0.01;
  const centre = castFloorRay(space, x, z, from, to);
  if (centre !== null) return centre;
  const reach = body.radius;
  let best: number | null = null;
  for (const [dx, dz] of [
    [reach, 0],
    [-reach, 0],
    [0, reach],
    [0, -reach],
  ] as const) {
    const height = castFloorRay(space, x + dx, z + dz, from, to);
    if (height !== null && (best === null || Math.abs(height - feet) < Math.abs(best - feet))) best = height;
  }
  return best;
}

/** Returns the height of the first floor below the eyes at any depth, or null. It finds the ground for a visitor who appears at a new position. */
export function findFloorBelow(space: Triangles, eye: Vec3): number | null {
  return castFloorRay(space, eye[0], eye[2], eye[1], space.min[1] - 1);
}

/**
 * Returns the position from which a visitor starts to walk: the given one, or the nearest one beside it when the body does not fit there. An owner's
 * viewpoint may be nearer to a wall than the body's radius. The eyes keep their height.
 */
export function findWalkingStart(
  space: Triangles,
  body: Body,
  position: Vec3,
  feet: number,
): { readonly position: Vec3; readonly feet: number } {
  const [x, y, z] = position;
  if (findStandingFloor(space, body, x, feet, z) !== null) return { position, feet };
  const standingPosition = findNearestStandingPosition(space, body, [x, feet + body.eyeHeight, z], 1);
  return standingPosition
    ? { position: [standingPosition[0], y, standingPosition[2]], feet: standingPosition[1] - body.eyeHeight }
    : { position, feet };
}

/** Returns how deep the body at this position is inside a triangle, and the horizontal movement that resolves the deepest penetration. */
function findDeepestPenetration(space: Triangles, body: Body, x: number, feet: number, z: number) {
  const { radius } = body;
  const low = feet + body.step + radius;
  const high = Math.max(low, feet + body.eyeHeight);
  const sphereCount = Math.max(1, Math.ceil((high - low) / radius));
  let depth = 0;
  let pushX = 0;
  let pushZ = 0;
  space.visitBox(
    [x - radius, low - radius, z - radius],
    [x + radius, high + radius, z + radius],
    (triangle) => {
      if (!space.mayTouchCapsule(triangle, x, z, low, high, radius)) return;
      for (let sphere = 0; sphere <= sphereCount; sphere++) {
        const y = low + ((high - low) * sphere) / sphereCount;
        space.writeNearestPoint(triangle, x, y, z, POINT);
        const dx = x - POINT.x;
        const dy = y - POINT.y;
        const dz = z - POINT.z;
        if (dx * dx + dy * dy + dz * dz >= radius * radius) continue;
        const horizontalDistance = Math.sqrt(dx * dx + dz * dz);
        if (horizontalDistance < 1e-6) {
          // A triangle straight above or below is a floor or ceiling, which does not push sideways. A steep one means that the axis is inside a wall,
          // for which no direction is known.
          if (space.flatness(triangle) < FLOOR_NORMAL_Y_MIN && radius > depth) {
            depth = radius;
            pushX = 0;
            pushZ = 0;
          }
          continue;
        }
        const penetration = Math.sqrt(radius * radius - dy * dy) - horizontalDistance;
        if (penetration > depth) {
          depth = penetration;
          pushX = (dx / horizontalDistance) * penetration;
          pushZ = (dz / horizontalDistance) * penetration;
        }
      }
    },
  );
  return { depth, pushX, pushZ };
}

/**
 * Returns the height of the floor on which a visitor can stand who comes from a neighbouring position with the feet at `feet`:
 * within a step and without an obstacle. Null when there is none.
 */
export function findStandingFloor(
  space: Triangles,
  body: Body,
  x: number,
  feet: number,
  z: number,
): number | null {
  const floor = findSupportingFloor(space, body, x, feet, z);
  return floor !== null && findDeepestPenetration(space, body, x, floor, z).depth <= PENETRATION_MAX
    ? floor
    : null;
}

/**
 * Returns the nearest position of the eyes where a visitor can stand, at most `reach` metres away and preferably on the same side
 * of walls, or null.
 */
export function findNearestStandingPosition(
  space: Triangles,
  body: Body,
  eye: Vec3,
  reach = 1.5,
): Vec3 | null {
  // First the floor that belongs to the height of the eyes, then the first surface below them, for example a table.
  const floorBelow = findFloorBelow(space, eye);
  for (const ground of floorBelow === null
    ? [eye[1] - body.eyeHeight]
    : [eye[1] - body.eyeHeight, floorBelow]) {
    const position = findNearestOnFloor(space, body, eye, ground, reach);
    if (position) return position;
  }
  return null;
}

function findNearestOnFloor(
  space: Triangles,
  body: Body,
  eye: Vec3,
  ground: number,
  reach: number,
): Vec3 | null {
  let behindWall: Vec3 | null = null;
  for (let searchDistance = 0; searchDistance <= reach; searchDistance += 0.1) {
    const turns = searchDistance === 0 ? 1 : 16;
    for (let turn = 0; turn < turns; turn++) {
      const [dx, dz] = [Math.cos((turn / turns) * 2 * Math.PI), Math.sin((turn / turns) * 2 * Math.PI)];
      const [x, z] = [eye[0] + dx * searchDistance, eye[2] + dz * searchDistance];
      const feet = findStandingFloor(space, body, x, ground, z);
      if (feet === null) continue;
      const position: Vec3 = [x, feet + body.eyeHeight, z];
      if (searchDistance === 0 || !space.raycast([eye[0], position[1], eye[2]], [dx, 0, dz], searchDistance))
        return position;
      behindWall ??= position;
    }
  }
  return behindWall;
}

/** Result of a walk. */
export interface WalkResult {
  readonly eye: Vec3;
  /** Height of the floor. */
  readonly feet: number;
  /** True when an obstacle or the floor's edge stopped or turned the walk. */
  readonly isBlocked: boolean;
}

/**
 * Walks from a position by a horizontal distance and slides along obstacles. Never ends behind a wall, above a step that is too
 * high for the body, or farther beyond the floor's edge than the body's radius.
 * @param feet height of the floor at the start
 */
export function walk(
  space: Triangles,
  body: Body,
  from: Vec3,
  feet: number,
  dx: number,
  dz: number,
): WalkResult {
  const length = Math.hypot(dx, dz);
  let [x, , z] = from;
  let ground = feet;
  let isBlocked = false;
  // Steps are shorter than the radius, so that the capsule's axis never jumps over a wall without thickness.
  const steps = Math.ceil(length / (body.radius * 0.4));
  for (let count = 0; count < steps; count++) {
    const sx = dx / steps;
    const sz = dz / steps;
    const nextStep =
      tryStep(space, body, x, ground, z, sx, sz) ??
      (Math.abs(sx) >= Math.abs(sz)
        ? (tryStep(space, body, x, ground, z, sx, 0) ?? tryStep(space, body, x, ground, z, 0, sz))
        : (tryStep(space, body, x, ground, z, 0, sz) ?? tryStep(space, body, x, ground, z, sx, 0)));
    if (!nextStep) {
      isBlocked = true;
      break;
    }
    if (Math.hypot(nextStep.x - x - sx, nextStep.z - z - sz) > Math.hypot(sx, sz) * 0.5) isBlocked = true;
    x = nextStep.x;
    z = nextStep.z;
    ground = nextStep.feet;
  }
  return { eye: [x, ground + body.eyeHeight, z], feet: ground, isBlocked };
}

function tryStep(
  space: Triangles,
  body: Body,
  x: number,
  feet: number,
  z: number,
  sx: number,
  sz: number,
): { x: number; z: number; feet: number } | null {
  if (sx === 0 && sz === 0) return null;
  const depthBefore = findDeepestPenetration(space, body, x, feet, z).depth;
  let nx = x + sx;
  let nz = z + sz;
  for (let count = 0; count < PUSHES_MAX; count++) {
    const { depth, pushX, pushZ } = findDeepestPenetration(space, body, nx, feet, nz);
    if (depth <= PENETRATION_MAX / 2) break;
    nx += pushX;
    nz += pushZ;
  }
  const floor = findSupportingFloor(space, body, nx, feet, nz);
  if (floor === null) return null;
  const depthAfter = findDeepestPenetration(space, body, nx, floor, nz).depth;
  // A visitor who was placed too near to a wall may walk away from it, but not towards it.
  if (depthAfter > PENETRATION_MAX && depthAfter >= depthBefore) return null;
  const movedDistance = Math.hypot(nx - x, nz - z);
  if (movedDistance < 1e-6) return null;
  // Corners and walls can push the body to the other side. No surface may be between the old and the new position.
  const chest = feet + body.step + body.radius + 0.25;
  if (space.raycast([x, chest, z], [(nx - x) / movedDistance, 0, (nz - z) / movedDistance], movedDistance))
    return null;
  return { x: nx, z: nz, feet: floor };
}
