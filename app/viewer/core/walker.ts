/**
 * A visitor's body in a space of triangles: an upright capsule that walls push back and that follows the floor. Positions are
 * those of the eyes.
 */
import type { Vec3 } from "./contract";
import type { MutablePoint, Triangles } from "./triangles";

/** The visitor's body, in metres. */
export interface Body {
  /** From the floor to the eyes. */
  readonly eyeHeight: number;
  readonly radius: number;
  /** The highest step that is climbed or descended. */
  readonly step: number;
}

/** Narrower than a door, wide enough that the camera's near plane never cuts into a wall. */
export const BODY: Omit<Body, "eyeHeight"> = { radius: 0.25, step: 0.35 };
/** Floors are less steep than 45°. */
const FLOOR_SLOPE = Math.SQRT1_2;
/** Penetration that nobody sees. */
const SLACK = 0.005;
const PUSHES = 6;
const POINT: MutablePoint = { x: 0, y: 0, z: 0 };

/** The floor's height under a point, looking from `from` down to `to`, or null. */
function floorRay(space: Triangles, x: number, z: number, from: number, to: number): number | null {
  let top = from;
  // A steep face, for example a table's edge, may lie above the floor.
  for (let tries = 0; tries < 4; tries++) {
    const hit = space.raycast([x, top, z], [0, -1, 0], top - to);
    if (!hit) return null;
    if (hit.normal[1] >= FLOOR_SLOPE) return hit.position[1];
    top = hit.position[1] - 0.001;
  }
  return null;
}

/**
 * The height of the floor that carries someone whose feet were at `feet`: within a step up or down, or null. Gaps narrower than
 * the body, for example between the floors of two rooms, do not count.
 */
export function floorUnder(space: Triangles, body: Body, x: number, feet: number, z: number): number | null {
  const from = feet + body.step + 0.01;
  const to = feet - body.step - 0.01;
  const centre = floorRay(space, x, z, from, to);
  if (centre !== null) return centre;
  const reach = body.radius;
  let best: number | null = null;
  for (const [dx, dz] of [
    [reach, 0],
    [-reach, 0],
    [0, reach],
    [0, -reach],
  ] as const) {
    const height = floorRay(space, x + dx, z + dz, from, to);
    if (height !== null && (best === null || Math.abs(height - feet) < Math.abs(best - feet))) best = height;
  }
  return best;
}

/** The height of the first floor below the eyes, at any depth, or null: how someone who appears somewhere finds the ground. */
export function floorBelow(space: Triangles, eye: Vec3): number | null {
  return floorRay(space, eye[0], eye[2], eye[1], space.min[1] - 1);
}

/** How deep the body at these feet is inside of something, and the horizontal push that helps the most. */
function deepest(space: Triangles, body: Body, x: number, feet: number, z: number) {
  const { radius } = body;
  const low = feet + body.step + radius;
  const high = Math.max(low, feet + body.eyeHeight);
  const rings = Math.max(1, Math.ceil((high - low) / radius));
  let depth = 0;
  let pushX = 0;
  let pushZ = 0;
  space.inBox([x - radius, low - radius, z - radius], [x + radius, high + radius, z + radius], (triangle) => {
    if (!space.reaches(triangle, x, z, low, high, radius)) return;
    for (let ring = 0; ring <= rings; ring++) {
      const y = low + ((high - low) * ring) / rings;
      space.nearest(triangle, x, y, z, POINT);
      const dx = x - POINT.x;
      const dy = y - POINT.y;
      const dz = z - POINT.z;
      if (dx * dx + dy * dy + dz * dz >= radius * radius) continue;
      const flat = Math.sqrt(dx * dx + dz * dz);
      if (flat < 1e-6) {
        // Straight above or below is a floor or a ceiling, which does not push sideways; or this is the middle of a wall.
        if (space.flatness(triangle) < FLOOR_SLOPE && radius > depth) {
          depth = radius;
          pushX = 0;
          pushZ = 0;
        }
        continue;
      }
      const wanted = Math.sqrt(radius * radius - dy * dy) - flat;
      if (wanted > depth) {
        depth = wanted;
        pushX = (dx / flat) * wanted;
        pushZ = (dz / flat) * wanted;
      }
    }
  });
  return { depth, pushX, pushZ };
}

/**
 * The height of the floor on which someone can stand who comes from a neighbouring place with the feet at `feet`: within a
 * step and with nothing in the way; or null.
 */
