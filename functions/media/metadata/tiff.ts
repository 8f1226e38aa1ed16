import type { OverwriteList } from "../overwrites";
import { type Ranges, ReadBudgetError } from "../range-reader";

/** Tags that are needed to decode the pixels and their colours (TIFF 6.0, TIFF/EP, ICC); 274 is the orientation. */
const KEPT_TAGS = new Set([
  ...[254, 255, 256, 257, 258, 259, 262, 263, 264, 265, 266, 273, 274, 277, 278, 279, 280, 281, 282, 283],
  ...[284, 290, 291, 292, 293, 296, 297, 301, 317, 318, 319, 320, 321, 322, 323, 324, 325, 330, 332, 334],
  ...[336, 338, 339, 340, 341, 342, 347, 512, 513, 514, 515, 517, 518, 519, 520, 521, 529, 530, 531, 532],
  34675,
]);
const [SUB_IFDS, EXIF_IFD, GPS_IFD, INTEROP_IFD] = [330, 34665, 34853, 40965];
/** Maximum number of entries of all directories of a file; a directory counts as one more. */
const ENTRIES_MAX = 200_000;
const ASCII = 2;
/** Size of one value in bytes, by its type (TIFF 6.0 §2, BigTIFF). */
const TYPE_BYTES = [1, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 1, 1, 8, 8, 8];

/**
 * Blanks the values of all tags of a TIFF or BigTIFF file that its image does not need, including the Exif and GPS directories.
 * @throws ReadBudgetError after ENTRIES_MAX entries
 */
export async function blankTiff(file: Ranges, list: OverwriteList): Promise<void> {
  const read = async (offset: number, length: number) => {
    const { buffer, byteOffset, byteLength } = await file.read(offset, length);
    return new DataView(buffer, byteOffset, byteLength);
  };
  const head = await read(0, 16);
  const isLittleEndian = head.getUint16(0) === 0x4949;
  const isBig = head.getUint16(2, isLittleEndian) === 43;
  const [countBytes, offsetBytes] = isBig ? [8, 8] : [2, 4];
  const entryBytes = 4 + 2 * offsetBytes;
  /** Returns a number of 2, 4 or 8 bytes; 0 after the end of the file. */
  const numberAt = (view: DataView, position: number, bytes: number) => {
    if (position + bytes > view.byteLength) return 0;
    if (bytes === 8) return Number(view.getBigUint64(position, isLittleEndian));
    return bytes === 4 ? view.getUint32(position, isLittleEndian) : view.getUint16(position, isLittleEndian);
  };
  let entriesLeft = ENTRIES_MAX;
  const spend = (count: number) => {
    entriesLeft -= count;
    if (entriesLeft < 0) throw new ReadBudgetError();
  };
  const visitedOffsets = new Set<number>();
  const directories = [{ offset: numberAt(head, isBig ? 8 : 4, offsetBytes), isImage: true }];
  for (const { offset, isImage } of directories) {
    if (offset < 8 || visitedOffsets.has(offset)) continue;
    visitedOffsets.add(offset);
    const count = numberAt(await read(offset, countBytes), 0, countBytes);
    spend(count + 1);
    const first = offset + countBytes;
    const end = first + count * entryBytes;
    const entries = await read(first, end - first);
    for (let entry = 0; entry + entryBytes <= entries.byteLength; entry += entryBytes) {
      const [tag, type] = [numberAt(entries, entry, 2), numberAt(entries, entry + 2, 2)];
      const bytes = (TYPE_BYTES[type] ?? 1) * numberAt(entries, entry + 4, offsetBytes);
      const valuePosition = entry + 4 + offsetBytes;
      const isInside = bytes <= offsetBytes;
      const from = isInside ? first + valuePosition : numberAt(entries, valuePosition, offsetBytes);
      const isData = tag === EXIF_IFD || tag === GPS_IFD || tag === INTEROP_IFD;
      if (isData || (isImage && tag === SUB_IFDS)) {
        const pointerBytes = TYPE_BYTES[type] === 8 ? 8 : 4;
        spend(bytes / pointerBytes);
        const pointers = await read(from, Math.max(bytes, pointerBytes));
        for (let i = 0; i < pointers.byteLength; i += pointerBytes)
          directories.push({ offset: numberAt(pointers, i, pointerBytes), isImage: !isData });
      }
      if (isImage && KEPT_TAGS.has(tag)) continue;
      // In a directory of an image, the entry is kept so that the entries stay in order; only its value is blanked.
      const to = from + (isInside ? offsetBytes : bytes);
      // Some readers fail on text that ends early, so text is replaced by spaces.
      if (type === ASCII && isImage && bytes > 0) {
        list.fill(from, from + bytes - 1, 0x20);
        list.fill(from + bytes - 1, to);
      } else list.fill(from, to);
    }
    if (isImage)
      directories.push({ offset: numberAt(await read(end, offsetBytes), 0, offsetBytes), isImage });
    else list.fill(offset, end);
  }
}
