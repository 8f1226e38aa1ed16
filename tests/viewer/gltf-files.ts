/** Small glTF files with structures that tools export. All are made from the same box, which is half red and half blue. */
import { Document, Logger, NodeIO, type Primitive } from "@gltf-transform/core";
import {
  ALL_EXTENSIONS,
  EXTTextureAVIF,
  EXTTextureWebP,
  KHRMaterialsPBRSpecularGlossiness,
  KHRMaterialsUnlit,
  KHRMaterialsVariants,
  KHRTextureBasisu,
  KHRTextureTransform,
} from "@gltf-transform/extensions";
import { draco, meshopt, quantize } from "@gltf-transform/functions";
import draco3d from "draco3dgltf";
import { encodeToKTX2 } from "ktx2-encoder";
import { MeshoptDecoder, MeshoptEncoder } from "meshoptimizer";
import sharp from "sharp";

/** Side of the box's texture in pixels. Its left half is red, its right half is blue. */
const SIDE = 16;
/** Side in pixels of a large texture. The viewer shows large textures first in low resolution, and then in their own. */
const LARGE_SIDE = 256;
/** Points along a side of each face. Meshes with only a few points are not compressed. */
const GRID = 9;

const pixels = (() => {
  const data = new Uint8Array(SIDE * SIDE * 4);
  for (let index = 0; index < SIDE * SIDE; index++)
    data.set(index % SIDE < SIDE / 2 ? [230, 20, 20, 255] : [20, 20, 230, 255], index * 4);
  return data;
})();

const encodeTexture = (type: "png" | "webp" | "avif") =>
  sharp(pixels, { raw: { width: SIDE, height: SIDE, channels: 4 } })
    .toFormat(type, { lossless: type !== "png" })
    .toBuffer();

/** @param isPacked whether the levels are compressed with Zstandard */
const encodeBasis = (isUASTC: boolean, isPacked = isUASTC) =>
  encodeToKTX2(new Uint8Array(1), {
    imageDecoder: async () => ({ width: SIDE, height: SIDE, data: pixels }),
    isUASTC,
    generateMipmap: true,
    qualityLevel: 230,
    needSupercompression: isPacked,
  });

/** A KTX2 texture whose largest level was overwritten with zeros. */
async function zeroedBasis(isPacked: boolean): Promise<Uint8Array> {
  const file = new Uint8Array(await encodeBasis(true, isPacked));
  const view = new DataView(file.buffer);
  const [offset, length] = [80, 88].map((offset) => Number(view.getBigUint64(offset, true))) as [
    number,
    number,
  ];
  return file.fill(0, offset, offset + length);
}

async function fileIo(): Promise<NodeIO> {
  await Promise.all([MeshoptDecoder.ready, MeshoptEncoder.ready]);
  return new NodeIO()
    .setLogger(new Logger(Logger.Verbosity.ERROR))
    .registerExtensions(ALL_EXTENSIONS)
    .registerDependencies({
      "meshopt.decoder": MeshoptDecoder,
      "meshopt.encoder": MeshoptEncoder,
      "draco3d.encoder": await draco3d.createEncoderModule(),
      "draco3d.decoder": await draco3d.createDecoderModule(),
    });
}

/** The six faces of a box from −1 to 1, each a grid whose texture runs from left to right. */
function boxFaces() {
  const positions: number[] = [];
  const uvs: number[] = [];
  const indices: number[] = [];
  for (const axis of [0, 1, 2])
    for (const side of [-1, 1]) {
      const first = positions.length / 3;
      for (let row = 0; row < GRID; row++)
        for (let column = 0; column < GRID; column++) {
          const [u, v] = [column / (GRID - 1), row / (GRID - 1)];
          const point = [0, 0, 0];
          point[axis] = side;
          point[(axis + 1) % 3] = (u * 2 - 1) * side;
          point[(axis + 2) % 3] = v * 2 - 1;
          positions.push(...point);
          uvs.push(u, v);
        }
      for (let row = 0; row < GRID - 1; row++)
        for (let column = 0; column < GRID - 1; column++) {
          const offset = first + row * GRID + column;
          indices.push(offset, offset + 1, offset + GRID + 1, offset, offset + GRID + 1, offset + GRID);
        }
    }
  return {
    positions: Float32Array.from(positions),
    uvs: Float32Array.from(uvs),
    indices: Uint16Array.from(indices),
  };
}

