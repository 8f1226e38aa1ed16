/** The result of `work` within `ms` milliseconds; `late()` when it takes longer or fails. */
export async function firstWithin<T, L>(work: Promise<T>, ms: number, late: () => L): Promise<T | L> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waited = new Promise<L>((resolve) => {
    timer = setTimeout(() => resolve(late()), ms);
  });
  try {
    return await Promise.race([work.catch(late), waited]);
  } finally {
    clearTimeout(timer);
  }
}
