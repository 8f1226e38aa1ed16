/** Angles in radians. yaw 0 looks along −z and grows to the left; pitch grows upwards (see Viewpoint). */
import type { Vec3 } from "~/domain/shared/model";

/** A full turn in radians. */
export const TAU = Math.PI * 2;

/** Returns the same angle in (−π, π]. */
export function wrapAngle(angle: number): number {
  const turn = angle - TAU * Math.floor(angle / TAU);
  return turn > Math.PI ? turn - TAU : turn;
}

/** Returns the signed turn in (−π, π] that leads from one angle to the other by the shorter way. */
export function shortestTurn(from: number, to: number): number {
  return wrapAngle(to - from);
}

/**
 * Interpolates between two angles by the shorter way.
 * @param t share of the way, 0…1
 * @returns an angle in (−π, π]
 */
export function lerpAngle(from: number, to: number, t: number): number {
  return wrapAngle(from + shortestTurn(from, to) * t);
}

/** Limits a pitch to −limit…limit. Default: from straight down to straight up. */
export function clampPitch(pitch: number, limit: number = Math.PI / 2): number {
  return Math.min(limit, Math.max(-limit, pitch));
}

/** Returns the unit vector along which a camera with this yaw and pitch looks. */
export function direction(yaw: number, pitch: number): Vec3 {
  const horizontal = Math.cos(pitch);
  return [-Math.sin(yaw) * horizontal, Math.sin(pitch), -Math.cos(yaw) * horizontal];
}

/**
 * Returns the yaw and pitch that look along a vector of any length. Vertical vectors get `yawIfVertical`: every yaw is correct for
 * them, and a jump would spin the view.
 */
export function computeAngles(vector: Vec3, yawIfVertical = 0): { yaw: number; pitch: number } {
  const [x, y, z] = vector;
  const horizontal = Math.hypot(x, z);
  if (horizontal < 1e-9) return { yaw: yawIfVertical, pitch: y === 0 ? 0 : (Math.sign(y) * Math.PI) / 2 };
  return { yaw: wrapAngle(Math.atan2(-x, -z)), pitch: Math.atan2(y, horizontal) };
}

/** Returns the yaw and pitch with which a camera at `eye` looks at `target`. */
export function lookAt(eye: Vec3, target: Vec3, yawIfVertical = 0): { yaw: number; pitch: number } {
  return computeAngles([target[0] - eye[0], target[1] - eye[1], target[2] - eye[2]], yawIfVertical);
}