/** A box of two metres around the origin. Unlit, so that its colours are those of its texture. */
export function makeBox(image: Uint8Array, mimeType: string): { document: Document; primitive: Primitive } {
  const document = new Document().setLogger(new Logger(Logger.Verbosity.ERROR));
  const buffer = document.createBuffer();
  const { positions, uvs, indices } = boxFaces();
  const material = document
    .createMaterial("box")
    .setDoubleSided(true)
    .setExtension("KHR_materials_unlit", document.createExtension(KHRMaterialsUnlit).createUnlit())
    .setBaseColorTexture(document.createTexture("halves").setImage(image).setMimeType(mimeType));
  const primitive = document
    .createPrimitive()
    .setMaterial(material)
    .setAttribute("POSITION", document.createAccessor().setType("VEC3").setArray(positions).setBuffer(buffer))
    .setAttribute("TEXCOORD_0", document.createAccessor().setType("VEC2").setArray(uvs).setBuffer(buffer))
    .setIndices(document.createAccessor().setType("SCALAR").setArray(indices).setBuffer(buffer));
  const mesh = document.createMesh("box").addPrimitive(primitive);
  document.createScene().addChild(document.createNode("box").setMesh(mesh));
  return { document, primitive };
}

type Change = (document: Document, primitive: Primitive) => void;

const plainMaterial = (document: Document, name: string, color: [number, number, number, number]) =>
  document
    .createMaterial(name)
    .setDoubleSided(true)
    .setExtension("KHR_materials_unlit", document.createExtension(KHRMaterialsUnlit).createUnlit())
    .setBaseColorFactor(color);
const RED: [number, number, number, number] = [0.8, 0.005, 0.005, 1];
const BLUE: [number, number, number, number] = [0.005, 0.005, 0.8, 1];

/** Turns the box into points or lines of one colour. */
const toPointsOrLines =
  (mode: 0 | 1): Change =>
  (document, primitive) => {
    primitive
      .setMode(mode)
      .setMaterial(plainMaterial(document, "red", RED))
      .setAttribute("TEXCOORD_0", null);
    if (mode === 0) primitive.setIndices(null);
  };

/** Two keyframes of a node's position, a second apart. */
function addMove(document: Document, name: string, to: [number, number, number]): void {
  const [node] = document.getRoot().listNodes();
  const [buffer] = document.getRoot().listBuffers();
  const accessor = (type: "SCALAR" | "VEC3", values: number[]) =>
    document
      .createAccessor()
      .setType(type)
      .setArray(Float32Array.from(values))
      .setBuffer(buffer ?? null);
  const sampler = document
    .createAnimationSampler()
    .setInput(accessor("SCALAR", [0, 1]))
    .setOutput(accessor("VEC3", [0, 0, 0, ...to]));
  document
    .createAnimation(name)
    .addSampler(sampler)
    .addChannel(
      document
        .createAnimationChannel()
        .setSampler(sampler)
        .setTargetNode(node ?? null)
        .setTargetPath("translation"),
    );
}

/** The box with features that a viewer must implement. */
const CHANGES: Readonly<Record<string, Change>> = {
  points: toPointsOrLines(0),
  lines: toPointsOrLines(1),
  animated: (document) => {
    addMove(document, "rise", [0, 3, 0]);
    addMove(document, "leave", [30, 0, 0]);
  },
  morphing: (document, primitive) => {
    const moved = Float32Array.from(primitive.getAttribute("POSITION")?.getArray() ?? []).fill(0);
    for (let offset = 1; offset < moved.length; offset += 3) moved[offset] = 4;
    const [buffer] = document.getRoot().listBuffers();
    const accessor = document
      .createAccessor()
      .setType("VEC3")
      .setArray(moved)
      .setBuffer(buffer ?? null);
    primitive.addTarget(document.createPrimitiveTarget().setAttribute("POSITION", accessor));
    document.getRoot().listMeshes()[0]?.setWeights([1]);
  },
  variants: (document, primitive) => {
    const variants = document.createExtension(KHRMaterialsVariants);
    primitive.setMaterial(plainMaterial(document, "red", RED));
    const mapping = variants.createMapping().setMaterial(plainMaterial(document, "blue", BLUE));
    mapping.addVariant(variants.createVariant("blue"));
    primitive.setExtension("KHR_materials_variants", variants.createMappingList().addMapping(mapping));
  },
  scenes: (document, primitive) => {
    primitive.setMaterial(plainMaterial(document, "red", RED));
    const blue = primitive.clone().setMaterial(plainMaterial(document, "blue", BLUE));
    const node = document.createNode("blue").setMesh(document.createMesh("blue").addPrimitive(blue));
    document.createScene("blue").addChild(node);
    document.getRoot().setDefaultScene(document.getRoot().listScenes()[0] ?? null);
  },
  // A matt red surface as described by older exporters.
  glossiness: (document, primitive) => {
    const glossiness = document
      .createExtension(KHRMaterialsPBRSpecularGlossiness)
      .createPBRSpecularGlossiness()
      .setDiffuseFactor(RED)
      .setSpecularFactor([0, 0, 0])
      .setGlossinessFactor(0);
    const material = document.createMaterial("red").setDoubleSided(true);
    primitive.setMaterial(material.setExtension("KHR_materials_pbrSpecularGlossiness", glossiness));
  },
  // Two materials with different transforms of the same texture.
  placed: (document, primitive) => {
    const transforms = document.createExtension(KHRTextureTransform);
    const material = primitive.getMaterial();
    const copy = primitive.clone().setMaterial(material?.clone() ?? null);
    for (const [index, eachPrimitive] of [primitive, copy].entries())
      eachPrimitive
        .getMaterial()
        ?.getBaseColorTextureInfo()
        ?.setExtension("KHR_texture_transform", transforms.createTransform().setOffset([index / 4, 0]));
    document.getRoot().listMeshes()[0]?.addPrimitive(copy);
  },
  // A thousand parts of one triangle, each with a material of its own.
  materials: (document, primitive) => {
    const [mesh] = document.getRoot().listMeshes();
    const [buffer] = document.getRoot().listBuffers();
    const corners = primitive.getIndices()?.getArray() ?? [];
    mesh?.removePrimitive(primitive);
    for (let part = 0; part < 1000; part++) {
      const index = (part * 3) % corners.length;
      const indices = document
        .createAccessor()
        .setType("SCALAR")
        .setArray(Uint16Array.from(corners.slice(index, index + 3)))
        .setBuffer(buffer ?? null);
      const material = plainMaterial(document, `red ${part}`, [0.8, part / 200_000, 0.005, 1]);
      mesh?.addPrimitive(primitive.clone().setIndices(indices).setMaterial(material));
    }
  },
  // A board of 2 × 2 × 8 m, in millimetres and with +Z upwards, as CAD programs write it.
  millimetres: (document) => {
    document.getRoot().listNodes()[0]?.setScale([1000, 1000, 4000]);
  },
};

