/** Moves of the camera from one pose to another, as pure functions of time. */
import { clampPitch, direction, lerpAngle, shortestTurn } from "./angles";
import type { Vec3 } from "./contract";
import { add, distance, mix, scale, subtract } from "./vec";

/** Where a camera is, how it looks, and how wide. */
export interface Pose {
  readonly position: Vec3;
  readonly yaw: number;
  readonly pitch: number;
  /** Vertical field of view in radians. */
  readonly fov: number;
}

/** A move with its length in time. */
export interface Flight {
  /** Milliseconds. */
  readonly duration: number;
  /** The pose at a time in milliseconds; before the start the first pose, after the end exactly the last. */
  at(time: number): Pose;
}

/** Slow, fast, slow (cubic): t and the result are 0…1. */
export function ease(t: number): number {
  const x = Math.min(1, Math.max(0, t));
  return x < 0.5 ? 4 * x * x * x : 1 - (-2 * x + 2) ** 3 / 2;
}

/** 0 before `from`, 1 after `to`, smooth between. */
export function smoothstep(from: number, to: number, x: number): number {
  const t = Math.min(1, Math.max(0, (x - from) / (to - from)));
  return t * t * (3 - 2 * t);
}

const SHORTEST_MS = 350;
const LONGEST_MS = 2600;
/** Corners of a way are rounded over this many metres. */
const ROUNDING = 0.5;
/** Ways longer than this are walked looking ahead. */
const LOOK_AHEAD = 4;

/** The length of a way in metres. */
export function wayLength(way: readonly Vec3[]): number {
  let sum = 0;
  for (let index = 1; index < way.length; index++) {
    const a = way[index - 1];
    const b = way[index];
    if (a && b) sum += distance(a, b);
  }
  return sum;
}

/** The point of a way that is this many metres from its beginning, within its ends. */
export function pointOnWay(way: readonly Vec3[], metres: number): Vec3 {
  let left = Math.max(0, metres);
  for (let index = 1; index < way.length; index++) {
    const a = way[index - 1];
    const b = way[index];
    if (!a || !b) break;
    const piece = distance(a, b);
    if (left <= piece) return piece === 0 ? a : mix(a, b, left / piece);
    left -= piece;
  }
  return way[way.length - 1] ?? [0, 0, 0];
}

/** The mean of five points around one: corners become curves, ends stay where they are. */
function roundedPoint(way: readonly Vec3[], metres: number, total: number): Vec3 {
  const reach = Math.min(ROUNDING, metres, total - metres);
  if (reach <= 0) return pointOnWay(way, metres);
  let [x, y, z] = [0, 0, 0];
  for (const offset of [-1, -0.5, 0, 0.5, 1]) {
    const point = pointOnWay(way, metres + offset * reach);
    x += point[0] / 5;
    y += point[1] / 5;
    z += point[2] / 5;
  }
  return [x, y, z];
}

/**
 * A flight between two poses. On a long way on foot the camera looks where it goes, and turns to its goal at the end.
 * @param way from the first to the last position; missing: straight.
 * @param lookAhead false keeps the camera turning evenly, for example on the way up to the overview.
 */
export function fly(from: Pose, to: Pose, way?: readonly Vec3[], lookAhead = true): Flight {
  const points = way && way.length >= 2 ? way : [from.position, to.position];
  const total = wayLength(points);
  const turn = Math.abs(shortestTurn(from.yaw, to.yaw)) + Math.abs(to.pitch - from.pitch);
  const duration = Math.min(LONGEST_MS, SHORTEST_MS + 220 * Math.sqrt(total) * 1.6 + 260 * turn);
  const ahead = lookAhead && total > LOOK_AHEAD;
  const still = total < 1e-6 && turn < 1e-6 && Math.abs(from.fov - to.fov) < 1e-6;
  return {
    duration: still ? 0 : duration,
    at(time) {
      if (still || time >= duration) return to;
      if (time <= 0) return from;
      const linear = time / duration;
      const t = ease(linear);
      const position = roundedPoint(points, total * t, total);
      let yaw = lerpAngle(from.yaw, to.yaw, t);
      let pitch = from.pitch + (to.pitch - from.pitch) * t;
      if (ahead) {
        const next = roundedPoint(points, Math.min(total, total * t + 0.8), total);
        const [dx, , dz] = [next[0] - position[0], 0, next[2] - position[2]];
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
        fov: logMix(from.fov, to.fov, t),
      };
    },
  };
}

/** Between two numbers by equal factors: what is seen grows evenly. */
const logMix = (from: number, to: number, t: number) =>
  Math.exp(Math.log(from) + (Math.log(to) - Math.log(from)) * t);

/**
 * A flight between inside and outside, or between two views from outside. The camera turns about what it looks at, which moves
 * from the one pose's point of interest to the other's, so that the space never leaves the picture.
 * @param reach, toReach from each pose to its point of interest, in metres, more than 0.
 */
export function flyAround(from: Pose, reach: number, to: Pose, toReach: number): Flight {
  const focus = add(from.position, scale(direction(from.yaw, from.pitch), reach));
  const toFocus = add(to.position, scale(direction(to.yaw, to.pitch), toReach));
  // Half the height that is seen at the point of interest.
  const seen = reach * Math.tan(from.fov / 2);
  const toSeen = toReach * Math.tan(to.fov / 2);
  const turn = Math.abs(shortestTurn(from.yaw, to.yaw)) + Math.abs(to.pitch - from.pitch);
  const duration = Math.min(LONGEST_MS, 500 + 250 * Math.abs(Math.log(toSeen / seen)) + 250 * turn);
  return {
    duration,
    at(time) {
      if (time >= duration) return to;
      if (time <= 0) return from;
      const t = ease(time / duration);
      const yaw = lerpAngle(from.yaw, to.yaw, t);
      const pitch = from.pitch + (to.pitch - from.pitch) * t;
      const fov = logMix(from.fov, to.fov, t);
      const away = logMix(seen, toSeen, t) / Math.tan(fov / 2);
      return {
        position: subtract(mix(focus, toFocus, t), scale(direction(yaw, pitch), away)),
        yaw,
        pitch,
        fov,
      };
    },
  };
}
