/** A space of surfaces through which visitors can walk: its content, and viewpoints in it. */
import type { Object3D } from "three";
import { clampPitch, lookAt } from "../core/angles";
import type { Pin, Vec3, Viewpoint } from "../core/contract";
import type { Pose } from "../core/flight";
import { computeOrbitPosition } from "../core/orbit";
import type { Triangles } from "../core/triangles";
import { distance, isFinitePoint, mix, subtract } from "../core/vec";
import { findViewingPose, isPointVisible, measureVisibility, type ViewedObject } from "../core/viewing-pose";
import { type Body, findNearestStandingPosition } from "../core/walker";

/** Maximum distance of a walk viewpoint from the space, in metres. A farther one comes from an invalid link. */
const OUTSIDE_DISTANCE_MAX = 3;
/** Maximum distance in metres from which a visible pin is readable. */
const READING_DISTANCE_MAX = 3.5;
/** Distance of an outside camera from an open pin: a share of the diagonal of the space, but at most this many metres. */
const PIN_DISTANCE_SHARE = 0.9;
const PIN_DISTANCE_MAX = 6;

/** Content of a space through which visitors can walk. */
export interface Walkable {
  /** Surfaces that rays meet and that carry and stop a visitor. */
  readonly triangles: Triangles;
  /** Objects that are hidden when the visitor looks in from above. */
  readonly ceilings: readonly Object3D[];
  readonly eyeHeight: number;
  /** With null, the viewer chooses a start. */
  readonly start: Viewpoint | null;
}

/** Returns a viewpoint with valid numbers near the space, or null. */
export function validateViewpoint(
  { min, max }: Triangles,
  { position, yaw, pitch, mode }: Viewpoint,
): Viewpoint | null {
  if (!isFinitePoint(position) || !Number.isFinite(yaw) || !Number.isFinite(pitch)) return null;
  const reach = mode === "walk" ? OUTSIDE_DISTANCE_MAX : 50 * distance(min, max);
  const isOutside = position.some(
    (value, axis) => value < (min[axis] ?? 0) - reach || value > (max[axis] ?? 0) + reach,
  );
  return isOutside ? null : { position, yaw, pitch: clampPitch(pitch), mode };
}

/** Returns a start at the standing position nearest to the middle of the space, or in the middle when there is none near. */
export function createMiddleViewpoint(space: Triangles, body: Body): Viewpoint {
  const middle = mix(space.min, space.max, 0.5);
  const position = findNearestStandingPosition(space, body, middle, 5) ?? middle;
  return { position, yaw: 0, pitch: 0, mode: "walk" };
}

/** Properties of the space around a pin and of the visitor in it. */
export interface PinSurroundings {
  readonly space: Triangles;
  readonly body: Body;
  /** Current pose of the camera. */
  readonly pose: Pose;
  readonly mode: Viewpoint["mode"];
  readonly isObject: boolean;
  /** Whether the space has a place to stand. */
  readonly canWalk: boolean;
  /** Point at which the visitor looks. */
  readonly disc: Vec3;
  /** The visible media item, when it has no pin of its own; null for every other pin. */
  readonly object: ViewedObject | null;
  readonly overview: () => Viewpoint;
}

/** Returns the viewpoint for a pin: the owner's, the current one if the pin is readable from it, one in front of the pin, or one outside. */
export function findPinViewpoint(
  pin: Pin,
  { space, body, pose, mode, isObject, canWalk, disc, object, overview }: PinSurroundings,
): Viewpoint {
  const ownerViewpoint = pin.viewpoint && validateViewpoint(space, pin.viewpoint);
  if (ownerViewpoint) return ownerViewpoint;
  const eye = pose.position;
  const currentPose = { position: eye, ...lookAt(eye, disc, pose.yaw) };
  const isReadable =
    mode === "walk" &&
    (!object || measureVisibility(space, object, currentPose) >= 1) &&
    distance(eye, disc) < READING_DISTANCE_MAX &&
    isPointVisible(space, eye, disc);
  if (isReadable) return { ...currentPose, mode: "walk" };
  // Candidate poses are searched along the normal of the surface, from the pin's position or the centre of the media item.
  const pinPose =
    canWalk && findViewingPose(space, body, subtract(disc, pin.stem), pin.stem, eye, object ?? undefined);
  if (pinPose) return { ...pinPose, mode: "walk" };
  const viewingDistance = Math.min(PIN_DISTANCE_MAX, distance(space.min, space.max) * PIN_DISTANCE_SHARE);
  // An object is viewed from the side on which the pin is placed.
  const { yaw, pitch } = isObject ? lookAt(pin.stem, [0, 0, 0], pose.yaw) : overview();
  const position = computeOrbitPosition({ centre: disc, distance: viewingDistance }, yaw, pitch);
  return { position, yaw, pitch, mode: "orbit" };
}
