import { describe, expect, it } from "vitest";
import { fc, testProperty } from "../../../tests/viewer/shapes";
import { hasRoomForModel, hasRoomForSplats } from "./device-capacity";
import { readModelSummary } from "./model-summary";

/** Creates a GLB with this description and no binary chunk. */
function glb(description: unknown): Uint8Array {
  const json = new TextEncoder().encode(JSON.stringify(description));
  const file = new Uint8Array(20 + json.length);
  const view = new DataView(file.buffer);
  view.setUint32(0, 0x46546c67, true);
  view.setUint32(12, json.length, true);
  view.setUint32(16, 0x4e4f534a, true);
  file.set(json, 20);
  return file;
}

/** Describes a mesh with this number of triangles in one node. */
const model = (triangles: number, overrides: object = {}) => ({
  scenes: [{ nodes: [0] }],
  nodes: [{ mesh: 0, ...overrides }],
  meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
  accessors: [
    { count: triangles, componentType: 5126, type: "VEC3" },
    { count: triangles * 3, componentType: 5125, type: "SCALAR" },
    { count: 10, componentType: 5126, type: "VEC3" },
  ],
});
const computer = { isSmall: false, maxTextureSize: 8192 };
const phone = { isSmall: true, maxTextureSize: 4096 };

describe("the summary of a model", () => {
  it("reports the number of triangles and the unpacked bytes of the geometry", () => {
    expect(readModelSummary(glb(model(1000)))).toEqual({
      triangles: 1000,
      bytes: 12_000 + 12_000 + 120,
      extensions: [],
    });
    expect(readModelSummary(new TextEncoder().encode(JSON.stringify(model(7))))?.triangles).toBe(7);
  });

  it("counts the copies of an instanced mesh and triangles of strips and fans, but no lines or points", () => {
    const copies = { extensions: { EXT_mesh_gpu_instancing: { attributes: { TRANSLATION: 2 } } } };
    expect(readModelSummary(glb(model(1000, copies)))?.triangles).toBe(10_000);
    for (const [mode, triangles] of [
      [0, 0],
      [1, 0],
      [5, 2998],
      [6, 2998],
    ] as const) {
      const { meshes, ...modelWithoutMeshes } = model(1000);
      const [primitive] = meshes[0]?.primitives ?? [];
      const changedModel = { ...modelWithoutMeshes, meshes: [{ primitives: [{ ...primitive, mode }] }] };
      expect(readModelSummary(glb(changedModel))?.triangles, String(mode)).toBe(triangles);
    }
  });

  it("ends for a cyclic node tree and ignores invalid numbers", () => {
    expect(readModelSummary(glb(model(10, { children: [0] })))?.triangles).toBeLessThan(10_000);
    const invalidModel = { ...model(1), accessors: [{ count: -5 }, { count: "many" }] };
    expect(readModelSummary(glb(invalidModel))).toEqual({ triangles: 0, bytes: 0, extensions: [] });
  });

  it("reports the used extensions, and counts what meshopt packs", () => {
    const packed = { extensions: { EXT_meshopt_compression: { count: 1e6, byteStride: 16 } } };
    const summary = readModelSummary(
      glb({ ...model(1), extensionsUsed: ["EXT_meshopt_compression", 7], bufferViews: [packed] }),
    );
    expect(summary).toMatchObject({ bytes: 16e6, extensions: ["EXT_meshopt_compression"] });
  });

  it("is null before the description is complete, and for files that are not models", () => {
    const completeFile = glb(model(1000));
    for (const length of [0, 4, 19, 20, completeFile.length - 1])
      expect(readModelSummary(completeFile.subarray(0, length)), String(length)).toBeNull();
    for (const text of ["{", "[1", "null", "this is no model at all"])
      expect(readModelSummary(new TextEncoder().encode(text.padEnd(40)))).toBeNull();
  });

  testProperty("never throws", [fc.uint8Array({ maxLength: 200 })], (bytes) => {
    readModelSummary(bytes);
  });
});

describe("a device", () => {
  const summary = (triangles: number) =>
    readModelSummary(glb(model(triangles))) ?? { triangles: 0, bytes: 0 };

  it("can hold two million triangles on a computer, and not on a phone", () => {
    expect(hasRoomForModel(summary(2_000_000), computer)).toBe(true);
    expect(hasRoomForModel(summary(2_000_000), { ...computer, isSmall: true })).toBe(false);
    expect(hasRoomForModel(summary(200_000), phone)).toBe(true);
    expect(hasRoomForModel(summary(50_000_000), computer)).toBe(false);
  });

  it("can hold the splats of a house on a computer, fewer on a phone, and none without large textures", () => {
    expect(hasRoomForSplats(5_000_000, computer)).toBe(true);
    expect(hasRoomForSplats(5_000_000, phone)).toBe(false);
    expect(hasRoomForSplats(1_000_000, phone)).toBe(true);
    expect(hasRoomForSplats(90_000_000, computer)).toBe(false);
    expect(hasRoomForSplats(10, { ...computer, maxTextureSize: 1024 })).toBe(false);
  });
});
