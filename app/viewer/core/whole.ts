/** Whether the whole of something is on the screen. */
import type { Vec3 } from "./contract";
import type { Pose } from "./flight";
import { projector, type Size } from "./projection";

/** Of each half of the screen, what lies farther out is too near to its edge, or under the page's buttons. */
const INSET = 0.9;
/** Metres before the eyes: what is nearer or behind them is not seen. */
const NEAREST = 0.1;

/**
 * How much of it fits when one looks so: 1 or more when all points are on the screen, less the farther out the farthest is, and 0 when
 * one of them is not before the eyes.
 */
export function shareInView(points: readonly Vec3[], pose: Pose, size: Size): number {
  if (size.width <= 0 || size.height <= 0) return 1;
  const project = projector(pose, size);
  let share = Number.POSITIVE_INFINITY;
  for (const point of points) {
    const { x, y, depth } = project(point);
    if (depth < NEAREST) return 0;
    const across = Math.abs(x / size.width - 0.5) * 2;
    const along = Math.abs(y / size.height - 0.5) * 2;
    share = Math.min(share, INSET / Math.max(across, along, 1e-6));
  }
  return share;
}
