import type { PackedSplats } from "@sparkjsdev/spark";
import { Quaternion, Vector3 } from "three";
import type { Breath } from "../core/breath";
import type { Vec3 } from "../core/contract";
import type { SplatFile } from "../core/splat-file";
import { uprightSamples } from "./samples.client";
import { HABITS, uprightOf } from "./upright";

const UP = new Vector3(0, 1, 0);
/** Turns by quarters about x: those that the axes +Y, −Y, +Z and −Z of a source mean. */
const QUARTERS = [0, Math.PI, -Math.PI / 2, Math.PI / 2].map((angle) =>
  new Quaternion().setFromAxisAngle(new Vector3(1, 0, 0), angle),
);

/** The axis of a file that points upwards: as it says itself, or as it looks. */
export const upOf = async (splats: PackedSplats, file: SplatFile, breath: Breath): Promise<Vec3> =>
  file.up ?? uprightOf(await uprightSamples(splats, breath), HABITS[file.format]);

/** The turn after which an axis points upwards: a quarter turn about x and whatever the capture leans besides. */
export function turnTo(up: Vec3): Quaternion {
  const axis = new Vector3(...up);
  const [nearest = new Quaternion()] = QUARTERS.toSorted(
    (a, b) => axis.clone().applyQuaternion(b).y - axis.clone().applyQuaternion(a).y,
  );
  const turned = axis.applyQuaternion(nearest);
  return turned.y > 1 - 1e-9
    ? nearest.clone()
    : new Quaternion().setFromUnitVectors(turned.normalize(), UP).multiply(nearest);
}

/** From a file's frame to one in which y points upwards. */
export const turnUpright = async (
  splats: PackedSplats,
  file: SplatFile,
  breath: Breath,
): Promise<Quaternion> => turnTo(await upOf(splats, file, breath));
