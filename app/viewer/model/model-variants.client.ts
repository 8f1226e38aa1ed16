import { type Material, Mesh, type Object3D } from "three";
import type { GLTF } from "three/examples/jsm/loaders/GLTFLoader.js";
import { disposeMaterial } from "../shared/dispose.client";

interface Mappings {
  readonly mappings?: readonly { readonly material?: number; readonly variants?: readonly number[] }[];
}

interface Part {
  readonly mesh: Mesh;
  readonly mappings: NonNullable<Mappings["mappings"]>;
  /** Number of the material that the file gives it without a variant; undefined where the file gives it none. */
  readonly own: number | undefined;
}

/** The parts of a tree that have materials of their own in some variant. */
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

/** The material variants of a model (KHR_materials_variants). Parts that a variant does not name have the file's own materials. */
export class ModelVariants {
  private readonly parts: readonly Part[];
  /** What meshes have worn, to be freed. */
  private readonly worn = new Set<Material>();
  private choice = 0;
  /** The variant that is shown, counted from 0; null for the file's own materials. */
  index: number | null = null;

  /** @param silence rejects when a decoder was given up */
  constructor(
    private readonly gltf: GLTF,
    private readonly silence: Promise<never>,
  ) {
    this.parts = gltf.scenes.flatMap((scene) => partsOf(gltf, scene));
  }

  /** Whether a variant would change anything. */
  get isChoice(): boolean {
    return this.parts.length > 0;
  }

  /**
   * Gives every part the material of a variant; the last choice wins. Decoders of textures must still be there.
   * @param index counted from 0; null for the file's own materials
   * @throws Error where a material cannot be read; the model stays as it was
   */
  async choose(index: number | null): Promise<void> {
    const { parser } = this.gltf;
    const choice = ++this.choice;
    const coming = Promise.all(
      this.parts.map(({ mappings, own }) => {
        const found = mappings.find(({ variants = [] }) => index !== null && variants.includes(index));
        const material = found?.material ?? own;
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

  /** Frees the materials of variants that are not shown; those that are shown belong to the tree. */
  dispose(): void {
    this.choice++;
    const shown = new Set(this.parts.map(({ mesh }) => mesh.material));
    for (const material of this.worn) if (!shown.has(material)) disposeMaterial(material);
    this.worn.clear();
  }
}
