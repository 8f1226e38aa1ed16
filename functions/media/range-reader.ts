/** Thrown if reading a file would exceed its budget. */
export class ReadBudgetError extends Error {
  constructor() {
    super("a file needs more reading than is allowed");
    this.name = "ReadBudgetError";
  }
}

/** A file that is read in parts, within a budget. */
export interface Ranges {
  /** Size of the whole file in bytes. */
  readonly size: number;
  /**
   * Reads bytes from an offset; fewer at the file's end.
   * @throws ReadBudgetError
   */
  read(first: number, length: number): Promise<Uint8Array>;
}

/** Maximum number of reads for the inspection of one file, and of bytes in all of them. */
const READS_MAX = 400;
const BYTES_MAX = 40 * 1024 * 1024;
/** Page size in bytes. Parsers read a few bytes at a time, so the file is loaded in pages. */
const PAGE_BYTES = 64 * 1024;
const CACHED_PAGES_MAX = 8;

/** Budget for reading one file. */
export interface ReadBudget {
  /** Maximum number of reads. */
  readonly reads: number;
  /** Maximum number of bytes in all reads. */
  readonly bytes: number;
  /** Size of a page in bytes. */
  readonly page: number;
}

const INSPECTION_BUDGET: ReadBudget = { reads: READS_MAX, bytes: BYTES_MAX, page: PAGE_BYTES };

/**
 * Returns a budget for reading a file once from its beginning to its end, and some parts again.
 * @param size size of the file in bytes
 */
export const wholeFileBudget = (size: number): ReadBudget => ({
  reads: 900,
  bytes: 2 * size + BYTES_MAX,
  page: 1024 * 1024,
});

/**
 * Reads parts of a file in pages and caches a few of them. The budget limits the total, whatever the file contains.
 * @param load reads exactly the given range, which is inside the file
 */
export function createRanges(
  size: number,
  load: (first: number, length: number) => Promise<Uint8Array>,
  budget: ReadBudget = INSPECTION_BUDGET,
): Ranges {
  const { page: pageBytes } = budget;
  const pages = new Map<number, Uint8Array>();
  let reads = 0;
  let bytes = 0;
  const fetchPart = async (first: number, length: number) => {
    reads += 1;
    bytes += length;
    if (reads > budget.reads || bytes > budget.bytes) throw new ReadBudgetError();
    return load(first, length);
  };
  const loadPage = async (number: number) => {
    const cachedPage = pages.get(number);
    if (cachedPage) return cachedPage;
    const bytes = await fetchPart(number * pageBytes, Math.min(pageBytes, size - number * pageBytes));
    const [oldest] = pages.keys();
    if (pages.size >= CACHED_PAGES_MAX && oldest !== undefined) pages.delete(oldest);
    pages.set(number, bytes);
    return bytes;
  };
  return {
    size,
    async read(first, length) {
      const end = Math.min(first + length, size);
      if (!(first >= 0) || end <= first) return new Uint8Array();
      const [firstNumber, lastNumber] = [Math.floor(first / pageBytes), Math.floor((end - 1) / pageBytes)];
      if (lastNumber - firstNumber > 1) return fetchPart(first, end - first);
      const firstPage = await loadPage(firstNumber);
      if (firstNumber === lastNumber)
        return firstPage.subarray(first - firstNumber * pageBytes, end - firstNumber * pageBytes);
      const bytes = new Uint8Array(end - first);
      bytes.set(firstPage.subarray(first - firstNumber * pageBytes));
      const secondPage = await loadPage(lastNumber);
      bytes.set(secondPage.subarray(0, end - lastNumber * pageBytes), lastNumber * pageBytes - first);
      return bytes;
    },
  };
}

/** Reads parts of bytes that are in memory. */
export const rangesOver = (bytes: Uint8Array): Ranges => ({
  size: bytes.byteLength,
  read: async (first, length) => bytes.subarray(Math.max(0, first), Math.max(0, first) + length),
});
