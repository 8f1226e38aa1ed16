/**
 * Runs in a page before its scripts. It limits animation to about 30 frames per second instead of 60, because a moving space in
 * software rendering uses a whole processor, and other tests wait for it.
 */
export function fewerFrames(): void {
  const pauseMs = 20;
  const request = window.requestAnimationFrame.bind(window);
  const cancel = window.cancelAnimationFrame.bind(window);
  /** Functions that cancel the pending frames, by the frame's id. */
  const pendingFrames = new Map<number, () => void>();
  let lastId = 0;
  window.requestAnimationFrame = (draw) => {
    const id = ++lastId;
    const timer = setTimeout(() => {
      const frame = request((now) => {
        pendingFrames.delete(id);
        draw(now);
      });
      pendingFrames.set(id, () => cancel(frame));
    }, pauseMs);
    pendingFrames.set(id, () => clearTimeout(timer));
    return id;
  };
  window.cancelAnimationFrame = (id) => {
    pendingFrames.get(id)?.();
    pendingFrames.delete(id);
  };
}
