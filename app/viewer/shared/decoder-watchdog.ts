import { ViewerError } from "../core/viewer-error";

/** Time without a response after which a decoder is treated as failed, in milliseconds. */
export const DECODER_TIMEOUT_MS = 20_000;

/** Ends a load when decoders are running and none has begun or finished a task within the time limit. */
export class DecoderWatchdog {
  /** Rejects with a ViewerError when a decoder fails or does not respond, or the load is ended; never resolves. */
  readonly failure: Promise<never>;
  /** Ends the load with an error. */
  reject: (error: ViewerError) => void = () => {};
  private readonly runningTasks = new Map<number, string>();
  private nextTaskId = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly timeoutMs = DECODER_TIMEOUT_MS) {
    this.failure = new Promise((_, reject) => {
      this.reject = reject;
    });
    // Prevents an unhandled rejection while no caller waits for it.
    this.failure.catch(() => {});
  }

  /**
   * Returns the result of a decoder's task, or rejects when a decoder fails first.
   * @param decoder name of the decoder, for the error message
   */
  race<T>(decoder: string, work: Promise<T>): Promise<T> {
    return Promise.race([this.watch(decoder, work), this.failure]);
  }

  /** Watches a task of a decoder. @param decoder name of the decoder, for the error message */
  async watch<T>(decoder: string, work: Promise<T>): Promise<T> {
    const taskId = this.nextTaskId++;
    this.runningTasks.set(taskId, decoder);
    this.restartTimer();
    try {
      return await work;
    } finally {
      this.runningTasks.delete(taskId);
      this.restartTimer();
    }
  }

  /** Ends the load at once with a decoder error. */
  fail(decoder: string, cause?: unknown): void {
    this.reject(new ViewerError("decoder_failed", `The ${decoder} decoder could not run.`, { cause }));
  }

  /** Stops the timer and clears the list of running decoders. */
  dispose(): void {
    clearTimeout(this.timer);
    this.runningTasks.clear();
  }

  private restartTimer(): void {
    clearTimeout(this.timer);
    const [decoder] = this.runningTasks.values();
    if (decoder === undefined) return;
    this.timer = setTimeout(() => {
      const seconds = Math.round(this.timeoutMs / 1000);
      this.reject(
        new ViewerError("decoder_failed", `The ${decoder} decoder has not responded for ${seconds} s.`),
      );
    }, this.timeoutMs);
  }
}
