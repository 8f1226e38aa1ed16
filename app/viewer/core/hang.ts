/** How a medium hangs on a surface: its rectangle in the space, as pure functions of its placement. */

import { PLACEMENT_WIDTH_MAX } from "~/domain/shared/limits";
import type { Placement, Vec3 } from "~/domain/shared/model";
import { add, cross, dot, isFinitePoint, length, normalize, scale, subtract } from "./vec";

/** A rectangle in the space, seen from its front. */
export interface Hanging {
  /** Its middle, a little off the surface. */
  readonly centre: Vec3;
  /** Unit vectors of its own axes. */
  readonly right: Vec3;
  readonly up: Vec3;
  /** Out of the surface, towards whoever looks at it. */
  readonly normal: Vec3;
  /** Metres. */
  readonly width: number;
  readonly height: number;
}

/** Where a ray meets a hanging. */
export interface HangingHit {
  readonly position: Vec3;
  readonly distance: number;
}

/** A surface this flat is a floor or a ceiling, on which a medium has no upright of its own. */
const FLAT = 0.9;
/** Metres: smaller ones are no more than a speck. */
const NARROWEST = 0.02;
/** Height by width of what nobody has measured, and the farthest from a square that is believed. */
const USUAL_ASPECT = 3 / 4;
const STRANGEST_ASPECT = 20;
/** Metres off the surface, so that it does not flicker with it; each further one lies a little above, where they overlap. */
const LIFT = 0.012;
const LIFT_STEP = 0.0008;
const LIFT_STEPS = 40;

/**
 * The axes of a surface, seen from its front, after a turn. On walls `up` points upwards; on floors and ceilings it points along −z,
 * so that what lies there reads like a map.
 * @param rotation radians, counter-clockwise seen from the front.
 */
export function surfaceAxes(normal: Vec3, rotation: number): { right: Vec3; up: Vec3; normal: Vec3 } {
  const out = normalize(normal);
  const towards: Vec3 = Math.abs(out[1]) > FLAT ? [0, 0, -1] : [0, 1, 0];
  const right = normalize(cross(towards, out), [1, 0, 0]);
  const up = cross(out, right);
  const [cos, sin] = [Math.cos(rotation), Math.sin(rotation)];
  return {
    right: add(scale(right, cos), scale(up, sin)),
    up: subtract(scale(up, cos), scale(right, sin)),
    normal: out,
  };
}

/**
 * The rectangle of a placed medium, or null for a placement that is nowhere.
 * @param aspect height by width; null takes the usual one.
 * @param order of several, so that no two of them flicker where they overlap.
 */
export function hang(placement: Placement, aspect: number | null, order = 0): Hanging | null {
  const { position, normal, width, rotation } = placement;
  if (!isFinitePoint(position) || !isFinitePoint(normal) || length(normal) < 1e-6) return null;
  if (!Number.isFinite(width) || width <= 0) return null;
  const axes = surfaceAxes(normal, Number.isFinite(rotation) ? rotation : 0);
  const across = Math.min(PLACEMENT_WIDTH_MAX, Math.max(NARROWEST, width));
  const lift = LIFT + (order % LIFT_STEPS) * LIFT_STEP;
  return {
    ...axes,
    centre: add(position, scale(axes.normal, lift)),
    width: across,
    height: across * trustedAspect(aspect),
  };
}

/** A height by width that something can be drawn with. */
export function trustedAspect(aspect: number | null): number {
  if (aspect === null || !Number.isFinite(aspect) || aspect <= 0) return USUAL_ASPECT;
  return Math.min(STRANGEST_ASPECT, Math.max(1 / STRANGEST_ASPECT, aspect));
}

/** Where a ray meets the front of a hanging, or null. @param direction unit length. */
export function meetHanging(hanging: Hanging, origin: Vec3, direction: Vec3): HangingHit | null {
  const against = dot(direction, hanging.normal);
  if (against > -1e-6) return null;
  const far = dot(subtract(hanging.centre, origin), hanging.normal) / against;
  if (!(far > 0)) return null;
  const position = add(origin, scale(direction, far));
  const off = subtract(position, hanging.centre);
  const inside =
    Math.abs(dot(off, hanging.right)) <= hanging.width / 2 &&
    Math.abs(dot(off, hanging.up)) <= hanging.height / 2;
  return inside ? { position, distance: far } : null;
}

/** The four corners, counter-clockwise seen from the front, from the lower left. */
export function cornersOf({ centre, right, up, width, height }: Hanging): readonly [Vec3, Vec3, Vec3, Vec3] {
  const [x, y] = [scale(right, width / 2), scale(up, height / 2)];
  const [low, high] = [subtract(centre, y), add(centre, y)];
  return [subtract(low, x), add(low, x), add(high, x), subtract(high, x)];
}

/** The corners of a cube as wide as a hanging that stands out of its surface: what is known of a model before it comes. */
export function cubeOn(hanging: Hanging): readonly Vec3[] {
  const { normal, width } = hanging;
  const back = cornersOf({ ...hanging, height: width });
  return [...back, ...back.map((corner) => add(corner, scale(normal, width)))];
}

/**
 * About how many pixels the longer side of a hanging takes on the screen: 0 from behind.
 * @param focal pixels from the eye to the screen: half its height by the tangent of half the field of view.
 */
export function pixelsAcross({ centre, normal, width, height }: Hanging, eye: Vec3, focal: number): number {
  const way = subtract(eye, centre);
  if (dot(way, normal) <= 0) return 0;
  return (Math.max(width, height) * focal) / Math.max(0.3, length(way));
}