export function standAt(space: Triangles, body: Body, x: number, feet: number, z: number): number | null {
  const floor = floorUnder(space, body, x, feet, z);
  return floor !== null && deepest(space, body, x, floor, z).depth <= SLACK ? floor : null;
}

/**
 * The place nearest to the given eyes where someone can stand, at most `reach` metres away, on the same side of walls if
 * possible; or null.
 */
export function nearestStand(space: Triangles, body: Body, eye: Vec3, reach = 1.5): Vec3 | null {
  // The floor that belongs to the height of the eyes, then whatever is below them, for example a table.
  const below = floorBelow(space, eye);
  for (const ground of below === null ? [eye[1] - body.eyeHeight] : [eye[1] - body.eyeHeight, below]) {
    const place = nearestOnFloor(space, body, eye, ground, reach);
    if (place) return place;
  }
  return null;
}

function nearestOnFloor(space: Triangles, body: Body, eye: Vec3, ground: number, reach: number): Vec3 | null {
  let behind: Vec3 | null = null;
  for (let away = 0; away <= reach; away += 0.1) {
    const turns = away === 0 ? 1 : 16;
    for (let turn = 0; turn < turns; turn++) {
      const [dx, dz] = [Math.cos((turn / turns) * 2 * Math.PI), Math.sin((turn / turns) * 2 * Math.PI)];
      const [x, z] = [eye[0] + dx * away, eye[2] + dz * away];
      const feet = standAt(space, body, x, ground, z);
      if (feet === null) continue;
      const place: Vec3 = [x, feet + body.eyeHeight, z];
      if (away === 0 || !space.raycast([eye[0], place[1], eye[2]], [dx, 0, dz], away)) return place;
      behind ??= place;
    }
  }
  return behind;
}

/** Where a walk ended. */
export interface Walked {
  readonly eye: Vec3;
  /** The floor's height. */
  readonly feet: number;
  /** True when something stopped or turned the walk. */
  readonly blocked: boolean;
}

/**
 * Walks from a place by a horizontal way, sliding along what is in the way. Never ends behind a wall, above a step higher
 * than the body climbs, or beyond the floor's edge.
 * @param feet the floor's height at the start.
 */
export function walk(space: Triangles, body: Body, from: Vec3, feet: number, dx: number, dz: number): Walked {
  const way = Math.hypot(dx, dz);
  let [x, , z] = from;
  let ground = feet;
  let blocked = false;
  // Shorter than the radius, so that the capsule's axis never jumps over a wall that has no thickness.
  const steps = Math.ceil(way / (body.radius * 0.4));
  for (let count = 0; count < steps; count++) {
    const sx = dx / steps;
    const sz = dz / steps;
    const next =
      tryStep(space, body, x, ground, z, sx, sz) ??
      (Math.abs(sx) >= Math.abs(sz)
        ? (tryStep(space, body, x, ground, z, sx, 0) ?? tryStep(space, body, x, ground, z, 0, sz))
        : (tryStep(space, body, x, ground, z, 0, sz) ?? tryStep(space, body, x, ground, z, sx, 0)));
    if (!next) {
      blocked = true;
      break;
    }
    if (Math.hypot(next.x - x - sx, next.z - z - sz) > Math.hypot(sx, sz) * 0.5) blocked = true;
    x = next.x;
    z = next.z;
    ground = next.feet;
  }
  return { eye: [x, ground + body.eyeHeight, z], feet: ground, blocked };
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
  const before = deepest(space, body, x, feet, z).depth;
  let nx = x + sx;
  let nz = z + sz;
  for (let count = 0; count < PUSHES; count++) {
    const { depth, pushX, pushZ } = deepest(space, body, nx, feet, nz);
    if (depth <= SLACK / 2) break;
    nx += pushX;
    nz += pushZ;
  }
  const floor = floorUnder(space, body, nx, feet, nz);
  if (floor === null) return null;
  const after = deepest(space, body, nx, floor, nz).depth;
  // Someone who was put too near to a wall may walk away from it, but not nearer.
  if (after > SLACK && after >= before) return null;
  const moved = Math.hypot(nx - x, nz - z);
  if (moved < 1e-6) return null;
  // Corners and walls can push to the other side: what was never crossed must not lie between.
  const chest = feet + body.step + body.radius + 0.25;
  if (space.raycast([x, chest, z], [(nx - x) / moved, 0, (nz - z) / moved], moved)) return null;
  return { x: nx, z: nz, feet: floor };
}