/** Returns the files with the box in every structure, by the name of the file. */
export async function makeGltfFiles(): Promise<ReadonlyMap<string, Buffer>> {
  const io = await fileIo();
  const png = new Uint8Array(await encodeTexture("png"));
  const files = new Map<string, Buffer>();
  const write = async (name: string, document: Document) =>
    files.set(name, Buffer.from(await io.writeBinary(document)));
  const box = () => makeBox(png, "image/png").document;

  await write("plain", box());
  const transforms = { draco: draco(), quantized: quantize(), meshopt: meshopt({ encoder: MeshoptEncoder }) };
  for (const [name, transform] of Object.entries(transforms)) {
    const document = box();
    await document.transform(transform);
    await write(name, document);
  }
  // The Khronos extension of the same name has the same data as the older extension.
  const khronos = files.get("meshopt") ?? Buffer.alloc(0);
  files.set("khr-meshopt", renamed(khronos, "EXT_meshopt_compression", "KHR_meshopt_compression"));
  for (const [name, isUastc] of [
    ["etc1s", false],
    ["uastc", true],
  ] as const) {
    const { document } = makeBox(await encodeBasis(isUastc), "image/ktx2");
    document.createExtension(KHRTextureBasisu).setRequired(true);
    await write(name, document);
  }
  // With Zstandard compression, zeros cannot be unpacked. Without it, they reach the UASTC transcoder.
  for (const [name, isPacked] of [
    ["uastc-damaged", true],
    ["uastc-zeros", false],
  ] as const) {
    const { document } = makeBox(await zeroedBasis(isPacked), "image/ktx2");
    document.createExtension(KHRTextureBasisu).setRequired(true);
    await write(name, document);
  }
  const webp = makeBox(new Uint8Array(await encodeTexture("webp")), "image/webp").document;
  webp.createExtension(EXTTextureWebP).setRequired(true);
  await write("webp", webp);
  const avif = makeBox(new Uint8Array(await encodeTexture("avif")), "image/avif").document;
  avif.createExtension(EXTTextureAVIF).setRequired(true);
  await write("avif", avif);
  // The file's own material is red. The texture of the variant is decoded when the variant is chosen.
  const variantBox = makeBox(await encodeBasis(true), "image/ktx2");
  variantBox.document.createExtension(KHRTextureBasisu).setRequired(true);
  const variants = variantBox.document.createExtension(KHRMaterialsVariants);
  const mapping = variants.createMapping().setMaterial(variantBox.primitive.getMaterial());
  mapping.addVariant(variants.createVariant("halves"));
  variantBox.primitive
    .setMaterial(plainMaterial(variantBox.document, "red", RED))
    .setExtension("KHR_materials_variants", variants.createMappingList().addMapping(mapping));
  await write("variant-uastc", variantBox.document);
  variantBox.document
    .getRoot()
    .listTextures()[0]
    ?.setImage(await zeroedBasis(true));
  await write("variant-damaged", variantBox.document);
  const large = new Uint8Array(await sharp(png).resize(LARGE_SIDE, LARGE_SIDE).png().toBuffer());
  for (const [name, change] of Object.entries(CHANGES)) {
    const changedBox = makeBox(name === "placed" ? large : png, "image/png");
    change(changedBox.document, changedBox.primitive);
    await write(name, changedBox.document);
  }
  return files;
}

/** A file in which an extension's name is replaced by another one of the same length. */
function renamed(file: Buffer, from: string, to: string): Buffer {
  const copy = Buffer.from(file);
  for (let offset = copy.indexOf(from); offset >= 0; offset = copy.indexOf(from)) copy.write(to, offset);
  return copy;
}
