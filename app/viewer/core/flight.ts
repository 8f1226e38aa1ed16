/** Moves of the camera from one pose to another, as pure functions of time. */
import type { Vec3 } from "~/domain/shared/model";
import { clampPitch, direction, lerpAngle, shortestTurn } from "./angles";
import { add, distance, mix, scale, subtract } from "./vec";

/** Position, direction (yaw and pitch in radians) and field of view of a camera. */
export interface Pose {
  readonly position: Vec3;
  readonly yaw: number;
  readonly pitch: number;
  /** Vertical field of view in radians. */
  readonly fov: number;
}

/** A camera move with its duration. */
export interface Flight {
  /** Duration in milliseconds. */
  readonly duration: number;
  /** Returns the pose at a time in milliseconds: the first pose before the start, and exactly the last one after the end. */
  poseAt(time: number): Pose;
}

/** Cubic ease-in-out. @param t share of the time, 0…1 @returns share of the way, 0…1 */
export function ease(t: number): number {
  const x = Math.min(1, Math.max(0, t));
  return x < 0.5 ? 4 * x * x * x : 1 - (-2 * x + 2) ** 3 / 2;
}

/** Returns 0 before `from`, 1 after `to`, and a smooth transition between them. */
export function smoothstep(from: number, to: number, x: number): number {
  const t = Math.min(1, Math.max(0, (x - from) / (to - from)));
  return t * t * (3 - 2 * t);
}

/** Range of the duration of a flight, in milliseconds. */
const DURATION_MIN_MS = 350;
const DURATION_MAX_MS = 2600;
/** Distance before and after a corner of a route over which it is rounded, in metres. */
const CORNER_ROUNDING = 0.5;
/** Length of a route above which the camera looks along it, in metres. */
const LOOK_AHEAD_LENGTH = 4;
/** Distance to the point of the route at which the camera then looks, in metres. */
const LOOK_AHEAD_DISTANCE = 0.8;

/** Returns the length of a route in metres. */
export function routeLength(route: readonly Vec3[]): number {
  let sum = 0;
  for (let index = 1; index < route.length; index++) {
    const a = route[index - 1];
    const b = route[index];
    if (a && b) sum += distance(a, b);
  }
  return sum;
}

/** Returns the point of a route at this many metres from its start, limited to its ends. */
export function pointOnRoute(route: readonly Vec3[], metres: number): Vec3 {
  let remaining = Math.max(0, metres);
  for (let index = 1; index < route.length; index++) {
    const a = route[index - 1];
    const b = route[index];
    if (!a || !b) break;
    const piece = distance(a, b);
    if (remaining <= piece) return piece === 0 ? a : mix(a, b, remaining / piece);
    remaining -= piece;
  }
  return route[route.length - 1] ?? [0, 0, 0];
}

/** Returns the mean of five points around a point of the route. Corners become curves, and the ends do not move. */
function roundedPoint(route: readonly Vec3[], metres: number, total: number): Vec3 {
  const reach = Math.min(CORNER_ROUNDING, metres, total - metres);
  if (reach <= 0) return pointOnRoute(route, metres);
  let [x, y, z] = [0, 0, 0];
  for (const offset of [-1, -0.5, 0, 0.5, 1]) {
    const point = pointOnRoute(route, metres + offset * reach);
    x += point[0] / 5;
    y += point[1] / 5;
    z += point[2] / 5;
  }
  return [x, y, z];
}

/**
 * Creates a flight between two poses. On a long route on foot, the camera looks ahead and turns to its target at the end.
 * @param route route from the first to the last position; default: a straight line
 * @param lookAhead false turns the camera evenly, for example on the way up to the overview
 */
