import { createAbortError } from "./core/abort";

/**
 * Resolves when the page around the viewer has loaded and the browser is idle, because 3D is fetched after the page is readable.
 * Resolves at once for a page that has been readable for a while. Rejects with AbortError. A page whose scripts run while it is
 * still loading waits only for a late part: its first content is already readable.
 */
export function whenReadable(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    let idle = 0;
    const finish = () => {
      window.removeEventListener("load", loaded);
      signal.removeEventListener("abort", abort);
    };
    const done = () => {
      finish();
      resolve();
    };
    const loaded = () => {
      // Safari has no requestIdleCallback.
      idle = window.requestIdleCallback
        ? window.requestIdleCallback(done, { timeout: 1500 })
        : window.setTimeout(done, 200);
    };
    const abort = () => {
      finish();
      if (window.cancelIdleCallback) window.cancelIdleCallback(idle);
      else window.clearTimeout(idle);
      reject(createAbortError());
    };
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort);
    if (document.readyState !== "interactive") loaded();
    else window.addEventListener("load", loaded);
  });
}
