/** The page on which the adapters are tested alone. `window.stage` opens one of them as its `viewer`. */

import { UnreadableFileError } from "~/domain/library/unreadable-file-error";
import type { ConversionStep } from "~/features/library/prepare/conversion";
import type { Pin, PlacedMediaItem, SpaceViewer, ViewerEvents, ViewerSource } from "~/viewer/core/contract";
import { createModelViewer } from "~/viewer/model/model-viewer.client";
import { createPanoramaViewer } from "~/viewer/panorama/panorama-viewer.client";
import { createShowcaseViewer } from "~/viewer/showcase/showcase-viewer.client";
import { createSplatViewer } from "~/viewer/splat/splat-viewer.client";
import { drawThumbnail } from "~/viewer/thumbnail";

const createViewerByKind = {
  model: createModelViewer,
  panorama: createPanoramaViewer,
  splat: createSplatViewer,
  showcase: createShowcaseViewer,
};

const messages = {
  canvas: "3D view",
  cluster: (count: number) => `${count} items`,
  stepTo: (title: string) => `Go to ${title}`,
  metres: (value: number) => `${value.toFixed(2)} m`,
  placeAtPosition: "Place it here",
};

function createHost(): HTMLElement {
  const element = document.createElement("div");
  element.className = "stage-host absolute inset-0";
  document.body.appendChild(element);
  return element;
}

const events: { name: keyof ViewerEvents; value: unknown }[] = [];

function createViewer(kind: ViewerSource["kind"], reducedMotion = false): SpaceViewer {
  const viewer = createViewerByKind[kind](createHost(), {
    messages,
    prefersReducedMotion: () => reducedMotion,
    silenceTimeout: 900,
  });
  for (const name of [
    "progress",
    "ready",
    "pinopen",
    "settled",
    "mode",
    "node",
    "error",
    "place",
    "drag",
    "measured",
    "xr",
    "interrupted",
    "connection",
  ] as const)
    viewer.on(name, (value) => events.push({ name, value }));
  return viewer;
}

/** Waits until the connection state of a showcase is known. */
async function waitForConnection(viewer: SpaceViewer): Promise<void> {
  if (viewer.connection !== "connecting") return;
  await new Promise<void>((done) => viewer.on("connection", () => done()));
}

async function measureImage(image: Blob) {
  const bitmap = await createImageBitmap(image);
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  const context = canvas.getContext("2d");
  context?.drawImage(bitmap, 0, 0);
  const pixels = context?.getImageData(0, 0, bitmap.width, bitmap.height).data ?? new Uint8ClampedArray();
  const reds = Array.from({ length: pixels.length / 4 }, (_, index) => pixels[index * 4] ?? 0);
  const mean = reds.reduce((sum, red) => sum + red, 0) / reds.length;
  const deviation = Math.sqrt(reds.reduce((sum, red) => sum + (red - mean) ** 2, 0) / reds.length);
  return { width: bitmap.width, height: bitmap.height, type: image.type, bytes: image.size, deviation };
}

