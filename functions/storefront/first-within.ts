/** Returns the result of `work` if it takes at most `ms` milliseconds, and `late()` if it takes longer or fails. */
export async function firstWithin<T, L>(work: Promise<T>, ms: number, late: () => L): Promise<T | L> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<L>((resolve) => {
    timer = setTimeout(() => resolve(late()), ms);
  });
  try {
    return await Promise.race([work.catch(late), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
