/** Where to stand to look at a pin when its owner did not say. */
import { lookAt } from "./angles";
import type { Vec3 } from "./contract";
import type { Triangles } from "./triangles";
import { add, distance, normalize, subtract } from "./vec";
import { type Body, floorBelow, standAt } from "./walker";

const DISTANCES = [1.8, 2.4, 1.3, 3.2, 0.9];
const TURNS = [0, 20, -20, 40, -40, 65, -65].map((degrees) => (degrees * Math.PI) / 180);

/** True when nothing lies between the eyes and a point. @param mask layers that can hide something. */
export function canSee(space: Triangles, eye: Vec3, point: Vec3, mask = 0xff): boolean {
  const far = distance(eye, point);
  if (far < 0.05) return true;
  return space.raycast(eye, normalize(subtract(point, eye)), far - 0.03, mask) === null;
}

/**
 * A place of the eyes from which a pin's disc is seen, in front of its surface if there is room, with the look at the disc;
 * or null when there is no such place.
 * @param from where the visitor is now: pins on floors and ceilings are looked at from that side.
 */
export function standBefore(
  space: Triangles,
  body: Body,
  anchor: Vec3,
  stem: Vec3,
  from: Vec3,
): { position: Vec3; yaw: number; pitch: number } | null {
  const disc = add(anchor, stem);
  const flat = Math.hypot(stem[0], stem[2]);
  const away: Vec3 =
    flat > 0.3 * Math.hypot(...stem) && flat > 1e-6
      ? [stem[0] / flat, 0, stem[2] / flat]
      : normalize([from[0] - disc[0], 0, from[2] - disc[2]], [0, 0, 1]);
  for (const turn of TURNS)
    for (const far of DISTANCES) {
      const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
      const x = disc[0] + (away[0] * cos + away[2] * sin) * far;
      const z = disc[2] + (away[2] * cos - away[0] * sin) * far;
      const ground = floorBelow(space, [x, disc[1] + 0.3, z]);
      if (ground === null) continue;
      const feet = standAt(space, body, x, ground, z);
      if (feet === null) continue;
      const position: Vec3 = [x, feet + body.eyeHeight, z];
      if (canSee(space, position, disc)) return { position, ...lookAt(position, disc) };
    }
  return null;
}