const stage = {
  viewer: null as SpaceViewer | null,
  events,
  createViewer,
  /** Creates and loads a viewer. Returns the error's code or name, or "ready". */
  async open(
    source: ViewerSource,
    pins: readonly Pin[] = [],
    reducedMotion = false,
    media: readonly PlacedMediaItem[] = [],
  ): Promise<string> {
    try {
      stage.viewer = createViewer(source.kind, reducedMotion);
      stage.viewer.setPins(pins);
      stage.viewer.setMedia(media);
      await stage.viewer.load(source, new AbortController().signal);
      if (source.kind === "showcase" && source.key !== null) await waitForConnection(stage.viewer);
      return "ready";
    } catch (error) {
      return (error as { code?: string }).code ?? (error as Error).name;
    }
  },
  /** Converts a file as its owner's browser does. The results can be opened at the returned URLs. */
  async convert(url: string, mimeType: string, quality: number, stopAt?: ConversionStep) {
    const { getConverter } = await import("~/features/library/prepare/converters");
    const converter = await getConverter(mimeType);
    const stop = new AbortController();
    const steps: string[] = [];
    try {
      const file = await (await fetch(url)).blob();
      const conversion = await converter?.({
        file,
        fileName: "a",
        mimeType,
        companions: new Map(),
        quality,
        signal: stop.signal,
        onProgress(_share, step) {
          if (steps.at(-1) !== step) steps.push(step);
          if (step === stopAt) stop.abort();
        },
      });
      const files = conversion?.files.map(({ blob, role }) => ({
        role,
        bytes: blob.size,
        url: URL.createObjectURL(blob),
      }));
      return { files: files ?? [], before: conversion?.before, after: conversion?.after, steps };
    } catch (error) {
      const { code, name, message, values } = error as Error & { code?: unknown; values?: unknown };
      return { failed: typeof code === "string" ? code : name, message, values };
    }
  },
  /** Thumbnail of a file: its size in pixels and the deviation of its red values, or null. */
  async createThumbnail(url: string, kind: "model" | "splat") {
    const image = await drawThumbnail(await (await fetch(url)).blob(), kind);
    return image && measureImage(image);
  },
  /** True when no thumbnail can be created because the file cannot be opened. */
  async isUnreadable(url: string, kind: "model" | "splat") {
    const file = await (await fetch(url)).blob();
    return drawThumbnail(file, kind).then(
      () => false,
      (error) => error instanceof UnreadableFileError,
    );
  },
  /** The plan image of the space: its centre and size in metres, and the deviation of its red values, or null. */
  async capturePlan() {
    const plan = await stage.viewer?.capturePlanImage();
    if (!plan) return null;
    const { blob, ...planPosition } = plan;
    return {
      ...planPosition,
      ...(await measureImage(blob)),
      width: planPosition.width,
      height: planPosition.height,
    };
  },
  async captureImage(width: number) {
    const image = await stage.viewer?.captureImage(width);
    return image ? measureImage(image) : null;
  },
  /** Measures the visible view of a model. The parameters are those of `judge` (judge.client.ts). */
  async judge(url: string | null, isAdapted = false) {
    const { judge } = await import("./judge.client");
    return stage.viewer && judge(stage.getAdapter() as SpaceViewer, url, isAdapted);
  },
  /** The adapter with its private members, without the wrapper that replaces a preview (preview-first.client.ts). */
  getAdapter(): unknown {
    return (stage.viewer as { current?: unknown } | null)?.current ?? stage.viewer;
  },
  /** The field of view across the canvas's height, in radians. It is a private member of the adapter. */
  fieldOfView(): number {
    return (stage.getAdapter() as { pose: { fov: number } }).pose.fov;
  },
  /** Whether a worker still computes the order of the splats. A frame follows when it has ended. */
  isSorting(): boolean {
    const adapter = stage.getAdapter() as { spark?: { sorting: boolean; sortDirty: boolean } | null } | null;
    return Boolean(adapter?.spark?.sorting || adapter?.spark?.sortDirty);
  },
  /** Position of the camera in the space. */
  eyePosition(): number[] {
    const { stage: adapterStage } = stage.getAdapter() as {
      stage: { camera: { readonly matrixWorld: { readonly elements: readonly number[] } } };
    };
    return adapterStage.camera.matrixWorld.elements.slice(12, 15);
  },
  /** Number of pixels of all images that are placed in the space. */
  countImagePixels(): number {
    interface Part {
      readonly material?: {
        readonly polygonOffset?: boolean;
        readonly map?: { readonly image?: { readonly width: number; readonly height: number } };
      };
      traverse(visit: (part: Part) => void): void;
    }
    let sum = 0;
    const { stage: adapterStage } = stage.getAdapter() as { stage: { scene: Part } };
    adapterStage.scene.traverse(({ material }) => {
      const image = material?.map?.image;
      // Only placed media have an offset. The textures of the space itself do not count.
      if (material?.polygonOffset && image instanceof ImageBitmap) sum += image.width * image.height;
    });
    return sum;
  },
  close(): void {
    stage.viewer?.dispose();
    stage.viewer = null;
    for (const element of document.querySelectorAll(".stage-host")) element.remove();
    events.length = 0;
  },
};

export type TestStage = typeof stage;

declare global {
  interface Window {
    stage: TestStage;
  }
}

window.stage = stage;
