/** Converts images and panoramas in a web worker. */
import type { Conversion, ConversionInput, Converter } from "./conversion";
import type { ConvertedImage, ImageTask } from "./panorama/image.worker";
import { runWorker } from "./run-worker";

async function runImageWorker(input: ConversionInput, result: ImageTask["result"]): Promise<Conversion> {
  const { file, fileName, mimeType, companions, quality } = input;
  const task: ImageTask = { result, file, fileName, mimeType, companions: [...companions], quality };
  const converted = await runWorker<ConvertedImage>(
    () => new Worker(new URL("./panorama/image.worker.ts", import.meta.url), { type: "module" }),
    task,
    input,
  );
  return { ...converted, losses: [] };
}

/** Converts an image to a format that every browser can show. A large panorama also gets tiles. */
export const convertImage: Converter = (input) => runImageWorker(input, "image");

/**
 * Creates one equirectangular image from a whole or cropped panorama, a cubemap in one image, or six faces (the file and five companions).
 * Rejects with "unsupported_feature" for other images: values.reason is "fisheye" for an unstitched image of two lenses, otherwise "not_panorama".
 */
export const convertPanorama: Converter = (input) => runImageWorker(input, "panorama");
