/** Returns a promise's value, or `late` after a time limit in milliseconds. */
export async function within<T, Late>(work: Promise<T>, ms: number, late: Late): Promise<T | Late> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waited = new Promise<Late>((resolve) => {
    timer = setTimeout(() => resolve(late), ms);
  });
  try {
    return await Promise.race([work, waited]);
  } finally {
    clearTimeout(timer);
  }
}
