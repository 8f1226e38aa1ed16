import { describe, expect, it, test } from "vitest";
import type { ViewerSource } from "~/viewer/Viewer";
import { countUnsupportedTriangles, findSourceFault } from "./source-fault";

const model: ViewerSource = { kind: "model", url: "/m", start: null, eyeHeight: 1.6 };
const panoramaNode = (id: string) => ({
  id,
  url: `/${id}`,
  title: id.toUpperCase(),
  heading: 0,
  links: [],
  position: [0, 0, 0] as const,
});
const panorama: ViewerSource = {
  kind: "panorama",
  nodes: [panoramaNode("a"), panoramaNode("b")],
  start: null,
};

const glb = (statedLength: number, actualLength: number) => {
  const bytes = Buffer.alloc(actualLength);
  bytes.write("glTF");
  bytes.writeUInt32LE(statedLength, 8);
  return bytes;
};
/** Fake files by URL: bytes, a status, or an image "width×height". */
const ports = (files: Readonly<Record<string, Uint8Array | number | string>>) => ({
  fetch: async (url: string) => {
    const file = files[url] ?? 404;
    if (typeof file === "number") return new Response(null, { status: file });
    return new Response(typeof file === "string" ? file : new Uint8Array(file));
  },
  measure: async (image: Blob) => {
    const [, width, height] = /^(\d+)×(\d+)$/.exec(await image.text()) ?? [];
    if (!width || !height) throw new Error("No image.");
    return { width: Number(width), height: Number(height) };
  },
});

describe("findSourceFault", () => {
  it("reports a model that is missing, truncated or invalid", async () => {
    expect(await findSourceFault(model, ports({}))).toEqual({ why: "missing", panoramaTitle: null });
    expect(await findSourceFault(model, ports({ "/m": glb(400, 200) }))).toEqual({
      why: "cut",
      receivedBytes: 200,
      expectedBytes: 400,
    });
    expect(await findSourceFault(model, ports({ "/m": "<html>" }))).toEqual({
      why: "unreadable",
      panoramaTitle: null,
    });
    expect(await findSourceFault(model, ports({ "/m": glb(200, 200) }))).toEqual({
      why: "unreadable",
      panoramaTitle: null,
    });
  });

  it("reports the first panorama that is missing, invalid or of another shape", async () => {
    const inPanoramas = (a: string | number, b: string | number) =>
      findSourceFault(panorama, ports({ "/a": a, "/b": b }));
    expect(await inPanoramas("200×100", 404)).toEqual({ why: "missing", panoramaTitle: "B" });
    expect(await inPanoramas("none", 404)).toEqual({ why: "unreadable", panoramaTitle: "A" });
    expect(await inPanoramas("200×100", "200×150")).toEqual({
      why: "shape",
      panoramaTitle: "B",
      width: 200,
      height: 150,
    });
    expect(await inPanoramas("200×100", "4096×2048")).toBeNull();
  });

  it("reports the connection if nothing responds", async () => {
    const unreachable = { ...ports({}), fetch: () => Promise.reject(new TypeError("Failed to fetch")) };
    expect(await findSourceFault(model, unreachable)).toEqual({ why: "offline" });
  });
});

test("countUnsupportedTriangles returns the number of triangles of a model that is too large for phones", async () => {
  const gltf = (triangles: number) =>
    Buffer.from(
      JSON.stringify({
        accessors: [
          { count: triangles * 3, componentType: 5125, type: "SCALAR" },
          { count: triangles, componentType: 5126, type: "VEC3" },
        ],
        meshes: [{ primitives: [{ indices: 0, attributes: { POSITION: 1 } }] }],
        nodes: [{ mesh: 0 }],
        scenes: [{ nodes: [0] }],
      }),
    );
  expect(await countUnsupportedTriangles(model, ports({ "/m": gltf(2_000_000) }))).toBe(2_000_000);
  expect(await countUnsupportedTriangles(model, ports({ "/m": gltf(200_000) }))).toBeNull();
  expect(await countUnsupportedTriangles(model, ports({}))).toBeNull();
  expect(await countUnsupportedTriangles(panorama, ports({}))).toBeNull();
});
