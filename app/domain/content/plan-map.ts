import type { Vec3 } from "../shared/model";
import { normalizeAngle } from "../spaces/normalize-angle";

/** The area that an image of a space from above shows, in metres. See FloorPlan. */
export interface MapFrame {
  readonly center: readonly [x: number, z: number];
  readonly width: number;
  readonly height: number;
  /** Rotation in radians, counter-clockwise as seen from above. */
  readonly rotation: number;
}

/** A position on a map's image, as fractions from the left and from the top. */
export interface MapPoint {
  readonly left: number;
  readonly top: number;
}

/** Returns the position of a point on a map, as fractions from the left and from the top. Points outside the image have values outside 0…1. */
export function toMapPoint([x, , z]: Vec3, frame: MapFrame): MapPoint {
  const [dx, dz] = [x - frame.center[0], z - frame.center[1]];
  // Axes of the image: rotated counter-clockwise as seen from above, where x points right and z down.
  const [cos, sin] = [Math.cos(frame.rotation), Math.sin(frame.rotation)];
  return {
    left: 0.5 + (dx * cos - dz * sin) / frame.width,
    top: 0.5 + (dx * sin + dz * cos) / frame.height,
  };
}

/** Returns the position of a point on a map, 0…1 from the left and from the top; null outside the map. */
export function findOnMap(position: Vec3, frame: MapFrame): MapPoint | null {
  const { left, top } = toMapPoint(position, frame);
  return left >= 0 && left <= 1 && top >= 0 && top <= 1 ? { left, top } : null;
}

/** Distance of two places, as a share of the map's width, below which their targets of 40 px overlap on a phone. */
const CROWDED_SHARE = 0.14;

/** Returns the indexes of places that are so close to another one that their targets must be small. */
export function findCrowded(
  places: readonly { readonly point: MapPoint }[],
  { width, height }: Pick<MapFrame, "width" | "height">,
): ReadonlySet<number> {
  const isNear = (a: MapPoint, b: MapPoint) =>
    Math.hypot(a.left - b.left, ((a.top - b.top) * height) / width) < CROWDED_SHARE;
  return new Set(
    places.flatMap(({ point }, index) =>
      places.some((other, otherIndex) => otherIndex !== index && isNear(point, other.point)) ? [index] : [],
    ),
  );
}

/** Returns a map that contains the points with a margin in metres. Its aspect ratio is at most 2 : 1; null without points. */
export function mapAround(points: readonly Vec3[], margin: number): MapFrame | null {
  if (points.length === 0) return null;
  const [xs, zs] = [points.map(([x]) => x), points.map(([, , z]) => z)];
  const [left, right] = [Math.min(...xs) - margin, Math.max(...xs) + margin];
  const [top, bottom] = [Math.min(...zs) - margin, Math.max(...zs) + margin];
  const width = Math.max(right - left, (bottom - top) / 2);
  const height = Math.max(bottom - top, (right - left) / 2);
  return { center: [(left + right) / 2, (top + bottom) / 2], width, height, rotation: 0 };
}

/** A point of the space and its intended position on a map's image, 0…1 from the left and from the top. */
export interface KnownPoint {
  /** x and z in metres. */
  readonly place: readonly [x: number, z: number];
  readonly left: number;
  readonly top: number;
}

/** Largest difference between two positions that a user cannot see, as a fraction of the image. */
const TOLERANCE = 1e-4;

/** Returns whether a map's image shows a point at its intended position. */
export function isShownAt({ place: [x, z], left, top }: KnownPoint, frame: MapFrame): boolean {
  const currentPoint = toMapPoint([x, 0, z], frame);
  return Math.hypot(currentPoint.left - left, currentPoint.top - top) < TOLERANCE;
}

/** Returns the offset from the centre of the image, in metres along the image's axes. */
const offsetFromCentre = ({ left, top }: KnownPoint, { width, height }: MapFrame) =>
  [(left - 0.5) * width, (top - 0.5) * height] as const;

/** Moves a frame so that its image shows a place at a given point. The size and the rotation stay the same. */
export function moveFrame(frame: MapFrame, point: KnownPoint): MapFrame {
  const [u, v] = offsetFromCentre(point, frame);
  const [cos, sin] = [Math.cos(frame.rotation), Math.sin(frame.rotation)];
  const [x, z] = point.place;
  return { ...frame, center: [x - u * cos - v * sin, z + u * sin - v * cos] };
}

/** Minimum distance of two points that determine scale and rotation, in metres and as a fraction of the image's width. */
const DISTANCE_MIN = 0.01;

/** Moves, rotates and scales a frame so that its image shows two places at two given points. Null when the places or the points are too close together. */
export function alignFrame(frame: MapFrame, fixed: KnownPoint, moved: KnownPoint): MapFrame | null {
  const [fixedOffset, movedOffset] = [offsetFromCentre(fixed, frame), offsetFromCentre(moved, frame)];
  const [du, dv] = [movedOffset[0] - fixedOffset[0], movedOffset[1] - fixedOffset[1]];
  const [dx, dz] = [moved.place[0] - fixed.place[0], moved.place[1] - fixed.place[1]];
  const [planDistance, metres] = [Math.hypot(du, dv), Math.hypot(dx, dz)];
  if (planDistance < DISTANCE_MIN * frame.width || metres < DISTANCE_MIN) return null;
  const scale = metres / planDistance;
  const rotation = Math.atan2(dv, du) - Math.atan2(dz, dx);
  const rotatedFrame = {
    ...frame,
    width: frame.width * scale,
    height: frame.height * scale,
    rotation: normalizeAngle(rotation),
  };
  return moveFrame(rotatedFrame, fixed);
}
