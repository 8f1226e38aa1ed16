import { Document, WebIO } from "@gltf-transform/core";
import { ALL_EXTENSIONS, KHRDracoMeshCompression } from "@gltf-transform/extensions";
import { getBounds, weld } from "@gltf-transform/functions";
import draco3d from "draco3dgltf";
import { encodeToKTX2 } from "ktx2-encoder";
import { MeshoptDecoder } from "meshoptimizer";
import { describe, expect, it } from "vitest";
import {
  countTriangles,
  estimateGraphicsBytes,
  GRAPHICS_MAX_BYTES,
  optimizeModel,
  PHONE_TRIANGLES_MAX,
  type TextureCodec,
  type TextureTarget,
} from "./optimize-model.client";

/** Creates hills of 2 × side² triangles, 10 m wide. Each triangle has its own vertices, as in scans. */
async function createHills(
  side: number,
  texture?: { readonly width: number; readonly height: number },
): Promise<Uint8Array<ArrayBuffer>> {
  const document = new Document();
  const buffer = document.createBuffer();
  const pointAt = (x: number, z: number) =>
    [(x / side) * 10 - 5, Math.sin((x / side) * 9) * Math.cos((z / side) * 7), (z / side) * 10 - 5] as const;
  const positions = new Float32Array(side * side * 18);
  let offset = 0;
  const writeVertex = (x: number, z: number) => {
    positions.set(pointAt(x, z), offset);
    offset += 3;
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
        writeVertex(x + a, z + b);
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

/** Creates the header of a PNG file with its size, followed by filler bytes. */
function pngHead(width: number, height: number, length = 500_000): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length).map((_, index) => (index * 31) % 251);
  bytes.set([137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82]);
  const view = new DataView(bytes.buffer);
  view.setUint32(16, width);
  view.setUint32(20, height);
  return bytes;
}

/** Creates the header of a lossy WebP file with a size. */
function webpHead(width: number, height: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(2000);
  bytes.set(new TextEncoder().encode("RIFF\xd0\x07\0\0WEBPVP8 "));
  bytes.set([0x9d, 0x01, 0x2a], 23);
  const view = new DataView(bytes.buffer);
  view.setUint16(26, width, true);
  view.setUint16(28, height, true);
  return bytes;
}

const targets: TextureTarget[] = [];
/** A KTX2 texture of 4 × 4 pixels: 48 bytes of UASTC with its smaller versions. */
const tinyKtx2 = encodeToKTX2(new Uint8Array(1), {
  imageDecoder: async () => ({ width: 4, height: 4, data: new Uint8Array(64).fill(255) }),
  isUASTC: true,
  generateMipmap: true,
});
const codec: TextureCodec = async (bytes, _type, target) => {
  targets.push(target);
  if (target.mimeType === "image/ktx2") return new Uint8Array(await tinyKtx2);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  const scale = Math.min(1, target.maxSide / Math.max(width, height));
  return webpHead(Math.round(width * scale), Math.round(height * scale));
};
const noTextures: TextureCodec = async () => null;
const readModel = async (bytes: Uint8Array) => {
  await MeshoptDecoder.ready;
  return new WebIO()
    .registerExtensions(ALL_EXTENSIONS)
    .registerDependencies({ "meshopt.decoder": MeshoptDecoder })
    .readBinary(bytes);
};
const optimize = (bytes: Uint8Array<ArrayBuffer>, quality: number, textures = noTextures) =>
  optimizeModel({
    bytes,
    quality,
    textures,
    draco: () => draco3d.createDecoderModule(),
    onProgress: () => {},
  });

