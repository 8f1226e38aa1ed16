/** Returns a signal that aborts as soon as one of two signals does. Safari has AbortSignal.any only since version 17.4 (2024). */
export function combineSignals(a: AbortSignal, b: AbortSignal): AbortSignal {
  const combined = new AbortController();
  const abort = () => {
    combined.abort();
    a.removeEventListener("abort", abort);
    b.removeEventListener("abort", abort);
  };
  if (a.aborted || b.aborted) combined.abort();
  else for (const signal of [a, b]) signal.addEventListener("abort", abort);
  return combined.signal;
}

/** Creates the error with which loading rejects after the visitor left the space. */
export function createAbortError(): DOMException {
  return new DOMException("The space was left while loading.", "AbortError");
}
