import { useEffect, useState } from "react";
import type { ReadAt } from "./store-result";

/** Age from which it is shown beside prices and stock, in milliseconds. */
export const AGE_SHOWN_MS = 60_000;
/** Interval at which the age is updated, in milliseconds. */
const STEP_MS = 10_000;

/** Time at which the browser received each result, by its monotonic clock. */
const receivedAt = new WeakMap<ReadAt, number>();

/**
 * Milliseconds since the server read a result, by the browser's clocks. A cached page was older when it arrived: by the difference of the two clocks,
 * which is limited to the time for which pages are cached.
 */
function elapsedSince(readAt: ReadAt): number {
  const elapsedMs = Math.min(Math.max(Date.now() - readAt.at, 0), readAt.cachedForMs);
  const start = receivedAt.get(readAt) ?? performance.now() - elapsedMs;
  receivedAt.set(readAt, start);
  return performance.now() - start;
}

/** Value of `elapsedSince`, updated every STEP_MS; null before hydration. */
export function useElapsed(readAt: ReadAt | null): number | null {
  const [elapsedMs, setElapsedMs] = useState<number | null>(null);
  useEffect(() => {
    if (!readAt) return;
    const update = () => setElapsedMs(elapsedSince(readAt));
    update();
    const timer = setInterval(update, STEP_MS);
    return () => clearInterval(timer);
  }, [readAt]);
  return elapsedMs;
}
