/**
 * Returns a function that runs a task, one run at a time. Calls during a run cause one further run, so that every caller waits for a run that began after
 * its call. All these callers receive the same promise, which ends after the last of these runs, or with the first that fails.
 */
export function coalesce(task: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let isRepeated = false;
  const run = async () => {
    try {
      do {
        isRepeated = false;
        await task();
      } while (isRepeated);
    } finally {
      running = null;
    }
  };
  return () => {
    if (running) isRepeated = true;
    running ??= run();
    return running;
  };
}
