import { type Conversion, ConversionError, type ConversionInput, type ConversionStep } from "./contract";
import type { OptimizedModel } from "./optimize-model.client";

type Message =
  | { readonly is: "progress"; readonly share: number; readonly step: ConversionStep }
  | { readonly is: "done"; readonly made: OptimizedModel }
  | { readonly is: "failed"; readonly name: string; readonly message: string };

/** After so long without a word from the worker it is given up, in milliseconds: one step of the largest model takes less. */
const SILENCE_MS = 180_000;

/** A lighter model of a GLB file. @see optimizeModel */
export async function optimizeGlb(input: ConversionInput): Promise<Conversion> {
  const { display, preview, before, after } = await runWorker(input);
  const glb = { kind: "model", mimeType: "model/gltf-binary" } as const;
  const blobOf = (bytes: Uint8Array<ArrayBuffer>) => new Blob([bytes], { type: glb.mimeType });
  return {
    files: [
      { ...glb, role: "display", name: "model.glb", blob: blobOf(display) },
      ...(preview ? [{ ...glb, role: "preview", name: "preview.glb", blob: blobOf(preview) } as const] : []),
    ],
    before,
    after,
    losses: [],
  };
}

function runWorker({ file, quality, signal, onProgress }: ConversionInput): Promise<OptimizedModel> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const worker = new Worker(new URL("./glb.worker.ts", import.meta.url), { type: "module", name: "model" });
    let silence: ReturnType<typeof setTimeout> | undefined;
    const end = () => {
      clearTimeout(silence);
      signal.removeEventListener("abort", stop);
      worker.terminate();
    };
    const fail = (error: unknown) => {
      end();
      reject(error);
    };
    const stop = () => fail(signal.reason);
    const watch = () => {
      clearTimeout(silence);
      silence = setTimeout(
        () => fail(new ConversionError("timeout", "The worker did not respond.")),
        SILENCE_MS,
      );
    };
    signal.addEventListener("abort", stop);
    worker.onmessage = ({ data }: MessageEvent<Message>) => {
      watch();
      if (data.is === "progress") return onProgress(data.share, data.step);
      if (data.is === "failed") return fail(errorOf(data));
      end();
      resolve(data.made);
    };
    // A worker without memory ends with an event that often has no message.
    worker.onerror = (event) => {
      event.preventDefault();
      const { message } = event;
      fail(
        message
          ? errorOf({ name: "Error", message })
          : new ConversionError("out_of_memory", "The worker ended."),
      );
    };
    worker.onmessageerror = () => fail(new ConversionError("out_of_memory", "The result could not be sent."));
    watch();
    worker.postMessage({ file, quality });
  });
}

/** Converts an error of the worker to a ConversionError. Browsers report a lack of memory with several different messages. */
function errorOf({ name, message }: { readonly name: string; readonly message: string }): ConversionError {
  const text = `${name}: ${message}`;
  if (
    /allocation|out of memory|array length|array buffer|memory access|grow/i.test(text) ||
    name === "RangeError"
  )
    return new ConversionError("out_of_memory", text);
  if (/missing (required )?(extension|dependency)|unsupported/i.test(text))
    return new ConversionError("unsupported_feature", text);
  return new ConversionError("damaged", text);
}
