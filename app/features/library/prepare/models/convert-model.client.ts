/** Converters of 3D models to GLB. */
import { HEAVY_BYTES, HEAVY_TRIANGLES } from "~/domain/prepared";
import { type Conversion, ConversionError, type ConversionInput, type Converter } from "../contract";
import { conversionFailure } from "./conversion-failure";
import type { ModelRequest, ModelResult, Report, WorkerMessage } from "./protocol";

/** Triangles above which a model is not given to visitors without having been reduced. */
const TRIANGLES_MAX = 2_000_000;
/** How long the worker may take to load its decoder, in milliseconds. */
const READY_MS = 120_000;
/** How long it may be silent afterwards. A loader reads a whole file in one task, in which it cannot report. */
const SILENCE_MS = 600_000;

/** Converts FBX, OBJ, USD, STL, PLY, LAS, LAZ and IFC in a worker. */
export const convertInWorker: Converter = (input) => convert(input, runWorker);

/** Converts 3MF and COLLADA on the page, whose loaders need a DOM. */
export const convertOnPage: Converter = (input) => convert(input, runOnPage);

type Run = (request: ModelRequest, report: Report, signal: AbortSignal) => Promise<ModelResult>;

async function convert(input: ConversionInput, run: Run): Promise<Conversion> {
  const { file, fileName, mimeType, companions, signal } = input;
  signal.throwIfAborted();
  const report: Report = (share, step) => input.onProgress(share / 2, step);
  const { glb, facts, before, losses, notes } = await run(
    { file, fileName, mimeType, companions },
    report,
    signal,
  );
  signal.throwIfAborted();
  const lighter = await lighten(glb, facts, input);
  input.onProgress(1, "write");
  return {
    files: lighter?.files ?? [
      { role: "display", name: "model.glb", kind: "model", mimeType: "model/gltf-binary", blob: glb },
    ],
    before: { ...before, bytes: file.size },
    after: { ...facts, bytes: glb.size, ...lighter?.after },
    losses,
    notes,
  };
}

/** A lighter version of a converted model that phones cannot draw easily; null for others, and where none can be made. */
async function lighten(glb: Blob, { triangles = 0 }: ModelResult["facts"], input: ConversionInput) {
  if (triangles <= HEAVY_TRIANGLES && glb.size <= HEAVY_BYTES) return null;
  const { optimizeGlb } = await import("../glb.client");
  const onProgress: ConversionInput["onProgress"] = (share, step) => input.onProgress(0.5 + share / 2, step);
  try {
    return await optimizeGlb({ ...input, file: glb, onProgress });
  } catch (error) {
    input.signal.throwIfAborted();
    // A model of moderate size is shown as it was converted. A larger one would stop visitors' devices.
    if (triangles > TRIANGLES_MAX) throw error;
    return null;
  }
}

const runWorker: Run = (request, report, signal) =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./model.worker.ts", import.meta.url), { type: "module" });
    const end = (settle: () => void) => {
      clearTimeout(watch);
      signal.removeEventListener("abort", abort);
      worker.terminate();
      settle();
    };
    const fail = (error: unknown) => end(() => reject(error));
    const abort = () => fail(signal.reason);
    let watch: ReturnType<typeof setTimeout> | undefined;
    const listen = (milliseconds: number) => {
      clearTimeout(watch);
      watch = setTimeout(
        () => fail(new ConversionError("timeout", `the worker was silent for ${milliseconds} ms`)),
        milliseconds,
      );
    };
    listen(READY_MS);
    signal.addEventListener("abort", abort);
    worker.onmessage = ({ data }: MessageEvent<WorkerMessage>) => {
      listen(SILENCE_MS);
      if (data.type === "ready") return;
      if (data.type === "progress") report(data.share, data.step);
      else if (data.type === "done") end(() => resolve(data.result));
      else fail(new ConversionError(data.code, data.message, data.values));
    };
    worker.onmessageerror = () => fail(new ConversionError("out_of_memory", "the result could not be read"));
    // A worker without memory ends with an event that often has no message.
    worker.onerror = (event) => {
      event.preventDefault();
      fail(
        event.message
          ? conversionFailure(event.message)
          : new ConversionError("out_of_memory", "the worker ended"),
      );
    };
    worker.postMessage(request);
  });

const runOnPage: Run = async (request, report, signal) => {
  try {
    const [{ load3mf, loadCollada }, { exportScene }] = await Promise.all([
      import("./load-xml.client"),
      import("./export-scene.client"),
    ]);
    report(0.05, "read");
    await nextTask(signal);
    const loaded = await (request.mimeType === "model/3mf" ? load3mf : loadCollada)(request);
    report(0.5, "decode");
    await nextTask(signal);
    return await exportScene(loaded, (share, step) => {
      signal.throwIfAborted();
      report(share, step);
    });
  } catch (error) {
    signal.throwIfAborted();
    throw conversionFailure(error);
  }
};

/** Lets the page draw and hear before the next step. */
const nextTask = async (signal: AbortSignal): Promise<void> => {
  await new Promise((resolve) => setTimeout(resolve));
  signal.throwIfAborted();
};
