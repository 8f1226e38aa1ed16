import { describe, expect, it } from "vitest";
import { glbFile, triangle, zeros } from "../../../../../tests/support/files/media-files";
import { objectCapture } from "../../../../../tests/support/files/splat-captures";
import { type GlbSplatJson, writeGlbSplats } from "../../../../../tests/support/files/splat-files";
import { checkModel } from "./check-model";

/** Runs the validator in this process instead of in its worker. */
async function validate(file: Blob, codes: readonly string[]) {
  const { validateBytes } = await import("gltf-validator");
  const report = await validateBytes(new Uint8Array(await file.arrayBuffer()), {
    onlyIssues: codes,
    writeTimestamp: false,
  });
  return report.issues.messages;
}

const check = (scene: object, binary = zeros(36)) =>
  checkModel(new Blob([glbFile({ ...triangle, ...scene }, binary) as Uint8Array<ArrayBuffer>]), validate);

const [accessor] = triangle.accessors;
const floats = (...values: number[]) => new Uint8Array(Float32Array.from(values).buffer);

describe("a model that is chosen", () => {
  it("is sent when it is complete, as is a file that is not glTF", async () => {
    expect(await check({})).toBeNull();
    expect(await checkModel(new Blob(["no model"]), validate)).toBeNull();
  });

  it("is rejected with the reason that its JSON shows", async () => {
    expect(await check({ nodes: [] })).toEqual({ key: "library:errors.upload.model_empty" });
    expect(await check({ nodes: [{ mesh: 0, children: [0] }] })).toEqual({
      key: "library:errors.upload.model_loop",
    });
    expect(await check({ images: [{ uri: "wood.png" }] })).toEqual({
      key: "library:errors.upload.model_files",
      values: { files: "wood.png" },
    });
  });

  it("is rejected for a material texture without an index, but not for one in an extension", async () => {
    const checkMaterial = (material: object) => check({ materials: [material] });
    expect(await checkMaterial({ normalTexture: { scale: 1 } })).toMatchObject({
      key: "library:uploads.model.incomplete",
      values: { detail: "UNDEFINED_PROPERTY, /materials/0/normalTexture" },
    });
    const extensions = { KHR_materials_clearcoat: { clearcoatTexture: {} } };
    const extensionsUsed = ["KHR_materials_clearcoat"];
    expect(await check({ materials: [{ extensions }], extensionsUsed })).toBeNull();
  });

  it("is rejected for splats without an attribute and for splats beside a mesh, and sent for splats only", async () => {
    const splats = objectCapture(0.4);
    const checkSplats = (change: (json: GlbSplatJson) => object) =>
      checkModel(new Blob([writeGlbSplats(splats, { change }) as Uint8Array<ArrayBuffer>]), validate);
    expect(await checkSplats((json) => json)).toBeNull();
    expect(await checkSplats((json) => ({ ...json, accessors: json.accessors.slice(0, 2) }))).toEqual({
      key: "library:errors.upload.splat_attributes",
    });
    const mesh = { primitives: [{ attributes: { POSITION: 0 } }] };
    expect(await checkSplats((json) => ({ ...json, meshes: [...json.meshes, mesh] }))).toEqual({
      key: "library:errors.upload.model_splats",
    });
  });

  it("is rejected for an invalid vertex position, but not for an invalid normal", async () => {
    const invalidPositions = floats(0, 0, 0, 1, 0, 0, Number.NaN, 1, 0);
    const limits = { min: [0, 0, 0], max: [1, 1, 0] };
    expect(await check({ accessors: [{ ...accessor, ...limits }] }, invalidPositions)).toMatchObject({
      key: "library:errors.upload.model_positions",
      values: { detail: expect.stringContaining("ACCESSOR_INVALID_FLOAT") },
    });
    const invalidNormals = floats(0, 0, 0, 1, 0, 0, 0, 1, 0, Number.NaN, 0, 0, 0, 0, 1, 0, 0, 1);
    const bufferViewAt = (byteOffset: number) => ({ buffer: 0, byteOffset, byteLength: 36 });
    const withNormals = {
      buffers: [{ byteLength: 72 }],
      bufferViews: [bufferViewAt(0), bufferViewAt(36)],
      accessors: [
        { ...accessor, ...limits },
        { ...accessor, bufferView: 1 },
      ],
      meshes: [{ primitives: [{ attributes: { POSITION: 0, NORMAL: 1 } }] }],
    };
    expect(await check(withNormals, invalidNormals)).toBeNull();
  });

  it("is rejected for triangles with missing vertices, and for references to missing parts", async () => {
    const indexedModel = {
      buffers: [{ byteLength: 42 }],
      bufferViews: [...triangle.bufferViews, { buffer: 0, byteOffset: 36, byteLength: 6 }],
      accessors: [
        { ...accessor, min: [0, 0, 0], max: [0, 0, 0] },
        { bufferView: 1, componentType: 5123, count: 3, type: "SCALAR" },
      ],
      meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
    };
    const binary = zeros(44);
    binary.set([0, 0, 1, 0, 9, 0], 36);
    expect(await check(indexedModel, binary)).toMatchObject({ key: "library:uploads.model.index" });
    expect(await check({ nodes: [{ mesh: 0 }, { mesh: 7 }] })).toMatchObject({
      key: "library:uploads.model.reference",
    });
  });
});
