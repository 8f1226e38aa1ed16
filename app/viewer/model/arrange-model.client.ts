import { type Group, type Object3D, Quaternion, Vector3 } from "three";
import type { GLTF } from "three/examples/jsm/loaders/GLTFLoader.js";
import { MODEL_DISPLAY, type ModelDisplay, type ModelUp } from "~/domain/spaces/model-display";

const X = new Vector3(1, 0, 0);
const Y = new Vector3(0, 1, 0);
const Z = new Vector3(0, 0, 1);
const QUARTER_TURN = Math.PI / 2;

/** Rotations that make each axis of a file point upwards. */
const UPRIGHT: Readonly<Record<ModelUp, Quaternion>> = {
  y: new Quaternion(),
  "-y": new Quaternion().setFromAxisAngle(X, Math.PI),
  z: new Quaternion().setFromAxisAngle(X, -QUARTER_TURN),
  "-z": new Quaternion().setFromAxisAngle(X, QUARTER_TURN),
  x: new Quaternion().setFromAxisAngle(Z, QUARTER_TURN),
  "-x": new Quaternion().setFromAxisAngle(Z, -QUARTER_TURN),
};

/** Applies the scale, the up axis and the rotation of a model's settings to the group that contains it. */
export function arrangeModel(
  holder: Group,
  { scale, up, turn }: Pick<ModelDisplay, "scale" | "up" | "turn"> = MODEL_DISPLAY,
): void {
  holder.scale.setScalar(scale);
  holder.quaternion.setFromAxisAngle(Y, turn).multiply(UPRIGHT[up]);
}

/** Returns the scene that the model's settings choose, or the file's default scene when they choose none that exists. */
export const chosenScene = (gltf: GLTF, scene: number | null | undefined): Object3D =>
  (scene === null || scene === undefined ? undefined : gltf.scenes[scene]) ?? gltf.scene;
