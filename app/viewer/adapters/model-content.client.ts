import {
  DirectionalLight,
  HemisphereLight,
  InstancedMesh,
  type Light,
  type Material,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  type Texture,
  Vector3,
} from "three";
import type { Breath } from "../core/breath";
import { Triangles } from "../core/triangles";

/** Floors, walls and everything that stands between them. */
export const ROOM_LAYER = 1;
/** What is taken off to look in from above. */
export const CEILING_LAYER = 2;
/** Everything: what someone inside sees. */
export const ALL_LAYERS = ROOM_LAYER | CEILING_LAYER;

/** Corners that are read before the page is asked whether it waits. */
const PIECE = 20_000;

/** What a viewer has to know of a model. */
export interface ModelContent {
  readonly triangles: Triangles;
  readonly ceilings: readonly Object3D[];
  /** True when something in it is lit, rather than carrying its light in its textures. */
  readonly lit: boolean;
}

/**
 * Reads ceilings, lights and triangles out of a loaded tree, sharpens its textures and gives it light if it brought none.
 * Ceilings are nodes or materials whose name starts with "ceiling".
 */
export async function readModel(root: Object3D, anisotropy: number, breath: Breath): Promise<ModelContent> {
  const ceilings: Object3D[] = [];
  const meshes: LayeredMesh[] = [];
  let lights = 0;
  let lit = false;
  root.traverse((object) => {
    if ((object as Light).isLight) lights++;
    if (!(object instanceof Mesh)) return;
    const materials = [object.material].flat() as Material[];
    const ceiling = isNamedCeiling(object) || materials.some((material) => /^ceiling/i.test(material.name));
    if (ceiling) ceilings.push(object);
    for (const material of materials) {
      if (!(material instanceof MeshBasicMaterial)) lit = true;
      const { map } = material as { map?: Texture | null };
      if (map) map.anisotropy = anisotropy;
    }
    meshes.push({ mesh: object, layer: ceiling ? CEILING_LAYER : ROOM_LAYER });
  });
  if (lit && lights === 0) {
    const sun = new DirectionalLight(0xffffff, 1.1);
    sun.position.set(3, 8, 5);
    root.add(new HemisphereLight(0xffffff, 0xe6e1d8, 2.2), sun);
  }
  root.updateMatrixWorld(true);
  return { triangles: await collectTriangles(meshes, breath), ceilings, lit };
}

interface LayeredMesh {
  readonly mesh: Mesh;
  readonly layer: number;
}

interface Copy extends LayeredMesh {
  readonly corners: number;
  readonly matrix: Matrix4;
}

function isNamedCeiling(object: Object3D): boolean {
  for (let node: Object3D | null = object; node; node = node.parent)
    if (/^ceiling/i.test(node.name)) return true;
  return false;
}

function copiesOf({ mesh, layer }: LayeredMesh): Copy[] {
  const { position } = mesh.geometry.attributes;
  if (!position) return [];
  const { index } = mesh.geometry;
  const corners = Math.floor((index ? index.count : position.count) / 3) * 3;
  if (!(mesh instanceof InstancedMesh)) return [{ mesh, layer, corners, matrix: mesh.matrixWorld }];
  return Array.from({ length: mesh.count }, (_, instance) => {
    const matrix = new Matrix4();
    mesh.getMatrixAt(instance, matrix);
    return { mesh, layer, corners, matrix: matrix.premultiply(mesh.matrixWorld) };
  });
}

/** All triangles in the space's own frame. Lines and points have none. */
async function collectTriangles(meshes: readonly LayeredMesh[], breath: Breath): Promise<Triangles> {
  const copies = meshes.flatMap(copiesOf);
  const total = copies.reduce((sum, { corners }) => sum + corners, 0);
  const points = new Float32Array(total * 3);
  const layers = new Uint8Array(total / 3);
  const vertex = new Vector3();
  let corner = 0;
  for (const { mesh, layer, corners, matrix } of copies) {
    const { position } = mesh.geometry.attributes;
    const { index } = mesh.geometry;
    if (!position) continue;
    layers.fill(layer, corner / 3, (corner + corners) / 3);
    for (let place = 0; place < corners; place++, corner++) {
      vertex.fromBufferAttribute(position, index ? index.getX(place) : place).applyMatrix4(matrix);
      vertex.toArray(points, corner * 3);
      if (place % PIECE === PIECE - 1 && breath.isDue) await breath.pause();
    }
    if (breath.isDue) await breath.pause();
  }
  return Triangles.inPieces(points, layers, breath);
}
