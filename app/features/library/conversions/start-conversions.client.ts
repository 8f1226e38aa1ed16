import { UnreadableFileError } from "~/domain/library/unreadable-file-error";
import { browserApi } from "~/features/library/uploads/browser-api";
import { makeThumbnail, scaleToThumbnail } from "~/features/library/uploads/thumbnails/make-thumbnail";
import { getConverter } from "../prepare/converters";
import { ConversionQueue } from "./conversion-queue";

/** Returns the id of this tab. It stays the same when the page is reloaded. */
function getTabId(): string {
  const newId = crypto.randomUUID();
  try {
    const storedId = sessionStorage.getItem("hiroba-holder");
    if (storedId) return storedId;
    sessionStorage.setItem("hiroba-holder", newId);
  } catch {
    // Without session storage, each reload gets a new id.
  }
  return newId;
}

const STORAGE_PREFIX = "hiroba-conversion ";

/**
 * Counts crashes of this browser during the conversion of a file. begin() increments a counter and returns its previous value; end() and leaving the
 * page remove it. The counter therefore remains only after a crash.
 */
const attempts = {
  begin(key: string): number {
    try {
      const previousCount = Number(localStorage.getItem(STORAGE_PREFIX + key) ?? 0);
      localStorage.setItem(STORAGE_PREFIX + key, String(previousCount + 1));
      return previousCount;
    } catch {
      return 0;
    }
  },
  end(key: string): void {
    try {
      localStorage.removeItem(STORAGE_PREFIX + key);
    } catch {
      // Storage is unavailable, so begin() wrote no entry that could be removed.
    }
  },
};

async function fetchFile(url: string, signal: AbortSignal, onShare: (share: number) => void): Promise<Blob> {
  const response = await fetch(url, { signal });
  if (!response.ok || !response.body)
    throw new Error(`The server returned ${response.status} for the original.`);
  const total = Number(response.headers.get("content-length") ?? 0);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let receivedBytes = 0;
  const reader = (response.body as ReadableStream<Uint8Array<ArrayBuffer>>).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    receivedBytes += value.byteLength;
    if (total > 0) onShare(receivedBytes / total);
  }
  return new Blob(chunks);
}

let hasWebgl: boolean | null = null;

/** Whether this browser can draw files of a kind: models and splats need WebGL 2. */
function canDraw(kind: string): boolean {
  if (kind !== "model" && kind !== "splat") return true;
  if (hasWebgl === null) {
    const context = document.createElement("canvas").getContext("webgl2");
    hasWebgl = context !== null;
    context?.getExtension("WEBGL_lose_context")?.loseContext();
  }
  return hasWebgl;
}

/** Draws the thumbnail of a file; returns an audio file unchanged. Null when no thumbnail could be drawn. */
async function draw(file: Blob, kind: string): Promise<Blob | null> {
  if (kind === "image") {
    const image = await createImageBitmap(file).catch(() => null);
    if (!image) return null;
    try {
      return await scaleToThumbnail(image, image.width, image.height);
    } finally {
      image.close();
    }
  }
  if (kind === "audio") return file;
  return makeThumbnail(file as File, kind as "model").catch((error: Error) => {
    if (error instanceof UnreadableFileError) return null;
    throw error;
  });
}

const wait = (milliseconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    signal.addEventListener("abort", stop, { once: true });
  });

/** Creates the queue of this tab. */
export function startConversions(): ConversionQueue {
  const activeKeys = new Set<string>();
  // Leaving or reloading the page is not a crash.
  addEventListener("pagehide", () => {
    for (const key of activeKeys) attempts.end(key);
  });
  return new ConversionQueue({
    api: browserApi,
    fetchFile,
    getConverter,
    canDraw,
    draw,
    createObjectUrl: (blob) => URL.createObjectURL(blob),
    revokeObjectUrl: (url) => URL.revokeObjectURL(url),
    holder: getTabId(),
    attempts: {
      begin(key) {
        activeKeys.add(key);
        return attempts.begin(key);
      },
      end(key) {
        activeKeys.delete(key);
        attempts.end(key);
      },
    },
    wait,
  });
}
