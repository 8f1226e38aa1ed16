/** Draws the thumbnail of the leaflet, its first page, with the same library that draws documents in browsers. */
import { createRequire } from "node:module";
import { dirname, join, sep } from "node:path";
import { getDocument, VerbosityLevel } from "pdfjs-dist/legacy/build/pdf.mjs";
import sharp from "sharp";

/** Width of the thumbnail in pixels. */
const width = 640;
const fonts = join(
  dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json")),
  "standard_fonts",
);

/** Canvas factory of the library under Node, which has no browser canvas. */
interface NodeCanvases {
  create(width: number, height: number): { canvas: HTMLCanvasElement & { toBuffer(type: string): Buffer } };
}

/** Returns the first page as a WebP image with its size in pixels. */
export async function makeLeafletThumbnail(leaflet: Uint8Array) {
  const task = getDocument({
    // The copy is needed because the library detaches the array's buffer.
    data: leaflet.slice(),
    standardFontDataUrl: fonts + sep,
    verbosity: VerbosityLevel.ERRORS,
  });
  try {
    const document = await task.promise;
    const page = await document.getPage(1);
    const scale = width / page.getViewport({ scale: 1 }).width;
    const viewport = page.getViewport({ scale });
    const size = { width, height: Math.round(viewport.height) };
    const { canvas } = (document.canvasFactory as NodeCanvases).create(size.width, size.height);
    await page.render({ canvas, viewport }).promise;
    const data = await sharp(canvas.toBuffer("image/png")).webp({ quality: 84 }).toBuffer();
    return { data, ...size };
  } finally {
    await task.destroy();
  }
}
