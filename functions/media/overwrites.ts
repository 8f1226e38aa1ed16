/**
 * One part of a stored file that visitors receive with other bytes of the same length. Stored as start, length in bytes
 * and the repeated byte, or as start and the bytes in base64.
 */
export type Overwrite = readonly [start: number, length: number, byte: number] | readonly [number, string];

/** Maximum number of filled parts of one file. Beyond it the whole file is blanked. */
const FILLS_MAX = 40_000;
/**
 * Maximum number of written parts of one file, and of their bytes. Further parts are not written. Together with
 * FILLS_MAX their JSON fits into a row of D1, 2 MB.
 */
const PUTS_MAX = 20_000;
const PUT_BYTES_MAX = 128 * 1024;

const toBase64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));
const fromBase64 = (text: string) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

/** Collects the overwrites of a file. Ranges outside of the file are clipped. */
export class OverwriteList {
  readonly #fills: [start: number, length: number, byte: number][] = [];
  readonly #puts: [start: number, bytes: string][] = [];
  #putBytes = 0;

  /** @param size size of the file in bytes */
  constructor(readonly size: number) {}

  /** Overwrites everything from `start` up to `end` with one byte. */
  fill(start: number, end: number, byte = 0): void {
    const first = Math.max(0, start);
    const last = Math.min(end, this.size);
    if (!(last > first)) return;
    const lastFill = this.#fills.at(-1);
    if (lastFill && lastFill[2] === byte && lastFill[0] + lastFill[1] === first) {
      lastFill[1] += last - first;
      return;
    }
    if (this.#fills.length > FILLS_MAX) return;
    // Only a crafted file has so many parts. Its image is lost, but no metadata is sent.
    if (this.#fills.length === FILLS_MAX) this.#fills.push([0, this.size, 0]);
    else this.#fills.push([first, last - first, byte]);
  }

  /** Writes bytes at an offset, over all fills. */
  put(start: number, bytes: Uint8Array): void {
    const clippedBytes = bytes.subarray(0, Math.max(0, this.size - start));
    if (start < 0 || clippedBytes.byteLength === 0 || this.#puts.length >= PUTS_MAX) return;
    this.#putBytes += clippedBytes.byteLength;
    if (this.#putBytes > PUT_BYTES_MAX) return;
    this.#puts.push([start, toBase64(clippedBytes)]);
  }

  /** Writes bytes at `start` and fills the rest up to `end`. */
  replace(start: number, end: number, bytes: Uint8Array, byte = 0): void {
    this.fill(start, end, byte);
    this.put(start, bytes.subarray(0, Math.max(0, end - start)));
  }

  /** Returns all overwrites in the order in which they must be applied. */
  toArray(): readonly Overwrite[] {
    return [...this.#fills, ...this.#puts];
  }
}

/** One part of a plan: bytes, or repetitions of one byte. */
interface PlannedPart {
  readonly start: number;
  readonly end: number;
  readonly byte: number;
  readonly bytes: Uint8Array | null;
}

const toPlannedPart = ([start, second, byte = 0]: Overwrite): PlannedPart => {
  if (typeof second === "number") return { start, end: start + second, byte, bytes: null };
  const bytes = fromBase64(second);
  return { start, end: start + bytes.byteLength, byte: 0, bytes };
};

const clipPart = (part: PlannedPart, start: number, end: number): PlannedPart => ({
  start,
  end,
  byte: part.byte,
  bytes: part.bytes?.subarray(start - part.start, end - part.start) ?? null,
});

/**
 * Index of the first number in a sorted list that is at least `value`; the list's length if there is none.
 * @param numberAt returns the number at an index of the list
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
 * Returns parts that do not overlap, sorted by their start, that write the same bytes as the overwrites in their order.
 * Takes O(n log n) steps, because a crafted file may have many parts that all cover it.
 */
function planParts(overwrites: readonly Overwrite[]): readonly PlannedPart[] {
  const parts = overwrites.map(toPlannedPart).filter(({ start, end }) => end > start);
  const edges = [...new Set(parts.flatMap(({ start, end }) => [start, end]))].sort((a, b) => a - b);
  const edgeIndex = (position: number) => lowerBound(edges.length, (index) => edges[index] ?? 0, position);
  /** The part that decides the bytes between an edge and the next edge. */
  const partByEdge: (PlannedPart | undefined)[] = new Array(edges.length);
  /** For each edge, a later or the same edge before which everything is decided. */
  const nextUndecided = edges.map((_, index) => index);
  const firstUndecided = (from: number): number => {
    let position = from;
    while (nextUndecided[position] !== undefined && nextUndecided[position] !== position)
      position = nextUndecided[position] ?? position;
    for (let index = from; index < position; ) {
      const nextIndex = nextUndecided[index] ?? position;
      nextUndecided[index] = position;
      index = nextIndex;
    }
    return position;
  };
  // The last overwrite of a byte wins, so the parts claim their bytes in reverse order.
  for (const part of parts.reverse()) {
    const end = edgeIndex(part.end);
    for (let index = firstUndecided(edgeIndex(part.start)); index < end; index = firstUndecided(index)) {
      partByEdge[index] = part;
      nextUndecided[index] = index + 1;
    }
  }
  const plannedParts: PlannedPart[] = [];
  for (let index = 0; index < edges.length; ) {
    const part = partByEdge[index];
    let end = index + 1;
    while (part && partByEdge[end] === part) end++;
    if (part) plannedParts.push(clipPart(part, edges[index] ?? 0, edges[end] ?? 0));
    index = end;
  }
  return plannedParts;
}

/** The overwrites of one file, indexed so that those of a chunk are found without a search through all of them. */
export class OverwritePlan {
  readonly #parts: readonly PlannedPart[];

  /** @param overwrites in the order in which they are applied */
  constructor(overwrites: readonly Overwrite[]) {
    this.#parts = planParts(overwrites);
  }

  /** Number of disjoint parts. */
  get partCount(): number {
    return this.#parts.length;
  }

  /** Returns whether any overwrite changes the bytes from `first` up to `end`. */
  touches(first: number, end: number): boolean {
    const part = this.#parts[this.#firstEndingAfter(first)];
    return part !== undefined && part.start < end;
  }

  /**
   * Returns a function that overwrites a file's bytes chunk by chunk.
   * @param first offset in the file of the first byte of the first chunk
   */
  overwriter(first: number): (chunk: Uint8Array) => Uint8Array {
    let offset = first;
    return (chunk) => {
      const start = offset;
      const end = start + chunk.byteLength;
      offset = end;
      return this.#overwrite(chunk, start, end);
    };
  }

  #overwrite(chunk: Uint8Array, start: number, end: number): Uint8Array {
    let index = this.#firstEndingAfter(start);
    let part = this.#parts[index];
    if (!part || part.start >= end) return chunk;
    const overwrittenChunk = chunk.slice();
    for (; part && part.start < end; part = this.#parts[++index]) {
      const overlap = clipPart(part, Math.max(part.start, start), Math.min(part.end, end));
      if (overlap.bytes === null)
        overwrittenChunk.fill(overlap.byte, overlap.start - start, overlap.end - start);
      else overwrittenChunk.set(overlap.bytes, overlap.start - start);
    }
    return overwrittenChunk;
  }

  #firstEndingAfter(position: number): number {
    return lowerBound(this.#parts.length, (index) => this.#parts[index]?.end ?? 0, position + 1);
  }
}

/** Parses stored overwrites; null if they cannot be read. */
export function readOverwrites(text: string): readonly Overwrite[] | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return null;
  }
  const isPart = (value: unknown) =>
    Array.isArray(value) &&
    Number.isSafeInteger(value[0]) &&
    (typeof value[1] === "string" || (Number.isSafeInteger(value[1]) && Number.isInteger(value[2])));
  return Array.isArray(parsed) && parsed.every(isPart) ? (parsed as readonly Overwrite[]) : null;
}
