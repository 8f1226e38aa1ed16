/** The camera outside of a space: it turns about a point, or looks straight down. */
import { direction } from "./angles";
import type { Vec3, Viewpoint } from "./contract";
import { createProjector, type Size } from "./projection";
import { add, distance, mix, scale, subtract } from "./vec";

/** Centre and distance of an orbit camera. */
export interface Orbit {
  readonly centre: Vec3;
  readonly distance: number;
}

/** Corners of a space's bounding box. */
export interface Extent {
  readonly min: Vec3;
  readonly max: Vec3;
}

/** Pitch from which rooms without ceilings show their floors and their walls, in radians. */
const OVERVIEW_PITCH = (-42 * Math.PI) / 180;

/** Minimum distance of an outside camera from the point about which it turns, in metres: less for content that is smaller than a room. */
export function minOrbitDistance(mode: "orbit" | "plan", { min, max }: Extent): number {
  const diagonal = distance(min, max);
  return mode === "plan" ? Math.min(8, diagonal) : Math.min(1.5, diagonal * 0.15);
}

/** Shares of the canvas that stay empty in an overview: at the sides and the top, and below for the stage's buttons. */
const MARGIN = 0.06;
const MARGIN_BELOW = 0.14;

/**
 * Returns the viewpoint from which the whole space fills the canvas.
 * @param yaw the visitor's yaw; in orbit mode, the camera keeps it, so that it does not turn on its way out
 */
export function computeOverview(
  mode: "orbit" | "plan",
  { min, max }: Extent,
  size: Size,
  fov: number,
  yaw: number,
): Viewpoint {
  const centre: Vec3 = [(min[0] + max[0]) / 2, min[1], (min[2] + max[2]) / 2];
  const [cameraYaw, pitch] = mode === "plan" ? [0, -Math.PI / 2] : [yaw, OVERVIEW_PITCH];
  const corners = [min, max].flatMap(([x]) =>
    [min, max].flatMap(([, y]) => [min, max].map(([, , z]): Vec3 => [x, y, z])),
  );
  const positionAt = (cameraDistance: number) =>
    computeOrbitPosition({ centre, distance: cameraDistance }, cameraYaw, pitch);
  const fitsFrom = (cameraDistance: number): boolean => {
    const project = createProjector(
      { position: positionAt(cameraDistance), yaw: cameraYaw, pitch, fov },
      size,
    );
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
  // All corners fit from far enough away. Bisection finds the smallest such distance to a part in a thousand.
  let near = minOrbitDistance(mode, { min, max });
  let far = Math.max(near, distance(min, max));
  for (let tries = 0; tries < 20 && !fitsFrom(far); tries++) far *= 2;
  for (let tries = 0; tries < 12; tries++) {
    const middle = (near + far) / 2;
    if (fitsFrom(middle)) far = middle;
    else near = middle;
  }
  return { position: positionAt(far), yaw: cameraYaw, pitch, mode };
}

/**
 * Computes the orbit of an outside camera. Its centre is where the camera's axis meets the height of the floor or, when it looks
 * past the space, as far away as the space's centre.
 * @param center "middle" for an object: the centre is always as far away as the object's centre
 */
export function computeOrbit(
  viewpoint: Viewpoint,
  { min, max }: Extent,
  center: "floor" | "middle" = "floor",
): Orbit {
  const ahead = direction(viewpoint.yaw, viewpoint.pitch);
  const floorDistance = (min[1] - viewpoint.position[1]) / ahead[1];
  const centreDistance = distance(viewpoint.position, mix(min, max, 0.5));
  const meetsFloor =
    Number.isFinite(floorDistance) &&
    floorDistance > 0 &&
    floorDistance < centreDistance + distance(min, max);
  const reach = meetsFloor && center === "floor" ? floorDistance : centreDistance;
  const nearest = minOrbitDistance(viewpoint.mode === "plan" ? "plan" : "orbit", { min, max });
  const orbitDistance = Math.max(nearest, reach);
  return { centre: add(viewpoint.position, scale(ahead, orbitDistance)), distance: orbitDistance };
}

/** Returns the position of an orbit's camera that looks in this direction. */
export function computeOrbitPosition(
  { centre, distance: eyeDistance }: Orbit,
  yaw: number,
  pitch: number,
): Vec3 {
  return subtract(centre, scale(direction(yaw, pitch), eyeDistance));
}

/** Moves the orbit's centre on the floor, limited to the space. */
export function slideOrbit(orbit: Orbit, offset: Vec3, { min, max }: Extent): Orbit {
  const [x, y, z] = add(orbit.centre, offset);
  return {
    ...orbit,
    centre: [Math.min(max[0], Math.max(min[0], x)), y, Math.min(max[2], Math.max(min[2], z))],
  };
}
