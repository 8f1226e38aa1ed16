/**
 * Equirectangular panoramas: longitude and latitude are the image's axes, both true to scale (Snyder, Map Projections: A Working
 * Manual, USGS Professional Paper 1395, 1987, chapter 12, with the equator as standard parallel). u grows to the right from 0 to
 * 1, v upwards from 0 (straight down) to 1 (straight up).
 */
import { computeAngles, direction, shortestTurn, TAU } from "./angles";
import type { Vec3 } from "./contract";
import { distance, dot, normalize, subtract } from "./vec";

/**
 * Returns the direction that a point of the image shows.
 * @param heading yaw of the middle column, in radians
 */
export function directionAt(u: number, v: number, heading: number): Vec3 {
  return direction(heading - (u - 0.5) * TAU, (v - 0.5) * Math.PI);
}

/**
 * Returns the triangles of a sphere with the image on the inside, as lists for the GPU. Texture coordinates count from the
 * image's top, like the rows of an image that WebGL does not flip.
 */
export function createEquirectSphere(
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
      const [x, y, z] = directionAt(u, v, 0);
      positions.set([x * radius, y * radius, z * radius], index * 3);
      uvs.set([u, 1 - v], index * 2);
      if (row === rows || column === columns) continue;
      const above = index + columns + 1;
      // Counter-clockwise seen from the centre.
      indices.push(index, index + 1, above + 1, index, above + 1, above);
    }
  return { positions, uvs, indices: Uint16Array.from(indices) };
}

/** Id and position of a panorama node, for choosing between nodes. */
export interface NodePosition {
  readonly id: string;
  readonly position: Vec3;
}

/** Returns the node nearest to a point, or null without nodes. */
export function findNearestNode<P extends NodePosition>(nodes: readonly P[], point: Vec3): P | null {
  let best: P | null = null;
  for (const node of nodes)
    if (!best || distance(node.position, point) < distance(best.position, point)) best = node;
  return best;
}

/** Half the angle of the wedge in which an arrow key searches for the next node, in radians. */
const STEP_WEDGE_HALF = (60 * Math.PI) / 180;

/** Returns the node to step to along a yaw: nearer nodes and those straighter ahead are preferred. Null when there is none. */
export function findNodeAhead<P extends NodePosition>(
  nodes: readonly P[],
  from: Vec3,
  yaw: number,
): P | null {
  let best: P | null = null;
  let bestScore = Number.POSITIVE_INFINITY;
  for (const node of nodes) {
    const offset = subtract(node.position, from);
    const horizontalDistance = Math.hypot(offset[0], offset[2]);
    if (horizontalDistance < 1e-6) continue;
    const angleOff = Math.abs(shortestTurn(yaw, computeAngles(offset).yaw));
    if (angleOff > STEP_WEDGE_HALF) continue;
    const score = angleOff / STEP_WEDGE_HALF + horizontalDistance / 10;
    if (score < bestScore) {
      best = node;
      bestScore = score;
    }
  }
  return best;
}

/**
 * A pin is probably not behind a wall within this distance in metres, or within its home node's distance times this factor. The larger of the two
 * applies.
 */
const SAME_ROOM_DISTANCE = 3.5;
const SIMILAR_DISTANCE_FACTOR = 1.2;

/**
 * Returns the node from which a pin is seen best: near, and in front of its surface.
 * @param anchor point on the surface to which the pin belongs
 * @param stem vector from the anchor to the pin's marker: the surface's normal times a length
 */
export function findHomeNode<P extends NodePosition>(
  nodes: readonly P[],
  anchor: Vec3,
  stem: Vec3,
): P | null {
  const normal = normalize(stem, [0, 0, 0]);
  let best: P | null = null;
  let bestScore = Number.POSITIVE_INFINITY;
  for (const node of nodes) {
    const offset = subtract(node.position, anchor);
    // 1 if the node is straight in front of the surface, −1 if straight behind. The normal's vertical component is left out, so that the result is 0 for
    // floors and ceilings.
    const facing = dot(normalize(offset), [normal[0], 0, normal[2]]);
    const score = distance(node.position, anchor) * (facing < -0.05 ? 4 : 1);
    if (score < bestScore) {
      best = node;
      bestScore = score;
    }
  }
  return best;
}

/**
 * Whether a pin is shown in a panorama. A panorama has no depth that could hide a pin behind a wall, so a pin is shown where it
 * is probably visible: at its home node, and at nodes in front of it that are not much farther away.
 */
export function isPinVisibleFrom(
  node: NodePosition,
  home: NodePosition | null,
  anchor: Vec3,
  stem: Vec3,
): boolean {
  if (!home || node.id === home.id) return true;
  const offset = subtract(node.position, anchor);
  const normal = normalize(stem, [0, 0, 0]);
  if (dot(normalize(offset), [normal[0], 0, normal[2]]) < -0.05) return false;
  return (
    distance(node.position, anchor) <=
    Math.max(SAME_ROOM_DISTANCE, SIMILAR_DISTANCE_FACTOR * distance(home.position, anchor))
  );
}