describe("a heavy model", () => {
  it("becomes a model of few triangles and bytes, with the same size in metres", async () => {
    const file = await createHills(600);
    const { display, preview, before, after } = await optimize(file, 1);
    expect(before.triangles).toBe(720_000);
    expect(after.triangles).toBeLessThanOrEqual(PHONE_TRIANGLES_MAX);
    expect(after.graphicsBytes).toBeLessThanOrEqual(GRAPHICS_MAX_BYTES);
    expect(display.length).toBeLessThan(file.length / 5);
    const optimized = await readModel(display);
    expect(countTriangles(optimized)).toBe(after.triangles);
    const [scene] = optimized.getRoot().listScenes();
    if (!scene) throw new Error("no scene");
    const { min, max } = getBounds(scene);
    [-5, -1, -5].forEach((side, axis) => void expect(min[axis]).toBeCloseTo(side, 1));
    [5, 1, 5].forEach((side, axis) => void expect(max[axis]).toBeCloseTo(side, 1));
    expect(preview === null ? display.length : preview.length).toBeLessThanOrEqual(1.5 * 1024 * 1024);
  }, 120_000);

  it("becomes smaller for a lower quality", async () => {
    const file = await createHills(400);
    const [low, high] = [await optimize(file, 0), await optimize(file, 1)];
    expect(low.after.triangles).toBeLessThanOrEqual(100_000);
    expect(low.display.length).toBeLessThan(high.display.length);
  }, 120_000);

  it("gets textures within the limits of phones", async () => {
    targets.length = 0;
    const { after, before } = await optimize(
      await createHills(20, { width: 16_384, height: 8192 }),
      1,
      codec,
    );
    expect(before.graphicsBytes).toBeGreaterThan(600 * 1024 * 1024);
    expect(after.graphicsBytes).toBeLessThanOrEqual(GRAPHICS_MAX_BYTES);
    // The preview comes first.
    expect(targets.at(-1)).toMatchObject({ mimeType: "image/webp", maxSide: 2048, quality: 0.9 });
  }, 60_000);
});

/** Creates a plane with materials of two textures each: colours and normals. */
async function createPaintedPlane(materials: number, side: number): Promise<Uint8Array<ArrayBuffer>> {
  const document = await readModel(await createHills(2));
  const [mesh] = document.getRoot().listMeshes();
  const [primitive] = mesh?.listPrimitives() ?? [];
  for (let index = 0; index < materials; index++) {
    const imageFile = (name: string) => {
      const image = pngHead(side, side, 3000);
      // No two textures are the same image.
      image.set([index, name.charCodeAt(0)], 100);
      return document.createTexture(`${name} ${index}`).setImage(image).setMimeType("image/png");
    };
    const material = document
      .createMaterial()
      .setBaseColorTexture(imageFile("colours"))
      .setNormalTexture(imageFile("normals"));
    if (primitive) mesh?.addPrimitive(primitive.clone().setMaterial(material));
  }
  return new WebIO().writeBinary(document);
}

describe("textures that phones would hold unpacked", () => {
  const displayTargets = () => targets.filter(({ maxSide }) => maxSide > 256);

  it("become WebP while they are few", async () => {
    targets.length = 0;
    const { display } = await optimize(await createPaintedPlane(2, 1024), 1, codec);
    expect(new Set(displayTargets().map(({ mimeType }) => mimeType))).toEqual(new Set(["image/webp"]));
    const usedExtensions = (await readModel(display)).getRoot().listExtensionsUsed();
    expect(usedExtensions.map(({ extensionName }) => extensionName)).not.toContain("KHR_texture_basisu");
  }, 60_000);

  it("become KTX2 when they are many and large, and normal maps are marked for the encoder", async () => {
    targets.length = 0;
    const { display, before, after } = await optimize(await createPaintedPlane(10, 2048), 1, codec);
    expect(before.graphicsBytes).toBeGreaterThan(400 * 1024 * 1024);
    // As compressed blocks, they fit unchanged. Uncompressed, they would have to be half as wide.
    expect(displayTargets()).toHaveLength(20);
    for (const target of displayTargets())
      expect(target).toMatchObject({ mimeType: "image/ktx2", maxSide: 2048 });
    expect(displayTargets().filter(({ isNormalMap, isColour }) => isNormalMap && !isColour)).toHaveLength(10);
    expect(displayTargets().filter(({ isNormalMap, isColour }) => !isNormalMap && isColour)).toHaveLength(10);
    const requiredExtensions = (await readModel(display)).getRoot().listExtensionsRequired();
    expect(requiredExtensions.map(({ extensionName }) => extensionName)).toContain("KHR_texture_basisu");
    // The textures count with the size of their compressed blocks.
    expect(after.graphicsBytes).toBeLessThan(10_000);
  }, 60_000);

  it("become smaller when even their blocks are too large", async () => {
    targets.length = 0;
    await optimize(await createPaintedPlane(60, 2048), 1, codec);
    expect(new Set(displayTargets().map(({ mimeType, maxSide }) => `${mimeType} ${maxSide}`))).toEqual(
      new Set(["image/ktx2 1024"]),
    );
  }, 60_000);
});

