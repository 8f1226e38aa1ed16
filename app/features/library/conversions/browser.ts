import { browserApi } from "~/uploads/api";
import { makeStill, toStill } from "~/uploads/still";
import { converterOf } from "../prepare/converters";
import { ConversionQueue } from "./conversion-queue";

/** A name of this tab that a reload does not change. */
function holderOfTab(): string {
  const fresh = crypto.randomUUID();
  try {
    const known = sessionStorage.getItem("hiroba-holder");
    if (known) return known;
    sessionStorage.setItem("hiroba-holder", fresh);
  } catch {
    // A browser that keeps nothing is another one after each reload.
  }
  return fresh;
}

const MARK = "hiroba-conversion ";

/**
 * Counts how often this browser broke down in the middle of a file: a conversion that ends in whatever way takes its mark away, and so does
 * a page that is left. What is still there when it begins again, was left by a page that could do neither.
 */
const attempts = {
  begin(name: string): number {
    try {
      const before = Number(localStorage.getItem(MARK + name) ?? 0);
      localStorage.setItem(MARK + name, String(before + 1));
      return before;
    } catch {
      return 0;
    }
  },
  end(name: string): void {
    try {
      localStorage.removeItem(MARK + name);
    } catch {
      // Storage is unavailable, so begin() wrote no entry that could be removed.
    }
  },
};

async function fetchFile(url: string, signal: AbortSignal, onShare: (share: number) => void): Promise<Blob> {
  const response = await fetch(url, { signal });
  if (!response.ok || !response.body) throw new Error(`The original did not come: ${response.status}`);
  const total = Number(response.headers.get("content-length") ?? 0);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let read = 0;
  const reader = (response.body as ReadableStream<Uint8Array<ArrayBuffer>>).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    read += value.byteLength;
    if (total > 0) onShare(read / total);
  }
  return new Blob(chunks);
}

/** The first frame of a file, as small as the library's pictures are. */
async function draw(file: Blob, kind: string): Promise<Blob | null> {
  if (kind === "image") {
    const image = await createImageBitmap(file).catch(() => null);
    if (!image) return null;
    try {
      return await toStill(image, image.width, image.height);
    } finally {
      image.close();
    }
  }
  if (kind === "audio") return file;
  return makeStill(file as File, kind as "model");
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

/** The queue of this tab over what the browser has. */
export function startConversions(): ConversionQueue {
  const marks = new Set<string>();
  // A page that is left or loaded anew has not broken down.
  addEventListener("pagehide", () => {
    for (const name of marks) attempts.end(name);
  });
  return new ConversionQueue({
    api: browserApi,
    fetchFile,
    converterOf,
    draw,
    urlOf: (blob) => URL.createObjectURL(blob),
    revoke: (url) => URL.revokeObjectURL(url),
    holder: holderOfTab(),
    attempts: {
      begin(name) {
        marks.add(name);
        return attempts.begin(name);
      },
      end(name) {
        marks.delete(name);
        attempts.end(name);
      },
    },
    wait,
  });
}
