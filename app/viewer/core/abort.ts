/** A signal that aborts with the first of two. AbortSignal.any, which phones of 2023 do not have yet. */
export function eitherSignal(a: AbortSignal, b: AbortSignal): AbortSignal {
  const both = new AbortController();
  const abort = () => {
    both.abort();
    a.removeEventListener("abort", abort);
    b.removeEventListener("abort", abort);
  };
  if (a.aborted || b.aborted) both.abort();
  else for (const signal of [a, b]) signal.addEventListener("abort", abort);
  return both.signal;
}

/** The error of work that was left. */
export function abortError(): DOMException {
  return new DOMException("The space was left while loading.", "AbortError");
}
