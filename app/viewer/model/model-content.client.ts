import {
  DoubleSide,
  InstancedMesh,
  type Material,
  Matrix4,
  Mesh,
  type Object3D,
  type Texture,
  Vector3,
} from "three";
import type { TimeSlicer } from "../core/time-slicer";
import { Triangles } from "../core/triangles";
import { isUnlit } from "./scene-light.client";

/** Layer of all surfaces except ceilings: floors, walls and furniture. */
export const ROOM_LAYER = 1;
/** Layer of surfaces that are hidden when the visitor looks in from above. */
export const CEILING_LAYER = 2;
/** All layers, which a visitor inside sees. */
export const ALL_LAYERS = ROOM_LAYER | CEILING_LAYER;
/** Bit that is added to a layer for double-sided surfaces. */
export const BOTH_SIDES = 4;

/** Number of corners that are read before the time slice is checked. */
const CORNERS_PER_CHECK = 20_000;

/** Data of a model that the viewer needs. */
export interface ModelContent {
  readonly triangles: Triangles;
  readonly ceilings: readonly Object3D[];
  /** Whether a part of it needs light, instead of having unlit materials. */
  readonly needsLight: boolean;
}

/**
 * Reads ceilings and triangles of a loaded scene, and sets the anisotropy of its base colour textures. A mesh is a ceiling when its own name,
 * a parent's or a material's starts with "ceiling".
 */
export async function readModel(
  root: Object3D,
  anisotropy: number,
  slicer: TimeSlicer,
): Promise<ModelContent> {
  const ceilings: Object3D[] = [];
  const meshes: LayeredMesh[] = [];
  let needsLight = false;
  root.traverse((object) => {
    if (!(object instanceof Mesh)) return;
    const materials = [object.material].flat() as Material[];
    const isCeiling = isNamedCeiling(object) || materials.some((material) => /^ceiling/i.test(material.name));
    if (isCeiling) ceilings.push(object);
    for (const material of materials) {
      if (!isUnlit(material)) needsLight = true;
      const { map } = material as { map?: Texture | null };
      if (map) map.anisotropy = anisotropy;
    }
    const sides = materials.every(({ side }) => side === DoubleSide) ? BOTH_SIDES : 0;
    meshes.push({ mesh: object, layer: (isCeiling ? CEILING_LAYER : ROOM_LAYER) | sides });
  });
  root.updateMatrixWorld(true);
  return { triangles: await collectTriangles(meshes, slicer), ceilings, needsLight };
}

/** Returns at most about `max` vertex positions of a tree in its current pose, three numbers each, in the space's frame. Instanced meshes are left out. */
export function sampleVertices(root: Object3D, max: number): readonly number[] {
  const meshes: Mesh[] = [];
  root.traverse((object) => {
    if (object instanceof Mesh && !(object instanceof InstancedMesh)) meshes.push(object);
  });
  const countVertices = ({ geometry }: Mesh) => geometry.attributes.position?.count ?? 0;
  const step = Math.max(1, Math.ceil(meshes.reduce((sum, mesh) => sum + countVertices(mesh), 0) / max));
  const vertex = new Vector3();
  return meshes.flatMap((mesh) =>
    Array.from({ length: Math.ceil(countVertices(mesh) / step) }, (_, index) =>
      mesh
        .getVertexPosition(index * step, vertex)
        .applyMatrix4(mesh.matrixWorld)
        .toArray(),
    ).flat(),
  );
}

interface LayeredMesh {
  readonly mesh: Mesh;
  readonly layer: number;
}

interface MeshInstance extends LayeredMesh {
  readonly cornerCount: number;
  readonly matrix: Matrix4;
}

function isNamedCeiling(object: Object3D): boolean {
  for (let node: Object3D | null = object; node; node = node.parent)
    if (/^ceiling/i.test(node.name)) return true;
  return false;
}

function listInstances({ mesh, layer }: LayeredMesh): MeshInstance[] {
  const { position } = mesh.geometry.attributes;
  if (!position) return [];
  const { index } = mesh.geometry;
  const cornerCount = Math.floor((index ? index.count : position.count) / 3) * 3;
  if (!(mesh instanceof InstancedMesh)) return [{ mesh, layer, cornerCount, matrix: mesh.matrixWorld }];
  return Array.from({ length: mesh.count }, (_, instance) => {
    const matrix = new Matrix4();
    mesh.getMatrixAt(instance, matrix);
    return { mesh, layer, cornerCount, matrix: matrix.premultiply(mesh.matrixWorld) };
  });
}

/** Collects all triangles in the space's frame. Lines and points have none. */
async function collectTriangles(meshes: readonly LayeredMesh[], slicer: TimeSlicer): Promise<Triangles> {
  const instances = meshes.flatMap(listInstances);
  const total = instances.reduce((sum, { cornerCount }) => sum + cornerCount, 0);
  const points = new Float32Array(total * 3);
  const layers = new Uint8Array(total / 3);
  const vertex = new Vector3();
  let corner = 0;
  for (const { mesh, layer, cornerCount, matrix } of instances) {
    const { position } = mesh.geometry.attributes;
    const { index } = mesh.geometry;
    if (!position) continue;
    layers.fill(layer, corner / 3, (corner + cornerCount) / 3);
    // A mirrored transform reverses the winding order of the corners, as in the renderer.
    const cornerOrder = matrix.determinant() < 0 ? [0, 2, 1] : [0, 1, 2];
    for (let cornerIndex = 0; cornerIndex < cornerCount; cornerIndex++, corner++) {
      const vertexIndex = cornerIndex - (cornerIndex % 3) + (cornerOrder[cornerIndex % 3] ?? 0);
      // The position includes skins and morph targets.
      mesh.getVertexPosition(index ? index.getX(vertexIndex) : vertexIndex, vertex).applyMatrix4(matrix);
      vertex.toArray(points, corner * 3);
      if (cornerIndex % CORNERS_PER_CHECK === CORNERS_PER_CHECK - 1 && slicer.isDue) await slicer.pause();
    }
    if (slicer.isDue) await slicer.pause();
  }
  return Triangles.buildInSlices(points, layers, slicer);
}
