import type { Conversion, ConversionInput } from "./conversion";
import type { OptimizeGlbRequest } from "./glb.worker";
import type { OptimizedModel } from "./optimize-model.client";
import { runWorker } from "./run-worker";

/** Optimizes a GLB file in a worker. @see optimizeModel */
export async function optimizeGlb(input: ConversionInput): Promise<Conversion> {
  const { file, quality } = input;
  const { display, preview, before, after } = await runWorker<OptimizedModel>(
    () => new Worker(new URL("./glb.worker.ts", import.meta.url), { type: "module", name: "model" }),
    { file, quality } satisfies OptimizeGlbRequest,
    input,
  );
  const glb = { kind: "model", mimeType: "model/gltf-binary" } as const;
  const createBlob = (bytes: Uint8Array<ArrayBuffer>) => new Blob([bytes], { type: glb.mimeType });
  return {
    files: [
      { ...glb, role: "display", name: "model.glb", blob: createBlob(display) },
      ...(preview
        ? [{ ...glb, role: "preview", name: "preview.glb", blob: createBlob(preview) } as const]
        : []),
    ],
    before,
    after,
    losses: [],
  };
}