describe("a model whose meshes are packed with Draco", () => {
  it("is unpacked, reduced, and packed with meshopt", async () => {
    const document = await readModel(await createHills(300));
    await document.transform(weld());
    document.createExtension(KHRDracoMeshCompression).setRequired(true);
    const packed = await new WebIO()
      .registerExtensions(ALL_EXTENSIONS)
      .registerDependencies({ "draco3d.encoder": await draco3d.createEncoderModule() })
      .writeBinary(document);
    const { display, before, after } = await optimize(packed, 0);
    expect(before.triangles).toBe(180_000);
    expect(after.triangles).toBeLessThanOrEqual(100_000);
    const usedExtensions = (await readModel(display)).getRoot().listExtensionsUsed();
    expect(usedExtensions.map(({ extensionName }) => extensionName)).toContain("EXT_meshopt_compression");
    expect(usedExtensions.map(({ extensionName }) => extensionName)).not.toContain(
      "KHR_draco_mesh_compression",
    );
  }, 60_000);
});

describe("a model of parts that share no vertex", () => {
  it("is reduced although no triangles share vertices", async () => {
    // Every triangle has its own vertices, so only the coarser simplifier can collapse edges.
    const document = new Document();
    const buffer = document.createBuffer();
    const count = 200_000;
    const positions = new Float32Array(count * 9);
    for (let index = 0; index < count; index++) {
      const [x, y, z] = [index % 60, Math.floor(index / 60) % 60, Math.floor(index / 3600)];
      positions.set([x, y, z, x + 0.4, y, z, x, y + 0.4, z], index * 9);
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

it("a model of 1,000 materials keeps different ones and drops copies", async () => {
  const document = await readModel(await createHills(1));
  const [mesh] = document.getRoot().listMeshes();
  const [primitive] = mesh?.listPrimitives() ?? [];
  for (let index = 0; index < 1000; index++) {
    const material = document
      .createMaterial(`paint ${index}`)
      .setBaseColorFactor([(index % 500) / 500, 0, 0, 1]);
    if (primitive) mesh?.addPrimitive(primitive.clone().setMaterial(material));
  }
  const { display, after } = await optimize(await new WebIO().writeBinary(document), 1);
  expect(after.triangles).toBe(2 * 1001);
  // There are two materials of each colour, and the material of the hills.
  expect((await readModel(display)).getRoot().listMaterials()).toHaveLength(501);
}, 120_000);

describe("a small model", () => {
  it("keeps its triangles, and needs no preview", async () => {
    const { before, after, preview } = await optimize(await createHills(10), 0.7);
    expect(after.triangles).toBe(before.triangles);
    expect(preview).toBeNull();
  });

  it("reports its progress", async () => {
    const progress: number[] = [];
    const file = await createHills(10);
    await optimizeModel({
      bytes: file,
      quality: 0.5,
      textures: noTextures,
      draco: () => Promise.reject(new Error("The file declares no Draco meshes.")),
      onProgress: (share) => progress.push(share),
    });
    expect(progress[0]).toBe(0);
    expect(progress).toEqual([...progress].sort((a, b) => a - b));
  });
});

it("counts triangles for each node that uses them, and their buffers once", async () => {
  const document = await readModel(await createHills(10));
  const [mesh] = document.getRoot().listMeshes();
  if (mesh) document.getRoot().listScenes()[0]?.addChild(document.createNode().setMesh(mesh));
  expect(countTriangles(document)).toBe(400);
  expect(estimateGraphicsBytes(document)).toBe(10 * 10 * 6 * 12);
});

it("rejects a file that is not a model", async () => {
  await expect(optimize(new Uint8Array(100), 0.5)).rejects.toThrow();
});
