import {
  LinearFilter,
  LinearMipmapLinearFilter,
  RepeatWrapping,
  SRGBColorSpace,
  Texture,
  type WebGLRenderer,
} from "three";
import { isEquirectangular } from "~/domain/spaces/panorama-shape";
import { createAbortError } from "../core/abort";
import { ViewerError } from "../core/viewer-error";

/** Maximum width of a panorama's texture in pixels, in general and on touch devices. */
const IMAGE_WIDTH_MAX = 8192;
const IMAGE_WIDTH_MAX_TOUCH = 4096;

/**
 * Decodes an equirectangular image to a texture of at most the width that the device can show.
 * @throws ViewerError load_failed when the image is not about twice as wide as high; AbortError after an abort; the browser's error
 * for a file that is not an image
 */
export async function decodePanorama(
  file: Blob,
  { capabilities }: WebGLRenderer,
  signal: AbortSignal,
): Promise<Texture> {
  const isTouchDevice = matchMedia("(pointer: coarse)").matches;
  const widthMax = Math.min(
    capabilities.maxTextureSize,
    isTouchDevice ? IMAGE_WIDTH_MAX_TOUCH : IMAGE_WIDTH_MAX,
  );
  const bitmap = await createImageBitmap(file);
  const { width, height } = bitmap;
  if (!isEquirectangular(width, height)) {
    bitmap.close();
    throw new ViewerError(
      "load_failed",
      `A panorama must be twice as wide as high, not ${width} × ${height}.`,
    );
  }
  if (signal.aborted) {
    bitmap.close();
    throw createAbortError();
  }
  const texture = new Texture(width > widthMax ? shrinkImage(bitmap, widthMax) : bitmap);
  // WebGL cannot flip an ImageBitmap, so the sphere's texture coordinates count from the top.
  texture.flipY = false;
  texture.colorSpace = SRGBColorSpace;
  // The last column continues in the first one. Without this, a line would be visible behind the visitor.
  texture.wrapS = RepeatWrapping;
  texture.minFilter = LinearMipmapLinearFilter;
  texture.magFilter = LinearFilter;
  texture.anisotropy = Math.min(8, capabilities.getMaxAnisotropy());
  texture.needsUpdate = true;
  return texture;
}

/** Returns a smaller copy of an image and closes the original. */
function shrinkImage(bitmap: ImageBitmap, width: number): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = width / 2;
  const context = canvas.getContext("2d");
  if (context) {
    context.imageSmoothingQuality = "high";
    context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  }
  bitmap.close();
  return canvas;
}
