import { zstdCompressSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { dracoBytes } from "./draco-bytes";
import { gltfFault, gltfFaultValues, gltfFiles, NODE_DEPTH_MAX } from "./gltf-faults";
import { ktx2Head, zstdFrameBytes } from "./ktx2-head";

const mesh = { primitives: [{ attributes: { POSITION: 0 } }] };
const model = { scenes: [{ nodes: [0] }], nodes: [{ mesh: 0 }], meshes: [mesh] };
/** Nodes that each contain the next one. */
const chain = (depth: number) =>
  Array.from({ length: depth }, (_, node) => (node < depth - 1 ? { children: [node + 1] } : { mesh: 0 }));

const splats = { extensions: { KHR_gaussian_splatting: {} } };

describe("the description of a model", () => {
  it.each([
    ["one mesh", model, null],
    ["a mesh in a second scene", { ...model, scenes: [{}, { nodes: [0] }] }, null],
    ["a deep tree", { ...model, nodes: chain(NODE_DEPTH_MAX) }, null],
    [
      "nodes that share a child",
      { ...model, nodes: [{ children: [1, 2] }, { children: [2] }, { mesh: 0 }] },
      null,
    ],
    ["an optional extension", { ...model, extensionsUsed: ["KHR_implicit_shapes"] }, null],
    ["an empty description", {}, "model_empty"],
    ["no scene", { ...model, scenes: [] }, "model_empty"],
    ["no node that shows its mesh", { ...model, nodes: [{}] }, "model_empty"],
    ["a mesh without parts", { ...model, meshes: [{ primitives: [] }] }, "model_empty"],
    ["a node that is its own child", { ...model, nodes: [{ mesh: 0, children: [0] }] }, "model_loop"],
    [
      "300,000 references to one child",
      {
        ...model,
        nodes: [{ children: Array(300_000).fill(1) }, { children: Array(300_000).fill(2) }, { mesh: 0 }],
      },
      null,
    ],
    ["a cycle of nodes", { ...model, nodes: [{ children: [1] }, { children: [0] }] }, "model_loop"],
    ["10,000 nested nodes", { ...model, nodes: chain(10_000) }, "model_loop"],
    ["Gaussian splats", { ...model, meshes: [{ primitives: [splats] }] }, null],
    ["Gaussian splats and a mesh", { ...model, meshes: [{ primitives: [splats, {}] }] }, "model_splats"],
    ["an external file", { ...model, buffers: [{ uri: "a.bin" }] }, "model_files"],
    [
      "a required extension for shapes",
      { ...model, extensionsRequired: ["KHR_implicit_shapes"] },
      "model_extension",
    ],
    ["an unknown required extension", { ...model, extensionsRequired: ["ACME_shapes"] }, "model_extension"],
    [
      "required extensions for materials, compression and instances",
      {
        ...model,
        extensionsRequired: [
          "KHR_materials_pbrSpecularGlossiness",
          "KHR_texture_basisu",
          "KHR_draco_mesh_compression",
          "EXT_mesh_gpu_instancing",
          "VRM",
        ],
      },
      null,
    ],
    [
      "splats of an older extension",
      { ...model, extensionsRequired: ["KHR_spz_gaussian_splats_compression"] },
      "model_extension",
    ],
    ["values that are not lists", { scenes: 3, nodes: "x", meshes: { length: 9 } }, "model_empty"],
  ])("is checked: %s", (_description, json, fault) => {
    expect(gltfFault(json)).toBe(fault);
  });

  it("names its external files", () => {
    const uri = (name: string) => ({ uri: name });
    const json = {
      buffers: [uri("a.bin"), uri("data:;base64,AA==")],
      images: [uri("t/b%20c.png"), uri("a.bin"), {}],
    };
    expect(gltfFiles(json)).toEqual(["a.bin", "t/b%20c.png"]);
  });
});

it("the head of a Draco mesh states its decoded size", () => {
  const head = (method: number, ...rest: number[]) =>
    Uint8Array.from([...new TextEncoder().encode("DRACO"), 2, 2, 1, method, 0, 0, ...rest]);
  // 300 is [172, 2] in LEB128.
  expect(dracoBytes(head(0, 172, 2, 5))).toBe(300 * 12 + 5 * 12);
  expect(dracoBytes(head(1, 0, 5, 172, 2))).toBe(5 * 12 + 300 * 12);
  expect(dracoBytes(head(1, 0, 255, 255, 255, 255, 15, 1))).toBeGreaterThan(4e9);
  expect(dracoBytes(new Uint8Array(40))).toBeNull();
  const headWith = (offset: number, value: number) => dracoBytes(head(0, 172, 2, 5).with(offset, value));
  expect([headWith(6, 1), headWith(7, 0)], "version 2.1, and a point cloud").toEqual([null, null]);
  expect(dracoBytes(head(0).subarray(0, 9))).toBeNull();
});

it("names the unsupported extensions", () => {
  const json = {
    extensionsRequired: ["KHR_materials_unlit", "EXT_secret"],
    extensionsUsed: ["EXT_secret"],
  };
  expect(gltfFaultValues("model_extension", json)).toEqual({ extensions: "EXT_secret" });
  const compressed = { extensionsUsed: ["KHR_gaussian_splatting", "KHR_gaussian_splatting_compression_x"] };
  expect(gltfFaultValues("model_extension", compressed)).toEqual({
    extensions: "KHR_gaussian_splatting_compression_x",
  });
  expect(gltfFaultValues("model_loop", json)).toBeUndefined();
});

it("the head of a KTX2 texture states its size", () => {
  const file = new Uint8Array(128);
  file.set([0xab, 0x4b, 0x54, 0x58, 0x20, 0x32, 0x30, 0xbb, 0x0d, 0x0a, 0x1a, 0x0a]);
  const view = new DataView(file.buffer);
  view.setUint32(20, 4096, true);
  view.setUint32(40, 2, true);
  view.setBigUint64(96, 1_000_000n, true);
  view.setBigUint64(120, 250_000n, true);
  expect(ktx2Head(file)).toMatchObject({ width: 4096, height: 1, unpackedBytes: 1_250_000, leastBytes: 0 });
  expect(ktx2Head(file.subarray(1))).toBeNull();
  view.setUint32(40, 0, true);
  expect(ktx2Head(file)?.unpackedBytes, "no count of levels").toBe(1_000_000);
  view.setUint32(40, 17, true);
  expect(ktx2Head(file)?.unpackedBytes, "more levels than any size has").toBe(Number.POSITIVE_INFINITY);
  view.setUint32(40, 1, true);
  view.setBigUint64(96, 0n, true);
  expect(ktx2Head(file)?.unpackedBytes, "Basis LZ").toBe(0);
  view.setUint32(44, 2, true);
  expect(ktx2Head(file)?.unpackedBytes, "Zstandard of an unknown size").toBe(Number.POSITIVE_INFINITY);
});

it("the head of a KTX2 texture locates its Zstandard levels, whose frames state their content size", () => {
  const file = new Uint8Array(160);
  file.set([0xab, 0x4b, 0x54, 0x58, 0x20, 0x32, 0x30, 0xbb, 0x0d, 0x0a, 0x1a, 0x0a]);
  const view = new DataView(file.buffer);
  view.setUint32(40, 1, true);
  view.setUint32(44, 2, true);
  view.setBigUint64(80, 120n, true);
  view.setBigUint64(96, 1000n, true);
  expect(ktx2Head(file)?.zstdLevels).toEqual([{ first: 120, bytes: 1000 }]);
  view.setUint32(44, 0, true);
  expect(ktx2Head(file)?.zstdLevels).toEqual([]);
  for (const bytes of [100, 1000, 100_000, 5_000_000])
    expect(zstdFrameBytes(zstdCompressSync(new Uint8Array(bytes)).subarray(0, 18)), `${bytes}`).toBe(bytes);
  expect(zstdFrameBytes(new Uint8Array(18))).toBeNull();
});

it("the head of a KTX2 texture states the minimum length of the file", () => {
  const file = new Uint8Array(160);
  file.set([0xab, 0x4b, 0x54, 0x58, 0x20, 0x32, 0x30, 0xbb, 0x0d, 0x0a, 0x1a, 0x0a]);
  const view = new DataView(file.buffer);
  for (const [offset, value] of [
    [20, 8],
    [24, 8],
    [40, 2],
    [48, 128],
  ] as const)
    view.setUint32(offset, value, true);
  // The levels have four blocks of 16 bytes, and one block.
  for (const [level, first, length] of [
    [0, 300, 64],
    [1, 200, 16],
  ] as const) {
    view.setBigUint64(80 + level * 24, BigInt(first), true);
    view.setBigUint64(88 + level * 24, BigInt(length), true);
  }
  expect(ktx2Head(file)?.leastBytes).toBe(364);
  view.setBigUint64(88, 63n, true);
  expect(ktx2Head(file)?.leastBytes, "ETC1S may be shorter").toBe(363);
  view.setUint8(128 + 12, 166);
  expect(ktx2Head(file)?.leastBytes, "UASTC may not").toBe(Number.POSITIVE_INFINITY);
});
