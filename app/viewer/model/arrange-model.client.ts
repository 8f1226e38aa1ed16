import { type Group, type Material, Mesh, type Object3D, Quaternion, Vector3 } from "three";
import type { GLTF } from "three/examples/jsm/loaders/GLTFLoader.js";
import { MODEL_DISPLAY, type ModelDisplay, type ModelUp } from "~/domain/model-display";

const X = new Vector3(1, 0, 0);
const Y = new Vector3(0, 1, 0);
const Z = new Vector3(0, 0, 1);
const QUARTER = Math.PI / 2;

/** Turns that bring each axis of a file upwards. */
const UPRIGHT: Readonly<Record<ModelUp, Quaternion>> = {
  y: new Quaternion(),
  "-y": new Quaternion().setFromAxisAngle(X, Math.PI),
  z: new Quaternion().setFromAxisAngle(X, -QUARTER),
  "-z": new Quaternion().setFromAxisAngle(X, QUARTER),
  x: new Quaternion().setFromAxisAngle(Z, QUARTER),
  "-x": new Quaternion().setFromAxisAngle(Z, -QUARTER),
};

/** Applies the scale, the up axis and the rotation of a model's settings to the group that contains it. */
export function arrangeModel(
  holder: Group,
  { scale, up, turn }: Pick<ModelDisplay, "scale" | "up" | "turn"> = MODEL_DISPLAY,
): void {
  holder.scale.setScalar(scale);
  holder.quaternion.setFromAxisAngle(Y, turn).multiply(UPRIGHT[up]);
}

/** Scene of a model that its settings choose; the file's default scene when no scene has that number. */
export const chosenScene = (gltf: GLTF, scene: number | null | undefined): Object3D =>
  (scene === null || scene === undefined ? undefined : gltf.scenes[scene]) ?? gltf.scene;

/** KHR_materials_variants extension of a mesh primitive. */
interface Mappings {
  readonly mappings?: readonly { readonly material?: number; readonly variants?: readonly number[] }[];
}

/**
 * Gives a model the materials of one of its variants (KHR_materials_variants). Parts that the variant does not name keep theirs.
 * Call it before decoders of textures are disposed of.
 */
export async function applyVariant(
  gltf: GLTF,
  root: Object3D,
  variant: number | null | undefined,
): Promise<void> {
  if (variant === null || variant === undefined) return;
  const meshes: Mesh[] = [];
  root.traverse((object) => {
    if (object instanceof Mesh) meshes.push(object);
  });
  for (const mesh of meshes) {
    const { KHR_materials_variants: said } = (mesh.userData.gltfExtensions ?? {}) as {
      KHR_materials_variants?: Mappings;
    };
    const found = said?.mappings?.find(({ variants = [] }) => variants.includes(variant));
    if (found?.material === undefined) continue;
    mesh.material = (await gltf.parser.getDependency("material", found.material)) as Material;
    gltf.parser.assignFinalMaterial(mesh);
  }
}
