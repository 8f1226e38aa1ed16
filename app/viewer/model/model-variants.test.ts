import { BufferGeometry, Group, Mesh, MeshBasicMaterial } from "three";
import type { GLTF } from "three/examples/jsm/loaders/GLTFLoader.js";
import { expect, it } from "vitest";
import { ModelVariants } from "./model-variants.client";

it("a mesh without a material in the file gets the loader's material back after a variant", async () => {
  const [loadedMaterial, variantMaterial] = [new MeshBasicMaterial(), new MeshBasicMaterial()];
  const mesh = new Mesh(new BufferGeometry(), loadedMaterial);
  mesh.userData.gltfExtensions = {
    KHR_materials_variants: { mappings: [{ material: 0, variants: [0] }] },
  };
  const parser = {
    json: { meshes: [{ primitives: [{}] }] },
    associations: new Map([[mesh, { meshes: 0, primitives: 0 }]]),
    getDependency: async () => variantMaterial,
    assignFinalMaterial: () => {},
  };
  const gltf = { scenes: [new Group().add(mesh)], parser } as unknown as GLTF;
  const variants = new ModelVariants(gltf, new Promise<never>(() => {}));
  await variants.choose(0);
  expect(mesh.material).toBe(variantMaterial);
  await variants.choose(null);
  expect(mesh.material).toBe(loadedMaterial);
});
