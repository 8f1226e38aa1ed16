import type { PackedSplats } from "@sparkjsdev/spark";
import { Quaternion, Vector3 } from "three";
import type { Vec3 } from "../core/contract";
import type { SplatFile } from "../core/splat-file";
import type { TimeSlicer } from "../core/time-slicer";
import { detectUp, USUAL_AXES } from "./detect-up";
import { sampleSplats } from "./sample-splats.client";

const UP = new Vector3(0, 1, 0);
/** Rotations about x that bring +Y, −Y, +Z and −Z upwards. */
const QUARTER_TURNS = [0, Math.PI, -Math.PI / 2, Math.PI / 2].map((angle) =>
  new Quaternion().setFromAxisAngle(new Vector3(1, 0, 0), angle),
);

/** Returns the up axis of a file: the declared one, or else the one that is detected from its splats. */
export const findUp = async (splats: PackedSplats, file: SplatFile, slicer: TimeSlicer): Promise<Vec3> =>
  file.up ?? detectUp(await sampleSplats(splats, slicer), USUAL_AXES[file.format]);

/** Returns the rotation that makes an axis point upwards: zero to three quarter turns about x, then a correction of the remaining lean. */
export function rotationToUpright(up: Vec3): Quaternion {
  const axis = new Vector3(...up);
  const [nearest = new Quaternion()] = QUARTER_TURNS.toSorted(
    (a, b) => axis.clone().applyQuaternion(b).y - axis.clone().applyQuaternion(a).y,
  );
  const rotatedAxis = axis.applyQuaternion(nearest);
  return rotatedAxis.y > 1 - 1e-9
    ? nearest.clone()
    : new Quaternion().setFromUnitVectors(rotatedAxis.normalize(), UP).multiply(nearest);
}

/** Returns the rotation from a file's frame to one in which y points upwards. */
export const findUprightRotation = async (
  splats: PackedSplats,
  file: SplatFile,
  slicer: TimeSlicer,
): Promise<Quaternion> => rotationToUpright(await findUp(splats, file, slicer));
