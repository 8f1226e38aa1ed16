/** Makes Gaussian splats of the gallery, similar to a capture: flat splats on its faces, small ones on its objects. */
import type { Vec3 } from "~/domain/shared/model";
import type { Splat } from "../../../tests/support/files/spz";
import { vertexColor } from "../glb";
import { pointOf, type SceneFace, splitAroundHoles } from "../scene/geometry";
import { materialOf } from "../scene/materials";
import { variants } from "../trace/light";
import type { Studio } from "../trace/studio";

/** Distance between splats in metres, on walls and on images, whose lines must stay visible. */
const STEP = { wall: 0.14, image: 0.035 } as const;
/** Standard deviation along a face as a share of that distance, so that neighbours overlap and edges stay sharp. */
const SPREAD = 0.55;
/** Standard deviation across a face, in metres. */
const THIN = 0.004;
/** Standard deviation of a splat on a mesh in every direction, in metres. */
const MESH_SPREAD = 0.016;
/** Approximate maximum number of splats on all meshes together, which have more vertices than are needed. */
const VERTICES_MAX = 9000;

/** Returns the splats of the meshes and faces. The faces of ceilings have none, so that a viewer above sees into the rooms. */
export async function sampleGallery(studio: Studio): Promise<Splat[]> {
  const { scene } = studio;
  const faces = await Promise.all(scene.faces.map((face, index) => splatsOfFace(studio, face, index)));
  return [...faces.flat(), ...splatsOfMeshes(studio)];
}

async function splatsOfFace(studio: Studio, face: SceneFace, index: number): Promise<Splat[]> {
  const material = materialOf(face.material);
  if (material.flat || /^ceiling/.test(face.node)) return [];
  const step = face.pixels === 0 ? STEP.image : STEP.wall;
  const width = Math.max(1, Math.round(face.width / step));
  const height = Math.max(1, Math.round(face.height / step));
  const { data } = await studio.bakeTexture(
    width,
    height,
    [{ face: index, x: 0, y: 0, width, height }],
    0,
    false,
  );
  const [du, dv] = [face.width / width, face.height / height];
  const rectangles = splitAroundHoles(face);
  const splats: Splat[] = [];
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      const u = (column + 0.5) * du;
      const v = face.height - (row + 0.5) * dv;
      if (!rectangles.some((piece) => u > piece.u0 && u < piece.u1 && v > piece.v0 && v < piece.v1)) continue;
      const scale: [number, number, number] = [THIN, THIN, THIN];
      scale[face.uAxis] = du * SPREAD;
      scale[face.vAxis] = dv * SPREAD;
      const offset = (row * width + column) * 3;
      const color: Vec3 = [offset, offset + 1, offset + 2].map(
        (byteIndex) => (data[byteIndex] ?? 0) / 255,
      ) as unknown as Vec3;
      splats.push({ position: pointOf(face, u, v), scale, rotation: [0, 0, 0, 1], color, opacity: 0.97 });
    }
  return splats;
}

function splatsOfMeshes({ scene, grids, light }: Studio): Splat[] {
  const total = scene.meshes.reduce((sum, mesh) => sum + mesh.positions.length / 3, 0);
  const stride = Math.max(1, Math.ceil(total / VERTICES_MAX));
  return scene.meshes.flatMap((mesh, index) => {
    const material = materialOf(mesh.material);
    const firstSample = grids.meshFine[index] ?? 0;
    const splats: Splat[] = [];
    for (let k = 0; k < mesh.positions.length / 3; k += stride) {
      const [x = 0, y = 0, z = 0] = mesh.positions.subarray(k * 3, k * 3 + 3);
      const linear = vertexColor(light, firstSample + k, material, variants.day);
      const color = linear.map((value) => Math.max(0, value) ** (1 / 2.2)) as unknown as Vec3;
      splats.push({
        position: [x, y, z],
        scale: [MESH_SPREAD, MESH_SPREAD, MESH_SPREAD],
        rotation: [0, 0, 0, 1],
        color,
        opacity: 0.95,
      });
    }
    return splats;
  });
}
