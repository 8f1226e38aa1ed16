/** Decoders of images, in a worker. Decoders that browsers lack are loaded when a file needs them. */
import { readImageSize } from "~/domain/library/formats/image-size";
import { IMAGE_PIXELS_MAX, IMAGE_SIDE_MAX } from "~/domain/shared/limits";
import { ConversionError } from "../conversion";
import type { Work } from "../time-limit";

/** A decoded image in its upright orientation. */
export interface DecodedImage {
  readonly source: ImageBitmap | OffscreenCanvas;
  readonly width: number;
  readonly height: number;
}

/** When an image with more pixels cannot be decoded, a lack of memory is assumed instead of a damaged file. */
const LARGE_PIXELS = 40_000_000;
/** Time that libheif needs compared with browsers' decoders, as a factor: it runs in a single thread of WebAssembly. */
const HEIF_TIME_FACTOR = 4;
/** Number of pixels of a TIFF that are decoded at once. */
const SLICE_PIXELS = 4_000_000;

/** Maximum number of unpacked bytes of a strip or tile in a TIFF: all pixels of the largest image, with four channels of 16 bits. */
const BLOCK_BYTES_MAX = IMAGE_PIXELS_MAX * 8;

/**
 * Decodes an image.
 * @param onProgress called with the decoded share, 0…1, and the work of the next call
 * @throws ConversionError damaged, out_of_memory, too_large, unreadable_picture
 */
export async function decodeImage(
  file: Blob,
  mimeType: string,
  onProgress: (share: number, work: Work) => void,
): Promise<DecodedImage> {
  if (mimeType === "image/tiff") return decodeTiff(file, onProgress);
  const pixels = await readPixelCount(file, mimeType);
  onProgress(0, { pixels });
  try {
    return toDecodedImage(await createImageBitmap(file));
  } catch (error) {
    if (/^image\/hei[cf]$/.test(mimeType)) {
      onProgress(0.1, { pixels: pixels * HEIF_TIME_FACTOR });
      return decodeHeif(file);
    }
    // Browsers report the same error for a damaged file and for a lack of memory.
    const code = pixels > LARGE_PIXELS ? "out_of_memory" : "damaged";
    throw new ConversionError(code, `The browser cannot decode this image: ${error}`);
  }
}

/** Returns the number of pixels that an image's header states; 0 when it cannot be read. */
async function readPixelCount(file: Blob, mimeType: string): Promise<number> {
  const bytes = {
    size: file.size,
    read: async (first: number, length: number) =>
      new Uint8Array(await file.slice(first, first + length).arrayBuffer()),
  };
  const size = await readImageSize(bytes, mimeType).catch(() => null);
  return size === null || size === "damaged" ? 0 : size.width * size.height;
}

const toDecodedImage = (source: ImageBitmap | OffscreenCanvas): DecodedImage => ({
  source,
  width: source.width,
  height: source.height,
});

/**
 * Creates a canvas. Throws when the browser has no memory for it.
 * @param isRead whether its pixels will be read, so that the browser keeps them outside of graphics memory
 */
export function createCanvas(
  width: number,
  height: number,
  isRead = false,
): { readonly canvas: OffscreenCanvas; readonly context: OffscreenCanvasRenderingContext2D } {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d", { willReadFrequently: isRead });
  if (!context) throw new ConversionError("out_of_memory", `No canvas of ${width} × ${height} pixels.`);
  context.imageSmoothingQuality = "high";
  return { canvas, context };
}

function requireSize(width: number, height: number): void {
  if (!(width > 0 && height > 0)) throw new ConversionError("damaged", "The image has no pixels.");
  if (Math.max(width, height) > IMAGE_SIDE_MAX || width * height > IMAGE_PIXELS_MAX)
    throw new ConversionError("too_large", `The image has ${width} × ${height} pixels.`);
}

async function decodeHeif(file: Blob): Promise<DecodedImage> {
  const { default: startDecoder } = await import("libheif-js/libheif-wasm/libheif-bundle.mjs");
  const [image] = new (startDecoder().HeifDecoder)().decode(new Uint8Array(await file.arrayBuffer()));
  if (!image) throw new ConversionError("damaged", "The file has no image that can be decoded.");
  try {
    const [width, height] = [image.get_width(), image.get_height()];
    requireSize(width, height);
    const pixels = new ImageData(width, height);
    await new Promise<void>((resolve, reject) =>
      image.display(pixels, (imageData) =>
        imageData ? resolve() : reject(new ConversionError("damaged", "The image cannot be decoded.")),
      ),
    );
    const { canvas, context } = createCanvas(width, height);
    context.putImageData(pixels, 0, 0);
    return toDecodedImage(canvas);
  } finally {
    image.free();
  }
}

