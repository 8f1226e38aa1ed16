/** The camera outside of a space: turning about a point of its floor, or looking straight down on it. */
import { direction } from "./angles";
import type { Vec3, Viewpoint } from "./contract";
import { projector, type Size } from "./projection";
import { add, distance, mix, scale, subtract } from "./vec";

/** What an outside camera turns about, and from how far. */
export interface Orbit {
  readonly centre: Vec3;
  readonly distance: number;
}

/** The corners of a space's box. */
export interface Extent {
  readonly min: Vec3;
  readonly max: Vec3;
}

/** Seen from above at this angle, rooms without ceilings show their floors and their walls. */
const OVERVIEW_PITCH = (-42 * Math.PI) / 180;

/** Minimum distance of an outside camera in metres: less for content that is smaller than a room. */
export function nearestOrbit(mode: "orbit" | "plan", { min, max }: Extent): number {
  const across = distance(min, max);
  return mode === "plan" ? Math.min(8, across) : Math.min(1.5, across * 0.15);
}

/** Shares of the canvas that an overview leaves free: at the sides and the top, and below for the stage's buttons. */
const MARGIN = 0.06;
const MARGIN_BELOW = 0.14;

/** The viewpoint from which the whole space fills the canvas. @param yaw of the visitor, so that the way out does not turn. */
export function overview(
  mode: "orbit" | "plan",
  { min, max }: Extent,
  size: Size,
  fov: number,
  yaw: number,
): Viewpoint {
  const centre: Vec3 = [(min[0] + max[0]) / 2, min[1], (min[2] + max[2]) / 2];
  const [turn, pitch] = mode === "plan" ? [0, -Math.PI / 2] : [yaw, OVERVIEW_PITCH];
  const corners = [min, max].flatMap(([x]) =>
    [min, max].flatMap(([, y]) => [min, max].map(([, , z]): Vec3 => [x, y, z])),
  );
  const from = (away: number) => orbitPosition({ centre, distance: away }, turn, pitch);
  const fits = (away: number): boolean => {
    const project = projector({ position: from(away), yaw: turn, pitch, fov }, size);
    return corners.every((corner) => {
      const { x, y, depth } = project(corner);
      return (
        depth > 0 &&
        Math.abs(x / size.width - 0.5) <= 0.5 - MARGIN &&
        y / size.height >= MARGIN &&
        y / size.height <= 1 - MARGIN_BELOW
      );
    });
  };
  // All corners fit from far enough away; halving finds the nearest such distance to a part in a thousand.
  let near = nearestOrbit(mode, { min, max });
  let far = Math.max(near, distance(min, max));
  for (let tries = 0; tries < 20 && !fits(far); tries++) far *= 2;
  for (let tries = 0; tries < 12; tries++) {
    const middle = (near + far) / 2;
    if (fits(middle)) far = middle;
    else near = middle;
  }
  return { position: from(far), yaw: turn, pitch, mode };
}

/**
 * What a camera outside turns about: where its axis meets the height of the floor or, when it looks past the space, as far
 * away as the space's middle.
 * @param about "middle" for an object: always as far away as its middle
 */
export function orbitOf(
  viewpoint: Viewpoint,
  { min, max }: Extent,
  about: "floor" | "middle" = "floor",
): Orbit {
  const ahead = direction(viewpoint.yaw, viewpoint.pitch);
  const down = (min[1] - viewpoint.position[1]) / ahead[1];
  const middle = distance(viewpoint.position, mix(min, max, 0.5));
  const meetsFloor = Number.isFinite(down) && down > 0 && down < middle + distance(min, max);
  const reach = meetsFloor && about === "floor" ? down : middle;
  const nearest = nearestOrbit(viewpoint.mode === "plan" ? "plan" : "orbit", { min, max });
  const away = Math.max(nearest, reach);
  return { centre: add(viewpoint.position, scale(ahead, away)), distance: away };
}

/** Where the camera of an orbit is when it looks this way. */
export function orbitPosition({ centre, distance: away }: Orbit, yaw: number, pitch: number): Vec3 {
  return subtract(centre, scale(direction(yaw, pitch), away));
}

/** The orbit moved on the floor, never off the space. */
export function slideOrbit(orbit: Orbit, way: Vec3, { min, max }: Extent): Orbit {
  const [x, y, z] = add(orbit.centre, way);
  return {
    ...orbit,
    centre: [Math.min(max[0], Math.max(min[0], x)), y, Math.min(max[2], Math.max(min[2], z))],
  };
}
