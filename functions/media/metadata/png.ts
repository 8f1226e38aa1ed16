import { decodeLatin1 } from "~/domain/library/formats/decode-text";
import type { OverwriteList } from "../overwrites";
import type { Ranges } from "../range-reader";
import { reduceTiff, reduceXmp } from "./exif";

/** Chunks of the image, its colours and its animation. All other chunks are reduced or blanked. */
const KEPT_CHUNKS = new Set(
  "IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV mDCv cLLI cLLi bKGD hIST pHYs acTL fcTL fdAT iDOT".split(
    " ",
  ),
);
/** Type of blanked chunks, which every decoder skips (PNG §5.4): ancillary, private, unsafe to copy. */
const BLANK = "blNK";
/** Number of chunks after which the rest of the file is blanked. */
const CHUNKS_MAX = 200_000;
/** Maximum size in bytes of a chunk that is rewritten in memory. */
const REWRITTEN_MAX = 1024 * 1024;

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});

/** Returns the CRC-32 (PNG §D) of bytes followed by `zeros` zero bytes. */
export function crc32(bytes: Uint8Array, zeros = 0): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (CRC_TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  for (let i = 0; i < zeros; i++) crc = (CRC_TABLE[crc & 0xff] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

const bytesOf = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

function uint32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

/** The head of an iTXt chunk with XMP: its keyword, no compression, no language and no translated keyword (PNG §11.3.3.4). */
const XMP_HEAD = "XML:com.adobe.xmp\0\0\0\0\0";

/** Returns the data of a chunk that is kept, padded to the same length; null if the chunk is blanked. */
function cleanChunkData(type: string, data: Uint8Array): Uint8Array | null {
  const cleanedChunk = new Uint8Array(data.byteLength);
  if (type === "eXIf") {
    cleanedChunk.set(reduceTiff(data));
    return cleanedChunk;
  }
  if (type !== "iTXt" || decodeLatin1(data.subarray(0, XMP_HEAD.length)) !== XMP_HEAD) return null;
  const xmp = reduceXmp(data.subarray(XMP_HEAD.length));
  if (xmp.byteLength === 0) return null;
  cleanedChunk.fill(0x20);
  cleanedChunk.set(bytesOf(XMP_HEAD));
  cleanedChunk.set(xmp, XMP_HEAD.length);
  return cleanedChunk;
}

/** Blanks the metadata of a PNG, with correct checksums, and everything after its end. */
export async function blankPng(file: Ranges, list: OverwriteList): Promise<void> {
  let offset = 8;
  for (let i = 0; i < CHUNKS_MAX; i++) {
    const head = await file.read(offset, 8);
    if (head.byteLength < 8) return list.fill(offset, file.size);
    const length = new DataView(head.buffer, head.byteOffset, 8).getUint32(0);
    const type = decodeLatin1(head.subarray(4, 8));
    const [start, end] = [offset + 8, offset + 8 + length];
    if (!KEPT_CHUNKS.has(type)) {
      if (end + 4 > file.size) return list.fill(offset, file.size);
      const data = length <= REWRITTEN_MAX ? await file.read(start, length) : null;
      const keptData = data && cleanChunkData(type, data);
      if (keptData) {
        const usedLength = keptData.findLastIndex((byte) => byte !== 0 && byte !== 0x20) + 1;
        const filler = keptData.at(-1) === 0x20 ? 0x20 : 0;
        list.replace(start, end, keptData.subarray(0, usedLength), filler);
        const chunkBytes = new Uint8Array(4 + keptData.byteLength);
        chunkBytes.set(bytesOf(type));
        chunkBytes.set(keptData, 4);
        list.put(end, uint32(crc32(chunkBytes)));
      } else {
        list.put(offset + 4, bytesOf(BLANK));
        list.fill(start, end);
        list.put(end, uint32(crc32(bytesOf(BLANK), length)));
      }
    }
    offset = end + 4;
    if (type === "IEND") return list.fill(offset, file.size);
  }
  list.fill(offset, file.size);
}
