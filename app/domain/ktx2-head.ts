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
  /** Bytes of all levels without supercompression (Zstandard). 0 when the file does not state it. */
  readonly unpackedBytes: number;
}

/** Reads the beginning of a KTX2 texture; null for any other file. A height of 0 means 1 (KTX 2.0, §3.4). */
export function ktx2Head(bytes: Uint8Array): Ktx2Head | null {
  if (bytes.length < LEVELS_AT || KTX2.some((byte, at) => bytes[at] !== byte)) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const levels = Math.min(LEVELS_MAX, view.getUint32(40, true));
  let unpackedBytes = 0;
  for (let level = 0; level < levels; level++) {
    const at = LEVELS_AT + level * LEVEL_BYTES + 16;
    if (at + 8 <= bytes.length) unpackedBytes += Number(view.getBigUint64(at, true));
  }
  return {
    width: view.getUint32(20, true),
    height: Math.max(1, view.getUint32(24, true)),
    unpackedBytes,
  };
}
