/** Makes a lighter model of a GLB file: fewer triangles, smaller textures, packed buffers. Runs in a worker; knows no page. */
import {
  type Document,
  Logger,
  type Primitive,
  PropertyType,
  type Texture,
  WebIO,
} from "@gltf-transform/core";
import { ALL_EXTENSIONS, EXTTextureWebP } from "@gltf-transform/extensions";
import { cloneDocument, dedup, meshopt, prune, simplify, weld } from "@gltf-transform/functions";
import { MeshoptDecoder, MeshoptEncoder, MeshoptSimplifier } from "meshoptimizer";
import type { ConversionStep, FileFacts } from "./contract";

/** Triangles that phones draw at once, and bytes of buffers and textures that they hold. */
export const TRIANGLES_MAX = 500_000;
export const GRAPHICS_MAX_BYTES = 300 * 1024 * 1024;
/** Bytes of the smaller version that viewers show first. */
const PREVIEW_BYTES = 1.5 * 1024 * 1024;
const PREVIEW_TRIANGLES = 30_000;
const PREVIEW_TEXTURE = 256;
/** Pixels of a texture's longer side at the lowest and the highest quality. */
const TEXTURE = { least: 512, most: 2048 } as const;
/** Pixels that the whole model covers on a large screen: an error of one of them is not seen. */
const SCREEN_PIXELS = 1500;

/** Writes textures in another size; null for those that cannot be read. */
export type TextureCodec = (
  bytes: Uint8Array<ArrayBuffer>,
  mimeType: string,
  maxSide: number,
  quality: number,
) => Promise<{
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly mimeType: "image/webp";
  readonly width: number;
  readonly height: number;
} | null>;

export interface OptimizeInput {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** 0…1 */
  readonly quality: number;
  readonly textures: TextureCodec;
  /** Starts the decoder of Draco, for files that declare it. */
  readonly draco: () => Promise<unknown>;
  onProgress(share: number, step: ConversionStep): void;
}

export interface OptimizedModel {
  readonly display: Uint8Array<ArrayBuffer>;
  /** Null where the model itself is that small. */
  readonly preview: Uint8Array<ArrayBuffer> | null;
  readonly before: FileFacts;
  readonly after: FileFacts;
}

const between = (least: number, most: number, share: number) => least + (most - least) * share;

async function openIo(): Promise<WebIO> {
  await Promise.all([MeshoptDecoder.ready, MeshoptEncoder.ready, MeshoptSimplifier.ready]);
  return new WebIO()
    .setLogger(new Logger(Logger.Verbosity.SILENT))
    .registerExtensions(ALL_EXTENSIONS)
    .registerDependencies({ "meshopt.decoder": MeshoptDecoder, "meshopt.encoder": MeshoptEncoder });
}

const DRACO = "KHR_draco_mesh_compression";

/** Whether a GLB file declares that its meshes are packed by Draco (glTF 2.0 §4.4). */
function usesDraco(bytes: Uint8Array): boolean {
  if (bytes.length < 20) return false;
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(12, true);
  return new TextDecoder().decode(bytes.subarray(20, 20 + length)).includes(DRACO);
}

/** Reads a model. Draco is taken off, because the result is packed by meshopt. */
async function readModel(io: WebIO, bytes: Uint8Array<ArrayBuffer>, draco: () => Promise<unknown>) {
  if (usesDraco(bytes)) io.registerDependencies({ "draco3d.decoder": await draco() });
  const document = await io.readBinary(bytes);
  for (const extension of document.getRoot().listExtensionsUsed())
    if (extension.extensionName === DRACO) extension.dispose();
  return document;
}

/** Triangles of a primitive, by its mode (glTF 2.0 §3.7.2.1). */
function trianglesOf(primitive: Primitive): number {
  const count = (primitive.getIndices() ?? primitive.getAttribute("POSITION"))?.getCount() ?? 0;
  const mode = primitive.getMode();
  if (mode === 4) return Math.floor(count / 3);
  return mode === 5 || mode === 6 ? Math.max(0, count - 2) : 0;
}

