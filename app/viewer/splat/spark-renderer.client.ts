import { SparkRenderer } from "@sparkjsdev/spark";
import { createAbortError } from "../core/abort";
import type { Stage } from "../shared/stage.client";

/** Adds to a stage what draws its splats, all of them in the order of their distance. */
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

/** What draws the splats of a stage; null where nothing does yet. */
export const findSpark = (stage: Stage): SparkRenderer | null =>
  stage.scene.children.find((object): object is SparkRenderer => object instanceof SparkRenderer) ?? null;

/** Renderers that were taken away. */
const freed = new WeakSet<SparkRenderer>();

/** Takes it away, with what it holds of the graphics memory. */
export function freeSpark(spark: SparkRenderer | null): void {
  if (!spark) return;
  freed.add(spark);
  spark.removeFromParent();
  spark.dispose();
  spark.geometry.dispose();
  spark.material.dispose();
}

/**
 * Ordering runs in a worker; its end in the middle of one is no error. Spark would start another worker for what was read back after
 * the end.
 */
function guardSorting(spark: SparkRenderer): void {
  const own = spark as unknown as {
    driveSort(): Promise<void>;
    readbackDepth(input: unknown): Promise<unknown>;
  };
  const sort = own.driveSort.bind(spark);
  own.driveSort = () =>
    sort().catch(() => {
      spark.sorting = false;
    });
  const read = own.readbackDepth.bind(spark);
  own.readbackDepth = async (input) => {
    const result = await read(input);
    if (freed.has(spark)) throw createAbortError();
    return result;
  };
}
