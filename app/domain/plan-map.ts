import type { Vec3 } from "./model";

/** What a picture of a space from above shows, in metres. See FloorPlan. */
export interface MapFrame {
  readonly center: readonly [x: number, z: number];
  readonly width: number;
  readonly height: number;
  /** Radians counter-clockwise, as seen from above. */
  readonly rotation: number;
}

/** Where on a map something lies: 0…1 from the left and from the top; null outside of it. */
export function onMap(
  [x, , z]: Vec3,
  frame: MapFrame,
): { readonly left: number; readonly top: number } | null {
  const [dx, dz] = [x - frame.center[0], z - frame.center[1]];
  // The picture's own axes: turned counter-clockwise seen from above, where x points right and z down.
  const [cos, sin] = [Math.cos(frame.rotation), Math.sin(frame.rotation)];
  const left = 0.5 + (dx * cos - dz * sin) / frame.width;
  const top = 0.5 + (dx * sin + dz * cos) / frame.height;
  return left >= 0 && left <= 1 && top >= 0 && top <= 1 ? { left, top } : null;
}

/** A map that holds some points with room around them, never flatter than 2 : 1. */
export function mapAround(points: readonly Vec3[], margin: number): MapFrame | null {
  if (points.length === 0) return null;
  const [xs, zs] = [points.map(([x]) => x), points.map(([, , z]) => z)];
  const [left, right] = [Math.min(...xs) - margin, Math.max(...xs) + margin];
  const [top, bottom] = [Math.min(...zs) - margin, Math.max(...zs) + margin];
  const width = Math.max(right - left, (bottom - top) / 2);
  const height = Math.max(bottom - top, (right - left) / 2);
  return { center: [(left + right) / 2, (top + bottom) / 2], width, height, rotation: 0 };
}
