import { expect, it } from "vitest";
import { gltfTriangles, isHeavyModel } from "./heavy-model";
import { HEAVY_BYTES, HEAVY_TRIANGLES } from "./prepared";

const light = { bytes: 1000, triangles: 12, pixels: 1024 * 1024 };

it.each<[string, Parameters<typeof isHeavyModel>[0], boolean]>([
  ["a small model", light, false],
  ["a file just below the limit", { ...light, bytes: HEAVY_BYTES - 1 }, false],
  ["a large file", { ...light, bytes: HEAVY_BYTES }, true],
  ["nearly too many triangles", { ...light, triangles: HEAVY_TRIANGLES - 1 }, false],
  ["many triangles", { ...light, triangles: HEAVY_TRIANGLES }, true],
  ["textures of 5,000 × 5,000 pixels", { ...light, pixels: 25_000_000 }, false],
  ["a texture of 16,384 × 8,192 pixels", { ...light, pixels: 16_384 * 8192 }, true],
])("%s", (_, weight, isHeavy) => {
  expect(isHeavyModel(weight)).toBe(isHeavy);
});

const accessors = [{ count: 300 }, { count: 12 }];

it.each<[string, object, number]>([
  ["indices", { primitives: [{ indices: 1, attributes: { POSITION: 0 } }] }, 4],
  ["corners without indices", { primitives: [{ attributes: { POSITION: 0 } }] }, 100],
  [
    "a strip and a fan",
    {
      primitives: [
        { indices: 1, mode: 5 },
        { indices: 1, mode: 6 },
      ],
    },
    20,
  ],
  [
    "lines and points",
    {
      primitives: [
        { indices: 1, mode: 1 },
        { indices: 1, mode: 0 },
      ],
    },
    0,
  ],
])("counts the triangles of %s", (_, mesh, triangles) => {
  expect(gltfTriangles({ accessors, meshes: [mesh], nodes: [{ mesh: 0 }] })).toBe(triangles);
});

it("counts a mesh once for each node that shows it", () => {
  const meshes = [{ primitives: [{ indices: 1 }] }, { primitives: [{ indices: 0 }] }];
  expect(gltfTriangles({ accessors, meshes, nodes: [{ mesh: 0 }, { mesh: 0 }, {}] })).toBe(8);
});

it("returns 0 for JSON that is not a model", () => {
  expect(gltfTriangles({ meshes: 5, nodes: [{ mesh: "x" }, null], accessors: {} })).toBe(0);
});
