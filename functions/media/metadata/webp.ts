import { decodeLatin1 } from "~/domain/library/formats/decode-text";
import type { OverwriteList } from "../overwrites";
import type { Ranges } from "../range-reader";
import { exifPrefix, reduceTiff, reduceXmp, XMP_MAX } from "./exif";

/** Chunks of the image, its transparency, animation and colours (WebP container specification). */
const KEPT_CHUNKS = new Set(["VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ICCP"]);
/** Maximum number of chunks that are read in the file, and in each frame. */
const CHUNKS_MAX = 100_000;
/** Size of a frame's header before its own chunks, in bytes. */
const FRAME_HEAD = 16;

/** Blanks the metadata of a WebP and everything after its end. */
export async function blankWebp(file: Ranges, list: OverwriteList): Promise<void> {
  const head = await file.read(0, 12);
  if (head.byteLength < 12) return;
  const end = Math.min(8 + new DataView(head.buffer, head.byteOffset, 12).getUint32(4, true), file.size);
  list.fill(await blankChunks(file, list, 12, end), file.size);
}

/** @returns the end of the last chunk that was read. The caller blanks what follows it */
async function blankChunks(file: Ranges, list: OverwriteList, from: number, to: number): Promise<number> {
  let offset = from;
  for (let i = 0; i < CHUNKS_MAX && offset + 8 <= to; i++) {
    const head = await file.read(offset, 8);
    if (head.byteLength < 8) return offset;
    const length = new DataView(head.buffer, head.byteOffset, 8).getUint32(4, true);
    const type = decodeLatin1(head.subarray(0, 4));
    const [start, end] = [offset + 8, Math.min(offset + 8 + length, to)];
    if (type === "ANMF") list.fill(await blankChunks(file, list, start + FRAME_HEAD, end), end);
    else if (!KEPT_CHUNKS.has(type)) await blankChunk(file, list, type, start, end);
    offset = end + (length % 2);
  }
  return Math.min(offset, to);
}

async function blankChunk(file: Ranges, list: OverwriteList, type: string, start: number, end: number) {
  const data = end - start <= XMP_MAX ? await file.read(start, end - start) : new Uint8Array();
  if (type === "EXIF") {
    const prefix = exifPrefix(data);
    list.replace(start + prefix, end, reduceTiff(data.subarray(prefix)));
  } else if (type === "XMP ") list.replace(start, end, reduceXmp(data), 0x20);
  else list.fill(start, end);
}
