/** Web worker that optimizes models. It keeps the page responsive, and a model that is too large crashes only the worker. */
import wasmUrl from "three/examples/jsm/libs/draco/gltf/draco_decoder.wasm?url";
import createDecoder from "three/examples/jsm/libs/draco/gltf/draco_wasm_wrapper.js";
import { ConversionError, ConverterLoadError } from "./conversion";
import { type OptimizedModel, optimizeModel, type TextureCodec } from "./optimize-model.client";
import { serveWorker } from "./serve-worker";

/** Message from the page to the worker. */
export interface OptimizeGlbRequest {
  readonly file: Blob;
  /** Quality, 0…1. */
  readonly quality: number;
}

/** Side of a block in compressed textures, in pixels (KHR_texture_basisu). */
const BLOCK_SIDE = 4;

/** Returns the size of an image reduced to `maxSide`, in multiples of `unit`. */
function fitSize({ width, height }: ImageBitmap, maxSide: number, unit: number): [number, number] {
  const scale = Math.min(1, maxSide / Math.max(width, height));
  const fitSide = (side: number) => Math.max(unit, Math.round((side * scale) / unit) * unit);
  return [fitSide(width), fitSide(height)];
}

/** Decodes and resizes textures with the browser. In browsers that cannot encode WebP, textures stay unchanged unless they become KTX2. */
const canvasCodec: TextureCodec = async (bytes, mimeType, target) => {
  const blob = new Blob([bytes], { type: mimeType });
  let image: ImageBitmap;
  try {
    image = await createImageBitmap(blob, { premultiplyAlpha: "none", colorSpaceConversion: "none" });
  } catch {
    return null;
  }
  try {
    const isKtx2 = target.mimeType === "image/ktx2";
    const [width, height] = fitSize(image, target.maxSide, isKtx2 ? BLOCK_SIDE : 1);
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext("2d", { colorSpace: "srgb", willReadFrequently: isKtx2 });
    if (!context) return null;
    context.imageSmoothingQuality = "high";
    context.drawImage(image, 0, 0, width, height);
    if (isKtx2) {
      const { encodeKtx2 } = await import("./ktx2-encoder.client");
      const { data } = context.getImageData(0, 0, width, height);
      return new Uint8Array(await encodeKtx2({ data: new Uint8Array(data.buffer), width, height }, target));
    }
    const encoded = await canvas.convertToBlob({ type: "image/webp", quality: target.quality });
    return encoded.type === "image/webp" ? new Uint8Array(await encoded.arrayBuffer()) : null;
  } finally {
    image.close();
  }
};

/** Fetches the WebAssembly file of the Draco decoder, which the viewer uses as well. */
async function fetchDracoDecoder(): Promise<ArrayBuffer> {
  try {
    const response = await fetch(wasmUrl);
    if (response.ok) return await response.arrayBuffer();
    throw new TypeError(`Status ${response.status}`);
  } catch (cause) {
    throw new ConverterLoadError(`The Draco decoder cannot be fetched: ${cause}`, { cause });
  }
}

const loadDracoDecoder = async (): Promise<unknown> =>
  createDecoder({ wasmBinary: await fetchDracoDecoder() });

/** Converts an error of the optimizer to a ConversionError. Browsers report a lack of memory with several different messages. */
function toConversionError(error: unknown): ConversionError {
  const text = String(error);
  if (
    error instanceof RangeError ||
    /allocation|out of memory|array length|array buffer|memory access|grow/i.test(text)
  )
    return new ConversionError("out_of_memory", text);
  if (/missing (required )?(extension|dependency)|unsupported/i.test(text))
    return new ConversionError("unsupported_feature", text);
  return new ConversionError("damaged", text);
}

serveWorker<OptimizeGlbRequest, OptimizedModel>(async ({ file, quality }, report) => {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return optimizeModel({
    bytes,
    quality,
    textures: canvasCodec,
    draco: loadDracoDecoder,
    onProgress: report,
  });
}, toConversionError);
