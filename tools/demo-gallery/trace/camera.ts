import type { Vec3, Viewpoint } from "~/domain/shared/model";

/** The camera of an image. */
export type Camera =
  | { readonly kind: "panorama"; readonly position: Vec3; readonly heading: number }
  | {
      readonly kind: "lens";
      readonly position: Vec3;
      readonly yaw: number;
      readonly pitch: number;
      /** Vertical angle of view in radians. */
      readonly angle: number;
      /** Vertical shift of the image, as a share of its height. Unlike pitch, it keeps vertical lines vertical. */
      readonly shift?: number;
    }
  | { readonly kind: "plan"; readonly centre: Vec3; readonly metresHigh: number };

/** Returns the direction of a viewpoint: yaw 0 is −z and grows to the left, pitch grows upwards. */
export function directionOf({ yaw, pitch }: Pick<Viewpoint, "yaw" | "pitch">): Vec3 {
  return [-Math.sin(yaw) * Math.cos(pitch), Math.sin(pitch), -Math.cos(yaw) * Math.cos(pitch)];
}

/** A ray through an image: its origin, its unit direction, and the angle (or metres) that one pixel covers. */
export interface Ray {
  ox: number;
  oy: number;
  oz: number;
  dx: number;
  dy: number;
  dz: number;
  spread: number;
  /** True if the spread grows with distance. */
  perspective: boolean;
}

/** Returns a function that sets `ray` to the one through (x, y) of an image, in pixels from its upper left corner. */
export function createRaySetter(
  camera: Camera,
  width: number,
  height: number,
): (x: number, y: number, ray: Ray) => void {
  if (camera.kind === "panorama") {
    const [ox, oy, oz] = camera.position;
    // Columns run to the right, while yaw grows to the left.
    const yawAt = (x: number): number => camera.heading - (x / width - 0.5) * 2 * Math.PI;
    // Most rays go through the centre of a pixel, and many consecutive ones through one row, so these angles are cached.
    const sines = Float64Array.from({ length: width }, (_, x) => Math.sin(yawAt(x + 0.5)));
    const cosines = Float64Array.from({ length: width }, (_, x) => Math.cos(yawAt(x + 0.5)));
    let row = Number.NaN;
    let vertical = 0;
    let horizontal = 0;
    return (x, y, ray) => {
      if (y !== row) {
        row = y;
        const pitch = (0.5 - y / height) * Math.PI;
        vertical = Math.sin(pitch);
        horizontal = Math.cos(pitch);
      }
      const column = x | 0;
      const isMiddle = x - column === 0.5 && column < width;
      ray.ox = ox;
      ray.oy = oy;
      ray.oz = oz;
      ray.dx = -(isMiddle ? (sines[column] as number) : Math.sin(yawAt(x))) * horizontal;
      ray.dy = vertical;
      ray.dz = -(isMiddle ? (cosines[column] as number) : Math.cos(yawAt(x))) * horizontal;
      ray.spread = Math.PI / height;
      ray.perspective = true;
    };
  }
  if (camera.kind === "plan") {
    const scale = camera.metresHigh / height;
    return (x, y, ray) => {
      ray.ox = camera.centre[0] + (x - width / 2) * scale;
      ray.oy = 40;
      ray.oz = camera.centre[2] + (y - height / 2) * scale;
      ray.dx = 0;
      ray.dy = -1;
      ray.dz = 0;
      ray.spread = scale;
      ray.perspective = false;
    };
  }
  const forward = directionOf(camera);
  const right: Vec3 = [Math.cos(camera.yaw), 0, -Math.sin(camera.yaw)];
  const up: Vec3 = [
    right[1] * forward[2] - right[2] * forward[1],
    right[2] * forward[0] - right[0] * forward[2],
    right[0] * forward[1] - right[1] * forward[0],
  ];
  const half = Math.tan(camera.angle / 2);
  const [ox, oy, oz] = camera.position;
  return (x, y, ray) => {
    const a = ((x - width / 2) / (height / 2)) * half;
    const b = ((height / 2 - y) / (height / 2) + 2 * (camera.shift ?? 0)) * half;
    const dx = forward[0] + right[0] * a + up[0] * b;
    const dy = forward[1] + right[1] * a + up[1] * b;
    const dz = forward[2] + right[2] * a + up[2] * b;
    const l = Math.sqrt(dx * dx + dy * dy + dz * dz);
    ray.ox = ox;
    ray.oy = oy;
    ray.oz = oz;
    ray.dx = dx / l;
    ray.dy = dy / l;
    ray.dz = dz / l;
    ray.spread = (2 * half) / height / l;
    ray.perspective = true;
  };
}
