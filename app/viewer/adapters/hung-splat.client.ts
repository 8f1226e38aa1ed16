import type { SplatMesh } from "@sparkjsdev/spark";
import { Box3, Group, Vector3 } from "three";
import { readSplatFile } from "../core/splat-file";
import { TimeSlicer } from "../core/time-slicer";
import { openSplats } from "../splat/open-splats.client";
import { addSpark, findSpark, freeSpark } from "../splat/spark-renderer.client";
import { turnUpright } from "../splat/turn.client";
import { fetchBytes } from "./free.client";
import { HungObject } from "./hung-object.client";
import { splatSurfaces } from "./splat-content.client";
import type { Stage } from "./stage.client";

/** What stands in a space beside others is not a space itself. */
const SPLATS_MAX = 500_000;

function refuseTooMany(count: number | null): void {
  if (count !== null && count > SPLATS_MAX) throw new Error("These are too many splats to stand in a space.");
}

/** Which stages have a renderer of splats for placed ones alone, and how many stand in each. */
const standing = new WeakMap<Stage, Set<HungSplat>>();

/** Gaussian splats that stand in a space. They are drawn with those of the space itself, where there are some. */
export class HungSplat extends HungObject {
  private stage: Stage | null = null;

  private constructor(
    private readonly mesh: SplatMesh,
    content: Group,
    box: Box3,
  ) {
    super(content, box);
  }

  /** Fetches some. Rejects for what is missing, no splats, empty or too many to stand beside others. */
  static async load(url: string, signal: AbortSignal): Promise<HungSplat> {
    const file = await fetchBytes(url, signal, {
      priority: "low",
      look: async (head) => {
        const known = await readSplatFile(head);
        refuseTooMany(known?.count ?? null);
        return known !== null;
      },
    });
    const made: SplatMesh[] = [];
    try {
      const bytes = new Uint8Array(await file.arrayBuffer());
      const { mesh, packed, head } = await openSplats(bytes, signal, refuseTooMany, (one) => made.push(one));
      const turn = await turnUpright(packed, head, new TimeSlicer(signal));
      const { extent } = await splatSurfaces(packed, turn, new TimeSlicer(signal));
      const box = new Box3(new Vector3(...extent.min), new Vector3(...extent.max));
      if (box.isEmpty() || box.getSize(new Vector3()).length() === 0)
        throw new Error("The splats have no size.");
      mesh.quaternion.copy(turn);
      return new HungSplat(mesh, new Group().add(mesh), box);
    } catch (error) {
      for (const mesh of made) mesh.dispose();
      throw error;
    }
  }

  override prepare(stage: Stage, order: number): void {
    const others = standing.get(stage) ?? new Set();
    // A renderer of before was made for a graphics context that is gone.
    if (this.stage && others.size > 0) freeSpark(findSpark(stage));
    this.stage = stage;
    if (others.size > 0 || !findSpark(stage)) {
      others.add(this);
      standing.set(stage, others);
    }
    const spark = findSpark(stage) ?? addSpark(stage);
    if (others.size > 0) spark.renderOrder = order;
  }

  /** Splats are drawn all at once, in the order of their renderer. */
  override drawAfter(): void {}

  override dispose(): void {
    const { stage } = this;
    this.object.removeFromParent();
    this.mesh.removeFromParent();
    this.mesh.dispose();
    const others = stage && standing.get(stage);
    if (!stage || !others?.delete(this) || others.size > 0) return;
    freeSpark(findSpark(stage));
  }
}
