import { Document, WebIO } from "@gltf-transform/core";
import { ALL_EXTENSIONS, KHRTextureBasisu } from "@gltf-transform/extensions";
import { draco, getBounds } from "@gltf-transform/functions";
import draco3d from "draco3dgltf";
import { MeshoptDecoder } from "meshoptimizer";
import { describe, expect, it } from "vitest";
import {
  countTriangles,
  GRAPHICS_MAX_BYTES,
  graphicsBytes,
  optimizeModel,
  type TextureCodec,
  TRIANGLES_MAX,
} from "./optimize-model.client";

/** Hills of 2 × side² triangles, 10 m wide, each triangle with vertices of its own as scanners write them. */
async function hills(
  side: number,
  texture?: { readonly width: number; readonly height: number },
): Promise<Uint8Array<ArrayBuffer>> {
  const document = new Document();
  const buffer = document.createBuffer();
  const at = (x: number, z: number) =>
    [(x / side) * 10 - 5, Math.sin((x / side) * 9) * Math.cos((z / side) * 7), (z / side) * 10 - 5] as const;
  const positions = new Float32Array(side * side * 18);
  let next = 0;
  const put = (x: number, z: number) => {
    positions.set(at(x, z), next);
    next += 3;
  };
  for (let z = 0; z < side; z++)
    for (let x = 0; x < side; x++)
      for (const [a, b] of [
        [0, 0],
        [0, 1],
        [1, 0],
        [1, 0],
        [0, 1],
        [1, 1],
      ] as const)
        put(x + a, z + b);
  const position = document.createAccessor().setType("VEC3").setArray(positions).setBuffer(buffer);
  const material = document.createMaterial();
  if (texture) {
    const image = pngHead(texture.width, texture.height);
    material.setBaseColorTexture(document.createTexture().setImage(image).setMimeType("image/png"));
  }
  const mesh = document
    .createMesh()
    .addPrimitive(document.createPrimitive().setAttribute("POSITION", position).setMaterial(material));
  document.createScene().addChild(document.createNode("hills").setMesh(mesh));
  return new WebIO().writeBinary(document);
}

/** The head of a PNG file, which says its size, with bytes behind it that weigh something. */
function pngHead(width: number, height: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(500_000).map((_, at) => (at * 31) % 251);
  bytes.set([137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82]);
  const view = new DataView(bytes.buffer);
  view.setUint32(16, width);
  view.setUint32(20, height);
  return bytes;
}

/** A lossy WebP's head with a size: enough for whoever asks how large it is. */
function webpHead(width: number, height: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(2000);
  bytes.set(new TextEncoder().encode("RIFF\xd0\x07\0\0WEBPVP8 "));
  bytes.set([0x9d, 0x01, 0x2a], 23);
  const view = new DataView(bytes.buffer);
  view.setUint16(26, width, true);
  view.setUint16(28, height, true);
  return bytes;
}

const asked: { maxSide: number; quality: number }[] = [];
const codec: TextureCodec = async (bytes, _type, maxSide, quality) => {
  asked.push({ maxSide, quality });
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  const scale = Math.min(1, maxSide / Math.max(width, height));
  const size = { width: Math.round(width * scale), height: Math.round(height * scale) };
  return { bytes: webpHead(size.width, size.height), mimeType: "image/webp", ...size };
};
const none: TextureCodec = async () => null;
const read = async (bytes: Uint8Array) => {
  await MeshoptDecoder.ready;
  return new WebIO()
    .registerExtensions(ALL_EXTENSIONS)
    .registerDependencies({ "meshopt.decoder": MeshoptDecoder })
    .readBinary(bytes);
};
const optimize = (bytes: Uint8Array<ArrayBuffer>, quality: number, textures = none) =>
  optimizeModel({
    bytes,
    quality,
    textures,
    draco: () => draco3d.createDecoderModule(),
    onProgress: () => {},
  });

describe("a heavy model", () => {
  it("becomes one of few triangles and bytes, of the same size in metres", async () => {
    const file = await hills(600);
    const { display, preview, before, after } = await optimize(file, 1);
    expect(before.triangles).toBe(720_000);
    expect(after.triangles).toBeLessThanOrEqual(TRIANGLES_MAX);
    expect(after.graphicsBytes).toBeLessThanOrEqual(GRAPHICS_MAX_BYTES);
    expect(display.length).toBeLessThan(file.length / 5);
    const made = await read(display);
    expect(countTriangles(made)).toBe(after.triangles);
    const [scene] = made.getRoot().listScenes();
    if (!scene) throw new Error("no scene");
    const { min, max } = getBounds(scene);
    [-5, -1, -5].forEach((side, axis) => void expect(min[axis]).toBeCloseTo(side, 1));
    [5, 1, 5].forEach((side, axis) => void expect(max[axis]).toBeCloseTo(side, 1));
    expect(preview === null ? display.length : preview.length).toBeLessThanOrEqual(1.5 * 1024 * 1024);
  }, 120_000);

  it("is the smaller, the lower the quality", async () => {
    const file = await hills(400);
    const [low, high] = [await optimize(file, 0), await optimize(file, 1)];
    expect(low.after.triangles).toBeLessThanOrEqual(100_000);
    expect(low.display.length).toBeLessThan(high.display.length);
  }, 120_000);

  it("has textures within what phones hold", async () => {
    asked.length = 0;
    const { after, before } = await optimize(await hills(20, { width: 16_384, height: 8192 }), 1, codec);
    expect(before.graphicsBytes).toBeGreaterThan(600 * 1024 * 1024);
    expect(after.graphicsBytes).toBeLessThanOrEqual(GRAPHICS_MAX_BYTES);
    expect(asked[0]).toMatchObject({ maxSide: 2048, quality: 0.9 });
  }, 60_000);
});

