/**
 * Runs in a page before its scripts: about 30 frames a second instead of 60. Drawn by software, a space that moves takes all
 * that a processor has, and other tests wait for it.
 */
export function fewerFrames(): void {
  const pause = 20;
  const request = window.requestAnimationFrame.bind(window);
  const cancel = window.cancelAnimationFrame.bind(window);
  /** How each frame that is asked for can be called off. */
  const pendingFrames = new Map<number, () => void>();
  let last = 0;
  window.requestAnimationFrame = (draw) => {
    const id = ++last;
    const timer = setTimeout(() => {
      const frame = request((now) => {
        pendingFrames.delete(id);
        draw(now);
      });
      pendingFrames.set(id, () => cancel(frame));
    }, pause);
    pendingFrames.set(id, () => clearTimeout(timer));
    return id;
  };
  window.cancelAnimationFrame = (id) => {
    pendingFrames.get(id)?.();
    pendingFrames.delete(id);
  };
}
