import { NodeIO } from "@gltf-transform/core";
import { ALL_EXTENSIONS } from "@gltf-transform/extensions";
import { MeshoptDecoder } from "meshoptimizer";

/** The corners of all triangles of a GLB file in the scene's frame, nine numbers per triangle, in metres. */
export async function modelTriangles(glb: Uint8Array): Promise<Float32Array> {
  await MeshoptDecoder.ready;
  const io = new NodeIO()
    .registerExtensions(ALL_EXTENSIONS)
    .registerDependencies({ "meshopt.decoder": MeshoptDecoder });
  const model = await io.readBinary(glb);
  const points: number[] = [];
  for (const node of model.getRoot().listNodes()) {
    const m = node.getWorldMatrix();
    for (const primitive of node.getMesh()?.listPrimitives() ?? []) {
      const positions = primitive.getAttribute("POSITION");
      const indices = primitive.getIndices();
      if (!positions) continue;
      for (let index = 0; index < (indices ?? positions).getCount(); index++) {
        const [x = 0, y = 0, z = 0] = positions.getElement(indices?.getScalar(index) ?? index, []);
        for (const row of [0, 1, 2] as const)
          points.push((m[row] ?? 0) * x + (m[row + 4] ?? 0) * y + (m[row + 8] ?? 0) * z + (m[row + 12] ?? 0));
      }
    }
  }
  return Float32Array.from(points);
}
