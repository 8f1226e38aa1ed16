/** Maximum time for which work may block the page without a pause, in milliseconds. */
const SLICE_MAX_MS = 12;

/** Resolves in a new task, so that the page can respond to the visitor first. In a background tab, where timers wait a second, it resolves at once. */
export const nextTask = (): Promise<void> =>
  globalThis.document?.hidden ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, 0));

/** Splits long work into slices. Between two slices, the page can respond to the visitor. */
export class TimeSlicer {
  private readonly signal: AbortSignal | null;
  private sliceStart = performance.now();

  /** @param signal aborts the work at its next pause */
  constructor(signal: AbortSignal | null = null) {
    this.signal = signal;
  }

  /** Whether the work has blocked the page long enough. If so, the caller must `await pause()`. */
  get isDue(): boolean {
    return performance.now() - this.sliceStart > SLICE_MAX_MS;
  }

  /** Lets the page run its own tasks. Rejects when the signal has aborted. */
  async pause(): Promise<void> {
    await nextTask();
    this.signal?.throwIfAborted();
    this.sliceStart = performance.now();
  }
}
