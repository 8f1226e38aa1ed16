/**
 * Equirectangular panoramas: longitude and latitude are the picture's axes, both true to scale (Snyder, Map Projections: A
 * Working Manual, USGS Professional Paper 1395, 1987, chapter 12, with the equator as standard parallel). u grows to the
 * right from 0 to 1, v upwards from 0 (straight down) to 1 (straight up).
 */
import { anglesOf, direction, shortestTurn, TAU, wrapAngle } from "./angles";
import type { Vec3 } from "./contract";
import { distance, dot, normalize, subtract } from "./vec";

/** The direction that a point of the picture shows. @param heading the yaw of the middle column. */
export function directionOf(u: number, v: number, heading: number): Vec3 {
  return direction(heading - (u - 0.5) * TAU, (v - 0.5) * Math.PI);
}

/** The point of the picture that shows a direction: u in [0, 1), v in [0, 1]. */
export function pointOf(vector: Vec3, heading: number): { u: number; v: number } {
  const { yaw, pitch } = anglesOf(vector, heading);
  const u = 0.5 - wrapAngle(yaw - heading) / TAU;
  return { u: u - Math.floor(u), v: 0.5 + pitch / Math.PI };
}

/**
 * A sphere's triangles with the picture on the inside, as lists for the GPU. Texture coordinates count from the picture's top,
 * as the rows of a picture that WebGL does not flip.
 */
export function equirectSphere(
  radius: number,
  columns: number,
  rows: number,
): { positions: Float32Array; uvs: Float32Array; indices: Uint16Array } {
  const positions = new Float32Array((columns + 1) * (rows + 1) * 3);
  const uvs = new Float32Array((columns + 1) * (rows + 1) * 2);
  const indices: number[] = [];
  for (let row = 0; row <= rows; row++)
    for (let column = 0; column <= columns; column++) {
      const index = row * (columns + 1) + column;
      const [u, v] = [column / columns, row / rows];
      const [x, y, z] = directionOf(u, v, 0);
      positions.set([x * radius, y * radius, z * radius], index * 3);
      uvs.set([u, 1 - v], index * 2);
      if (row === rows || column === columns) continue;
      const above = index + columns + 1;
      // Counter-clockwise seen from the centre.
      indices.push(index, index + 1, above + 1, index, above + 1, above);
    }
  return { positions, uvs, indices: Uint16Array.from(indices) };
}

/** A panorama's place, as far as choosing between places needs it. */
export interface Place {
  readonly id: string;
  readonly position: Vec3;
}

/** The place nearest to a point, or null without places. */
export function nearestPlace<P extends Place>(places: readonly P[], point: Vec3): P | null {
  let best: P | null = null;
  for (const place of places)
    if (!best || distance(place.position, point) < distance(best.position, point)) best = place;
  return best;
}

/** Half the angle of the wedge in which an arrow key looks for the next place. */
const STEP_WEDGE = (60 * Math.PI) / 180;

/** The place to step to when walking along a yaw: the one most straight ahead, near before far; or null. */
export function placeAhead<P extends Place>(places: readonly P[], from: Vec3, yaw: number): P | null {
  let best: P | null = null;
  let bestScore = Number.POSITIVE_INFINITY;
  for (const place of places) {
    const way = subtract(place.position, from);
    const far = Math.hypot(way[0], way[2]);
    if (far < 1e-6) continue;
    const off = Math.abs(shortestTurn(yaw, anglesOf(way).yaw));
    if (off > STEP_WEDGE) continue;
    const score = off / STEP_WEDGE + far / 10;
    if (score < bestScore) {
      best = place;
      bestScore = score;
    }
  }
  return best;
}

/** From this near, in metres, or hardly farther than from the best place, a pin is probably not behind a wall. */
const SAME_ROOM = 3.5;
const HARDLY_FARTHER = 1.2;

/**
 * The place from which a pin is best seen: near, and in front of the surface that it stands on.
 * @param stem from the anchor to the disc: the surface's normal times a length.
 */
export function homePlace<P extends Place>(places: readonly P[], anchor: Vec3, stem: Vec3): P | null {
  const normal = normalize(stem, [0, 0, 0]);
  let best: P | null = null;
  let bestScore = Number.POSITIVE_INFINITY;
  for (const place of places) {
    const way = subtract(place.position, anchor);
    // 1 straight in front, −1 straight behind; a stem on a floor or a ceiling tells nothing about walls.
    const facing = dot(normalize(way), [normal[0], 0, normal[2]]);
    const score = distance(place.position, anchor) * (facing < -0.05 ? 4 : 1);
    if (score < bestScore) {
      best = place;
      bestScore = score;
    }
  }
  return best;
}

/**
 * Whether a pin is shown in a panorama. A picture has no depth to hide a pin behind a wall, so pins are shown where they are
 * probably seen: at their home, and at places in front of them that are not much farther away.
 */
export function isSeenFrom(place: Place, home: Place | null, anchor: Vec3, stem: Vec3): boolean {
  if (!home || place.id === home.id) return true;
  const way = subtract(place.position, anchor);
  const normal = normalize(stem, [0, 0, 0]);
  if (dot(normalize(way), [normal[0], 0, normal[2]]) < -0.05) return false;
  return (
    distance(place.position, anchor) <= Math.max(SAME_ROOM, HARDLY_FARTHER * distance(home.position, anchor))
  );
}
