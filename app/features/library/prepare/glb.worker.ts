/** Worker that optimizes models. The page stays usable meanwhile, and a model that is too large crashes only the worker. */
import dracoWasm from "three/examples/jsm/libs/draco/gltf/draco_decoder.wasm?url";
import { optimizeModel, type TextureCodec } from "./optimize-model.client";

/** Message from the page to the worker. */
export interface OptimizeRequest {
  readonly file: Blob;
  readonly quality: number;
}

const scope = self as unknown as {
  postMessage(message: unknown, transfer?: readonly Transferable[]): void;
  onmessage: ((event: MessageEvent<OptimizeRequest>) => void) | null;
};

/** A codec of the browser's own. Browsers that write no WebP leave textures as they are. */
const canvasCodec: TextureCodec = async (bytes, mimeType, maxSide, quality) => {
  const blob = new Blob([bytes], { type: mimeType });
  let image: ImageBitmap;
  try {
    image = await createImageBitmap(blob, { premultiplyAlpha: "none", colorSpaceConversion: "none" });
  } catch {
    return null;
  }
  try {
    const scale = Math.min(1, maxSide / Math.max(image.width, image.height));
    const [width, height] = [image.width, image.height].map((side) => Math.max(1, Math.round(side * scale)));
    if (!width || !height) return null;
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext("2d", { colorSpace: "srgb" });
    if (!context) return null;
    context.imageSmoothingQuality = "high";
    context.drawImage(image, 0, 0, width, height);
    const made = await canvas.convertToBlob({ type: "image/webp", quality });
    if (made.type !== "image/webp") return null;
    return { bytes: new Uint8Array(await made.arrayBuffer()), mimeType: "image/webp", width, height };
  } finally {
    image.close();
  }
};

/** The decoder of Draco that the viewer uses. */
async function draco(): Promise<unknown> {
  const { default: createDecoder } = await import("three/examples/jsm/libs/draco/gltf/draco_wasm_wrapper.js");
  const response = await fetch(dracoWasm);
  if (!response.ok) throw new Error(`The decoder of Draco did not come: ${response.status}`);
  return createDecoder({ wasmBinary: await response.arrayBuffer() });
}

scope.onmessage = async ({ data }) => {
  try {
    const bytes = new Uint8Array(await data.file.arrayBuffer());
    const { quality } = data;
    const onProgress = (share: number, step: string) => scope.postMessage({ is: "progress", share, step });
    const made = await optimizeModel({ bytes, quality, textures: canvasCodec, draco, onProgress });
    scope.postMessage({ is: "done", made });
  } catch (error) {
    const { name, message } = error instanceof Error ? error : { name: "Error", message: String(error) };
    scope.postMessage({ is: "failed", name, message });
  }
};
