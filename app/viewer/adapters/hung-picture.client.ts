import type { PlacedMediaKind } from "../core/contract";

/** Pixels of a title card's longer side: a few words. */
const CARD_SIDE = 512;
const INK = "#3a4050";
const PAPER = "#e6e8ed";
const LINE = "#b9bec9";

/**
 * A picture, decoded beside the page's own work, its longer side at most as long as asked for.
 * @param aspect height by width; null where only the picture knows it.
 * @param onFile hears of the file before it is decoded: it may hold more frames than the first.
 * Rejects with AbortError, and with an Error for what is not there or no picture.
 */
export async function fetchPicture(
  url: string,
  side: number,
  aspect: number | null,
  signal: AbortSignal,
  onFile?: (file: Blob) => void,
): Promise<ImageBitmap> {
  const response = await fetch(url, { signal, priority: "low" });
  if (!response.ok) throw new Error(`The server answered ${response.status} for a picture.`);
  if (response.headers.has("x-placeholder")) throw new Error("The server has no picture of this file.");
  const file = await response.blob();
  onFile?.(file);
  if (file.type.startsWith("image/svg+xml")) return drawSvg(file, side, aspect);
  const along = (ratio: number): ImageBitmapOptions => ({
    ...(ratio > 1 ? { resizeHeight: side } : { resizeWidth: side }),
    resizeQuality: "medium",
  });
  const whole = aspect === null ? await createImageBitmap(file) : null;
  if (whole && Math.max(whole.width, whole.height) <= side) return whole;
  const picture = await createImageBitmap(
    whole ?? file,
    along(aspect ?? (whole ? whole.height / whole.width : 1)),
  );
  whole?.close();
  if (signal.aborted) {
    picture.close();
    throw new DOMException("The picture is not wanted any more.", "AbortError");
  }
  return picture;
}

/** Draws an SVG file in the size asked for: createImageBitmap reads none. */
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

/** A calm card with a title: of a sound, of what has no picture, and of a picture that did not come. */
export function titleCard(title: string, kind: PlacedMediaKind, aspect: number): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  const [width, height] =
    aspect > 1 ? [CARD_SIDE / aspect, CARD_SIDE] : [CARD_SIDE, Math.max(48, CARD_SIDE * aspect)];
  canvas.width = Math.round(width);
  canvas.height = Math.round(height);
  const context = canvas.getContext("2d");
  if (!context) return canvas;
  context.fillStyle = PAPER;
  context.fillRect(0, 0, width, height);
  context.strokeStyle = LINE;
  context.lineWidth = 4;
  context.strokeRect(8, 8, width - 16, height - 16);
  const size = Math.max(18, Math.min(40, height / 6));
  context.font = `600 ${size}px "Hiragino Sans", "Noto Sans JP", "Yu Gothic UI", system-ui, sans-serif`;
  context.fillStyle = INK;
  context.textAlign = "center";
  context.textBaseline = "middle";
  const lines = wrap(context, title, width - 56, Math.max(1, Math.floor((height - 40) / (size * 1.4))));
  // A film or page has its mark in the middle.
  const middle = kind === "video" || kind === "audio" || kind === "web" ? height * 0.8 : height / 2;
  lines.forEach((line, index) => {
    const y = middle + (index - (lines.length - 1) / 2) * size * 1.4;
    context.fillText(line, width / 2, Math.min(height - size, y));
  });
  return canvas;
}

/** Lines that fit, the last of them cut where they do not. Japanese breaks anywhere. */
function wrap(context: CanvasRenderingContext2D, text: string, width: number, most: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const part of text.match(/[\p{L}\p{N}\p{P}]+\s*|\s+|./gu)?.flatMap(splitWide) ?? []) {
    if (line !== "" && context.measureText(line + part).width > width) {
      lines.push(line.trim());
      line = "";
    }
    line += part;
  }
  if (line.trim() !== "") lines.push(line.trim());
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most - 1), `${lines[most - 1]?.slice(0, -1) ?? ""}…`];
}

const splitWide = (word: string): readonly string[] =>
  /[\u3000-\u9fff\uff00-\uffef]/.test(word) || word.length > 24 ? [...word] : [word];
