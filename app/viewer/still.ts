/** Pictures of files that are shown in 3D: for the library, which shows them beside photographs. */

import { UnreadableFileError } from "~/domain/library/unreadable-file-error";
import { EYE_HEIGHT } from "~/domain/shared/limits";
import { type CreateViewer, ViewerError, type ViewerSource } from "./core/contract";

/** Kinds of files of which a picture can be taken here. */
export type StillKind = "model" | "splat";

/** Pixels. */
const SIZE = { width: 640, height: 360 } as const;
/** A file that takes longer has no picture, in milliseconds. */
const WAIT_MS = 60_000;

const adapters: Record<StillKind, () => Promise<CreateViewer>> = {
  model: async () => (await import("./model/model-viewer.client")).createModelViewer,
  splat: async () => (await import("./splat/splat-viewer.client")).createSplatViewer,
};

/**
 * A picture of the whole of a model or of splats, seen from outside; loads and frees its own stage out of sight.
 * @returns null where it cannot be drawn here: without WebGL, with too little memory, or when it takes too long
 * @throws UnreadableFileError for a file that cannot be opened
 */
export async function stillOf(file: Blob, kind: StillKind): Promise<Blob | null> {
  const create = await adapters[kind]();
  const host = document.createElement("div");
  host.setAttribute("aria-hidden", "true");
  host.className = "pointer-events-none fixed top-0 -left-full invisible";
  // Not a class: the size is a matter of the picture, whatever the page's styles.
  host.style.width = `${SIZE.width}px`;
  host.style.height = `${SIZE.height}px`;
  document.body.appendChild(host);
  const url = URL.createObjectURL(file);
  const seen = { url, start: null, eyeHeight: EYE_HEIGHT.usual };
  const source: ViewerSource = kind === "model" ? { kind, ...seen } : { kind, ...seen, up: "auto" };
  try {
    const viewer = create(host, {
      messages: { canvas: "", cluster: String, stepTo: String, metres: String, placeHere: "" },
      prefersReducedMotion: () => true,
    });
    try {
      await viewer.load(source, AbortSignal.timeout(WAIT_MS));
      viewer.setMode("orbit");
      return await viewer.captureImage(SIZE.width);
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
