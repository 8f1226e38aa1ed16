import { createAbortError } from "./core/abort";

/**
 * Resolves when the page around the viewer has loaded and the browser is idle, because the page's own content must be readable before 3D is
 * fetched. While the document's state is `loading`, scripts run only because the rest of a streamed page is still missing, so it counts as
 * loaded. Rejects with AbortError.
 */
export function whenReadable(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    let idleHandle = 0;
    const removeListeners = () => {
      window.removeEventListener("load", waitForIdle);
      signal.removeEventListener("abort", abort);
    };
    const done = () => {
      removeListeners();
      resolve();
    };
    const waitForIdle = () => {
      // Safari has no requestIdleCallback.
      idleHandle = window.requestIdleCallback
        ? window.requestIdleCallback(done, { timeout: 1500 })
        : window.setTimeout(done, 200);
    };
    const abort = () => {
      removeListeners();
      if (window.cancelIdleCallback) window.cancelIdleCallback(idleHandle);
      else window.clearTimeout(idleHandle);
      reject(createAbortError());
    };
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort);
    if (document.readyState !== "interactive") waitForIdle();
    else window.addEventListener("load", waitForIdle);
  });
}
