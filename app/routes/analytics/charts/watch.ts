/** What asking again and again needs of the browser. */
export interface WatchPorts {
  /** What there is now; null when that cannot be known just now. */
  ask(): Promise<number | null>;
  heard(count: number): void;
  isHidden(): boolean;
  /** Calls back whenever the page goes out of view or comes back. @returns what ends it */
  onTurn(turned: () => void): () => void;
}

/** How often it is asked. */
export const WATCH_MS = 30_000;

/**
 * Asks every half minute as long as the page is in view, and at once when it comes back into view after as long. One question at a time; what
 * is answered after the end is not heard.
 * @returns what ends it
 */
export function watch({ ask, heard, isHidden, onTurn }: WatchPorts): () => void {
  let timer: ReturnType<typeof setInterval> | undefined;
  let askedAt = Date.now();
  let [isAsking, isOver] = [false, false];
  const once = async () => {
    if (isAsking) return;
    isAsking = true;
    askedAt = Date.now();
    const count = await ask().catch(() => null);
    isAsking = false;
    if (count !== null && !isOver) heard(count);
  };
  const turn = () => {
    clearInterval(timer);
    timer = undefined;
    if (isHidden()) return;
    timer = setInterval(once, WATCH_MS);
    if (Date.now() - askedAt >= WATCH_MS) void once();
  };
  turn();
  const off = onTurn(turn);
  return () => {
    isOver = true;
    clearInterval(timer);
    off();
  };
}
