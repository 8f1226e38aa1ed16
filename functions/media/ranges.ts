/** More was asked of a file than looking at it may take. */
export class TooMuchError extends Error {
  constructor() {
    super("a file needs more reading than is allowed");
    this.name = "TooMuchError";
  }
}

/** A file of which parts are read, and only so much. */
export interface Ranges {
  /** Bytes of the whole file. */
  readonly size: number;
  /** Bytes from a place on; fewer at the file's end. @throws TooMuchError */
  read(first: number, length: number): Promise<Uint8Array>;
}

/** Reads that looking at one file may take, and bytes in all of them. */
const READS_MAX = 400;
const BYTES_MAX = 40 * 1024 * 1024;
/** Readers ask for a few bytes here and there: they get them out of pages that are read once. */
const PAGE = 64 * 1024;
const PAGES_KEPT = 8;

/**
 * Parts of a file, read in pages of which a few are kept. Bounded: whatever a file says of itself, no more is read of it
 * than that.
 * @param load reads exactly these bytes, which the file has
 */
export function rangesOf(size: number, load: (first: number, length: number) => Promise<Uint8Array>): Ranges {
  const pages = new Map<number, Uint8Array>();
  let reads = 0;
  let bytes = 0;
  const fetchPart = async (first: number, length: number) => {
    reads += 1;
    bytes += length;
    if (reads > READS_MAX || bytes > BYTES_MAX) throw new TooMuchError();
    return load(first, length);
  };
  const page = async (number: number) => {
    const known = pages.get(number);
    if (known) return known;
    const read = await fetchPart(number * PAGE, Math.min(PAGE, size - number * PAGE));
    const [oldest] = pages.keys();
    if (pages.size >= PAGES_KEPT && oldest !== undefined) pages.delete(oldest);
    pages.set(number, read);
    return read;
  };
  return {
    size,
    async read(first, length) {
      const end = Math.min(first + length, size);
      if (!(first >= 0) || end <= first) return new Uint8Array();
      const [from, to] = [Math.floor(first / PAGE), Math.floor((end - 1) / PAGE)];
      if (to - from > 1) return fetchPart(first, end - first);
      const one = await page(from);
      if (from === to) return one.subarray(first - from * PAGE, end - from * PAGE);
      const found = new Uint8Array(end - first);
      found.set(one.subarray(first - from * PAGE));
      const other = await page(to);
      found.set(other.subarray(0, end - to * PAGE), to * PAGE - first);
      return found;
    },
  };
}

/** The same over bytes that are in memory. */
export const rangesOver = (bytes: Uint8Array): Ranges => ({
  size: bytes.byteLength,
  read: async (first, length) => bytes.subarray(Math.max(0, first), Math.max(0, first) + length),
});
