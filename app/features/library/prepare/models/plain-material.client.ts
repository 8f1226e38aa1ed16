import {
  Color,
  Loader,
  type Material,
  Mesh,
  type MeshPhongMaterial,
  MeshStandardMaterial,
  type Object3D,
  Texture,
} from "three";

/** Reflectance of the grey material, linear. */
const GREY_REFLECTANCE = 0.35;

/**
 * Creates the material for files that declare none. It is grey unless the vertices have colours, as in modelling programs, because light hides the
 * shape of a white model.
 */
export const createPlainMaterial = (vertexColors: boolean): MeshStandardMaterial =>
  new MeshStandardMaterial({
    roughness: 0.8,
    vertexColors,
    color: vertexColors
      ? new Color(1, 1, 1)
      : new Color(GREY_REFLECTANCE, GREY_REFLECTANCE, GREY_REFLECTANCE),
  });

/** Replaces materials that the file does not declare by the plain material. */
export function replaceUndeclared(scene: Object3D, isDeclaredByFile: (material: Material) => boolean): void {
  scene.traverse((object) => {
    if (!(object instanceof Mesh)) return;
    const mesh: Mesh = object;
    const materials = [mesh.material].flat().map((material) => {
      if (isDeclaredByFile(material)) return material;
      const replacement = createPlainMaterial(material.vertexColors);
      replacement.side = material.side;
      replacement.name = material.name === Loader.DEFAULT_MATERIAL_NAME ? "" : material.name;
      return replacement;
    });
    mesh.material = materials.length > 1 ? materials : (materials[0] ?? []);
  });
}

/**
 * Whether the file declares a material. For missing materials, three's loaders create one with a default name, or a white one without name and
 * textures and with three's default reflectance.
 */
export function isDeclared(material: Material): boolean {
  if (material.name === Loader.DEFAULT_MATERIAL_NAME) return false;
  const { name, color, emissive, opacity, vertexColors, shininess, roughness, metalness } =
    material as MeshPhongMaterial & MeshStandardMaterial;
  const hasTexture = Object.values(material).some((value) => value instanceof Texture);
  const isPlain =
    (shininess === undefined ? roughness === 1 && metalness === 0 : shininess === 30) &&
    color?.getHex() === 0xffffff &&
    (emissive?.getHex() ?? 0) === 0;
  return name !== "" || vertexColors || hasTexture || opacity < 1 || !isPlain;
}
