/** Measures the visible view of a model: coverage, span of brightness, and difference from a plain three.js page. */
import type { Color, Light, Object3D, Scene } from "three";
import type { SpaceViewer } from "~/viewer/core/contract";
import { enlargePoints } from "~/viewer/model/point-surfaces.client";
import { excludeUnlitFromToneMapping } from "~/viewer/model/scene-light.client";
import { drawReference } from "./reference.client";

export interface Judgement {
  /** Navigation mode of the view, and those that the viewer offers. */
  readonly mode: string;
  readonly modes: readonly string[];
  /** Share of the canvas that the model covers, 0…1. */
  readonly coverage: number;
  /** Difference in brightness between the 5th and the 95th percentile of the model's own pixels, 0…1. */
  readonly span: number;
  /** The mean difference from the reference over the model's pixels in the reference, without its edge, 0…1. Null without a reference, or without pixels to compare. */
  readonly difference: number | null;
  /** The image as PNG, in base64. */
  readonly image: string;
  readonly reference: string | null;
}

/** Private fields of a viewer that the measurement reads. */
interface ViewerInternals {
  readonly pose: { readonly fov: number };
  readonly stage: {
    readonly scene: Scene;
    readonly canvas: HTMLCanvasElement;
  };
}

/** The pixels of the visible view. captureImage encodes lossy WebP, so `toBlob` is replaced meanwhile and encodes PNG. */
async function pixelsOf(viewer: SpaceViewer, width: number) {
  const { toBlob } = HTMLCanvasElement.prototype;
  HTMLCanvasElement.prototype.toBlob = function (done) {
    toBlob.call(this, done, "image/png");
  };
  const blob = await viewer.captureImage(width).finally(() => {
    HTMLCanvasElement.prototype.toBlob = toBlob;
  });
  if (!blob) throw new Error("There is no picture.");
  const bitmap = await createImageBitmap(blob);
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
  context?.drawImage(bitmap, 0, 0);
  const { data } = context?.getImageData(0, 0, bitmap.width, bitmap.height) ?? {
    data: new Uint8ClampedArray(),
  };
  return { width: bitmap.width, height: bitmap.height, data };
}

async function png(data: Uint8ClampedArray, width: number, height: number): Promise<string> {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width, height });
  canvas.getContext("2d")?.putImageData(new ImageData(new Uint8ClampedArray(data), width, height), 0, 0);
  return canvas.toDataURL("image/png").split(",")[1] ?? "";
}

function lightsOf(root: Object3D): Light[] {
  const lights: Light[] = [];
  root.traverse((object) => (object as Light).isLight && lights.push(object as Light));
  return lights;
}

/**
 * Measures the view that a viewer shows.
 * @param url of the model for the reference; null draws no reference
 * @param isAdapted applies the viewer's intended deviations to the reference: the intensities of lights (decision 062), the size of points,
 *   and unlit surfaces without tone mapping (decision 050)
 */
export async function judge(viewer: SpaceViewer, url: string | null, isAdapted = false): Promise<Judgement> {
  const view = viewer.viewpoint();
  const internals = viewer as unknown as ViewerInternals;
  const { width, height, data } = await pixelsOf(viewer, internals.stage.canvas.width);
  const viewedScene = internals.stage.scene;
  const background = (viewedScene.background as Color).getHex();
  const adapt = (model: Object3D, scene: Scene) => {
    scene.environmentIntensity = viewedScene.environmentIntensity;
    const sceneLights = lightsOf(viewedScene);
    for (const [index, light] of lightsOf(model).entries())
      light.intensity = sceneLights[index]?.intensity ?? light.intensity;
    enlargePoints(model);
    excludeUnlitFromToneMapping(model);
  };
  const referenceOptions = {
    fov: internals.pose.fov,
    width,
    height,
    background,
    ...(isAdapted && { adapt }),
  };
  const reference = url && view ? await drawReference(url, { ...view, ...referenceOptions }) : null;
  const scale = internals.stage.canvas.clientWidth / width;
  const luminances: number[] = [];
  let modelSampleCount = 0;
  let sampleCount = 0;
  for (let y = 4; y < height; y += 8)
    for (let x = 4; x < width; x += 8) {
      sampleCount++;
      if (!viewer.pick(x * scale, y * scale)) continue;
      modelSampleCount++;
      const offset = (y * width + x) * 4;
      luminances.push(
        (0.2126 * (data[offset] ?? 0) + 0.7152 * (data[offset + 1] ?? 0) + 0.0722 * (data[offset + 2] ?? 0)) /
          255,
      );
    }
  luminances.sort((a, b) => a - b);
  const luminanceAt = (share: number) =>
    luminances[Math.min(luminances.length - 1, Math.floor(share * luminances.length))] ?? 0;
  return {
    mode: view?.mode ?? "none",
    modes: viewer.modes,
    coverage: modelSampleCount / sampleCount,
    span: luminanceAt(0.95) - luminanceAt(0.05),
    difference: reference && differenceOf(data, reference.pixels, reference.mask, width, height),
    image: await png(data, width, height),
    reference: reference && (await png(reference.pixels, width, height)),
  };
}

/** Mean difference over the pixels whose neighbours all belong to the model, because every renderer smooths edges differently. Null without such pixels. */
function differenceOf(
  data: Uint8ClampedArray,
  referencePixels: Uint8ClampedArray,
  mask: Uint8ClampedArray | readonly number[],
  width: number,
  height: number,
): number | null {
  const isOwn = (x: number, y: number) => (mask[(y * width + x) * 4 + 3] ?? 0) === 255;
  let sum = 0;
  let count = 0;
  for (let y = 1; y < height - 1; y++)
    for (let x = 1; x < width - 1; x++) {
      if (![0, 1, -1].every((dx) => [0, 1, -1].every((dy) => isOwn(x + dx, y + dy)))) continue;
      const offset = (y * width + x) * 4;
      for (let channel = 0; channel < 3; channel++)
        sum += Math.abs((data[offset + channel] ?? 0) - (referencePixels[offset + channel] ?? 0)) / 255;
      count += 3;
    }
  return count > 0 ? sum / count : null;
}
