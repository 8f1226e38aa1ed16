/** Optimizes a GLB file: fewer triangles, smaller textures, compressed buffers. Runs in a worker and does not depend on the page. */
import {
  type Document,
  ImageUtils,
  Logger,
  type Primitive,
  PropertyType,
  type Texture,
  WebIO,
} from "@gltf-transform/core";
import { ALL_EXTENSIONS, EXTTextureWebP, KHRTextureBasisu } from "@gltf-transform/extensions";
import {
  cloneDocument,
  dedup,
  getTextureColorSpace,
  listTextureSlots,
  meshopt,
  prune,
  simplify,
  weld,
} from "@gltf-transform/functions";
import { MeshoptDecoder, MeshoptEncoder, MeshoptSimplifier } from "meshoptimizer";
import { gltfTriangles } from "~/domain/library/heavy-model";
import type { FileMeasurements } from "./conversion";
import type { ReportProgress } from "./run-worker";
import type { Work } from "./time-limit";

/** Maximum number of triangles, and maximum bytes of buffers and textures, with which phones can show a model. */
export const PHONE_TRIANGLES_MAX = 500_000;
export const GRAPHICS_MAX_BYTES = 300 * 1024 * 1024;
/** Maximum size of the preview that viewers show first, in bytes. */
const PREVIEW_BYTES = 1.5 * 1024 * 1024;
const PREVIEW_TRIANGLES_MAX = 30_000;
const PREVIEW_TEXTURE_SIDE = 256;
/** Pixels of a texture's longer side at the lowest and the highest quality. */
const TEXTURE_SIDES = { least: 512, most: 2048 } as const;
/**
 * Maximum uncompressed size of all textures of a model, in bytes. In a model with more, textures from KTX2_SIDE_MIN pixels on become KTX2, which stays
 * compressed in graphics memory but needs a decoder of 275 KB. All other textures become WebP, which is a smaller download.
 */
const UNPACKED_TEXTURES_MAX = 64 * 1024 * 1024;
const KTX2_SIDE_MIN = 1024;
/** Number of pixels across a model that fills a large screen. An error of one pixel is invisible. */
const SCREEN_PIXELS = 1500;

/** Encoding settings of a texture. */
export interface TextureTarget {
  readonly mimeType: "image/webp" | "image/ktx2";
  /** Maximum length of the longer side, in pixels. */
  readonly maxSide: number;
  /** Quality, 0…1. */
  readonly quality: number;
  readonly isNormalMap: boolean;
  /** Whether the texture contains sRGB colours, and not numbers. */
  readonly isColour: boolean;
}

/** Encodes textures in another size and format. Resolves to null for those that cannot be read or written. */
export type TextureCodec = (
  bytes: Uint8Array<ArrayBuffer>,
  mimeType: string,
  target: TextureTarget,
) => Promise<Uint8Array<ArrayBuffer> | null>;

/** Input of the optimizer. */
export interface OptimizeInput {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Quality, 0…1. */
  readonly quality: number;
  readonly textures: TextureCodec;
  /** Loads the Draco decoder. It is called for files that declare Draco meshes. */
  readonly draco: () => Promise<unknown>;
  readonly onProgress: ReportProgress;
}

/** An optimized model. The files are GLB. */
export interface OptimizedModel {
  readonly display: Uint8Array<ArrayBuffer>;
  /** Smaller version that is shown first. Null when the model itself is small enough, and when no small preview could be created. */
  readonly preview: Uint8Array<ArrayBuffer> | null;
  readonly before: FileMeasurements;
  readonly after: FileMeasurements;
}

/** Returns the value at a share, 0…1, of a range. */
const interpolate = (least: number, most: number, share: number) => least + (most - least) * share;

async function openIo(): Promise<WebIO> {
  await Promise.all([MeshoptDecoder.ready, MeshoptEncoder.ready, MeshoptSimplifier.ready]);
  return new WebIO()
    .setLogger(new Logger(Logger.Verbosity.SILENT))
    .registerExtensions(ALL_EXTENSIONS)
    .registerDependencies({ "meshopt.decoder": MeshoptDecoder, "meshopt.encoder": MeshoptEncoder });
}

const DRACO = "KHR_draco_mesh_compression";