/** Triangles that are drawn: those of a mesh count as often as nodes show it. */
export function countTriangles(document: Document): number {
  let triangles = 0;
  for (const node of document.getRoot().listNodes())
    for (const primitive of node.getMesh()?.listPrimitives() ?? []) triangles += trianglesOf(primitive);
  return triangles;
}

/** Bytes of a pixel in a graphics card: KTX2 textures stay packed there. */
const pixelBytes = (texture: Texture) => (texture.getMimeType() === "image/ktx2" ? 1 : 4);
/** Bytes of a texture with its smaller versions. */
const textureBytes = (texture: Texture, [width, height]: readonly [number, number]) =>
  width * height * pixelBytes(texture) * (4 / 3);
/** Pixels of a texture; none for one that cannot be read, which viewers show as white. */
function sizeOf(texture: Texture): readonly [number, number] {
  try {
    return texture.getSize() ?? [0, 0];
  } catch {
    return [0, 0];
  }
}

/** Bytes of buffers and textures in a graphics card, estimated: textures unpacked, attributes as they are stored. */
export function graphicsBytes(document: Document): number {
  const root = document.getRoot();
  const used = root
    .listAccessors()
    .reduce((sum, accessor) => sum + (accessor.getArray()?.byteLength ?? 0), 0);
  const pixels = root
    .listTextures()
    .reduce((sum, texture) => sum + textureBytes(texture, sizeOf(texture)), 0);
  return Math.round(used + pixels);
}

const factsOf = (document: Document, bytes: number): FileFacts => ({
  bytes,
  triangles: countTriangles(document),
  graphicsBytes: graphicsBytes(document),
});

/**
 * The library's simplifier, which gives up at seams. Where it leaves far more than was asked for, the result of a coarser one is taken.
 * @param coarse whether that may be
 */
const simplifierFor = (coarse: boolean) => ({
  ready: MeshoptSimplifier.ready,
  supported: MeshoptSimplifier.supported,
  simplifyPoints: MeshoptSimplifier.simplifyPoints,
  compactMesh: MeshoptSimplifier.compactMesh,
  simplify(indices: Uint32Array, positions: Float32Array, stride: number, target: number, error: number) {
    const [fine, reached] = MeshoptSimplifier.simplify(indices, positions, stride, target, error, ["Prune"]);
    if (!coarse || fine.length <= Math.max(2 * target, 300)) return [fine, reached] as const;
    const [rough, miss] = MeshoptSimplifier.simplifySloppy(indices, positions, stride, null, target, error);
    // An empty result would remove the mesh, so the finer result is kept.
    return rough.length === 0 ? ([fine, reached] as const) : ([rough, miss] as const);
  },
});

/** Simplifies to at most `target` triangles by raising the allowed error. @param error initial share of a mesh's size */
async function simplifyTo(document: Document, target: number, error: number): Promise<void> {
  for (let allowed = error; ; allowed *= 4) {
    const triangles = countTriangles(document);
    if (triangles <= target) return;
    const isLast = allowed >= 0.25;
    const options = {
      ratio: target / triangles,
      error: Math.min(1, allowed),
      simplifier: simplifierFor(isLast),
    };
    await document.transform(simplify(options));
    if (isLast) return;
  }
}

/** Whether a texture can be written in another size. KTX2 and AVIF textures stay as they are. */
const isShrunk = (texture: Texture) => /^image\/(png|jpeg|webp)$/.test(texture.getMimeType());

/** Writes all textures that browsers can read as WebP, no larger than `maxSide`. One that would grow by it stays. */
async function shrinkTextures(
  document: Document,
  codec: TextureCodec,
  maxSide: number,
  quality: number,
  onShare: (share: number) => void,
): Promise<void> {
  const textures = document.getRoot().listTextures();
  let isWebP = false;
  for (const [index, texture] of textures.entries()) {
    const bytes = texture.getImage();
    const [width, height] = sizeOf(texture);
    if (bytes && isShrunk(texture)) {
      const made = await codec(bytes, texture.getMimeType(), maxSide, qualityOf(texture, quality));
      if (made && (made.bytes.length < bytes.length || Math.max(width, height) > maxSide)) {
        texture.setImage(made.bytes).setMimeType(made.mimeType);
        if (texture.getURI()) texture.setURI("");
      }
    }
    isWebP ||= texture.getMimeType() === "image/webp";
    onShare((index + 1) / textures.length);
  }
  if (isWebP) document.createExtension(EXTTextureWebP).setRequired(true);
}

