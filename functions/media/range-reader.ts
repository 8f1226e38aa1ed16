/** Reading a file would take more than its budget. */
export class TooMuchError extends Error {
  constructor() {
    super("a file needs more reading than is allowed");
    this.name = "TooMuchError";
  }
}

/** A file that is read in parts, within a budget. */
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

/** Budget for reading one file. */
export interface ReadBudget {
  readonly reads: number;
  /** Bytes in all of them. */
  readonly bytes: number;
  /** Bytes of a page. */
  readonly page: number;
}

const LOOK_BUDGET: ReadBudget = { reads: READS_MAX, bytes: BYTES_MAX, page: PAGE };

/** A budget for reading a file once from its beginning to its end, and some parts again. @param size bytes of the file */
export const wholeFileBudget = (size: number): ReadBudget => ({
  reads: 900,
  bytes: 2 * size + BYTES_MAX,
  page: 1024 * 1024,
});

/**
 * Reads parts of a file in pages and caches a few of them. The budget limits how much is read, independent of the file's content.
 * @param load reads exactly these bytes, which the file has
 */
export function rangesOf(
  size: number,
  load: (first: number, length: number) => Promise<Uint8Array>,
  budget: ReadBudget = LOOK_BUDGET,
): Ranges {
  const { page: pageBytes } = budget;
  const pages = new Map<number, Uint8Array>();
  let reads = 0;
  let bytes = 0;
  const fetchPart = async (first: number, length: number) => {
    reads += 1;
    bytes += length;
    if (reads > budget.reads || bytes > budget.bytes) throw new TooMuchError();
    return load(first, length);
  };
  const page = async (number: number) => {
    const known = pages.get(number);
    if (known) return known;
    const read = await fetchPart(number * pageBytes, Math.min(pageBytes, size - number * pageBytes));
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
      const [from, to] = [Math.floor(first / pageBytes), Math.floor((end - 1) / pageBytes)];
      if (to - from > 1) return fetchPart(first, end - first);
      const one = await page(from);
      if (from === to) return one.subarray(first - from * pageBytes, end - from * pageBytes);
      const bytes = new Uint8Array(end - first);
      bytes.set(one.subarray(first - from * pageBytes));
      const other = await page(to);
      bytes.set(other.subarray(0, end - to * pageBytes), to * pageBytes - first);
      return bytes;
    },
  };
}

/** The same over bytes that are in memory. */
export const rangesOver = (bytes: Uint8Array): Ranges => ({
  size: bytes.byteLength,
  read: async (first, length) => bytes.subarray(Math.max(0, first), Math.max(0, first) + length),
});
