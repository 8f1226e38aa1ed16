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
  readonly own: number | undefined;
}

/** Finds the meshes whose material depends on the variant. */
function partsOf({ parser }: GLTF, root: Object3D): Part[] {
  const parts: Part[] = [];
  root.traverse((object) => {
    if (!(object instanceof Mesh)) return;
    const { KHR_materials_variants: said } = (object.userData.gltfExtensions ?? {}) as {
      KHR_materials_variants?: Mappings;
    };
    if (!said?.mappings) return;
    const from = parser.associations.get(object) as { meshes?: number; primitives?: number } | undefined;
    const { meshes } = parser.json as { meshes?: { primitives: { material?: number }[] }[] };
    const own = meshes?.[from?.meshes ?? -1]?.primitives[from?.primitives ?? -1]?.material;
    parts.push({ mesh: object, mappings: said.mappings, own });
  });
  return parts;
}

/** Material variants of a model (KHR_materials_variants). A mesh that a variant does not name has its default material. */
export class ModelVariants {
  private readonly parts: readonly Part[];
  /** Materials that meshes had before, to be freed. */
  private readonly worn = new Set<Material>();
  private choice = 0;
  /** Index of the variant that is shown, from 0. Null for the file's own materials. */
  index: number | null = null;

  /** @param silence rejects when a decoder does not respond */
  constructor(
    private readonly gltf: GLTF,
    private readonly silence: Promise<never>,
  ) {
    this.parts = gltf.scenes.flatMap((scene) => partsOf(gltf, scene));
  }

  /** Whether the model has variants that change it. */
  get isChoice(): boolean {
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
    const coming = Promise.all(
      this.parts.map(({ mappings, own }) => {
        const mapping = mappings.find(({ variants = [] }) => index !== null && variants.includes(index));
        const material = mapping?.material ?? own;
        return material === undefined
          ? null
          : (parser.getDependency("material", material) as Promise<Material>);
      }),
    );
    const materials = await Promise.race([coming, this.silence]);
    if (choice !== this.choice) return;
    for (const [at, { mesh }] of this.parts.entries()) {
      const material = materials[at];
      if (!material) continue;
      this.worn.add(mesh.material as Material);
      mesh.material = material;
      parser.assignFinalMaterial(mesh);
    }
    this.index = index;
  }

  /** Frees the materials of variants that are not shown. The visible materials belong to the scene. */
  dispose(): void {
    this.choice++;
    const shown = new Set(this.parts.map(({ mesh }) => mesh.material));
    for (const material of this.worn) if (!shown.has(material)) disposeMaterial(material);
    this.worn.clear();
  }
}
