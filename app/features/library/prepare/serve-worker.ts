/** Answers the requests of runWorker, from the worker's side. */
import type { ConversionError } from "./contract";
import type { ReportProgress, WorkerMessage } from "./run-worker";

/**
 * Converts what the page sends.
 * @param failureOf the error that the page receives
 */
export function serveWorker<Request, Result>(
  convert: (request: Request, report: ReportProgress) => Promise<Result>,
  failureOf: (error: unknown) => ConversionError,
): void {
  const send = (message: WorkerMessage<Result>) => self.postMessage(message);
  const report: ReportProgress = (share, step, work = {}) => send({ type: "progress", share, step, work });
  self.addEventListener("message", async ({ data }: MessageEvent<Request>) => {
    try {
      report(0, "read");
      send({ type: "done", result: await convert(data, report) });
    } catch (error) {
      const { code, message, values } = failureOf(error);
      send({ type: "failed", code, message, values });
    }
  });
}
