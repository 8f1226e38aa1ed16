/** Runs the conversions that runWorker requests; this is the worker's part. */
import { type ConversionError, ConverterLoadError } from "./conversion";
import type { ReportProgress, WorkerMessage } from "./run-worker";

/** Messages of errors about a module that cannot be fetched (V8, SpiderMonkey, JavaScriptCore). */
const MODULE_NOT_FETCHED = /dynamically imported module|importing a module script failed/i;

/**
 * Handles each request of the page.
 * @param toConversionError converts all errors except ConverterLoadError and failed imports, which are sent without a code
 */
export function serveWorker<Request, Result>(
  convert: (request: Request, report: ReportProgress) => Promise<Result>,
  toConversionError: (error: unknown) => ConversionError,
): void {
  const send = (message: WorkerMessage<Result>) => self.postMessage(message);
  const report: ReportProgress = (share, step, work = {}) => send({ type: "progress", share, step, work });
  self.addEventListener("message", async ({ data }: MessageEvent<Request>) => {
    try {
      report(0, "read");
      send({ type: "done", result: await convert(data, report) });
    } catch (error) {
      if (error instanceof ConverterLoadError || MODULE_NOT_FETCHED.test(String(error)))
        return send({ type: "failed", code: null, message: String(error), values: {} });
      const { code, message, values } = toConversionError(error);
      send({ type: "failed", code, message, values });
    }
  });
}
