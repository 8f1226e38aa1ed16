import { decodeLatin1 } from "~/domain/library/formats/decode-text";
import type { OverwriteList } from "../overwrites";
import type { Ranges } from "../range-reader";

/** Application extensions of the animation and of the colours. */
const KEPT_EXTENSIONS = new Set(["NETSCAPE2.0", "ANIMEXTS1.0", "ICCRGBG1012"]);
/** Maximum number of blocks of a file that are read. */
const BLOCKS_MAX = 2_000_000;

/** Size of a colour table in bytes, from its flags (GIF89a §18). */
const tableBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

/** Blanks comments, plain text and foreign data of a GIF, and everything after its end. */
export async function blankGif(file: Ranges, list: OverwriteList): Promise<void> {
  const byteAt = async (offset: number) => (await file.read(offset, 1))[0];
  let blocks = 0;
  /** Returns the end of the sub-blocks that begin at an offset (GIF89a §15), or the offset at which the limit is reached. */
  const endOfBlocks = async (from: number): Promise<number> => {
    let end = from;
    while (end < file.size && blocks++ < BLOCKS_MAX) {
      const length = (await byteAt(end)) ?? 0;
      end += 1 + length;
      if (length === 0) break;
    }
    return end;
  };
  let offset = 13 + tableBytes((await byteAt(10)) ?? 0);
  while (offset < file.size && blocks++ < BLOCKS_MAX) {
    const kind = await byteAt(offset);
    if (kind === 0x2c) {
      const data = offset + 10 + tableBytes((await byteAt(offset + 9)) ?? 0) + 1;
      offset = await endOfBlocks(data);
    } else if (kind === 0x21) {
      const label = await byteAt(offset + 1);
      const end = await endOfBlocks(offset + 2);
      if (label === 0xff) {
        const name = decodeLatin1(await file.read(offset + 3, 11));
        if (!KEPT_EXTENSIONS.has(name)) blankBlocks(list, offset + 2, end);
      } else if (label !== 0xf9) blankBlocks(list, offset + 2, end);
      offset = end;
    } else if (kind === 0x3b) return list.fill(offset + 1, file.size);
    else break;
  }
  list.fill(offset, file.size);
}

/**
 * Replaces sub-blocks by zeros with new lengths. The length bytes must change too, because those of XMP are part of the
 * packet's text.
 */
function blankBlocks(list: OverwriteList, start: number, end: number): void {
  list.fill(start, end);
  let offset = start;
  for (let remaining = Math.min(end, list.size) - start - 1; remaining > 1; ) {
    const blockLength = Math.min(256, remaining) - (remaining === 257 ? 1 : 0);
    list.put(offset, Uint8Array.of(blockLength - 1));
    offset += blockLength;
    remaining -= blockLength;
  }
}
