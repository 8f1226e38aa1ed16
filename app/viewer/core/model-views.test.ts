import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { MODEL_DISPLAY } from "~/domain/spaces/model-display";
import { direction } from "./angles";
import { fetchModelViews, readModelViews } from "./model-views";

const bytes = (model: unknown) => new TextEncoder().encode(JSON.stringify(model));
const quarterTurn = [0, Math.SQRT1_2, 0, Math.SQRT1_2];
const model = (nodes: readonly object[], roots: readonly number[] = [0]) =>
  bytes({
    asset: { version: "2.0" },
    scenes: [{ nodes: roots }],
    nodes,
    cameras: [{ name: "Entrance", type: "perspective" }, { type: "perspective" }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
    accessors: [{ min: [-2, 0, -2], max: [2, 3, 2] }],
  });

describe("the cameras of a file", () => {
  it("are views at their nodes' positions: on foot inside of the model, and from outside elsewhere", () => {
    const views = readModelViews(
      model([
        { mesh: 0, scale: [2, 1, 2], children: [1, 2] },
        { camera: 0, translation: [1, 1.5, 0], rotation: quarterTurn },
        {
          camera: 1,
          name: "From afar",
          translation: [0, 10, 0],
          rotation: [-Math.SQRT1_2, 0, 0, Math.SQRT1_2],
        },
      ]),
    );
    expect(views?.map(({ name, viewpoint }) => [name, viewpoint.mode])).toEqual([
      ["Entrance", "walk"],
      ["From afar", "orbit"],
    ]);
    const [inside, above] = (views ?? []).map(({ viewpoint }) => viewpoint);
    expect(inside?.position).toEqual([2, 1.5, 0]);
    // A quarter turn to the left about y looks along −x.
    direction(inside?.yaw ?? 0, inside?.pitch ?? 0).forEach((component, axis) => {
      expect(component).toBeCloseTo([-1, 0, 0][axis] ?? 9);
    });
    expect(above?.pitch).toBeCloseTo(-Math.PI / 2);
  });

  it("follow the owner's scale, upright axis and turn of the model", () => {
    const file = model([
      { mesh: 0, children: [1] },
      { camera: 0, translation: [100, 200, 300] },
    ]);
    const display = { scale: 0.01, up: "z", turn: Math.PI / 2, scene: null } as const;
    const [view] = readModelViews(file, display) ?? [];
    // With z upwards, (1, 2, 3) becomes (1, 3, −2). A quarter turn about the upright axis makes it (−2, 3, −1).
    [-2, 3, -1].forEach((component, axis) => {
      expect(view?.viewpoint.position[axis]).toBeCloseTo(component);
    });
    // The camera looks along −z of the file, which is downwards.
    expect(view?.viewpoint.pitch).toBeCloseTo(-Math.PI / 2);
  });

  it("are also read from a matrix", () => {
    const matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 9, 1];
    const [view] = readModelViews(model([{ camera: 1, matrix }])) ?? [];
    expect(view).toMatchObject({ name: "", viewpoint: { position: [0, 1, 9], mode: "orbit" } });
    expect(view?.viewpoint.yaw).toBeCloseTo(0);
  });

  it("are empty for cyclic trees without a camera, invalid numbers and JSON that cannot be read", () => {
    expect(readModelViews(model([{ children: [0] }]))).toEqual([]);
    expect(readModelViews(model([{ camera: 0, matrix: Array(16).fill(0) }]))).toEqual([]);
    expect(readModelViews(model([{ camera: 7 }]))).toEqual([]);
    expect(readModelViews(bytes({ asset: { version: "2.0" }, nodes: 7 }))).toEqual([]);
    expect(readModelViews(new TextEncoder().encode(`{"nodes": [`.padEnd(40)))).toEqual([]);
  });

  it("are read from the text of a .gltf that arrives in parts", async () => {
    const file = model([{ camera: 0, translation: [1, 2, 3] }]);
    const server = createServer((_, response) => {
      response.write(file.subarray(0, 100));
      setTimeout(() => response.end(file.subarray(100)), 50);
    }).listen();
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const views = await fetchModelViews(url, MODEL_DISPLAY, new AbortController().signal);
    server.close();
    expect(views.map(({ name }) => name)).toEqual(["Entrance"]);
  });

  it("are null while the description of a GLB is incomplete", () => {
    const glb = new Uint8Array(40);
    const view = new DataView(glb.buffer);
    for (const [offset, value] of [
      [0, 0x46546c67],
      [4, 2],
      [8, 4000],
      [12, 3000],
      [16, 0x4e4f534a],
    ] as const)
      view.setUint32(offset, value, true);
    expect(readModelViews(glb)).toBeNull();
  });
});
