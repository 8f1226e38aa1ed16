/** Runs the conversions that runWorker requests; this is the worker's part. */
import type { ConversionError } from "./contract";
import type { ReportProgress, WorkerMessage } from "./run-worker";

/** Handles each request of the page. @param failureOf converts an error to the one that the page receives */
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