/** Reads a GLB file and decodes its meshes. */
async function readModel(io: WebIO, { bytes, draco, onProgress }: OptimizeInput): Promise<Document> {
  const file = await io.binaryToJSON(bytes);
  const triangles = gltfTriangles(file.json as unknown as Readonly<Record<string, unknown>>);
  onProgress(0.02, "read", { triangles, bytes: bytes.length });
  if (file.json.extensionsUsed?.includes(DRACO))
    io.registerDependencies({ "draco3d.decoder": await draco() });
  const document = await io.readJSON(file);
  // The result is packed with meshopt instead.
  for (const extension of document.getRoot().listExtensionsUsed())
    if (extension.extensionName === DRACO) extension.dispose();
  return document;
}

/** Counts the triangles of a primitive by its mode (glTF 2.0 §3.7.2.1): 4 for separate triangles, 5 for strips, 6 for fans. */
function countPrimitiveTriangles(primitive: Primitive): number {
  const count = (primitive.getIndices() ?? primitive.getAttribute("POSITION"))?.getCount() ?? 0;
  const mode = primitive.getMode();
  if (mode === 4) return Math.floor(count / 3);
  return mode === 5 || mode === 6 ? Math.max(0, count - 2) : 0;
}

/** Counts the drawn triangles: those of a mesh count for each node that uses it. */
export function countTriangles(document: Document): number {
  let triangles = 0;
  for (const node of document.getRoot().listNodes())
    for (const primitive of node.getMesh()?.listPrimitives() ?? [])
      triangles += countPrimitiveTriangles(primitive);
  return triangles;
}

/** Returns the amount of work for a call that processes the whole model: each mesh counts once. */
const measureWork = (document: Document) => ({
  triangles: document
    .getRoot()
    .listMeshes()
    .flatMap((mesh) => mesh.listPrimitives())
    .reduce((sum, primitive) => sum + countPrimitiveTriangles(primitive), 0),
});

/** Returns the bytes of an image with its mipmaps. */
const mipmappedBytes = ([width, height]: readonly [number, number], bytesPerPixel: number) =>
  width * height * bytesPerPixel * (4 / 3);

/** Bytes of a pixel in graphics memory without compression. */
const UNPACKED_PIXEL_BYTES = 4;

/** Returns the bytes of a texture in graphics memory. KTX2 stays compressed there (ETC, BC or ASTC). Everything else is uncompressed. */
function textureBytes(texture: Texture): number {
  const image = texture.getImage();
  if (image && texture.getMimeType() === "image/ktx2")
    return ImageUtils.getVRAMByteLength(image, "image/ktx2") ?? 0;
  return mipmappedBytes(texture.getSize() ?? [0, 0], UNPACKED_PIXEL_BYTES);
}

const bufferBytes = (document: Document): number =>
  document
    .getRoot()
    .listAccessors()
    .reduce((sum, accessor) => sum + (accessor.getArray()?.byteLength ?? 0), 0);

/** Estimates the bytes of buffers and textures in graphics memory, with attributes as they are stored. */
export function estimateGraphicsBytes(document: Document): number {
  const textures = document.getRoot().listTextures();
  return Math.round(textures.reduce((sum, texture) => sum + textureBytes(texture), bufferBytes(document)));
}

const measureModel = (document: Document, bytes: number): FileMeasurements => ({
  bytes,
  triangles: countTriangles(document),
  graphicsBytes: estimateGraphicsBytes(document),
});

/**
 * Simplifies with meshoptimizer's regular simplifier, which stops at seams. If far more triangles than requested remain, the result of its coarser
 * simplifier is used.
 * @param allowsCoarse whether the coarser one may be used
 * @param onMesh called before and after each mesh with its number of triangles
 */
const createSimplifier = (allowsCoarse: boolean, onMesh: (triangles: number) => void) => ({
  ready: MeshoptSimplifier.ready,
  supported: MeshoptSimplifier.supported,
  simplifyPoints: MeshoptSimplifier.simplifyPoints,
  compactMesh: MeshoptSimplifier.compactMesh,
  simplify(indices: Uint32Array, positions: Float32Array, stride: number, target: number, error: number) {
    onMesh(indices.length / 3);
    const [fineResult, fineError] = MeshoptSimplifier.simplify(indices, positions, stride, target, error, [
      "Prune",
    ]);
    // The remaining triangles are copied afterwards.
    onMesh(indices.length / 3);
    if (!allowsCoarse || fineResult.length <= Math.max(2 * target, 300))
      return [fineResult, fineError] as const;
    const [coarseResult, coarseError] = MeshoptSimplifier.simplifySloppy(
      indices,
      positions,
      stride,
      null,
      target,
      error,
    );
    // An empty result would remove the mesh, so the finer result is kept.
    return coarseResult.length === 0
      ? ([fineResult, fineError] as const)
      : ([coarseResult, coarseError] as const);
  },
});

