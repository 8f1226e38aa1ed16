/** Functions that polling needs, so that tests can replace them. */
export interface PollPorts {
  /** Current value; null if it is unknown at the moment. */
  fetchValue(): Promise<number | null>;
  onValue(value: number): void;
  isHidden(): boolean;
  /**
   * Registers a callback for changes of the page's visibility.
   * @returns a function that removes it
   */
  onVisibilityChange(listener: () => void): () => void;
}

/** Polling interval in milliseconds. */
export const POLL_INTERVAL_MS = 30_000;

/**
 * Polls every half minute while the page is visible, and immediately when it becomes visible and the last request is at least half a
 * minute old. There is at most one request at a time, and responses after the end are ignored.
 * @returns a function that ends the polling
 */
export function pollValue({ fetchValue, onValue, isHidden, onVisibilityChange }: PollPorts): () => void {
  let timer: ReturnType<typeof setInterval> | undefined;
  let fetchedAt = Date.now();
  let [isFetching, isStopped] = [false, false];
  const fetchOnce = async () => {
    if (isFetching) return;
    isFetching = true;
    fetchedAt = Date.now();
    const value = await fetchValue().catch(() => null);
    isFetching = false;
    if (value !== null && !isStopped) onValue(value);
  };
  const updateTimer = () => {
    clearInterval(timer);
    timer = undefined;
    if (isHidden()) return;
    timer = setInterval(fetchOnce, POLL_INTERVAL_MS);
    if (Date.now() - fetchedAt >= POLL_INTERVAL_MS) void fetchOnce();
  };
  updateTimer();
  const unsubscribe = onVisibilityChange(updateTimer);
  return () => {
    isStopped = true;
    clearInterval(timer);
    unsubscribe();
  };
}
