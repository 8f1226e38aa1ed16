/** «KTX 20» and the line ends of its identifier (KTX 2.0, §3.1). */
const KTX2 = [0xab, 0x4b, 0x54, 0x58, 0x20, 0x32, 0x30, 0xbb, 0x0d, 0x0a, 0x1a, 0x0a];
/** Bytes of the header and the index, after which each level says its bytes before and after (KTX 2.0, §3). */
const LEVELS_AT = 80;
const LEVEL_BYTES = 24;
/** A texture of 32,768 pixels has 16 levels. */
const LEVELS_MAX = 16;
/** Bytes of a texture's beginning that ktx2Head looks at. */
export const KTX2_HEAD_BYTES = LEVELS_AT + LEVELS_MAX * LEVEL_BYTES;

/** Facts from the header of a KTX2 texture. */
export interface Ktx2Head {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** Bytes of all levels without supercompression. 0 for Basis LZ, which states none; infinite when a compressed level does not state it. */
  readonly unpackedBytes: number;
}

/** Reads the beginning of a KTX2 texture; null for any other file. A height of 0 means 1 (KTX 2.0, §3.4). */
export function ktx2Head(bytes: Uint8Array): Ktx2Head | null {
  if (bytes.length < LEVELS_AT || KTX2.some((byte, at) => bytes[at] !== byte)) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // A level count of 0 means one level (KTX 2.0, §3.7).
  const levels = Math.max(1, view.getUint32(40, true));
  // Zstandard and zlib need the size of each level. Without it, decoders allocate what the compressed data asks for.
  const needsBytes = [2, 3].includes(view.getUint32(44, true));
  let unpackedBytes = 0;
  if (levels > LEVELS_MAX) unpackedBytes = Number.POSITIVE_INFINITY;
  for (let level = 0; level < Math.min(levels, LEVELS_MAX); level++) {
    const at = LEVELS_AT + level * LEVEL_BYTES + 16;
    const stated = at + 8 <= bytes.length ? Number(view.getBigUint64(at, true)) : 0;
    unpackedBytes += needsBytes && stated === 0 ? Number.POSITIVE_INFINITY : stated;
  }
  return {
    width: view.getUint32(20, true),
    height: Math.max(1, view.getUint32(24, true)),
    unpackedBytes,
  };
}
