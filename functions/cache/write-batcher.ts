/** Dependencies of a batcher. Tests inject their own clock. */
export interface WriteBatcherOptions<T> {
  /** Writes all items. Must be safe to repeat: items that are already written must not be written again. */
  readonly write: (items: readonly T[]) => Promise<void>;
  /** Whether an item is written although its batch is not complete. `add` then resolves. */
  readonly isWritten?: (item: T) => boolean;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Reports a failed write. `isOver`: it is not retried. */
  readonly onError: (error: unknown, itemCount: number, isOver: boolean) => void;
}

/** Time for which items are collected before they are written together, in milliseconds. */
export const BATCH_DELAY_MS = 400;
/** Maximum number of items of one write. */
export const BATCH_MAX_ITEMS = 500;
/** Number of waiting items from which a batcher is full. An isolate has 128 MB, and an item, a part of a visit, may have 8 KB (VISIT_BODY_MAX). */
export const QUEUE_MAX_ITEMS = 4000;
/** Time after which a write that has not begun or not ended counts as one of a cancelled request, in milliseconds. */
const WRITE_MAX_MS = 8_000;
/** Maximum number of attempts of a write. */
const WRITE_ATTEMPTS = 3;
/** Delay before the first retry of a write, in milliseconds. It doubles with each retry. */
const RETRY_DELAY_MS = 500;
/** Interval at which waiting requests check whether their batch is written, in milliseconds. */
const POLL_INTERVAL_MS = 250;

interface Batch<T> {
  readonly items: T[];
  /** Time at which the last write attempt began, in epoch milliseconds; null before the first. */
  writingSince: number | null;
  isDone: boolean;
}

/**
 * Combines the items of many requests into one write. The first request of a batch waits for others and writes for all. Every other request waits
 * until its batch is written, and writes it itself if the first request was cancelled. No request awaits another request's promise (see
 * SingleFlight).
 */
export class WriteBatcher<T> {
  readonly #options: WriteBatcherOptions<T>;
  #open: Batch<T> | null = null;
  #queuedItems = 0;

  constructor(options: WriteBatcherOptions<T>) {
    this.#options = options;
  }

  /** Whether the queue is full. New items must be rejected, so that their sender keeps them. */
  get isFull(): boolean {
    return this.#queuedItems >= QUEUE_MAX_ITEMS;
  }

  /** Adds an item. Resolves when it is written, or when the last attempt to write it has failed. */
  async add(item: T): Promise<void> {
    const { now, sleep } = this.#options;
    const isFirst = this.#open === null;
    const batch: Batch<T> = this.#open ?? { items: [], writingSince: null, isDone: false };
    this.#open = batch;
    this.#queuedItems++;
    batch.items.push(item);
    if (batch.items.length >= BATCH_MAX_ITEMS) this.#open = null;

    if (isFirst) {
      await sleep(BATCH_DELAY_MS);
      return this.#write(batch);
    }
    const since = now();
    // Each check needs a timer, which costs more than the item itself. The first check is therefore at the expected end of the write.
    await sleep(BATCH_DELAY_MS + POLL_INTERVAL_MS);
    while (!batch.isDone && !this.#options.isWritten?.(item)) {
      if (now() - (batch.writingSince ?? since) >= WRITE_MAX_MS) return this.#write(batch);
      await sleep(POLL_INTERVAL_MS);
    }
  }

  async #write(batch: Batch<T>): Promise<void> {
    if (batch.isDone) return;
    if (this.#open === batch) this.#open = null;
    const { write, now, sleep, onError } = this.#options;
    for (let tries = 1; !batch.isDone; tries++) {
      batch.writingSince = now();
      try {
        await write(batch.items);
        this.#done(batch);
      } catch (error) {
        onError(error, batch.items.length, tries === WRITE_ATTEMPTS);
        if (tries === WRITE_ATTEMPTS) this.#done(batch);
        else await sleep(RETRY_DELAY_MS * 2 ** (tries - 1));
      }
    }
  }

  #done(batch: Batch<T>) {
    if (batch.isDone) return;
    batch.isDone = true;
    this.#queuedItems -= batch.items.length;
  }
}
