/** Where to stand to look at a pin when its owner did not say. */
import { lookAt } from "./angles";
import type { Vec3 } from "./contract";
import type { Triangles } from "./triangles";
import { add, distance, normalize, subtract } from "./vec";
import { type Body, floorBelow, standAt } from "./walker";

const DISTANCES = [1.8, 2.4, 1.3, 3.2, 0.9];
/** For something large, nearest first: the first from which all of it is seen. Nearer ones are for narrow rooms. */
const DISTANCES_OF_WHOLE = [1.8, 2.1, 2.4, 2.8, 3.2, 3.7, 4.3, 5, 6, 7, 8.5, 10, 1.3, 0.9];
const TURNS = [0, 20, -20, 40, -40, 65, -65].map((degrees) => (degrees * Math.PI) / 180);

/** True when nothing lies between the eyes and a point. @param mask layers that can hide something. */
export function canSee(space: Triangles, eye: Vec3, point: Vec3, mask = 0xff): boolean {
  const far = distance(eye, point);
  if (far < 0.05) return true;
  return space.raycast(eye, normalize(subtract(point, eye)), far - 0.03, mask) === null;
}

/** A place of the eyes with the way they look. */
export interface Stand {
  readonly position: Vec3;
  readonly yaw: number;
  readonly pitch: number;
}

/** Something that is to be seen as a whole. */
export interface Whole {
  /** Points that stand for it, for example its corners. */
  readonly points: readonly Vec3[];
  /** How much of them is on the screen from somewhere: 1 or more for all (core/whole). */
  share(stand: Stand): number;
}

/**
 * A place of the eyes from which a pin's disc is seen, in front of its surface if there is room, with the look at the disc;
 * or null when there is no such place.
 * @param from where the visitor is now: pins on floors and ceilings are looked at from that side.
 * @param whole of a medium: the nearest place from which all of it is seen, or else the one from which most is.
 */
export function standBefore(
  space: Triangles,
  body: Body,
  anchor: Vec3,
  stem: Vec3,
  from: Vec3,
  whole?: Whole,
): Stand | null {
  const disc = add(anchor, stem);
  const flat = Math.hypot(stem[0], stem[2]);
  const away: Vec3 =
    flat > 0.3 * Math.hypot(...stem) && flat > 1e-6
      ? [stem[0] / flat, 0, stem[2] / flat]
      : normalize([from[0] - disc[0], 0, from[2] - disc[2]], [0, 0, 1]);
  let best: Stand | null = null;
  let most = -1;
  for (const turn of TURNS)
    for (const far of whole ? DISTANCES_OF_WHOLE : DISTANCES) {
      const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
      const x = disc[0] + (away[0] * cos + away[2] * sin) * far;
      const z = disc[2] + (away[2] * cos - away[0] * sin) * far;
      const ground = floorBelow(space, [x, disc[1] + 0.3, z]);
      if (ground === null) continue;
      const feet = standAt(space, body, x, ground, z);
      if (feet === null) continue;
      const position: Vec3 = [x, feet + body.eyeHeight, z];
      if (!canSee(space, position, disc)) continue;
      const stand = { position, ...lookAt(position, disc) };
      const seen = whole ? seenOf(space, whole, stand) : 1;
      if (seen >= 1) return stand;
      if (seen > most) [best, most] = [stand, seen];
    }
  return best;
}

/** The share of something that is on the screen with nothing before it: 1 for the whole. */
export function seenOf(space: Triangles, { points, share }: Whole, stand: Stand): number {
  const inView = Math.min(1, share(stand));
  const free = points.filter((point) => canSee(space, stand.position, point)).length;
  return (inView * (1 + free)) / (1 + points.length);
}
