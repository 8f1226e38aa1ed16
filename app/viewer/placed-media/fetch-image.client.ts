import type { PlacedMediaKind } from "../core/contract";

/** Pixels of the longer side of a title card. */
const CARD_SIDE = 512;
const CARD_TEXT_COLOR = "#3a4050";
const CARD_COLOR = "#e6e8ed";
const CARD_BORDER_COLOR = "#b9bec9";

/**
 * Downloads an image and decodes it, outside of the main thread unless it is an SVG. Rejects with AbortError, and with an Error for files that are
 * missing or not images.
 * @param side length of the longer side of the result, in pixels; the maximum length when `aspect` is null and the file is not an SVG
 * @param aspect height divided by width; null when only the file contains it
 * @param onFile receives the file before it is decoded, because it may contain several frames
 */
export async function fetchImage(
  url: string,
  side: number,
  aspect: number | null,
  signal: AbortSignal,
  onFile?: (file: Blob) => void,
): Promise<ImageBitmap> {
  const response = await fetch(url, { signal, priority: "low" });
  if (!response.ok) throw new Error(`The server returned ${response.status} for an image.`);
  // The server marks the placeholder that it sends for files without an image.
  if (response.headers.has("x-placeholder")) throw new Error("The server has no image of this file.");
  const file = await response.blob();
  onFile?.(file);
  if (file.type.startsWith("image/svg+xml")) return drawSvg(file, side, aspect);
  const resizeTo = (ratio: number): ImageBitmapOptions => ({
    ...(ratio > 1 ? { resizeHeight: side } : { resizeWidth: side }),
    resizeQuality: "medium",
  });
  const fullImage = aspect === null ? await createImageBitmap(file) : null;
  if (fullImage && Math.max(fullImage.width, fullImage.height) <= side) return fullImage;
  const bitmap = await createImageBitmap(
    fullImage ?? file,
    resizeTo(aspect ?? (fullImage ? fullImage.height / fullImage.width : 1)),
  );
  fullImage?.close();
  if (signal.aborted) {
    bitmap.close();
    throw new DOMException("The image is no longer needed.", "AbortError");
  }
  return bitmap;
}

/** Draws an SVG file in the requested size, because createImageBitmap does not read SVG. */
async function drawSvg(file: Blob, side: number, aspect: number | null): Promise<ImageBitmap> {
  const url = URL.createObjectURL(file);
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const ratio = aspect ?? (image.naturalHeight / image.naturalWidth || 1);
    const [width, height] = ratio > 1 ? [side / ratio, side] : [side, side * ratio];
    const canvas = new OffscreenCanvas(Math.max(1, Math.round(width)), Math.max(1, Math.round(height)));
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return canvas.transferToImageBitmap();
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** Draws a card with a title: for sounds, for files without an image, and for files that could not be loaded. */
export function drawTitleCard(title: string, kind: PlacedMediaKind, aspect: number): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  const [width, height] =
    aspect > 1 ? [CARD_SIDE / aspect, CARD_SIDE] : [CARD_SIDE, Math.max(48, CARD_SIDE * aspect)];
  canvas.width = Math.round(width);
  canvas.height = Math.round(height);
  const context = canvas.getContext("2d");
  if (!context) return canvas;
  context.fillStyle = CARD_COLOR;
  context.fillRect(0, 0, width, height);
  context.strokeStyle = CARD_BORDER_COLOR;
  context.lineWidth = 4;
  context.strokeRect(8, 8, width - 16, height - 16);
  const size = Math.max(18, Math.min(40, height / 6));
  context.font = `600 ${size}px "Hiragino Sans", "Noto Sans JP", "Yu Gothic UI", system-ui, sans-serif`;
  context.fillStyle = CARD_TEXT_COLOR;
  context.textAlign = "center";
  context.textBaseline = "middle";
  const lines = wrapText(context, title, width - 56, Math.max(1, Math.floor((height - 40) / (size * 1.4))));
  // The play mark of videos, sounds and web pages is in the centre, so their title is lower.
  const middle = kind === "video" || kind === "audio" || kind === "web" ? height * 0.8 : height / 2;
  lines.forEach((line, index) => {
    const y = middle + (index - (lines.length - 1) / 2) * size * 1.4;
    context.fillText(line, width / 2, Math.min(height - size, y));
  });
  return canvas;
}

/** Splits a text into lines that fit. The last line is cut if necessary. Japanese breaks at any character. */
function wrapText(
  context: CanvasRenderingContext2D,
  text: string,
  width: number,
  maxLines: number,
): string[] {
  const lines: string[] = [];
  let line = "";
  for (const segment of text.match(/[\p{L}\p{N}\p{P}]+\s*|\s+|./gu)?.flatMap(splitBreakable) ?? []) {
    if (line !== "" && context.measureText(line + segment).width > width) {
      lines.push(line.trim());
      line = "";
    }
    line += segment;
  }
  if (line.trim() !== "") lines.push(line.trim());
  if (lines.length <= maxLines) return lines;
  return [...lines.slice(0, maxLines - 1), `${lines[maxLines - 1]?.slice(0, -1) ?? ""}…`];
}

const splitBreakable = (word: string): readonly string[] =>
  /[\u3000-\u9fff\uff00-\uffef]/.test(word) || word.length > 24 ? [...word] : [word];
