/** RFC 1951 §3.2.5: lengths and distances by code, and how many more bits each takes. */
const LENGTHS = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
  227, 258,
];
const LENGTH_BITS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const DISTANCES = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
  6145, 8193, 12289, 16385, 24577,
];
const DISTANCE_BITS = [
  0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
];
/** §3.2.7: in which order the lengths of the code for the lengths come. */
const CODE_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const CODE_MAX_BITS = 15;

class Cut extends Error {}

/** A canonical code (§3.2.2): how many codes there are of each length, and the symbols in their order. */
interface Code {
  readonly counts: readonly number[];
  readonly symbols: readonly number[];
}

function makeCode(lengths: readonly number[]): Code {
  const counts = Array.from({ length: CODE_MAX_BITS + 1 }, (_, bits) =>
    bits === 0 ? 0 : lengths.filter((length) => length === bits).length,
  );
  const symbols = lengths
    .map((length, symbol) => ({ length, symbol }))
    .filter(({ length }) => length > 0)
    .sort((a, b) => a.length - b.length || a.symbol - b.symbol)
    .map(({ symbol }) => symbol);
  return { counts, symbols };
}

const fill = (length: number, value: number) => Array.from({ length }, () => value);
const FIXED_LITERALS = makeCode([...fill(144, 8), ...fill(112, 9), ...fill(24, 7), ...fill(8, 8)]);
const FIXED_DISTANCES = makeCode(fill(30, 5));

/** Bits of a deflated text, the lowest of a byte first. Throws Cut where the text ends or makes no sense. */
class Bits {
  private bit = 0;
  constructor(
    private readonly bytes: Uint8Array,
    private at: number,
  ) {}

  take(count: number): number {
    let value = 0;
    for (let i = 0; i < count; i++) {
      const byte = this.bytes[this.at];
      if (byte === undefined) throw new Cut();
      value |= ((byte >> this.bit) & 1) << i;
      this.bit++;
      if (this.bit === 8) {
        this.bit = 0;
        this.at++;
      }
    }
    return value;
  }

  /** The rest of a byte that was begun is skipped. */
  align(): void {
    if (this.bit > 0) {
      this.bit = 0;
      this.at++;
    }
  }

  symbol({ counts, symbols }: Code): number {
    let code = 0;
    let first = 0;
    let index = 0;
    for (let bits = 1; bits <= CODE_MAX_BITS; bits++) {
      code |= this.take(1);
      const count = counts[bits] ?? 0;
      if (code - first < count) return symbols[index + code - first] ?? 0;
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    throw new Cut();
  }
}

function dynamicCodes(bits: Bits): readonly [Code, Code] {
  const literals = bits.take(5) + 257;
  const distances = bits.take(5) + 1;
  const codes = bits.take(4) + 4;
  const own = fill(19, 0);
  for (const symbol of CODE_ORDER.slice(0, codes)) own[symbol] = bits.take(3);
  const code = makeCode(own);
  const lengths: number[] = [];
  while (lengths.length < literals + distances) {
    const symbol = bits.symbol(code);
    if (symbol < 16) lengths.push(symbol);
    else if (symbol === 16) lengths.push(...fill(3 + bits.take(2), lengths.at(-1) ?? 0));
    else lengths.push(...fill(symbol === 17 ? 3 + bits.take(3) : 11 + bits.take(7), 0));
  }
  return [makeCode(lengths.slice(0, literals)), makeCode(lengths.slice(literals, literals + distances))];
}

/** Where the deflated text begins in a gzip file (RFC 1952 §2.3); null when it is none. */
function gzipStart(bytes: Uint8Array): number | null {
  const [a, b, method, flags = 0] = bytes;
  if (a !== 0x1f || b !== 0x8b || method !== 8 || (flags & 0xe0) !== 0) return null;
  let at = 10;
  if (flags & 4) at += 2 + (bytes[at] ?? 0) + (bytes[at + 1] ?? 0) * 256;
  for (const flag of [8, 16])
    if (flags & flag) {
      const end = bytes.indexOf(0, at);
      if (end < 0) return null;
      at = end + 1;
    }
  return flags & 2 ? at + 2 : at;
}

/**
 * The first bytes of what a gzip file holds, from its head alone: enough to see what it is. Nothing more is unpacked than
 * was asked for, whatever the file claims.
 * @param count how many bytes are wanted; fewer come back when the head holds no more
 */
export function gunzipHead(head: Uint8Array, count: number): Uint8Array {
  const start = gzipStart(head);
  const found: number[] = [];
  if (start === null) return new Uint8Array();
  try {
    const bits = new Bits(head, start);
    for (let isLast = false; !isLast && found.length < count; ) {
      isLast = bits.take(1) === 1;
      const type = bits.take(2);
      if (type === 0) stored(bits, found, count);
      else if (type < 3) {
        const [literals, distances] = type === 1 ? [FIXED_LITERALS, FIXED_DISTANCES] : dynamicCodes(bits);
        packed(bits, literals, distances, found, count);
      } else throw new Cut();
    }
  } catch (error) {
    if (!(error instanceof Cut)) throw error;
  }
  return Uint8Array.from(found.slice(0, count));
}

function stored(bits: Bits, found: number[], count: number): void {
  bits.align();
  const length = bits.take(16);
  if ((length ^ bits.take(16)) !== 0xffff) throw new Cut();
  for (let i = 0; i < length && found.length < count; i++) found.push(bits.take(8));
}

function packed(bits: Bits, literals: Code, distances: Code, found: number[], count: number): void {
  while (found.length < count) {
    const symbol = bits.symbol(literals);
    if (symbol === 256) return;
    if (symbol < 256) {
      found.push(symbol);
      continue;
    }
    const length = (LENGTHS[symbol - 257] ?? 0) + bits.take(LENGTH_BITS[symbol - 257] ?? 0);
    const far = bits.symbol(distances);
    const distance = (DISTANCES[far] ?? 0) + bits.take(DISTANCE_BITS[far] ?? 0);
    if (length === 0 || distance === 0 || distance > found.length) throw new Cut();
    for (let i = 0; i < length; i++) found.push(found[found.length - distance] ?? 0);
  }
}
