/** Runs a conversion in a web worker; this is the page's part. */
import {
  ConversionError,
  type ConversionErrorCode,
  type ConversionInput,
  type ConversionStep,
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
      readonly code: ConversionErrorCode;
      readonly message: string;
      readonly values: Readonly<Record<string, string | number>>;
    };

/** Maximum delay of a timer in milliseconds. After a longer one, the page is assumed to have been suspended or busy. */
const TIMER_DELAY_MAX_MS = 2000;

/**
 * Sends a request to a new worker, and terminates the worker when the conversion ends.
 * @returns the worker's result. Rejects with the signal's reason, or with ConversionError: the worker's own error; out_of_memory when the worker ends
 *   or does not start and states no reason, and when its result cannot be read; timeout when it sends no message within the time limit of its work
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
      if (data.type === "done") return end(() => resolve(data.result));
      if (data.type === "failed") return fail(new ConversionError(data.code, data.message, data.values));
      restartTimer(data.work);
      onProgress(data.share, data.step);
    };
    worker.onmessageerror = () => fail(new ConversionError("out_of_memory", "The result could not be read."));
    // A worker that runs out of memory ends with an event that often has no message.
    worker.onerror = (event) => {
      event.preventDefault();
      fail(
        event.message
          ? toConversionError(event.message, "damaged")
          : new ConversionError("out_of_memory", "The worker ended."),
      );
    };
    restartTimer({});
    worker.postMessage(request);
  });
}
