import { InstancedMesh, type Material, type Mesh, type Object3D, type Texture } from "three";

const isTexture = (value: unknown): value is Texture => (value as Texture | null)?.isTexture === true;

/** Frees a texture and its decoded image. */
export function disposeTexture(texture: Texture): void {
  const { data } = texture.source as { data: unknown };
  if (typeof ImageBitmap !== "undefined" && data instanceof ImageBitmap) data.close();
  texture.dispose();
}

/** Frees a material with all its textures. */
export function disposeMaterial(material: Material): void {
  for (const value of Object.values(material)) if (isTexture(value)) disposeTexture(value);
  material.dispose();
}

/** Frees every geometry, material and texture of a tree, and removes it from its parent. */
export function disposeTree(root: Object3D): void {
  root.traverse((object) => {
    const mesh = object as Mesh;
    mesh.geometry?.dispose();
    for (const material of mesh.material ? [mesh.material].flat() : []) disposeMaterial(material);
    if (object instanceof InstancedMesh) object.dispose();
  });
  root.removeFromParent();
}
