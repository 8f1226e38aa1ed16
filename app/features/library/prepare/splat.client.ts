import { type Conversion, ConversionError, type ConversionInput, type Converter } from "./contract";
import type { SplatMessage, SplatRequest, SplatResult } from "./splat-worker";

const SPZ = "application/x-gaussian-spz";
/** Bytes of a splat in graphics memory. */
const GRAPHICS_BYTES = 40;
/** A worker that has said nothing for so long has failed, in milliseconds: the longest step is to merge six million splats. */
const SILENCE_MS = 240_000;

/**
 * Splats as SPZ of at most so many as phones show, by merging those that are too small to be told apart, and a preview of at most
 * 1.5 MB. The axis that points upwards stays as it was, and is noted in the files.
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
