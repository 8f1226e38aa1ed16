/** Converts the three.js scene of any loader to a GLB file in metres, with y up. */
import {
  type AnimationClip,
  Box3,
  type BufferGeometry,
  Group,
  Light,
  type Line,
  type Material,
  type Mesh,
  MeshBasicMaterial,
  type MeshPhongMaterial,
  MeshStandardMaterial,
  type Object3D,
  type Points,
  type Texture,
  Vector3,
} from "three";
import { GLTFExporter } from "three/examples/jsm/exporters/GLTFExporter.js";
import { NOTE_VALUE_MAX, type PreparationNote } from "~/domain/library/prepared";
import { ConversionError, type ConversionLoss, type FileMeasurements } from "../conversion";
import type { ReportProgress } from "../run-worker";
import type { ModelImages } from "./model-images.client";
import type { ModelResult } from "./model-request";
import { createPlainMaterial, isDeclared } from "./plain-material.client";

/** Maximum number of triangles of a model. With more, no browser has enough memory for the copies that are created when the file is written. */
export const TRIANGLES_MAX = 10_000_000;
/** Maximum number of nodes of a model. */
const NODES_MAX = 100_000;
/** Maximum number of pixels on a side of a texture. */
const TEXTURE_SIDE_MAX = 4096;
/** Maximum number of missing textures and material libraries whose names are reported. */
const NAMES_MAX = 10;

/** A scene that a loader returned. */
export interface LoadedScene {
  readonly scene: Object3D;
  readonly animations?: readonly AnimationClip[];
  readonly images?: ModelImages;
  /** Metres per unit of the scene (default: 1), or a function that guesses the unit from the longest side of the bounding box. */
  readonly unit?: number | ((longest: number) => { readonly unit: string; readonly metres: number });
  /** Whether z is up. */
  readonly isZUp?: boolean;
  readonly losses?: readonly ConversionLoss[];
  readonly notes?: readonly PreparationNote[];
  /** Measurements of the original that differ from those of the scene. */
  readonly before?: Omit<FileMeasurements, "bytes">;
}

type Drawn = Mesh | Points | Line;
const isDrawn = (object: Object3D): object is Drawn =>
  "geometry" in object && ("isMesh" in object || "isPoints" in object || "isLine" in object);

/** Writes a loaded scene. @throws ConversionError empty, damaged, too_large */
export async function exportScene(loaded: LoadedScene, report: ReportProgress): Promise<ModelResult> {
  const { scene, images } = loaded;
  report(0.6, "textures");
  await images?.settled((work) => report(0.6, "textures", work));
  const losses = new Set<ConversionLoss>(loaded.losses);
  const notes: PreparationNote[] = [...(loaded.notes ?? [])];
  report(0.7, "textures", { triangles: TRIANGLES_MAX });
  const counts = prepareScene(scene, images, losses);
  if (images && images.missing.size > 0) {
    losses.add("missing_textures");
    const names = [...images.missing].slice(0, NAMES_MAX).join(", ").slice(0, NOTE_VALUE_MAX);
    notes.push({ key: "missing_textures", values: { names, count: images.missing.size } });
  }
  const root = new Group();
  root.name = scene.name || "model";
  if (loaded.isZUp) root.rotation.x = -Math.PI / 2;
  root.add(scene);
  const box = computeBox(root);
  const longest = Math.max(...box.getSize(new Vector3()).toArray());
  const unit = typeof loaded.unit === "function" ? loaded.unit(longest) : loaded.unit;
  if (typeof unit === "object") notes.push({ key: "unit_guessed", values: { unit: unit.unit } });
  const metres = typeof unit === "object" ? unit.metres : (unit ?? 1);
  root.scale.setScalar(metres);
  const size = box.getSize(new Vector3()).multiplyScalar(metres).toArray() as [number, number, number];
  if (longest * metres === 0) throw new ConversionError("empty", "The model has no size.");
  const { triangles = 0, points = 0, texturePixels } = counts;
  report(0.75, "write", { triangles: triangles + points, pixels: texturePixels });
  const buffer = await writeGlb(root, loaded.animations ?? []);
  const { texturePixels: _, ...counted } = counts;
  const measurements: ModelResult["measurements"] = { ...counted, size };
  return {
    glb: new Blob([buffer], { type: "model/gltf-binary" }),
    measurements,
    before: { ...measurements, ...loaded.before },
    losses: [...losses],
    notes,
  };
}

const writeGlb = async (root: Object3D, animations: readonly AnimationClip[]): Promise<ArrayBuffer> => {
  const options = {
    binary: true,
    animations: [...animations],
    maxTextureSize: TEXTURE_SIDE_MAX,
    onlyVisible: false,
  };
  const buffer = await new GLTFExporter().parseAsync(root, options);
  if (!(buffer instanceof ArrayBuffer)) throw new Error("The exporter wrote no binary file.");
  return buffer;
};

/** Returns the bounding box of everything that is drawn. @throws ConversionError empty, damaged */
function computeBox(root: Object3D): Box3 {
  root.updateMatrixWorld(true);
  const box = new Box3().setFromObject(root, true);
  if (box.isEmpty()) throw new ConversionError("empty", "The model has no points.");
  if (![...box.min.toArray(), ...box.max.toArray()].every(Number.isFinite))
    throw new ConversionError("damaged", "The model has positions that are not finite numbers.");
  return box;
}

