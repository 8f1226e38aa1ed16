import type { Vec3 } from "./contract";
import { surfaceAxes } from "./hang";
import { add, scale } from "./vec";

/** Where a key moves something: along its surface as the visitor sees it, or out of it and into it. */
export type NudgeDirection = "left" | "right" | "up" | "down" | "out" | "in";

/** A surface flatter than this is moved on as on a table: "up" is away from the visitor. */
const FLAT = 0.9;

/**
 * A place moved by a step along its surface, as whoever looks at it with this yaw means it.
 * @param yaw of the camera, radians.
 * @param step metres.
 */
export function nudge(
  position: Vec3,
  normal: Vec3,
  yaw: number,
  direction: NudgeDirection,
  step: number,
): Vec3 {
  const axes = surfaceAxes(normal, 0);
  if (direction === "out" || direction === "in")
    return add(position, scale(axes.normal, direction === "out" ? step : -step));
  const isFlat = Math.abs(axes.normal[1]) > FLAT;
  const [right, up]: readonly [Vec3, Vec3] = isFlat
    ? [
        [Math.cos(yaw), 0, -Math.sin(yaw)],
        [-Math.sin(yaw), 0, -Math.cos(yaw)],
      ]
    : [axes.right, axes.up];
  const along = direction === "left" || direction === "right" ? right : up;
  return add(position, scale(along, direction === "left" || direction === "down" ? -step : step));
}
