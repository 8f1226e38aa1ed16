/** How long work may hold up the page at a stretch, in milliseconds. */
const STRETCH_MS = 24;

/** Long work in pieces: between two of them the page answers its visitor. */
export class Breath {
  private readonly signal: AbortSignal | null;
  private since = performance.now();

  /** @param signal aborts the work at its next pause. */
  constructor(signal: AbortSignal | null = null) {
    this.signal = signal;
  }

  /** Whether the page has waited long enough: then `await pause()`. */
  get isDue(): boolean {
    return performance.now() - this.since > STRETCH_MS;
  }

  /** Lets the page go first. Rejects when the work is not wanted any more. */
  async pause(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.signal?.throwIfAborted();
    this.since = performance.now();
  }
}