/** Removes lights, cameras and drawn objects without vertices, but not their children. Replaces materials, and counts the geometry. */
function prepareScene(scene: Object3D, images: ModelImages | undefined, losses: Set<ConversionLoss>) {
  const materials = new Map<Material, Material>();
  const removed: Object3D[] = [];
  let [triangles, points, nodes] = [0, 0, 0];
  let graphicsBytes = 0;
  const countedGeometries = new Set<BufferGeometry>();
  scene.traverse((object) => {
    if (++nodes > NODES_MAX)
      throw new ConversionError("too_large", `The model has more than ${NODES_MAX} nodes.`);
    if (object instanceof Light) {
      losses.add("lights");
      removed.push(object);
    }
    if ("isCamera" in object) removed.push(object);
    if (!isDrawn(object)) return;
    const { geometry } = object;
    const position = geometry.getAttribute("position");
    if (!position || position.count === 0) {
      removed.push(object);
      return;
    }
    if (!countedGeometries.has(geometry)) {
      countedGeometries.add(geometry);
      checkPositions(position.array);
      for (const attribute of [...Object.values(geometry.attributes), geometry.index])
        graphicsBytes += attribute?.array.byteLength ?? 0;
    }
    const elements = geometry.index?.count ?? position.count;
    if ("isMesh" in object) triangles += Math.floor(elements / 3);
    if ("isPoints" in object) points += elements;
    if (triangles > TRIANGLES_MAX)
      throw new ConversionError("too_large", `The model has more than ${TRIANGLES_MAX} triangles.`);
    const replace = (material: Material) => {
      const existingMaterial = materials.get(material);
      if (existingMaterial) return existingMaterial;
      const converted =
        "isMesh" in object ? toStandardMaterial(material, images) : toUnlitMaterial(material, object);
      materials.set(material, converted);
      return converted;
    };
    object.material = Array.isArray(object.material)
      ? object.material.map(replace)
      : replace(object.material);
  });
  removed.forEach(removeObject);
  if (triangles + points === 0 && !hasLines(scene))
    throw new ConversionError("empty", "The model has neither triangles nor points.");
  const textures = new Set([...materials.values()].flatMap((material) => listTextures(material)));
  let texturePixels = 0;
  for (const { image } of textures) {
    const { width, height } = image as { readonly width: number; readonly height: number };
    texturePixels += width * height;
  }
  // Four bytes for each pixel, and a third more for the mipmaps.
  graphicsBytes += (texturePixels * 4 * 4) / 3;
  return {
    ...(triangles > 0 && { triangles }),
    ...(points > 0 && { points }),
    graphicsBytes: Math.round(graphicsBytes),
    texturePixels,
  };
}

/** Removes an object from its parent. A group with the same name and place keeps its children. */
function removeObject(object: Object3D): void {
  if (object.parent && object.children.length > 0)
    object.parent.add(new Group().copy(object as Group, false).add(...object.children));
  object.removeFromParent();
}

const hasLines = (scene: Object3D) => {
  let isFound = false;
  scene.traverse((object) => {
    isFound ||= "isLine" in object;
  });
  return isFound;
};

function checkPositions(positions: ArrayLike<number>): void {
  for (let i = 0; i < positions.length; i++)
    if (!Number.isFinite(positions[i]))
      throw new ConversionError("damaged", "The model has positions that are not finite numbers.");
}

const TEXTURE_SLOTS = ["map", "normalMap", "emissiveMap", "aoMap", "roughnessMap", "metalnessMap"] as const;
type TextureSlots = { [slot in (typeof TEXTURE_SLOTS)[number]]?: Texture | null };

const listTextures = (material: Material) =>
  TEXTURE_SLOTS.flatMap((slot) => (material as TextureSlots)[slot] ?? []);

/** Removes textures that could not be read. Textures that were read from JPEG files stay JPEG. */
function checkTextures(material: Material, images: ModelImages | undefined): void {
  for (const slot of TEXTURE_SLOTS) {
    const texture = (material as TextureSlots)[slot];
    if (!texture) continue;
    const image = texture.image as { readonly width?: number } | null | undefined;
    if (!image?.width) (material as TextureSlots)[slot] = null;
    else if (images?.typeOf(image) === "image/jpeg") texture.userData.mimeType = "image/jpeg";
  }
}

/** Returns the closest material that glTF can store. */
function toStandardMaterial(material: Material, images: ModelImages | undefined): Material {
  if (!isDeclared(material)) return createPlainMaterial(false);
  checkTextures(material, images);
  if (material instanceof MeshStandardMaterial || material instanceof MeshBasicMaterial) return material;
  const phong = material as MeshPhongMaterial;
  const standard = new MeshStandardMaterial({
    name: phong.name,
    side: phong.side,
    transparent: phong.transparent,
    opacity: phong.opacity,
    alphaTest: phong.alphaTest,
    vertexColors: phong.vertexColors,
    metalness: 0,
    // Blinn-Phong exponent to roughness: α² = 2 / (n + 2), and roughness² = α (Walter et al. 2007, GGX with Disney's remapping).
    roughness: phong.shininess === undefined ? 1 : Math.min(1, (2 / (phong.shininess + 2)) ** 0.25),
  });
  if (phong.color) standard.color.copy(phong.color);
  if (phong.emissive) standard.emissive.copy(phong.emissive).multiplyScalar(phong.emissiveIntensity ?? 1);
  for (const slot of ["map", "normalMap", "emissiveMap", "aoMap"] as const)
    standard[slot] = phong[slot] ?? null;
  if (phong.normalScale) standard.normalScale.copy(phong.normalScale);
  return standard;
}

/** Returns a material for points and lines, which are not lit. */
function toUnlitMaterial(material: Material, object: Drawn): Material {
  const { color } = material as MeshBasicMaterial;
  const converted = new MeshBasicMaterial({
    name: material.name,
    vertexColors: object.geometry.hasAttribute("color"),
  });
  if (color) converted.color.copy(color);
  return converted;
}
