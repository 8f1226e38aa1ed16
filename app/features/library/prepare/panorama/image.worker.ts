/** Converts images and panoramas in a worker. */

import { IMAGE_TOOL_MAX } from "~/domain/shared/limits";
import {
  type CubeLayout,
  cubeLayouts,
  equirectRows,
  FACES,
  type Face,
  type FacePixels,
  faceOrders,
  SEAM_ERROR_MAX,
  seamError,
} from "~/domain/spaces/cubemap";
import { isDualFisheye } from "~/domain/spaces/fisheye";
import { GPANO_BYTES, readPanoramaCrop } from "~/domain/spaces/gpano";
import { isEquirectangular } from "~/domain/spaces/panorama-shape";
import {
  DISPLAY_WIDTH,
  TILE_MARGIN,
  TILES_WIDTH_MAX,
  tileColumns,
  tileName,
  tileShapeFor,
} from "~/domain/spaces/panorama-tiles";
import { type Conversion, ConversionError, type ConvertedFile } from "../conversion";
import type { ReportProgress } from "../run-worker";
import { serveWorker } from "../serve-worker";
import { createCanvas, type DecodedImage, decodeImage } from "./decode";

/** Maximum pixels of the longer side of a converted image that is no panorama. */
const CONVERTED_SIDE_MAX = 8192;
/** Width of the preview that viewers show first, in pixels. */
const PREVIEW_WIDTH = 1024;
/** Side of the small copies in which the edges of faces are compared, in pixels. */
const COMPARED_SIDE = 64;
/** Colour of the parts of the sphere that a cropped panorama does not contain. */
const EMPTY_COLOR = "#15171c";

/** Message from the page to the worker. */
export interface ImageTask {
  /**
   * image: any image; a large panorama gets tiles. panorama: the image must be an equirectangular panorama, or become one by its metadata or as a
   * cubemap.
   */
  readonly result: "image" | "panorama";
  readonly file: Blob;
  readonly fileName: string;
  readonly mimeType: string;
  /** The other five faces of a cubemap. */
  readonly companions: readonly (readonly [name: string, file: Blob])[];
  /** Quality, 0…1. */
  readonly quality: number;
}

/** The files of an image, with measurements of the original and of the result. */
export type ConvertedImage = Pick<Conversion, "files" | "before" | "after">;

async function convert(task: ImageTask, report: ReportProgress): Promise<ConvertedImage> {
  const { file, companions } = task;
  const before = { bytes: file.size + companions.reduce((sum, [, blob]) => sum + blob.size, 0) };
  const imageType = await getImageType();
  const decoded = await decodeImage(file, task.mimeType, (share, work) =>
    report(0.05 + share * 0.35, "decode", work),
  );
  const work = { pixels: decoded.width * decoded.height };
  report(0.4, "decode", work);
  const originalSize = { width: decoded.width, height: decoded.height };
  const image = task.result === "panorama" ? await toPanorama(task, decoded, report) : decoded;
  const isPanorama = isEquirectangular(image.width, image.height);
  const quality = 0.7 + 0.25 * task.quality;
  const files: ConvertedFile[] = [];
  const addFile = (role: ConvertedFile["role"], name: string, blob: Blob) =>
    files.push({ role, name, kind: "image", mimeType: blob.type, blob });
  const extension = imageType === "image/webp" ? "webp" : "jpg";
  // A panorama that is created here becomes a new library item, which gets its tiles when it is converted itself.
  const isNewItem = task.result === "panorama";
  // Visitors would not see a new item with a larger image before its tiles are created.
  const panoramaSide = isNewItem ? IMAGE_TOOL_MAX.side : DISPLAY_WIDTH;
  const maxSide = isPanorama ? panoramaSide : CONVERTED_SIDE_MAX;
  const scale = Math.min(1, maxSide / Math.max(image.width, image.height));
  const width = Math.max(1, Math.round(image.width * scale));
  // An image of a whole sphere gets the exact ratio of 2:1.
  const height = isPanorama ? Math.round(width / 2) : Math.max(1, Math.round(image.height * scale));
  report(0.5, "write", work);
  addFile("display", `display.${extension}`, await encodeReduced(image, width, height, imageType, quality));
  report(0.55, "write", work);
  if (isPanorama && !isNewItem && width > PREVIEW_WIDTH)
    addFile(
      "preview",
      `preview.${extension}`,
      await encodeReduced(image, PREVIEW_WIDTH, PREVIEW_WIDTH / 2, imageType, 0.7),
    );
  const shape = isPanorama && !isNewItem ? tileShapeFor(image.width) : null;
  if (shape) {
    const tiles = [...Array(shape.levels).keys()].flatMap((level) => {
      const columns = tileColumns(shape, level);
      return Array.from({ length: (columns * columns) / 2 }, (_, index) => ({
        level,
        columns,
        column: index % columns,
        row: Math.floor(index / columns),
      }));
    });
    for (const [index, { level, columns, column, row }] of tiles.entries()) {
      const blob = await createTile(image, columns, column, row, shape.tileSize, imageType, quality);
      addFile("tile", tileName(level, column, row, extension), blob);
      report(0.6 + (0.4 * (index + 1)) / tiles.length, "tiles");
    }
  }
  if (image.source instanceof ImageBitmap) image.source.close();
  return {
    files,
    before: { ...before, ...originalSize },
    after: { bytes: files.reduce((sum, { blob }) => sum + blob.size, 0), width, height },
  };
}

