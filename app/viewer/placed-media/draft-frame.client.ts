import { CanvasTexture, Mesh, MeshBasicMaterial, PlaneGeometry, SRGBColorSpace } from "three";
import type { MediaPlane } from "../core/media-plane";

/** Longer side of the drawing, in pixels. */
const SIDE = 1024;
/** Sizes as shares of the drawing's shorter side. */
const BORDER = 0.03;
const TEXT_HEIGHT_SHARE = 0.13;
const FONT = '600 1px "Hiragino Sans", "Noto Sans JP", "Yu Gothic UI", system-ui, sans-serif';
const DARK = "#15171c";
const LIGHT = "#ffffff";

/** Draws a light overlay, a dashed outline and a text on a transparent canvas. */
function drawFrame(text: string, aspect: number): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(aspect > 1 ? SIDE / aspect : SIDE);
  canvas.height = Math.round(aspect > 1 ? SIDE : SIDE * aspect);
  const context = canvas.getContext("2d");
  if (!context) return canvas;
  const { width, height } = canvas;
  const shorterSide = Math.min(width, height);
  const lineWidth = Math.max(4, shorterSide * BORDER);
  context.fillStyle = "rgb(255 255 255 / 0.35)";
  context.fillRect(0, 0, width, height);
  const outline = [lineWidth, lineWidth, width - 2 * lineWidth, height - 2 * lineWidth] as const;
  context.lineWidth = lineWidth;
  context.strokeStyle = LIGHT;
  context.strokeRect(...outline);
  context.strokeStyle = DARK;
  context.setLineDash([lineWidth * 4, lineWidth * 3]);
  context.strokeRect(...outline);
  context.setLineDash([]);
  const size = Math.max(16, shorterSide * TEXT_HEIGHT_SHARE);
  context.font = FONT.replace("1px", `${size}px`);
  context.textBaseline = "middle";
  const [left, top, padding] = [lineWidth * 2.5, lineWidth * 2.5, size * 0.45];
  const labelWidth = Math.min(width - 2 * left, context.measureText(text).width + 2 * padding);
  context.fillStyle = DARK;
  context.fillRect(left, top, labelWidth, size * 1.6);
  context.fillStyle = LIGHT;
  context.fillText(text, left + padding, top + size * 0.8, labelWidth - 2 * padding);
  return canvas;
}

/**
 * Creates the mark of a media item that visitors do not see: a dashed outline with a text over the item. It is disposed with the tree that contains
 * it.
 */
export function createDraftFrame(text: string, { width, height }: MediaPlane, renderOrder: number): Mesh {
  const map = new CanvasTexture(drawFrame(text, height / width));
  map.colorSpace = SRGBColorSpace;
  const frame = new Mesh(
    new PlaneGeometry(width, height),
    new MeshBasicMaterial({
      map,
      transparent: true,
      depthWrite: false,
      toneMapped: false,
      polygonOffset: true,
      polygonOffsetFactor: -2,
      polygonOffsetUnits: -3,
    }),
  );
  frame.renderOrder = renderOrder + 0.05;
  frame.position.z = 0.002;
  return frame;
}
