/** Runs a conversion in a web worker; this is the page's part. */
import {
  ConversionError,
  type ConversionErrorCode,
  type ConversionInput,
  type ConversionStep,
  ConverterLoadError,
} from "./conversion";
import { toConversionError } from "./models/to-conversion-error";
import { timeLimitFor, type Work } from "./time-limit";

/** Reports progress. @param share 0…1 @param work amount of work in the next call that cannot report progress */
export type ReportProgress = (share: number, step: ConversionStep, work?: Work) => void;

/** Messages from a worker to the page. */
export type WorkerMessage<Result> =
  | { readonly type: "progress"; readonly share: number; readonly step: ConversionStep; readonly work: Work }
  | { readonly type: "done"; readonly result: Result }
  | {
      readonly type: "failed";
      /** Null for a ConverterLoadError. */
      readonly code: ConversionErrorCode | null;
      readonly message: string;
      readonly values: Readonly<Record<string, string | number>>;
    };

/** Maximum delay of a timer in milliseconds. After a longer one, the page is assumed to have been suspended or busy. */
const TIMER_DELAY_MAX_MS = 2000;

/**
 * Sends a request to a new worker, and terminates the worker when the conversion ends.
 * @returns the worker's result
 * @throws the signal's reason after an abort
 * @throws the worker's own error
 * @throws ConverterLoadError when the worker's script cannot be loaded
 * @throws ConversionError out_of_memory when the worker ends and states no reason, or its result cannot be read
 * @throws ConversionError timeout when the worker sends no message within the time limit of its work
 */
export function runWorker<Result>(
  create: () => Worker,
  request: unknown,
  { signal, onProgress }: Pick<ConversionInput, "signal" | "onProgress">,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const worker = create();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let hasStarted = false;
    const end = (settle: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
      worker.terminate();
      settle();
    };
    const fail = (error: unknown) => end(() => reject(error));
    const abort = () => fail(signal.reason);
    const restartTimer = (work: Work) => {
      clearTimeout(timer);
      const timeLimit = timeLimitFor(work);
      const deadline = Date.now() + timeLimit;
      timer = setTimeout(() => {
        // The worker may have been suspended too, or its messages have not been delivered yet.
        if (Date.now() - deadline > TIMER_DELAY_MAX_MS) return restartTimer(work);
        fail(new ConversionError("timeout", `The worker sent no message for ${timeLimit / 1000} s.`));
      }, timeLimit);
    };
    signal.addEventListener("abort", abort);
    worker.onmessage = ({ data }: MessageEvent<WorkerMessage<Result>>) => {
      hasStarted = true;
      if (data.type === "done") return end(() => resolve(data.result));
      if (data.type === "failed")
        return fail(
          data.code === null
            ? new ConverterLoadError(data.message)
            : new ConversionError(data.code, data.message, data.values),
        );
      restartTimer(data.work);
      onProgress(data.share, data.step);
    };
    worker.onmessageerror = () => fail(new ConversionError("out_of_memory", "The result could not be read."));
    // The error event has no message when the script cannot be loaded, and often none when the worker runs out of memory. A worker sends a
    // message before it begins to convert, so a worker that has sent none probably was not loaded.
    worker.onerror = (event) => {
      event.preventDefault();
      if (event.message) fail(toConversionError(event.message, "damaged"));
      else if (hasStarted) fail(new ConversionError("out_of_memory", "The worker ended."));
      else fail(new ConverterLoadError("The worker's script could not be loaded."));
    };
    restartTimer({});
    worker.postMessage(request);
  });
}
