import { SparkRenderer } from "@sparkjsdev/spark";
import { createAbortError } from "../core/abort";
import type { Stage } from "../shared/stage.client";

/** Adds Spark's renderer to a stage. It draws all of the stage's splats in the order of their distance. */
export function addSpark(stage: Stage): SparkRenderer {
  const { renderer, scene } = stage;
  const spark = new SparkRenderer({
    renderer,
    enableLod: false,
    onDirty: () => stage.invalidate(),
  });
  guardSorting(spark);
  scene.add(spark);
  return spark;
}

/** Returns the Spark renderer of a stage, or null. */
export const findSpark = (stage: Stage): SparkRenderer | null =>
  stage.scene.children.find((object): object is SparkRenderer => object instanceof SparkRenderer) ?? null;

/** Renderers that were freed. */
const freed = new WeakSet<SparkRenderer>();

/** Removes the renderer and frees its graphics memory. */
export function freeSpark(spark: SparkRenderer | null): void {
  if (!spark) return;
  freed.add(spark);
  spark.removeFromParent();
  spark.dispose();
  spark.geometry.dispose();
  spark.material.dispose();
}

/**
 * Ignores failed sorts, because a renderer can be disposed while its worker sorts. Prevents Spark from starting another worker when pixels are read
 * back after disposal.
 */
function guardSorting(spark: SparkRenderer): void {
  const internals = spark as unknown as {
    driveSort(): Promise<void>;
    readbackDepth(input: unknown): Promise<unknown>;
  };
  const sort = internals.driveSort.bind(spark);
  internals.driveSort = () =>
    sort().catch(() => {
      spark.sorting = false;
    });
  const readbackDepth = internals.readbackDepth.bind(spark);
  internals.readbackDepth = async (input) => {
    const result = await readbackDepth(input);
    if (freed.has(spark)) throw createAbortError();
    return result;
  };
}
