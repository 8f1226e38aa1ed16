/** Projection from the space to the screen and back. */
import type { Vec3 } from "~/domain/shared/model";
import { direction } from "./angles";
import type { Pose } from "./flight";
import { normalize } from "./vec";

/** The size of a canvas in CSS pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A rectangle on the screen, in CSS pixels from the canvas's top left. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A point on the screen. */
export interface ScreenPoint {
  /** CSS pixels from the top left; mirrored about the centre when the point is behind the camera. */
  readonly x: number;
  readonly y: number;
  /** Metres along the camera's axis; negative behind the camera. */
  readonly depth: number;
}

/** Returns the camera's own axes in the space's frame. */
function computeAxes(pose: Pick<Pose, "yaw" | "pitch">): { right: Vec3; up: Vec3; forward: Vec3 } {
  const right: Vec3 = [Math.cos(pose.yaw), 0, -Math.sin(pose.yaw)];
  const forward = direction(pose.yaw, pose.pitch);
  const up: Vec3 = [
    right[1] * forward[2] - right[2] * forward[1],
    right[2] * forward[0] - right[0] * forward[2],
    right[0] * forward[1] - right[1] * forward[0],
  ];
  return { right, up, forward };
}

const dotComponents = (a: Vec3, x: number, y: number, z: number) => a[0] * x + a[1] * y + a[2] * z;

/** Returns a function that projects points of the space to the screen of a perspective camera without roll. */
export function createProjector(pose: Pose, size: Size): (point: Vec3) => ScreenPoint {
  const { right, up, forward } = computeAxes(pose);
  const focal = size.height / 2 / Math.tan(pose.fov / 2);
  const [ox, oy, oz] = pose.position;
  return ([px, py, pz]) => {
    const [x, y, z] = [px - ox, py - oy, pz - oz];
    const depth = dotComponents(forward, x, y, z);
    const scale = focal / (Math.abs(depth) < 1e-9 ? 1e-9 : depth);
    return {
      x: size.width / 2 + dotComponents(right, x, y, z) * scale,
      y: size.height / 2 - dotComponents(up, x, y, z) * scale,
      depth,
    };
  };
}

/** Returns the point of the screen's edge towards a point outside of the screen: at the side to which the visitor has to turn. */
export function findScreenEdge(
  { x, y, depth }: ScreenPoint,
  { width, height }: Size,
): { x: number; y: number } {
  // Projections of points behind the camera are mirrored.
  const side = depth > 0 ? 1 : -1;
  const dx = (x - width / 2) * side;
  const dy = (y - height / 2) * side;
  const share = Math.min(width / 2 / Math.abs(dx || 1e-9), height / 2 / Math.abs(dy || 1e-9));
  return { x: width / 2 + dx * share, y: height / 2 + dy * share };
}

/** Returns the unit direction of the ray through a point of the screen. */
export function computeScreenRay(pose: Pose, size: Size, x: number, y: number): Vec3 {
  const { right, up, forward } = computeAxes(pose);
  const focal = size.height / 2 / Math.tan(pose.fov / 2);
  const h = (x - size.width / 2) / focal;
  const v = (size.height / 2 - y) / focal;
  return normalize([
    forward[0] + right[0] * h + up[0] * v,
    forward[1] + right[1] * h + up[1] * v,
    forward[2] + right[2] * h + up[2] * v,
  ]);
}

/** Maximum horizontal field of view, in radians. Beyond it, objects at the sides look stretched. */
const HORIZONTAL_FOV_MAX = (100 * Math.PI) / 180;

/** Maximum vertical field of view (108°), in radians: very narrow canvases show less than the requested width. */
const VERTICAL_FOV_MAX = Math.PI * 0.6;

/**
 * Returns the vertical field of view for a canvas: `vertical`, but at least `horizontal` across a narrow canvas, and at most HORIZONTAL_FOV_MAX
 * across a wide one. All angles are in radians.
 */
export function computeFieldOfView(size: Size, vertical: number, horizontal: number): number {
  if (size.width <= 0 || size.height <= 0) return vertical;
  const verticalFor = (across: number) => 2 * Math.atan((Math.tan(across / 2) * size.height) / size.width);
  return Math.min(
    VERTICAL_FOV_MAX,
    Math.max(Math.min(vertical, verticalFor(HORIZONTAL_FOV_MAX)), verticalFor(horizontal)),
  );
}
