/** The plane of a media item that is placed on a surface, as pure functions of its placement. */
import { PLACEMENT_WIDTH_MAX } from "~/domain/shared/limits";
import type { Placement, Vec3 } from "~/domain/shared/model";
import { add, cross, dot, isFinitePoint, length, normalize, scale, subtract } from "./vec";

/** A rectangle in the space, seen from its front. */
export interface MediaPlane {
  /** Centre of the rectangle, slightly in front of the surface. */
  readonly centre: Vec3;
  /** Unit vectors of the rectangle's own axes. */
  readonly right: Vec3;
  readonly up: Vec3;
  /** Unit vector out of the surface. */
  readonly normal: Vec3;
  /** Metres. */
  readonly width: number;
  readonly height: number;
}

/** The point where a ray meets a media plane. */
export interface MediaPlaneHit {
  readonly position: Vec3;
  readonly distance: number;
}

/** Surfaces with |normal.y| above this are floors or ceilings, on which a media item has no natural upright direction. */
const HORIZONTAL_NORMAL_Y = 0.9;
/** Minimum width in metres: smaller media would be specks. */
const WIDTH_MIN = 0.02;
/** Height divided by width: the default while it is unknown, and the limit of plausible values. */
const ASPECT_DEFAULT = 3 / 4;
const ASPECT_MAX = 20;
/**
 * Metres in front of the surface, so that the plane does not flicker with it. Each further plane lies slightly higher, because
 * planes may overlap. After SURFACE_OFFSET_STEPS planes, the offsets begin again.
 */
const SURFACE_OFFSET = 0.012;
const SURFACE_OFFSET_STEP = 0.0008;
const SURFACE_OFFSET_STEPS = 40;

/**
 * Returns the axes of a surface, seen from its front. Before the rotation, `up` points upwards on walls, and along −z on floors and
 * ceilings, so that media on them are oriented like a map.
 * @param rotation radians, counter-clockwise seen from the front
 */
export function surfaceAxes(normal: Vec3, rotation: number): { right: Vec3; up: Vec3; normal: Vec3 } {
  const unitNormal = normalize(normal);
  const upHint: Vec3 = Math.abs(unitNormal[1]) > HORIZONTAL_NORMAL_Y ? [0, 0, -1] : [0, 1, 0];
  const right = normalize(cross(upHint, unitNormal), [1, 0, 0]);
  const up = cross(unitNormal, right);
  const [cos, sin] = [Math.cos(rotation), Math.sin(rotation)];
  return {
    right: add(scale(right, cos), scale(up, sin)),
    up: subtract(scale(up, cos), scale(right, sin)),
    normal: unitNormal,
  };
}

/**
 * Computes the plane of a placed media item.
 * @param aspect height divided by width; null uses the default
 * @param order index of the item, so that overlapping planes do not flicker
 * @returns null for an invalid placement
 */
export function placeMedia(placement: Placement, aspect: number | null, order = 0): MediaPlane | null {
  const { position, normal, width, rotation } = placement;
  if (!isFinitePoint(position) || !isFinitePoint(normal) || length(normal) < 1e-6) return null;
  if (!Number.isFinite(width) || width <= 0) return null;
  const axes = surfaceAxes(normal, Number.isFinite(rotation) ? rotation : 0);
  const clampedWidth = Math.min(PLACEMENT_WIDTH_MAX, Math.max(WIDTH_MIN, width));
  const lift = SURFACE_OFFSET + (order % SURFACE_OFFSET_STEPS) * SURFACE_OFFSET_STEP;
  return {
    ...axes,
    centre: add(position, scale(axes.normal, lift)),
    width: clampedWidth,
    height: clampedWidth * clampAspect(aspect),
  };
}

/** Limits a height divided by width to values that can be drawn. */
export function clampAspect(aspect: number | null): number {
  if (aspect === null || !Number.isFinite(aspect) || aspect <= 0) return ASPECT_DEFAULT;
  return Math.min(ASPECT_MAX, Math.max(1 / ASPECT_MAX, aspect));
}

/**
 * Returns the point where a ray meets the front of a media plane, or null.
 * @param direction unit vector
 */
export function intersectMediaPlane(plane: MediaPlane, origin: Vec3, direction: Vec3): MediaPlaneHit | null {
  const facing = dot(direction, plane.normal);
  if (facing > -1e-6) return null;
  const hitDistance = dot(subtract(plane.centre, origin), plane.normal) / facing;
  if (!(hitDistance > 0)) return null;
  const position = add(origin, scale(direction, hitDistance));
  const offset = subtract(position, plane.centre);
  const isInside =
    Math.abs(dot(offset, plane.right)) <= plane.width / 2 &&
    Math.abs(dot(offset, plane.up)) <= plane.height / 2;
  return isInside ? { position, distance: hitDistance } : null;
}

/** Returns the four corners, counter-clockwise seen from the front, from the lower left. */
export function planeCorners({
  centre,
  right,
  up,
  width,
  height,
}: MediaPlane): readonly [Vec3, Vec3, Vec3, Vec3] {
  const [x, y] = [scale(right, width / 2), scale(up, height / 2)];
  const [low, high] = [subtract(centre, y), add(centre, y)];
  return [subtract(low, x), add(low, x), add(high, x), subtract(high, x)];
}

/** Returns the corners of a cube that stands on a surface and is as wide as a media plane: the assumed box of a model before it is loaded. */
export function cubeCorners(plane: MediaPlane): readonly Vec3[] {
  const { normal, width } = plane;
  const back = planeCorners({ ...plane, height: width });
  return [...back, ...back.map((corner) => add(corner, scale(normal, width)))];
}

/**
 * Estimates how many pixels the longer side of a media plane takes on the screen: 0 from behind.
 * @param focal distance from the eye to the screen in pixels: half its height divided by the tangent of half the field of view
 */
export function estimateScreenPixels(
  { centre, normal, width, height }: MediaPlane,
  eye: Vec3,
  focal: number,
): number {
  const offset = subtract(eye, centre);
  if (dot(offset, normal) <= 0) return 0;
  return (Math.max(width, height) * focal) / Math.max(0.3, length(offset));
}
