/** Computes how much of an object fits the screen. */
import type { Vec3 } from "./contract";
import type { Pose } from "./flight";
import { createProjector, type Size } from "./projection";

/** Share of each half of the screen in which points count as visible. Points farther out are too near to the edge, or under the page's buttons. */
const USED_SCREEN_SHARE = 0.9;
/** Minimum distance of a visible point in front of the eyes, in metres. */
const DEPTH_MIN = 0.1;

/**
 * Returns how much of an object fits the screen: 1 or more when all points are within USED_SCREEN_SHARE, less the farther out the
 * farthest point is, and 0 when a point is not in front of the eyes.
 */
export function measureScreenCoverage(points: readonly Vec3[], pose: Pose, size: Size): number {
  if (size.width <= 0 || size.height <= 0) return 1;
  const project = createProjector(pose, size);
  let share = Number.POSITIVE_INFINITY;
  for (const point of points) {
    const { x, y, depth } = project(point);
    if (depth < DEPTH_MIN) return 0;
    const horizontalOffset = Math.abs(x / size.width - 0.5) * 2;
    const verticalOffset = Math.abs(y / size.height - 0.5) * 2;
    share = Math.min(share, USED_SCREEN_SHARE / Math.max(horizontalOffset, verticalOffset, 1e-6));
  }
  return share;
}
