/** The start of a model's space after the model was scaled or turned. */
import { COORDINATE_MAX } from "../shared/limits";
import type { Viewpoint } from "../shared/model";
import { MODEL_DISPLAY, type ModelDisplay } from "./model-display";

/** Settings that scale or turn a model within its space. */
export type ModelPose = Pick<ModelDisplay, "scale" | "up" | "turn">;

/** Returns whether two settings show a model in the same size and orientation. */
export const isSamePose = (a: ModelPose = MODEL_DISPLAY, b: ModelPose = MODEL_DISPLAY): boolean =>
  a.scale === b.scale && a.up === b.up && a.turn === b.turn;

/**
 * Moves a start with its model, so that visitors begin at the same point of the model and look in the same direction. A walking visitor
 * keeps the same height above the floor.
 * @param eyeHeight metres
 * @returns null if the viewer has to choose a start: after a change of the up axis, and beyond the coordinates of a space
 */
export function movedStart(
  start: Viewpoint,
  before: ModelPose,
  after: ModelPose,
  eyeHeight: number,
): Viewpoint | null {
  if (before.up !== after.up) return null;
  const ratio = after.scale / before.scale;
  const turn = after.turn - before.turn;
  const lift = start.mode === "walk" ? eyeHeight : 0;
  const [x, y, z] = start.position;
  const [sin, cos] = [Math.sin(turn), Math.cos(turn)];
  const position = [
    ratio * (x * cos + z * sin),
    ratio * (y - lift) + lift,
    ratio * (z * cos - x * sin),
  ] as const;
  if (!position.every((value) => Math.abs(value) <= COORDINATE_MAX)) return null;
  // Angles of a viewpoint are between −π and π.
  const yaw = Math.atan2(Math.sin(start.yaw + turn), Math.cos(start.yaw + turn));
  return { ...start, position, yaw };
}
