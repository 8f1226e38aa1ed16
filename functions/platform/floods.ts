/** For how long a place stays closed, in milliseconds: the window of the limit that it has used up. */
const CLOSED_MS = 60_000;
const MAX_KEPT = 10_000;

function keep<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  const [oldest] = map.keys();
  if (map.size >= MAX_KEPT && oldest !== undefined) map.delete(oldest);
  map.set(key, value);
}

/**
 * Places from which too many calls came with tickets that are nobody's. Whether a ticket is somebody's only D1 knows, and it is what
 * such a flood is to be kept from: until the minute is over nobody of that place is let in but those whom this isolate has met.
 */
export class Floods {
  readonly #now: () => number;
  /** Until when, least recently closed first. */
  readonly #closed = new Map<string, number>();
  /** Least recently met first. */
  readonly #met = new Map<string, true>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Closes a place. */
  close(place: string): void {
    keep(this.#closed, place, this.#now() + CLOSED_MS);
  }

  /** Whether a place is closed to a caller. */
  isClosed(place: string, caller: string): boolean {
    return (this.#closed.get(place) ?? 0) > this.#now() && !this.hasMet(caller);
  }

  /** Notes whether a caller was somebody when D1 was asked. */
  note(caller: string, isSomebody: boolean): void {
    if (isSomebody) keep(this.#met, caller, true);
    else this.#met.delete(caller);
  }

  /** Whether a caller was somebody when D1 was asked last. */
  hasMet(caller: string): boolean {
    return this.#met.has(caller);
  }
}
