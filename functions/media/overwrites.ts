/**
 * One part of a stored file that visitors receive with other bytes of the same length: repetitions of one byte, or given bytes.
 * As it is stored: start and length in bytes and the repeated byte, or start and the bytes in base64.
 */
export type Overwrite = readonly [start: number, length: number, byte: number] | readonly [number, string];

/** Filled parts of one file, beyond which the whole file is blanked. */
const FILLS_MAX = 40_000;
/** Written parts of one file and their bytes, beyond which no more are written. With FILLS_MAX their JSON fits into a row of D1, 2 MB. */
const PUTS_MAX = 20_000;
const PUT_BYTES_MAX = 128 * 1024;

const toBase64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));
const fromBase64 = (text: string) => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));

/** Collects the overwrites of a file. Places outside of the file are clipped. */
export class OverwriteList {
  readonly #fills: [start: number, length: number, byte: number][] = [];
  readonly #puts: [start: number, bytes: string][] = [];
  #putBytes = 0;

  /** @param size bytes of the file */
  constructor(readonly size: number) {}

  /** Overwrites everything from `start` up to `end` with one byte. */
  fill(start: number, end: number, byte = 0): void {
    const first = Math.max(0, start);
    const last = Math.min(end, this.size);
    if (!(last > first)) return;
    const before = this.#fills.at(-1);
    if (before && before[2] === byte && before[0] + before[1] === first) {
      before[1] += last - first;
      return;
    }
    if (this.#fills.length > FILLS_MAX) return;
    // Only a crafted file has so many parts: its picture is lost, and no metadata leaves.
    if (this.#fills.length === FILLS_MAX) this.#fills.push([0, this.size, 0]);
    else this.#fills.push([first, last - first, byte]);
  }

  /** Writes bytes at a place, over what fills it. */
  put(start: number, bytes: Uint8Array): void {
    const shown = bytes.subarray(0, Math.max(0, this.size - start));
    if (start < 0 || shown.byteLength === 0 || this.#puts.length >= PUTS_MAX) return;
    this.#putBytes += shown.byteLength;
    if (this.#putBytes > PUT_BYTES_MAX) return;
    this.#puts.push([start, toBase64(shown)]);
  }

  /** Writes bytes at `start` and fills the rest up to `end`. */
  replace(start: number, end: number, bytes: Uint8Array, byte = 0): void {
    this.fill(start, end, byte);
    this.put(start, bytes.subarray(0, Math.max(0, end - start)));
  }

  /** All of them, in the order in which they are to be applied. */
  toArray(): readonly Overwrite[] {
    return [...this.#fills, ...this.#puts];
  }
}

/** A part of a plan: bytes, or repetitions of one byte. */
interface PlannedPart {
  readonly start: number;
  readonly end: number;
  readonly byte: number;
  readonly bytes: Uint8Array | null;
}

const plannedPart = ([start, second, byte = 0]: Overwrite): PlannedPart => {
  if (typeof second === "number") return { start, end: start + second, byte, bytes: null };
  const bytes = fromBase64(second);
  return { start, end: start + bytes.byteLength, byte: 0, bytes };
};

const clipped = (part: PlannedPart, start: number, end: number): PlannedPart => ({
  start,
  end,
  byte: part.byte,
  bytes: part.bytes?.subarray(start - part.start, end - part.start) ?? null,
});

/**
 * The index of the first number of a sorted list that is at least `value`; the list's length for none.
 * @param numberAt the number at an index of the list
 */
function lowerBound(length: number, numberAt: (index: number) => number, value: number): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numberAt(middle) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Parts that do not overlap, sorted by their place, that write the same bytes as the overwrites in their order. Takes n log n steps: a file may
 * be made to have many parts that all cover it.
 */
function planParts(overwrites: readonly Overwrite[]): readonly PlannedPart[] {
  const parts = overwrites.map(plannedPart).filter(({ start, end }) => end > start);
  const edges = [...new Set(parts.flatMap(({ start, end }) => [start, end]))].sort((a, b) => a - b);
  const edgeIndex = (place: number) => lowerBound(edges.length, (index) => edges[index] ?? 0, place);
  /** The part that decides about the bytes between an edge and the next one. */
  const deciding: (PlannedPart | undefined)[] = new Array(edges.length);
  /** For each edge a later one, or itself, before which everything is decided. */
  const next = edges.map((_, index) => index);
  const firstUndecided = (from: number): number => {
    let position = from;
    while (next[position] !== undefined && next[position] !== position) position = next[position] ?? position;
    for (let index = from; index < position; ) {
      const following = next[index] ?? position;
      next[index] = position;
      index = following;
    }
    return position;
  };
  // The last overwrite of a byte decides, so the last one is the first to take its place.
  for (const part of parts.reverse()) {
    const end = edgeIndex(part.end);
    for (let index = firstUndecided(edgeIndex(part.start)); index < end; index = firstUndecided(index)) {
      deciding[index] = part;
      next[index] = index + 1;
    }
  }
  const planned: PlannedPart[] = [];
  for (let index = 0; index < edges.length; ) {
    const part = deciding[index];
    let end = index + 1;
    while (part && deciding[end] === part) end++;
    if (part) planned.push(clipped(part, edges[index] ?? 0, edges[end] ?? 0));
    index = end;
  }
  return planned;
}

/** The overwrites of one file, prepared so that those of a chunk are found without looking at all of them. */
export class OverwritePlan {
  readonly #parts: readonly PlannedPart[];

  /** @param overwrites in the order in which they are applied */
  constructor(overwrites: readonly Overwrite[]) {
    this.#parts = planParts(overwrites);
  }

  /** Number of parts that do not overlap. */
  get partCount(): number {
    return this.#parts.length;
  }

  /** Whether any overwrite touches the bytes from `first` up to `end`. */
  touches(first: number, end: number): boolean {
    const part = this.#parts[this.#firstEndingAfter(first)];
    return part !== undefined && part.start < end;
  }

  /**
   * Returns a function that overwrites a file's bytes as they pass, chunk after chunk.
   * @param first place in the file of the first byte that passes
   */
  overwriter(first: number): (chunk: Uint8Array) => Uint8Array {
    let at = first;
    return (chunk) => {
      const start = at;
      const end = start + chunk.byteLength;
      at = end;
      return this.#overwrite(chunk, start, end);
    };
  }

  #overwrite(chunk: Uint8Array, start: number, end: number): Uint8Array {
    let index = this.#firstEndingAfter(start);
    let part = this.#parts[index];
    if (!part || part.start >= end) return chunk;
    const changed = chunk.slice();
    for (; part && part.start < end; part = this.#parts[++index]) {
      const hit = clipped(part, Math.max(part.start, start), Math.min(part.end, end));
      if (hit.bytes === null) changed.fill(hit.byte, hit.start - start, hit.end - start);
      else changed.set(hit.bytes, hit.start - start);
    }
    return changed;
  }

  #firstEndingAfter(place: number): number {
    return lowerBound(this.#parts.length, (index) => this.#parts[index]?.end ?? 0, place + 1);
  }
}

/** Overwrites as they were stored; null where they cannot be read. */
export function readOverwrites(text: string): readonly Overwrite[] | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return null;
  }
  const isPart = (one: unknown) =>
    Array.isArray(one) &&
    Number.isSafeInteger(one[0]) &&
    (typeof one[1] === "string" || (Number.isSafeInteger(one[1]) && Number.isInteger(one[2])));
  return Array.isArray(parsed) && parsed.every(isPart) ? (parsed as readonly Overwrite[]) : null;
}
