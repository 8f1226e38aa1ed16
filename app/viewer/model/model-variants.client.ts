import { type Material, Mesh, type Object3D } from "three";
import type { GLTF } from "three/examples/jsm/loaders/GLTFLoader.js";
import { disposeMaterial } from "../shared/dispose.client";

interface Mappings {
  readonly mappings?: readonly { readonly material?: number; readonly variants?: readonly number[] }[];
}

interface Part {
  readonly mesh: Mesh;
  readonly mappings: NonNullable<Mappings["mappings"]>;
  /** Index of the default material in the file, or undefined. */
  readonly defaultMaterial: number | undefined;
  /** Material that the loader assigned. */
  readonly loadedMaterial: Material;
}

/** Finds the meshes whose material depends on the variant. */
function findParts({ parser }: GLTF, root: Object3D): Part[] {
  const parts: Part[] = [];
  root.traverse((object) => {
    if (!(object instanceof Mesh)) return;
    const { KHR_materials_variants: extension } = (object.userData.gltfExtensions ?? {}) as {
      KHR_materials_variants?: Mappings;
    };
    if (!extension?.mappings) return;
    const association = parser.associations.get(object) as
      | { meshes?: number; primitives?: number }
      | undefined;
    const { meshes } = parser.json as { meshes?: { primitives: { material?: number }[] }[] };
    const defaultMaterial =
      meshes?.[association?.meshes ?? -1]?.primitives[association?.primitives ?? -1]?.material;
    const loadedMaterial = object.material as Material;
    parts.push({ mesh: object, mappings: extension.mappings, defaultMaterial, loadedMaterial });
  });
  return parts;
}

/** Material variants of a model (KHR_materials_variants). A mesh that a variant does not name has its default material. */
export class ModelVariants {
  private readonly parts: readonly Part[];
  /** Materials that meshes had before, to be freed. */
  private readonly replacedMaterials = new Set<Material>();
  /** Increases with `choose` and `dispose`, so that a pending `choose` recognises that it was superseded. */
  private choice = 0;
  /** Index of the variant that is shown, from 0. Null for the file's own materials. */
  index: number | null = null;

  /** @param failure rejects when a decoder fails or does not respond */
  constructor(
    private readonly gltf: GLTF,
    private readonly failure: Promise<never>,
  ) {
    this.parts = gltf.scenes.flatMap((scene) => findParts(gltf, scene));
  }

  /** Whether the model has variants that change it. */
  get hasVariants(): boolean {
    return this.parts.length > 0;
  }

  /**
   * Applies the materials of a variant. The last call wins. The texture decoders must still exist.
   * @param index counted from 0; null for the file's own materials
   * @throws Error when a material cannot be read; the model then stays unchanged
   */
  async choose(index: number | null): Promise<void> {
    const { parser } = this.gltf;
    const choice = ++this.choice;
    // Visible materials need no decoder, so they can be kept after a decoder has failed.
    if (index === this.index) return;
    const pendingMaterials = Promise.all(
      this.parts.map(({ mappings, defaultMaterial }) => {
        const mapping = mappings.find(({ variants = [] }) => index !== null && variants.includes(index));
        const material = mapping?.material ?? defaultMaterial;
        return material === undefined
          ? null
          : (parser.getDependency("material", material) as Promise<Material>);
      }),
    );
    const materials = await Promise.race([pendingMaterials, this.failure]);
    if (choice !== this.choice) return;
    for (const [i, { mesh, loadedMaterial }] of this.parts.entries()) {
      const material = materials[i];
      this.replacedMaterials.add(mesh.material as Material);
      mesh.material = material ?? loadedMaterial;
      if (material) parser.assignFinalMaterial(mesh);
    }
    this.index = index;
  }

  /** Frees the replaced materials that are not shown. The visible materials belong to the scene. */
  dispose(): void {
    this.choice++;
    const visibleMaterials = new Set(this.parts.map(({ mesh }) => mesh.material));
    for (const material of this.replacedMaterials)
      if (!visibleMaterials.has(material)) disposeMaterial(material);
    this.replacedMaterials.clear();
  }
}
