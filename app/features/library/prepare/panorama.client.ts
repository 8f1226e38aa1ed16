/** Converts pictures that browsers cannot show, and panoramas that are not equirectangular, in a worker. */
import { type Conversion, ConversionError, type ConversionInput, type Converter } from "./contract";
import type { PictureAnswer, PictureTask } from "./panorama/messages";

/** Milliseconds in which the worker must have begun. */
const START_MS = 20_000;
/** Milliseconds without any report after which it is taken to be stuck. The largest pictures are decoded in one step. */
const SILENCE_MS = 120_000;

function run(input: ConversionInput, result: PictureTask["result"]): Promise<Conversion> {
  const { file, fileName, mimeType, companions, quality, signal } = input;
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./panorama/picture.worker.ts", import.meta.url), { type: "module" });
    let timer: ReturnType<typeof setTimeout>;
    const end = (act: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      worker.terminate();
      act();
    };
    const fail = (error: unknown) => end(() => reject(error));
    const onAbort = () => fail(signal.reason);
    const watch = (ms: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => fail(new ConversionError("timeout", "The worker does not answer.")), ms);
    };
    signal.addEventListener("abort", onAbort);
    worker.addEventListener("error", (event) =>
      fail(new ConversionError("out_of_memory", event.message || "The worker ended.")),
    );
    worker.addEventListener("message", ({ data }: MessageEvent<PictureAnswer>) => {
      watch(SILENCE_MS);
      if (data.is === "ready") {
        const task: PictureTask = { result, file, fileName, mimeType, companions: [...companions], quality };
        worker.postMessage(task);
      } else if (data.is === "progress") input.onProgress(data.share, data.step);
      else if (data.is === "done") {
        const { files, before, after } = data;
        end(() => resolve({ files, before, after, losses: [] }));
      } else fail(new ConversionError(data.code, data.message, data.values));
    });
    watch(START_MS);
  });
}

/** Makes a picture that every browser shows; of a large panorama also its tiles. The picture's shape stays. */
export const convertPicture: Converter = (input) => run(input, "picture");

/**
 * Makes one equirectangular picture of a cropped panorama, a cubemap in one picture, or six faces (the file and five companions).
 * Rejects with "unsupported_feature" for other pictures: values.reason is "not_panorama", or "fisheye" for one that was not stitched.
 */
export const convertPanorama: Converter = (input) => run(input, "panorama");