/** Returns the canvas transforms for the orientations of TIFF 6.0. The size is that of the stored image, before it is turned. */
const orientationTransforms = (width: number, height: number): Readonly<Record<number, DOMMatrix2DInit>> => ({
  2: { a: -1, b: 0, c: 0, d: 1, e: width, f: 0 },
  3: { a: -1, b: 0, c: 0, d: -1, e: width, f: height },
  4: { a: 1, b: 0, c: 0, d: -1, e: 0, f: height },
  5: { a: 0, b: 1, c: 1, d: 0, e: 0, f: 0 },
  6: { a: 0, b: 1, c: -1, d: 0, e: height, f: 0 },
  7: { a: 0, b: -1, c: -1, d: 0, e: height, f: width },
  8: { a: 0, b: -1, c: 1, d: 0, e: 0, f: width },
});

/** Value of PhotometricInterpretation (TIFF 6.0) whose lightness geotiff reads incorrectly: the image would be white. */
const CIELAB = 8;

async function decodeTiff(
  file: Blob,
  onProgress: (share: number, work: Work) => void,
): Promise<DecodedImage> {
  const { addDecoder, fromBlob } = await import("geotiff");
  // TIFF has two numbers for the same compression (TIFF 6.0, Adobe Technote 2).
  addDecoder([8, 32946], async () => (await import("./tiff-deflate")).default);
  try {
    const tiff = await fromBlob(file);
    // Further pages are previews and smaller copies, so the largest page is used.
    let image = await tiff.getImage(0);
    for (let page = 1; page < Math.min(await tiff.getImageCount(), 20); page++) {
      const otherPage = await tiff.getImage(page);
      if (otherPage.getWidth() > image.getWidth()) image = otherPage;
    }
    if ((await image.fileDirectory.loadValue("PhotometricInterpretation")) === CIELAB)
      throw new ConversionError("unreadable_picture", "The TIFF has colours in CIELab.");
    const [width, height] = [image.getWidth(), image.getHeight()];
    requireSize(width, height);
    const blockBytes = image.getTileWidth() * image.getTileHeight() * image.getBytesPerPixel();
    if (!(blockBytes <= BLOCK_BYTES_MAX))
      throw new ConversionError("too_large", `A tile of the TIFF has ${blockBytes} bytes.`);
    const orientation = Number((await image.fileDirectory.loadValue("Orientation")) ?? 1);
    const isSideways = orientation >= 5 && orientation <= 8;
    const { canvas, context } = createCanvas(isSideways ? height : width, isSideways ? width : height);
    const matrix = orientationTransforms(width, height)[orientation];
    if (matrix) context.setTransform(matrix);
    const rows = Math.max(1, Math.floor(SLICE_PIXELS / width));
    // A tile or strip is decompressed in a single call.
    const work = { pixels: SLICE_PIXELS + image.getTileWidth() * image.getTileHeight() };
    onProgress(0, work);
    for (let top = 0; top < height; top += rows) {
      const bottom = Math.min(height, top + rows);
      const raster = await image.readRGB({
        window: [0, top, width, bottom],
        interleave: true,
        enableAlpha: true,
      });
      const pixels = toPixels(raster as unknown as ArrayLike<number>, width, bottom - top);
      const slice = await createImageBitmap(pixels);
      context.drawImage(slice, 0, top);
      slice.close();
      onProgress(bottom / height, work);
    }
    return toDecodedImage(canvas);
  } catch (error) {
    if (error instanceof ConversionError) throw error;
    const message = String(error);
    const isUnsupported = /unsupported|unknown compression|invalid or unsupported/i.test(message);
    throw new ConversionError(isUnsupported ? "unreadable_picture" : "damaged", message);
  }
}

/** Returns the factor that converts samples to 8 bits: from 8, 16 and 32 bits, and from numbers between 0 and 1. */
function getSampleScale(samples: ArrayLike<number>): number {
  if (samples instanceof Uint16Array) return 1 / 257;
  if (samples instanceof Uint32Array) return 255 / 0xffffffff;
  return samples instanceof Float32Array || samples instanceof Float64Array ? 255 : 1;
}

function toPixels(samples: ArrayLike<number>, width: number, height: number): ImageData {
  const pixels = new ImageData(width, height);
  const { data } = pixels;
  const count = width * height;
  const channels = Math.max(1, Math.round(samples.length / count));
  const scale = getSampleScale(samples);
  for (let index = 0; index < count; index++) {
    for (let channel = 0; channel < 3; channel++)
      data[index * 4 + channel] = (samples[index * channels + (channels >= 3 ? channel : 0)] ?? 0) * scale;
    data[index * 4 + 3] = channels >= 4 ? (samples[index * channels + 3] ?? 0) * scale : 255;
  }
  return pixels;
}
