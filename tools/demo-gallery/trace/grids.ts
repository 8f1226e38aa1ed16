/**
 * The sample points of light. Each face has a fine grid for direct light and a coarse one for bounced light; each mesh has one sample per
 * vertex. The fine samples are numbered consecutively from 0, and so are the coarse ones, so that light is stored in flat arrays. A vertex has a
 * number in both.
 */
import { materialOf } from "../scene/materials";
import type { GalleryScene } from "../scene/scene";

/** Samples of one face, in rows along u. */
export interface Grid {
  /** Number of the face's first sample. */
  readonly firstSample: number;
  /** Number of samples along u and v, including both edges. 0 for a face that needs no light. */
  readonly nu: number;
  readonly nv: number;
}

/** Samples of a scene. */
export interface Grids {
  readonly fine: readonly Grid[];
  readonly coarse: readonly Grid[];
  /** Number of the first sample of each mesh's vertices, in the fine and in the coarse numbering. */
  readonly meshFine: readonly number[];
  readonly meshCoarse: readonly number[];
  readonly fineCount: number;
  readonly coarseCount: number;
}

/** Distance between coarse samples in metres, unless the face's own grain is larger. */
const coarseGrain = 0.18;

/** Numbers the samples of all faces and meshes. */
export function layOutSamples(scene: GalleryScene): Grids {
  let fineCount = 0;
  let coarseCount = 0;
  const grid = (width: number, height: number, grain: number, firstSample: number): Grid => ({
    firstSample,
    nu: Math.max(2, Math.ceil(width / grain) + 1),
    nv: Math.max(2, Math.ceil(height / grain) + 1),
  });
  const emptyGrid: Grid = { firstSample: 0, nu: 0, nv: 0 };
  const fine: Grid[] = [];
  const coarse: Grid[] = [];
  for (const face of scene.faces) {
    if (materialOf(face.material).flat) {
      fine.push(emptyGrid);
      coarse.push(emptyGrid);
      continue;
    }
    const fineGrid = grid(face.width, face.height, face.grain, fineCount);
    const coarseGrid = grid(face.width, face.height, Math.max(coarseGrain, face.grain), coarseCount);
    fineCount += fineGrid.nu * fineGrid.nv;
    coarseCount += coarseGrid.nu * coarseGrid.nv;
    fine.push(fineGrid);
    coarse.push(coarseGrid);
  }
  const meshFine: number[] = [];
  const meshCoarse: number[] = [];
  for (const mesh of scene.meshes) {
    meshFine.push(fineCount);
    meshCoarse.push(coarseCount);
    fineCount += mesh.positions.length / 3;
    coarseCount += mesh.positions.length / 3;
  }
  return { fine, coarse, meshFine, meshCoarse, fineCount, coarseCount };
}
