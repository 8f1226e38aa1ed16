import type { Vec3 } from "./contract";
import { surfaceAxes } from "./media-plane";
import { add, scale } from "./vec";

/** Direction in which a key moves an object: along its surface as the visitor sees it, or out of it and into it. */
export type NudgeDirection = "left" | "right" | "up" | "down" | "out" | "in";

/** Surfaces with |normal.y| above this are horizontal. On them, "up" moves away from the visitor. */
const HORIZONTAL_NORMAL_Y = 0.9;

/**
 * Moves a position by a step in a direction, as a visitor with this yaw sees it.
 * @param yaw yaw of the camera, in radians
 * @param step metres
 */
export function nudgePosition(
  position: Vec3,
  normal: Vec3,
  yaw: number,
  direction: NudgeDirection,
  step: number,
): Vec3 {
  const axes = surfaceAxes(normal, 0);
  if (direction === "out" || direction === "in")
    return add(position, scale(axes.normal, direction === "out" ? step : -step));
  const isHorizontal = Math.abs(axes.normal[1]) > HORIZONTAL_NORMAL_Y;
  const [right, up]: readonly [Vec3, Vec3] = isHorizontal
    ? [
        [Math.cos(yaw), 0, -Math.sin(yaw)],
        [-Math.sin(yaw), 0, -Math.cos(yaw)],
      ]
    : [axes.right, axes.up];
  const along = direction === "left" || direction === "right" ? right : up;
  return add(position, scale(along, direction === "left" || direction === "down" ? -step : step));
}