/** Errors in normals are seen as waves on what is smooth. */
const qualityOf = (texture: Texture, quality: number): number =>
  texture
    .listParents()
    .some(
      (parent) =>
        "getNormalTexture" in parent &&
        (parent as { getNormalTexture(): unknown }).getNormalTexture() === texture,
    )
    ? Math.max(quality, 0.9)
    : quality;

/** The largest side of textures by which the model stays within what phones hold. */
function sideWithin(document: Document, wanted: number): number {
  const root = document.getRoot();
  const buffers = root
    .listAccessors()
    .reduce((sum, accessor) => sum + (accessor.getArray()?.byteLength ?? 0), 0);
  const at = (side: number) =>
    root.listTextures().reduce((sum, texture) => {
      const [width, height] = sizeOf(texture);
      const scale = isShrunk(texture) ? Math.min(1, side / Math.max(width, height, 1)) : 1;
      return sum + textureBytes(texture, [width * scale, height * scale]);
    }, buffers);
  let side = wanted;
  while (side > 64 && at(side) > GRAPHICS_MAX_BYTES) side /= 2;
  return side;
}

const PACKED = { encoder: MeshoptEncoder, level: "medium" } as const;

/** The smaller version: what is seen of the model at a glance. Null where it would not become small enough. */
async function previewOf(
  document: Document,
  io: WebIO,
  codec: TextureCodec,
): Promise<Uint8Array<ArrayBuffer> | null> {
  let [triangles, side] = [PREVIEW_TRIANGLES, PREVIEW_TEXTURE];
  for (let tries = 0; tries < 4; tries++, triangles /= 3, side /= 2) {
    const small = cloneDocument(document);
    // The preview is shown only briefly, so it needs no animations.
    for (const animation of small.getRoot().listAnimations()) animation.dispose();
    await simplifyTo(small, triangles, 0.01);
    await shrinkTextures(small, codec, side, 0.5, () => {});
    await small.transform(prune({ keepSolidTextures: true }), meshopt(PACKED));
    const bytes = await io.writeBinary(small);
    if (bytes.length <= PREVIEW_BYTES) return bytes;
  }
  return null;
}

/**
 * A lighter model: at most TRIANGLES_MAX triangles and GRAPHICS_MAX_BYTES, with a smaller version to be shown first. Materials, animations,
 * variants and cameras stay as they are.
 * @throws whatever glTF-Transform throws of a file that it cannot read; RangeError without memory
 */
export async function optimizeModel({
  bytes,
  quality,
  textures,
  draco,
  onProgress,
}: OptimizeInput): Promise<OptimizedModel> {
  onProgress(0, "read");
  const io = await openIo();
  const document = await readModel(io, bytes, draco);
  const before = factsOf(document, bytes.length);
  onProgress(0.1, "decode");
  await document.transform(
    dedup({
      propertyTypes: [PropertyType.ACCESSOR, PropertyType.MESH, PropertyType.TEXTURE, PropertyType.MATERIAL],
    }),
    weld(),
    prune({ keepSolidTextures: true }),
  );
  onProgress(0.3, "simplify");
  const target = Math.round(between(100_000, TRIANGLES_MAX, quality));
  await simplifyTo(document, target, between(4, 0.5, quality) / SCREEN_PIXELS);
  onProgress(0.5, "textures");
  const side = sideWithin(document, between(TEXTURE.least, TEXTURE.most, quality));
  await shrinkTextures(document, textures, Math.round(side), between(0.5, 0.9, quality), (share) =>
    onProgress(0.5 + 0.2 * share, "textures"),
  );
  onProgress(0.7, "compress");
  const preview = await previewOf(document, io, textures);
  onProgress(0.85, "compress");
  await document.transform(meshopt(PACKED));
  onProgress(0.95, "write");
  const display = await io.writeBinary(document);
  return {
    display,
    preview: display.length <= PREVIEW_BYTES ? null : preview,
    before,
    after: factsOf(document, display.length),
  };
}
