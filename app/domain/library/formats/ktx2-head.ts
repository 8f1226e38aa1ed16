/** The identifier at the beginning of a KTX2 file (KTX 2.0, §3.1). */
const KTX2 = [0xab, 0x4b, 0x54, 0x58, 0x20, 0x32, 0x30, 0xbb, 0x0d, 0x0a, 0x1a, 0x0a];
/** Offset of the level index: the size of the header and of the index before it (KTX 2.0, §3). */
const LEVELS_AT = 80;
const LEVEL_BYTES = 24;
/** A texture with a side of 32,768 pixels has 16 levels. */
const LEVELS_MAX = 16;
/** Number of bytes at a texture's beginning that ktx2Head reads. */
export const KTX2_HEAD_BYTES = LEVELS_AT + LEVELS_MAX * LEVEL_BYTES;

/** Values from the header of a KTX2 texture. */
export interface Ktx2Head {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /**
   * Size of all levels without supercompression, in bytes. 0 for Basis LZ, which states none; infinite if a compressed level does not state
   * it, and for more than LEVELS_MAX levels.
   */
  readonly unpackedBytes: number;
  /** Minimum size of a file that contains all levels, in bytes. Infinite if a level of UASTC without supercompression has fewer bytes than its blocks need. */
  readonly leastBytes: number;
  /** Levels that are compressed with Zstandard: the offset of each, and the bytes that it states for its content. */
  readonly zstdLevels: readonly { readonly first: number; readonly bytes: number }[];
}

/** Reads the beginning of a KTX2 texture; null for any other file. A height of 0 means 1 (KTX 2.0, §3.4). */
export function ktx2Head(bytes: Uint8Array): Ktx2Head | null {
  if (bytes.length < LEVELS_AT || KTX2.some((byte, index) => bytes[index] !== byte)) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // A level count of 0 means one level (KTX 2.0, §3.7).
  const levels = Math.max(1, view.getUint32(40, true));
  // Supercompression scheme: 1 is Basis LZ, 2 Zstandard and 3 zlib (KTX 2.0, §3.8).
  const scheme = view.getUint32(44, true);
  // Zstandard and zlib need the size of each level. Without it, decoders allocate what the compressed data asks for.
  const needsBytes = scheme === 2 || scheme === 3;
  const [width, height] = [view.getUint32(20, true), Math.max(1, view.getUint32(24, true))];
  const isPlainUastc = isUastc(view) && scheme === 0;
  let unpackedBytes = 0;
  let leastBytes = 0;
  const zstdLevels: { first: number; bytes: number }[] = [];
  if (levels > LEVELS_MAX) unpackedBytes = Number.POSITIVE_INFINITY;
  for (let level = 0; level < Math.min(levels, LEVELS_MAX); level++) {
    const offset = LEVELS_AT + level * LEVEL_BYTES + 16;
    const statedBytes = offset + 8 <= bytes.length ? Number(view.getBigUint64(offset, true)) : 0;
    unpackedBytes += needsBytes && statedBytes === 0 ? Number.POSITIVE_INFINITY : statedBytes;
    if (offset + 8 > bytes.length) continue;
    const [first, length] = [offset - 16, offset - 8].map((fieldOffset) =>
      Number(view.getBigUint64(fieldOffset, true)),
    ) as [number, number];
    const isShort = isPlainUastc && length < uastcBytes(width >> level, height >> level);
    leastBytes = Math.max(leastBytes, isShort ? Number.POSITIVE_INFINITY : first + length);
    if (scheme === 2) zstdLevels.push({ first, bytes: statedBytes });
  }
  return { width, height, unpackedBytes, leastBytes, zstdLevels };
}

/** Number of bytes at a Zstandard frame's beginning that zstdFrameBytes reads. */
export const ZSTD_HEAD_BYTES = 18;

/** Returns the content size that the header of a Zstandard frame states (RFC 8878 §3.1.1.1); null when it states none, and for other data. */
export function zstdFrameBytes(head: Uint8Array): number | null {
  if (head.length < 6) return null;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  if (view.getUint32(0, true) !== 0xfd2fb528) return null;
  const descriptor = view.getUint8(4);
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const offset = 5 + (isSingleSegment ? 0 : 1) + ([0, 1, 2, 4][descriptor & 3] ?? 0);
  const length = [isSingleSegment ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0;
  if (length === 0 || offset + length > head.length) return null;
  if (length === 1) return view.getUint8(offset);
  if (length === 2) return view.getUint16(offset, true) + 256;
  return length === 4 ? view.getUint32(offset, true) : Number(view.getBigUint64(offset, true));
}

/** Returns whether the largest level of a KTX2 texture has only zeros, which decoders turn into transparent black without an error. */
export function hasEmptyLevel(file: Uint8Array): boolean {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const [first, length] = [LEVELS_AT, LEVELS_AT + 8].map((offset) => Number(view.getBigUint64(offset, true)));
  const level = file.subarray(first, (first ?? 0) + (length ?? 0));
  return level.length > 0 && level.every((byte) => byte === 0);
}

/**
 * The colour model of UASTC (Khronos Data Format 1.3, §5.6), and its offset in the descriptor, after the descriptor's size and two words.
 */
const UASTC_MODEL = 166;
const MODEL_AT = 12;

function isUastc(view: DataView): boolean {
  const offset = view.getUint32(48, true) + MODEL_AT;
  return offset < view.byteLength && view.getUint8(offset) === UASTC_MODEL;
}

/** Size of a level in bytes. UASTC has 16 bytes for each block of 4 × 4 pixels. */
const uastcBytes = (width: number, height: number): number =>
  Math.ceil(Math.max(1, width) / 4) * Math.ceil(Math.max(1, height) / 4) * 16;
