import { type Conversion, ConversionError, type ConversionInput, type Converter } from "./contract";
import type { SplatMessage, SplatRequest, SplatResult } from "./splat-worker";

const SPZ = "application/x-gaussian-spz";
/** Bytes of a splat in graphics memory. */
const GRAPHICS_BYTES = 40;
/** Time without a message after which the worker is ended, in milliseconds. The longest step merges six million splats. */
const SILENCE_MS = 240_000;

/**
 * Converts splats to SPZ. Merges small splats until phones can show the file, and makes a preview of at most 1.5 MB. The files keep
 * their axes and note which one points upwards.
 */
export const convertSplat: Converter = async (input): Promise<Conversion> => {
  const { display, preview, before, after } = await inWorker(input);
  const file = { kind: "splat", mimeType: SPZ } as const;
  return {
    files: [
      { ...file, role: "display", name: "splat.spz", blob: display },
      ...(preview ? [{ ...file, role: "preview" as const, name: "preview.spz", blob: preview }] : []),
    ],
    before: { bytes: input.file.size, splats: before, graphicsBytes: before * GRAPHICS_BYTES },
    after: { bytes: display.size, splats: after, graphicsBytes: after * GRAPHICS_BYTES },
    losses: [],
  };
};

function inWorker({ file, quality, signal, onProgress }: ConversionInput): Promise<SplatResult> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const worker = new Worker(new URL("./splat.worker.client.ts", import.meta.url), { type: "module" });
    const end = (act: () => void) => {
      clearTimeout(silence);
      signal.removeEventListener("abort", abort);
      worker.terminate();
      act();
    };
    const giveUp = () => end(() => reject(new ConversionError("timeout", "The worker has stopped.")));
    let silence = setTimeout(giveUp, SILENCE_MS);
    const abort = () => end(() => reject(new DOMException("The conversion was ended.", "AbortError")));
    signal.addEventListener("abort", abort);
    worker.onerror = (event) => {
      event.preventDefault();
      end(() => reject(new ConversionError("out_of_memory", event.message || "The worker has failed.")));
    };
    worker.onmessage = ({ data }: MessageEvent<SplatMessage>) => {
      clearTimeout(silence);
      silence = setTimeout(giveUp, SILENCE_MS);
      if (data.type === "progress") onProgress(data.share, data.step);
      else if (data.type === "done") end(() => resolve(data.result));
      else end(() => reject(new ConversionError(data.code, data.message, data.values)));
    };
    worker.postMessage({ file, quality } satisfies SplatRequest);
  });
}