describe("a model in a packed format", () => {
  it("is unpacked from Draco", async () => {
    const io = new WebIO().registerExtensions(ALL_EXTENSIONS).registerDependencies({
      "draco3d.encoder": await draco3d.createEncoderModule(),
    });
    const document = await io.readBinary(await hills(30));
    await document.transform(draco());
    const { display, before, after } = await optimize(await io.writeBinary(document), 1);
    expect([before.triangles, after.triangles]).toEqual([1800, 1800]);
    const [used] = (await read(display)).getRoot().listExtensionsUsed();
    expect(used?.extensionName).toBe("EXT_meshopt_compression");
  });

  it.each([
    ["whole", 1],
    ["damaged", 0],
  ])("keeps a KTX2 texture that is %s", async (_name, isWhole) => {
    const document = await read(await hills(10, { width: 64, height: 64 }));
    const image = new Uint8Array(200);
    if (isWhole) {
      image.set([0xab, 0x4b, 0x54, 0x58, 0x20, 0x32, 0x30, 0xbb, 0x0d, 0x0a, 0x1a, 0x0a]);
      const view = new DataView(image.buffer);
      [0, 1, 512, 256, 0, 0, 1, 1].forEach((value, at) => void view.setUint32(12 + at * 4, value, true));
      view.setUint32(80, 104, true);
      view.setUint32(84, 96, true);
    }
    document.getRoot().listTextures()[0]?.setImage(image).setMimeType("image/ktx2");
    document.createExtension(KHRTextureBasisu).setRequired(true);
    const { display } = await optimize(
      await new WebIO().registerExtensions(ALL_EXTENSIONS).writeBinary(document),
      1,
    );
    const [texture] = (await read(display)).getRoot().listTextures();
    expect(texture?.getMimeType()).toBe("image/ktx2");
    expect(texture?.getImage()).toEqual(image);
  });
});

describe("a model of parts that share no vertex", () => {
  it("is reduced all the same", async () => {
    // Every triangle has a place of its own: nothing can be collapsed without a coarser simplifier.
    const document = new Document();
    const buffer = document.createBuffer();
    const count = 200_000;
    const positions = new Float32Array(count * 9);
    for (let at = 0; at < count; at++) {
      const [x, y, z] = [at % 60, Math.floor(at / 60) % 60, Math.floor(at / 3600)];
      positions.set([x, y, z, x + 0.4, y, z, x, y + 0.4, z], at * 9);
    }
    const position = document.createAccessor().setType("VEC3").setArray(positions).setBuffer(buffer);
    const mesh = document
      .createMesh()
      .addPrimitive(document.createPrimitive().setAttribute("POSITION", position));
    document.createScene().addChild(document.createNode().setMesh(mesh));
    const { after } = await optimize(await new WebIO().writeBinary(document), 0);
    expect(after.triangles).toBeGreaterThan(0);
    expect(after.triangles).toBeLessThanOrEqual(100_000);
  }, 120_000);
});

describe("a small model", () => {
  it("stays as it is seen, and needs no preview", async () => {
    const { before, after, preview } = await optimize(await hills(10), 0.7);
    expect(after.triangles).toBe(before.triangles);
    expect(preview).toBeNull();
  });

  it("tells how far it is", async () => {
    const told: number[] = [];
    const file = await hills(10);
    await optimizeModel({
      bytes: file,
      quality: 0.5,
      textures: none,
      draco: () => draco3d.createDecoderModule(),
      onProgress: (share) => told.push(share),
    });
    expect(told[0]).toBe(0);
    expect(told).toEqual([...told].sort((a, b) => a - b));
  });
});

it("counts triangles as often as nodes show them", async () => {
  const document = await read(await hills(10));
  const [mesh] = document.getRoot().listMeshes();
  if (mesh) document.getRoot().listScenes()[0]?.addChild(document.createNode().setMesh(mesh));
  expect(countTriangles(document)).toBe(400);
  expect(graphicsBytes(document)).toBe(10 * 10 * 6 * 12);
});

it("says so when a file is none", async () => {
  await expect(optimize(new Uint8Array(100), 0.5)).rejects.toThrow();
});
