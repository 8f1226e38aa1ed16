/** Browser functions that polling needs. */
export interface WatchPorts {
  /** Current value; null if it is unknown at the moment. */
  ask(): Promise<number | null>;
  heard(count: number): void;
  isHidden(): boolean;
  /** Registers a callback for changes of the page's visibility. @returns a function that removes it */
  onTurn(turned: () => void): () => void;
}

/** Polling interval in milliseconds. */
export const WATCH_MS = 30_000;

/**
 * Polls every half minute while the page is visible, and immediately when it becomes visible after at least that time. There is at most one
 * request at a time, and responses after the end are ignored.
 * @returns a function that ends the polling
 */
export function watch({ ask, heard, isHidden, onTurn }: WatchPorts): () => void {
  let timer: ReturnType<typeof setInterval> | undefined;
  let askedAt = Date.now();
  let [isAsking, isOver] = [false, false];
  const once = async () => {
    if (isAsking) return;
    isAsking = true;
    askedAt = Date.now();
    const count = await ask().catch(() => null);
    isAsking = false;
    if (count !== null && !isOver) heard(count);
  };
  const turn = () => {
    clearInterval(timer);
    timer = undefined;
    if (isHidden()) return;
    timer = setInterval(once, WATCH_MS);
    if (Date.now() - askedAt >= WATCH_MS) void once();
  };
  turn();
  const off = onTurn(turn);
  return () => {
    isOver = true;
    clearInterval(timer);
    off();
  };
}