/**
 * Simplifies towards `target` triangles by increasing the allowed error. More may remain.
 * @param error initial error as a share of a mesh's size
 * @param onMesh called before each pass over the model, and before and after each mesh, with the number of triangles
 */
async function simplifyTo(
  document: Document,
  target: number,
  error: number,
  onMesh: (triangles: number) => void,
): Promise<void> {
  for (let allowedError = error; ; allowedError *= 4) {
    const triangles = countTriangles(document);
    if (triangles <= target) return;
    const isLast = allowedError >= 0.25;
    const options = {
      ratio: target / triangles,
      error: Math.min(1, allowedError),
      simplifier: createSimplifier(isLast, onMesh),
    };
    onMesh(measureWork(document).triangles);
    await document.transform(simplify(options));
    if (isLast) return;
  }
}

/** Whether browsers can decode a texture, so that it can be encoded again. */
const isReadable = (texture: Texture) => /^image\/(png|jpeg|webp)$/.test(texture.getMimeType());

/** Returns the size of a texture whose longer side has at most `maxSide` pixels. */
function fitSize(texture: Texture, maxSide: number): readonly [number, number] {
  const [width, height] = texture.getSize() ?? [0, 0];
  const scale = Math.min(1, maxSide / Math.max(width, height, 1));
  return [width * scale, height * scale];
}

/** Returns the textures that become KTX2 when no side has more than `maxSide` pixels. */
function listCompressedTextures(document: Document, maxSide: number): ReadonlySet<Texture> {
  const textures = document.getRoot().listTextures();
  const unpackedBytes = textures
    .filter(isReadable)
    .reduce((sum, texture) => sum + mipmappedBytes(fitSize(texture, maxSide), UNPACKED_PIXEL_BYTES), 0);
  if (unpackedBytes <= UNPACKED_TEXTURES_MAX) return new Set();
  return new Set(
    textures.filter(
      (texture) => isReadable(texture) && Math.max(...fitSize(texture, maxSide)) >= KTX2_SIDE_MIN,
    ),
  );
}

/** Returns the bytes of a pixel in compressed blocks: 0.5 in ETC1S without transparency, otherwise 1. Only JPEG is known to have no transparency. */
const blockPixelBytes = (texture: Texture): number =>
  texture.getMimeType() === "image/jpeg" && !isNormalMap(texture) ? 0.5 : 1;

const isNormalMap = (texture: Texture): boolean => listTextureSlots(texture).includes("normalTexture");

/**
 * Encodes all textures that browsers can decode, with at most `maxSide` pixels on a side. A texture that needs neither KTX2 nor fewer pixels is
 * replaced only by a smaller file.
 * @param onShare called before each texture with the finished share and the amount of the next work
 */
async function shrinkTextures(
  document: Document,
  codec: TextureCodec,
  maxSide: number,
  quality: number,
  onShare: (share: number, work: Work) => void,
): Promise<void> {
  const textures = document.getRoot().listTextures();
  const compressed = listCompressedTextures(document, maxSide);
  for (const [index, texture] of textures.entries()) {
    const bytes = texture.getImage();
    const isCompressed = compressed.has(texture);
    const [width, height] = texture.getSize() ?? [0, 0];
    const [newWidth, newHeight] = fitSize(texture, maxSide);
    onShare(index / textures.length, {
      pixels: width * height,
      ...(isCompressed && { ktx2Pixels: newWidth * newHeight }),
    });
    if (bytes && isReadable(texture)) {
      const isNormal = isNormalMap(texture);
      const encoded = await codec(bytes, texture.getMimeType(), {
        mimeType: isCompressed ? "image/ktx2" : "image/webp",
        maxSide,
        // Errors in normals are visible as waves on smooth surfaces.
        quality: isNormal ? Math.max(quality, 0.9) : quality,
        isNormalMap: isNormal,
        isColour: getTextureColorSpace(texture) === "srgb",
      });
      const isTooLarge = Math.max(width, height) > maxSide;
      if (encoded && (isCompressed || isTooLarge || encoded.length < bytes.length)) {
        texture.setImage(encoded).setMimeType(isCompressed ? "image/ktx2" : "image/webp");
        if (texture.getURI()) texture.setURI("");
      }
    }
  }
  const hasTexture = (mimeType: string) => textures.some((texture) => texture.getMimeType() === mimeType);
  if (hasTexture("image/webp")) document.createExtension(EXTTextureWebP).setRequired(true);
  if (hasTexture("image/ktx2")) document.createExtension(KHRTextureBasisu).setRequired(true);
}

