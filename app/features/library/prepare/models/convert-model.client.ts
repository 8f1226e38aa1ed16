/** Converter of 3D models to GLB, in a worker. */
import { isHeavyModel } from "~/domain/library/heavy-model";
import type { Conversion, ConversionInput, Converter } from "../conversion";
import { runWorker } from "../run-worker";
import type { ModelRequest, ModelResult } from "./model-request";

/** Maximum number of triangles of a model that visitors may receive without a reduction. */
const UNREDUCED_TRIANGLES_MAX = 2_000_000;

/** Converts FBX, OBJ, COLLADA, 3MF, USD, STL, PLY, LAS, LAZ and IFC. */
export const convertModel: Converter = async (input) => {
  const { file, fileName, mimeType, companions, signal } = input;
  const request: ModelRequest = { file, fileName, mimeType, companions };
  const { glb, measurements, before, losses, notes } = await runWorker<ModelResult>(
    () => new Worker(new URL("./model.worker.ts", import.meta.url), { type: "module" }),
    request,
    { signal, onProgress: (share, step) => input.onProgress(share / 2, step) },
  );
  const optimized = await optimizeIfHeavy(glb, measurements, input);
  input.onProgress(1, "write");
  return {
    files: optimized?.files ?? [
      { role: "display", name: "model.glb", kind: "model", mimeType: "model/gltf-binary", blob: glb },
    ],
    before: { ...before, bytes: file.size },
    after: { ...measurements, bytes: glb.size, ...optimized?.after },
    losses,
    notes,
  } satisfies Conversion;
};

/**
 * Returns an optimized version of a converted model that is too heavy for phones. Returns null for other models, and when a model of at most
 * UNREDUCED_TRIANGLES_MAX triangles cannot be optimized.
 */
async function optimizeIfHeavy(
  glb: Blob,
  { triangles = 0 }: ModelResult["measurements"],
  input: ConversionInput,
) {
  if (!isHeavyModel({ bytes: glb.size, triangles, pixels: 0 })) return null;
  const { optimizeGlb } = await import("../glb.client");
  const onProgress: ConversionInput["onProgress"] = (share, step) => input.onProgress(0.5 + share / 2, step);
  try {
    return await optimizeGlb({ ...input, file: glb, onProgress });
  } catch (error) {
    input.signal.throwIfAborted();
    // A model of moderate size is shown as it was converted. A larger one would overload visitors' devices.
    if (triangles > UNREDUCED_TRIANGLES_MAX) throw error;
    return null;
  }
}
