/**
 * Returns a function that runs a task, one run at a time. Calls during a run share one further run and resolve after it, so that every caller waits for a
 * run that began after its call. If a run fails, the calls during it fail too, without a further run.
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