/** Returns the requested texture side, halved as often as GRAPHICS_MAX_BYTES requires, but not below 32 pixels. */
function findFittingSide(document: Document, requestedSide: number): number {
  const buffers = bufferBytes(document);
  const graphicsBytesFor = (side: number) => {
    const compressed = listCompressedTextures(document, side);
    return document
      .getRoot()
      .listTextures()
      .reduce((sum, texture) => {
        if (!isReadable(texture)) return sum + textureBytes(texture);
        const bytesPerPixel = compressed.has(texture) ? blockPixelBytes(texture) : UNPACKED_PIXEL_BYTES;
        return sum + mipmappedBytes(fitSize(texture, side), bytesPerPixel);
      }, buffers);
  };
  let side = requestedSide;
  while (side > 64 && graphicsBytesFor(side) > GRAPHICS_MAX_BYTES) side /= 2;
  return side;
}

const PACKED = { encoder: MeshoptEncoder, level: "medium" } as const;

/** Creates the preview. Returns null when it would not become small enough. */
async function createPreview(
  document: Document,
  io: WebIO,
  codec: TextureCodec,
  onWork: (work: Work) => void,
): Promise<Uint8Array<ArrayBuffer> | null> {
  let [triangles, side] = [PREVIEW_TRIANGLES_MAX, PREVIEW_TEXTURE_SIDE];
  for (let tries = 0; tries < 4; tries++, triangles /= 3, side /= 2) {
    onWork(measureWork(document));
    const smallDocument = cloneDocument(document);
    // The preview is shown only briefly, so it needs no animations.
    for (const animation of smallDocument.getRoot().listAnimations()) animation.dispose();
    await simplifyTo(smallDocument, triangles, 0.01, (count) => onWork({ triangles: count }));
    await shrinkTextures(smallDocument, codec, side, 0.5, (_, work) => onWork(work));
    onWork(measureWork(smallDocument));
    await smallDocument.transform(prune({ keepSolidTextures: true }), meshopt(PACKED));
    const bytes = await io.writeBinary(smallDocument);
    if (bytes.length <= PREVIEW_BYTES) return bytes;
  }
  return null;
}

/**
 * Creates a smaller version of a model for the limits PHONE_TRIANGLES_MAX and GRAPHICS_MAX_BYTES, and a preview. Animations, variants and cameras are
 * kept, and equal materials are merged.
 * @throws errors of glTF-Transform for a file that it cannot read; RangeError without memory
 */
export async function optimizeModel(input: OptimizeInput): Promise<OptimizedModel> {
  const { bytes, quality, textures, onProgress } = input;
  onProgress(0, "read");
  const io = await openIo();
  const document = await readModel(io, input);
  const before = measureModel(document, bytes.length);
  onProgress(0.1, "decode", measureWork(document));
  await document.transform(
    dedup({
      propertyTypes: [PropertyType.ACCESSOR, PropertyType.MESH, PropertyType.TEXTURE, PropertyType.MATERIAL],
    }),
  );
  onProgress(0.15, "decode", measureWork(document));
  await document.transform(weld());
  onProgress(0.25, "decode", measureWork(document));
  await document.transform(prune({ keepSolidTextures: true }));
  const target = Math.round(interpolate(100_000, PHONE_TRIANGLES_MAX, quality));
  await simplifyTo(document, target, interpolate(4, 0.5, quality) / SCREEN_PIXELS, (triangles) =>
    onProgress(0.3, "simplify", { triangles }),
  );
  // The preview must be created before the textures are encoded, because KTX2 cannot be decoded again.
  const preview = await createPreview(document, io, textures, (work) => onProgress(0.5, "textures", work));
  onProgress(0.6, "textures");
  const side = findFittingSide(document, interpolate(TEXTURE_SIDES.least, TEXTURE_SIDES.most, quality));
  await shrinkTextures(document, textures, Math.round(side), interpolate(0.5, 0.9, quality), (share, work) =>
    onProgress(0.6 + 0.25 * share, "textures", work),
  );
  onProgress(0.85, "compress", measureWork(document));
  await document.transform(meshopt(PACKED));
  onProgress(0.95, "write", measureWork(document));
  const display = await io.writeBinary(document);
  return {
    display,
    preview: display.length <= PREVIEW_BYTES ? null : preview,
    before,
    after: measureModel(document, display.length),
  };
}
