/** Draws thumbnails of 3D files for the library. */
import { UnreadableFileError } from "~/domain/library/unreadable-file-error";
import { EYE_HEIGHT } from "~/domain/shared/limits";
import type { CreateViewer, ViewerSource } from "./core/contract";
import { ViewerError } from "./core/viewer-error";

/** Kinds of files that this module can draw. */
export type ThumbnailKind = "model" | "splat";

/** Size of the stage, and so of the thumbnail, in pixels. */
const STAGE_SIZE = { width: 640, height: 360 } as const;
/** Time limit for opening a file, in milliseconds. */
const TIMEOUT_MS = 60_000;

const ADAPTERS: Record<ThumbnailKind, () => Promise<CreateViewer>> = {
  model: async () => (await import("./model/model-viewer.client")).createModelViewer,
  splat: async () => (await import("./splat/splat-viewer.client")).createSplatViewer,
};

/**
 * Draws a whole model or splat capture, viewed from outside. Creates and disposes its own invisible stage.
 * @returns null when it cannot be drawn on this device: without WebGL, with too little memory, or when it takes too long
 * @throws UnreadableFileError for a file that cannot be opened
 */
export async function drawThumbnail(file: Blob, kind: ThumbnailKind): Promise<Blob | null> {
  const create = await ADAPTERS[kind]();
  const host = document.createElement("div");
  host.setAttribute("aria-hidden", "true");
  host.className = "pointer-events-none fixed top-0 -left-full invisible";
  // An inline style, because the size must not depend on the page's style sheet.
  host.style.width = `${STAGE_SIZE.width}px`;
  host.style.height = `${STAGE_SIZE.height}px`;
  document.body.appendChild(host);
  const url = URL.createObjectURL(file);
  const sharedSource = { url, start: null, eyeHeight: EYE_HEIGHT.usual };
  const source: ViewerSource =
    kind === "model" ? { kind, ...sharedSource } : { kind, ...sharedSource, up: "auto" };
  try {
    const viewer = create(host, {
      messages: { canvas: "", cluster: String, stepTo: String, metres: String, placeAtPosition: "" },
      prefersReducedMotion: () => true,
    });
    try {
      await viewer.load(source, AbortSignal.timeout(TIMEOUT_MS));
      viewer.setMode("orbit");
      return await viewer.captureImage(STAGE_SIZE.width);
    } finally {
      viewer.dispose();
    }
  } catch (error) {
    const isExpected = error instanceof ViewerError || (error as Error).name === "AbortError";
    if (!isExpected) throw error;
    if (error instanceof ViewerError && error.code === "load_failed")
      throw new UnreadableFileError("The file could not be opened.", { cause: error });
    return null;
  } finally {
    URL.revokeObjectURL(url);
    host.remove();
  }
}
