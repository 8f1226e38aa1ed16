import { useEffect, useState } from "react";
import type { ReadAt } from "./answers";

/** Age from which prices and stock show it, in milliseconds. */
export const AGE_SHOWN_MS = 60_000;
/** Interval at which the age is updated, in milliseconds. */
const STEP_MS = 10_000;

/** Time at which the browser received each answer, by its monotonic clock. */
const received = new WeakMap<ReadAt, number>();

/**
 * Milliseconds since the server read an answer, by the browser's clock. A page from the cache is older than its arrival: by the difference of the
 * two clocks, and at most by the time for which pages are cached.
 */
function elapsedSince(read: ReadAt): number {
  const elapsed = Math.min(Math.max(Date.now() - read.at, 0), read.slackMs);
  const start = received.get(read) ?? performance.now() - elapsed;
  received.set(read, start);
  return performance.now() - start;
}

/** `elapsedSince`, again and again; null before scripts run. */
export function useElapsed(read: ReadAt | null): number | null {
  const [elapsed, setElapsed] = useState<number | null>(null);
  useEffect(() => {
    if (!read) return;
    const look = () => setElapsed(elapsedSince(read));
    look();
    const timer = setInterval(look, STEP_MS);
    return () => clearInterval(timer);
  }, [read]);
  return elapsed;
}
