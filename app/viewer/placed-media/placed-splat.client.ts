import type { SplatMesh } from "@sparkjsdev/spark";
import { Box3, Group, Vector3 } from "three";
import { readSplatFile } from "../core/splat-file";
import { TimeSlicer } from "../core/time-slicer";
import { fetchFile } from "../shared/fetch-file.client";
import type { Stage } from "../shared/stage.client";
import { openSplats } from "../splat/open-splats.client";
import { addSpark, findSpark, freeSpark } from "../splat/spark-renderer.client";
import { computeSplatSurfaces } from "../splat/splat-surfaces.client";
import { findUprightRotation } from "../splat/upright-rotation.client";
import { PlacedObject } from "./placed-object.client";

/** Maximum number of splats of a placed object. */
const SPLATS_MAX = 500_000;

function rejectTooMany(count: number | null): void {
  if (count !== null && count > SPLATS_MAX)
    throw new Error("The file has too many splats to be placed in a space.");
}

/** Placed splats of each stage whose Spark renderer exists only for them. */
const placedByStage = new WeakMap<Stage, Set<PlacedSplat>>();

/** Gaussian splats that are placed in a space. They are drawn together with the splats of the space itself, if there are any. */
export class PlacedSplat extends PlacedObject {
  private stage: Stage | null = null;

  private constructor(
    private readonly mesh: SplatMesh,
    content: Group,
    box: Box3,
  ) {
    super(content, box);
  }

  /** Downloads splats. Rejects for files that are missing, not splats, empty or too large to be placed. */
  static async load(url: string, signal: AbortSignal): Promise<PlacedSplat> {
    const file = await fetchFile(url, signal, {
      priority: "low",
      inspect: async (head) => {
        const splatFile = await readSplatFile(head);
        rejectTooMany(splatFile?.count ?? null);
        return splatFile !== null;
      },
    });
    const meshes: SplatMesh[] = [];
    try {
      const bytes = new Uint8Array(await file.arrayBuffer());
      const { mesh, packed, splatFile } = await openSplats(bytes, signal, rejectTooMany, (splatMesh) =>
        meshes.push(splatMesh),
      );
      const rotation = await findUprightRotation(packed, splatFile, new TimeSlicer(signal));
      const { extent } = await computeSplatSurfaces(packed, rotation, new TimeSlicer(signal));
      const box = new Box3(new Vector3(...extent.min), new Vector3(...extent.max));
      if (box.isEmpty() || box.getSize(new Vector3()).length() === 0)
        throw new Error("The splats have no size.");
      mesh.quaternion.copy(rotation);
      return new PlacedSplat(mesh, new Group().add(mesh), box);
    } catch (error) {
      for (const mesh of meshes) mesh.dispose();
      throw error;
    }
  }

  override prepare(stage: Stage, order: number): void {
    const placedSplats = placedByStage.get(stage) ?? new Set();
    // The previous renderer belongs to a lost graphics context.
    if (this.stage && placedSplats.size > 0) freeSpark(findSpark(stage));
    this.stage = stage;
    if (placedSplats.size > 0 || !findSpark(stage)) {
      placedSplats.add(this);
      placedByStage.set(stage, placedSplats);
    }
    const spark = findSpark(stage) ?? addSpark(stage);
    if (placedSplats.size > 0) spark.renderOrder = order;
  }

  /** The renderer draws all splats of the stage at once, so a single object has no render order. */
  override drawAfter(): void {}

  override dispose(): void {
    const { stage } = this;
    this.object.removeFromParent();
    this.mesh.removeFromParent();
    this.mesh.dispose();
    const placedSplats = stage && placedByStage.get(stage);
    if (!stage || !placedSplats?.delete(this) || placedSplats.size > 0) return;
    freeSpark(findSpark(stage));
  }
}
