import { useEffect, useState } from "react";
import type { ReadAt } from "./store-result";

/** Age of prices and stock above which it is shown beside them, in milliseconds. */
export const AGE_SHOWN_MS = 60_000;
/** Interval at which the age is updated, in milliseconds. */
const AGE_UPDATE_MS = 10_000;

/** Time at which the server read each result, by the browser's monotonic clock. */
const readTimes = new WeakMap<ReadAt, number>();

/**
 * Milliseconds since the server read a result, by the browser's clocks. The result of a cached page is already old when it arrives: its age is then the
 * browser's time minus the time of reading, limited to the time for which pages are cached.
 */
function elapsedSince(readAt: ReadAt): number {
  const elapsedMs = Math.min(Math.max(Date.now() - readAt.at, 0), readAt.cachedForMs);
  const start = readTimes.get(readAt) ?? performance.now() - elapsedMs;
  readTimes.set(readAt, start);
  return performance.now() - start;
}

/** Value of `elapsedSince`, updated every AGE_UPDATE_MS; null before hydration. */
export function useElapsed(readAt: ReadAt | null): number | null {
  const [elapsedMs, setElapsedMs] = useState<number | null>(null);
  useEffect(() => {
    if (!readAt) return;
    const update = () => setElapsedMs(elapsedSince(readAt));
    update();
    const timer = setInterval(update, AGE_UPDATE_MS);
    return () => clearInterval(timer);
  }, [readAt]);
  return elapsedMs;
}
