/** Frames an object: finds viewpoints from outside that show all of it, and measures how far it reaches on the canvas. */
import { direction } from "../core/angles";
import type { Vec3, Viewpoint } from "../core/contract";
import type { Size } from "../core/projection";
import type { Triangles } from "../core/triangles";
import { add, cross, distance, dot, mix, scale, subtract } from "../core/vec";

/** Shares of the canvas that stay empty around an object. Below it, there is room for the stage's buttons. */
const MARGINS: Margins = { beside: 0.05, below: 0.08 };
/** Margins for an object that covers too little of the canvas with MARGINS. */
export const NARROW_MARGINS: Margins = { beside: 0.015, below: 0.015 };
/** Maximum number of corners that are measured to frame an object. */
const CORNERS_MEASURED = 120_000;

/** Returns the unit axes of a camera with a direction of view in radians. */
export function cameraAxes(yaw: number, pitch: number): { right: Vec3; up: Vec3; ahead: Vec3 } {
  const ahead = direction(yaw, pitch);
  const right = direction(yaw - Math.PI / 2, 0);
  return { right, up: cross(right, ahead), ahead };
}

/** Shares of the canvas that stay empty: above and beside the object, and below it. */
export interface Margins {
  readonly beside: number;
  readonly below: number;
}

/** An object and the canvas on which it is framed. */
export interface FramingInput {
  readonly space: Pick<Triangles, "corners" | "min" | "max">;
  readonly size: Size;
  /** Vertical field of view, in radians. */
  readonly orbitFov: number;
  /** More points that the view must include, such as those of the other poses of an animation, three numbers each. */
  readonly poses?: Float32Array;
}

/** Calls `visit` with corners of the object and its further points, in metres from its centre: to the right, upwards and away from the camera. */
function forEachCorner(
  { space: { corners, min, max }, poses }: Pick<FramingInput, "space" | "poses">,
  { yaw, pitch }: Pick<Viewpoint, "yaw" | "pitch">,
  visit: (x: number, y: number, z: number) => void,
): void {
  const { right, up, ahead } = cameraAxes(yaw, pitch);
  const middle = mix(min, max, 0.5);
  for (const points of poses ? [corners, poses] : [corners]) {
    const count = points.length / 3;
    const step = Math.max(1, Math.ceil(count / CORNERS_MEASURED));
    for (let corner = 0; corner < count; corner += step) {
      const px = (points[corner * 3] ?? 0) - middle[0];
      const py = (points[corner * 3 + 1] ?? 0) - middle[1];
      const pz = (points[corner * 3 + 2] ?? 0) - middle[2];
      visit(
        px * right[0] + py * right[1] + pz * right[2],
        px * up[0] + py * up[1] + pz * up[2],
        px * ahead[0] + py * ahead[1] + pz * ahead[2],
      );
    }
  }
}

/**
 * Returns how far the object exceeds the upper margin of the view (NARROW_MARGINS), in metres; 0 if it does not.
 * @param cameraDistance distance of the camera from the object's centre, in metres
 */
export function heightAboveView(input: FramingInput, view: Viewpoint, cameraDistance: number): number {
  const heightTangent = Math.tan(input.orbitFov / 2) * (1 - 2 * NARROW_MARGINS.beside);
  let excess = 0;
  forEachCorner(input, view, (_, y, z) => {
    if (cameraDistance + z > 0) excess = Math.max(excess, y - (cameraDistance + z) * heightTangent);
  });
  return excess;
}

/** Returns the horizontal distance of the object's outermost point from the centre of the canvas. 1 is the canvas's edge. */
export function measureRelativeWidth(input: FramingInput, view: Viewpoint): number {
  const widthTangent = Math.tan(input.orbitFov / 2) * (input.size.width / input.size.height);
  const middle = mix(input.space.min, input.space.max, 0.5);
  const cameraDistance = dot(subtract(middle, view.position), cameraAxes(view.yaw, view.pitch).ahead);
  let widest = 0;
  forEachCorner(input, view, (x, _, z) => {
    if (cameraDistance + z > 0) widest = Math.max(widest, Math.abs(x) / (cameraDistance + z));
  });
  return widest / widthTangent;
}

/**
 * Returns the nearest viewpoint that looks at the centre of the space and shows all of it.
 * @param yaw direction of view, in radians
 * @param pitch elevation of the view, in radians
 */
export function frameObject(
  { space, size, orbitFov, poses }: FramingInput,
  yaw: number,
  pitch: number,
  { beside, below }: Margins = MARGINS,
): Viewpoint {
  const { ahead } = cameraAxes(yaw, pitch);
  const middle = mix(space.min, space.max, 0.5);
  // Half the height of the view, and half its width without margins, at a distance of one metre.
  const heightTangent = Math.tan(orbitFov / 2);
  const widthTangent = heightTangent * (size.width / size.height) * (1 - 2 * beside);
  const [upperTangent, lowerTangent] = [heightTangent * (1 - 2 * beside), heightTangent * (1 - 2 * below)];
  let cameraDistance = 0;
  forEachCorner({ space, poses }, { yaw, pitch }, (x, y, z) => {
    // At the margin, |x| = (cameraDistance + z) · widthTangent.
    const needed = Math.max(Math.abs(x) / widthTangent, y > 0 ? y / upperTangent : -y / lowerTangent) - z;
    if (needed > cameraDistance) cameraDistance = needed;
  });
  const minDistance = distance(space.min, space.max) * 0.05;
  return {
    position: add(middle, scale(ahead, -Math.max(cameraDistance, minDistance, 1e-6))),
    yaw,
    pitch,
    mode: "orbit",
  };
}