/** Returns WebP, or JPEG in browsers that cannot encode WebP. */
async function getImageType(): Promise<"image/webp" | "image/jpeg"> {
  const { canvas } = createCanvas(1, 1);
  const blob = await canvas.convertToBlob({ type: "image/webp" });
  return blob.type === "image/webp" ? "image/webp" : "image/jpeg";
}

async function encodeReduced(
  { source, width: sourceWidth, height: sourceHeight }: DecodedImage,
  width: number,
  height: number,
  type: string,
  quality: number,
): Promise<Blob> {
  const { canvas, context } = createCanvas(width, height);
  context.drawImage(source, 0, 0, sourceWidth, sourceHeight, 0, 0, width, height);
  return canvas.convertToBlob({ type, quality });
}

/**
 * Creates a tile with a margin from its neighbours. At the left and right edges of the panorama, the margin shows the opposite side; at the top and
 * bottom, it repeats the edge.
 */
async function createTile(
  { source, width, height }: DecodedImage,
  columns: number,
  column: number,
  row: number,
  tileSize: number,
  type: string,
  quality: number,
): Promise<Blob> {
  const side = tileSize + 2 * TILE_MARGIN;
  const { canvas, context } = createCanvas(side, side);
  const rows = columns / 2;
  const [scaleX, scaleY] = [width / columns / tileSize, height / rows / tileSize];
  const left = (column * tileSize - TILE_MARGIN) * scaleX;
  const [topWithMargin, bottomWithMargin] = [
    row * tileSize - TILE_MARGIN,
    (row + 1) * tileSize + TILE_MARGIN,
  ];
  const top = Math.max(0, topWithMargin);
  const bottom = Math.min(rows * tileSize, bottomWithMargin);
  const drawRows = (sourceTop: number, sourceHeight: number, targetTop: number, targetHeight: number) => {
    for (const shift of [-width, 0, width]) {
      const sourceLeft = Math.max(0, left + shift);
      const sourceRight = Math.min(width, left + shift + side * scaleX);
      if (sourceRight <= sourceLeft) continue;
      const targetLeft = (sourceLeft - left - shift) / scaleX;
      context.drawImage(
        source,
        sourceLeft,
        sourceTop * scaleY,
        sourceRight - sourceLeft,
        sourceHeight * scaleY,
        targetLeft,
        targetTop,
        (sourceRight - sourceLeft) / scaleX,
        targetHeight,
      );
    }
  };
  drawRows(top, bottom - top, top - topWithMargin, bottom - top);
  if (topWithMargin < 0) drawRows(0, 1, 0, -topWithMargin);
  if (bottomWithMargin > bottom)
    drawRows(bottom - 1, 1, side - (bottomWithMargin - bottom), bottomWithMargin - bottom);
  return canvas.convertToBlob({ type, quality });
}

/** Creates the error for an image that is no panorama. `reason` selects the text. */
const createNotPanoramaError = (reason: "not_panorama" | "fisheye", { width, height }: DecodedImage) =>
  new ConversionError("unsupported_feature", `The image cannot be a panorama: ${reason}.`, {
    reason,
    width,
    height,
  });

/**
 * Converts an image to an equirectangular panorama.
 * @throws ConversionError unsupported_feature with the reason not_panorama or fisheye; missing_files
 */
async function toPanorama(
  task: ImageTask,
  decoded: DecodedImage,
  report: ReportProgress,
): Promise<DecodedImage> {
  const { width, height } = decoded;
  if (task.companions.length > 0) return createFromFaces(await readFaceFiles(task, decoded, report), report);
  const crop = readPanoramaCrop(new Uint8Array(await task.file.slice(0, GPANO_BYTES).arrayBuffer()), decoded);
  if (crop) return addPadding(decoded, crop);
  if (isEquirectangular(width, height)) {
    const { context } = drawReduced(decoded, 128, 64);
    if (isDualFisheye(context.getImageData(0, 0, 128, 64).data, 128, 64))
      throw createNotPanoramaError("fisheye", decoded);
    return decoded;
  }
  const cube = cubeLayouts(width, height);
  const layout =
    cube &&
    findBestLayout(cube.layouts, (cubeLayout, side) => readFaces(decoded, cubeLayout, cube.size, side));
  if (!cube || !layout) throw createNotPanoramaError("not_panorama", decoded);
  return createFromFaces(readFaces(decoded, layout, cube.size, cube.size), report);
}

/** Draws an image in another size on a canvas whose pixels can be read. */
function drawReduced(
  { source, width: sourceWidth, height: sourceHeight }: DecodedImage,
  width: number,
  height: number,
): ReturnType<typeof createCanvas> {
  const drawing = createCanvas(width, height, true);
  drawing.context.drawImage(source, 0, 0, sourceWidth, sourceHeight, 0, 0, width, height);
  return drawing;
}