export function createFlight(from: Pose, to: Pose, route?: readonly Vec3[], lookAhead = true): Flight {
  const points = route && route.length >= 2 ? route : [from.position, to.position];
  const total = routeLength(points);
  const turnAngle = Math.abs(shortestTurn(from.yaw, to.yaw)) + Math.abs(to.pitch - from.pitch);
  const duration = Math.min(DURATION_MAX_MS, DURATION_MIN_MS + 352 * Math.sqrt(total) + 260 * turnAngle);
  const isLookingAhead = lookAhead && total > LOOK_AHEAD_LENGTH;
  const isMotionless = total < 1e-6 && turnAngle < 1e-6 && Math.abs(from.fov - to.fov) < 1e-6;
  return {
    duration: isMotionless ? 0 : duration,
    poseAt(time) {
      if (isMotionless || time >= duration) return to;
      if (time <= 0) return from;
      const linear = time / duration;
      const t = ease(linear);
      const position = roundedPoint(points, total * t, total);
      let yaw = lerpAngle(from.yaw, to.yaw, t);
      let pitch = from.pitch + (to.pitch - from.pitch) * t;
      if (isLookingAhead) {
        const pointAhead = roundedPoint(points, Math.min(total, total * t + LOOK_AHEAD_DISTANCE), total);
        const [dx, dz] = [pointAhead[0] - position[0], pointAhead[2] - position[2]];
        if (Math.hypot(dx, dz) > 0.01) {
          const course = Math.atan2(-dx, -dz);
          yaw = lerpAngle(
            lerpAngle(from.yaw, course, smoothstep(0, 0.3, linear)),
            to.yaw,
            smoothstep(0.55, 1, linear),
          );
          pitch = from.pitch * (1 - smoothstep(0, 0.3, linear)) + to.pitch * smoothstep(0.55, 1, linear);
        } else yaw = lerpAngle(yaw, to.yaw, smoothstep(0.55, 1, linear));
      }
      return {
        position,
        yaw,
        pitch: clampPitch(pitch),
        fov: mixGeometrically(from.fov, to.fov, t),
      };
    },
  };
}

/** Interpolates between two numbers by equal factors, so that the visible area grows evenly. */
const mixGeometrically = (from: number, to: number, t: number) =>
  Math.exp(Math.log(from) + (Math.log(to) - Math.log(from)) * t);

/**
 * Creates a flight between inside and outside, or between two views from outside. The camera turns about its point of interest,
 * which moves from one pose's point to the other's.
 * @param reach distance from `from` to its point of interest, in metres, more than 0
 * @param toReach distance from `to` to its point of interest, in metres, more than 0
 */
export function createOrbitFlight(from: Pose, reach: number, to: Pose, toReach: number): Flight {
  const focus = add(from.position, scale(direction(from.yaw, from.pitch), reach));
  const toFocus = add(to.position, scale(direction(to.yaw, to.pitch), toReach));
  // Half the visible height at the point of interest, in metres.
  const visibleHalfHeight = reach * Math.tan(from.fov / 2);
  const toVisibleHalfHeight = toReach * Math.tan(to.fov / 2);
  const turnAngle = Math.abs(shortestTurn(from.yaw, to.yaw)) + Math.abs(to.pitch - from.pitch);
  const duration = Math.min(
    DURATION_MAX_MS,
    500 + 250 * Math.abs(Math.log(toVisibleHalfHeight / visibleHalfHeight)) + 250 * turnAngle,
  );
  return {
    duration,
    poseAt(time) {
      if (time >= duration) return to;
      if (time <= 0) return from;
      const t = ease(time / duration);
      const yaw = lerpAngle(from.yaw, to.yaw, t);
      const pitch = from.pitch + (to.pitch - from.pitch) * t;
      const fov = mixGeometrically(from.fov, to.fov, t);
      const focusDistance = mixGeometrically(visibleHalfHeight, toVisibleHalfHeight, t) / Math.tan(fov / 2);
      return {
        position: subtract(mix(focus, toFocus, t), scale(direction(yaw, pitch), focusDistance)),
        yaw,
        pitch,
        fov,
      };
    },
  };
}
