/** Returns what `result` resolves to if it takes at most `ms` milliseconds, and `fallback()` if it takes longer or fails. */
export async function resolveWithin<T, L>(result: Promise<T>, ms: number, fallback: () => L): Promise<T | L> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<L>((resolve) => {
    timer = setTimeout(() => resolve(fallback()), ms);
  });
  try {
    return await Promise.race([result.catch(fallback), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