function addPadding(
  { source }: DecodedImage,
  crop: NonNullable<ReturnType<typeof readPanoramaCrop>>,
): DecodedImage {
  const scale = Math.min(1, TILES_WIDTH_MAX / crop.fullWidth);
  const width = Math.max(2, Math.round(crop.fullWidth * scale));
  const height = Math.round(width / 2);
  const { canvas, context } = createCanvas(width, height);
  context.fillStyle = EMPTY_COLOR;
  context.fillRect(0, 0, width, height);
  // The part of the crop beyond the right edge wraps around to the left edge.
  for (const shift of [0, -width])
    context.drawImage(
      source,
      crop.left * scale + shift,
      crop.top * scale,
      crop.width * scale,
      crop.height * scale,
    );
  if (source instanceof ImageBitmap) source.close();
  return { source: canvas, width, height };
}

/** Returns the layout in which the edges of the faces match best; null when they match in none. */
function findBestLayout<Layout>(
  layouts: readonly Layout[],
  readLayoutFaces: (layout: Layout, side: number) => ReadonlyMap<Face, FacePixels>,
): Layout | null {
  let best: Layout | null = null;
  let smallestError = SEAM_ERROR_MAX;
  for (const layout of layouts) {
    const error = seamError(readLayoutFaces(layout, COMPARED_SIDE));
    if (error >= smallestError) continue;
    smallestError = error;
    best = layout;
  }
  return best;
}

/** Returns the faces in one image, each `side` pixels wide. */
function readFaces(
  { source }: DecodedImage,
  layout: CubeLayout,
  faceSide: number,
  side: number,
): Map<Face, FacePixels> {
  const { context } = createCanvas(side, side, true);
  const faces = new Map<Face, FacePixels>();
  for (const { face, column, row, isTurned } of layout) {
    context.setTransform(isTurned ? { a: -1, b: 0, c: 0, d: -1, e: side, f: side } : {});
    context.drawImage(source, column * faceSide, row * faceSide, faceSide, faceSide, 0, 0, side, side);
    faces.set(face, { size: side, data: context.getImageData(0, 0, side, side).data });
  }
  return faces;
}

/** Returns the faces of six files, by the names of the sides or the numbers in the file names. */
async function readFaceFiles(
  task: ImageTask,
  firstImage: DecodedImage,
  report: ReportProgress,
): Promise<Map<Face, FacePixels>> {
  const names = [task.fileName, ...task.companions.map(([name]) => name)];
  const orders = faceOrders(names);
  if (orders.length === 0)
    throw new ConversionError("missing_files", "These are not the six faces of a cube.", {
      names: "front, right, back, left, up, down",
    });
  const images: DecodedImage[] = [firstImage];
  for (const [index, [, file]] of task.companions.entries()) {
    const share = 0.4 + (0.1 * index) / 5;
    images.push(await decodeImage(file, file.type, (_, work) => report(share, "decode", work)));
  }
  const nonSquareImage = images.find(({ width, height }) => width !== height);
  if (nonSquareImage) throw createNotPanoramaError("not_panorama", nonSquareImage);
  const readFacesInOrder = (order: readonly number[], side: number) =>
    new Map(
      FACES.map((face, index) => {
        const image = images[order[index] ?? 0] ?? firstImage;
        const { context } = drawReduced(image, side, side);
        return [face, { size: side, data: context.getImageData(0, 0, side, side).data }] as const;
      }),
    );
  // File names determine the order. If numbers allow several orders, the order whose edges match best is used.
  const order = orders.length === 1 ? orders[0] : findBestLayout(orders, readFacesInOrder);
  if (!order)
    throw new ConversionError("missing_files", "The edges of the six images do not match in any order.", {
      names: "",
    });
  return readFacesInOrder(order, Math.min(...images.map(({ width }) => width)));
}

/** Number of panorama rows that are computed between two progress reports. */
const ROWS_AT_ONCE = 64;

function createFromFaces(faces: ReadonlyMap<Face, FacePixels>, report: ReportProgress): DecodedImage {
  const size = Math.min(...[...faces.values()].map((face) => face.size));
  // The horizon consists of four faces.
  const width = Math.min(TILES_WIDTH_MAX, size * 4);
  const height = width / 2;
  const { canvas, context } = createCanvas(width, height);
  for (let row = 0; row < height; row += ROWS_AT_ONCE) {
    const endRow = Math.min(height, row + ROWS_AT_ONCE);
    context.putImageData(new ImageData(equirectRows(faces, width, row, endRow), width, endRow - row), 0, row);
    report(0.42 + (0.08 * endRow) / height, "decode");
  }
  return { source: canvas, width, height };
}

function toConversionError(error: unknown): ConversionError {
  if (error instanceof ConversionError) return error;
  const isOutOfMemory = error instanceof RangeError || /memory|allocation/i.test(String(error));
  return new ConversionError(isOutOfMemory ? "out_of_memory" : "damaged", String(error));
}

serveWorker(convert, toConversionError);
