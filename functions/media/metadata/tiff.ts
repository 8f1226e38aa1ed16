import type { OverwriteList } from "../overwrites";
import type { Ranges } from "../range-reader";

/** Tags that are needed to decode the pixels and their colours (TIFF 6.0, TIFF/EP, ICC); 274 is the orientation. */
const KEPT_TAGS = new Set([
  ...[254, 255, 256, 257, 258, 259, 262, 263, 264, 265, 266, 273, 274, 277, 278, 279, 280, 281, 282, 283],
  ...[284, 290, 291, 292, 293, 296, 297, 301, 317, 318, 319, 320, 321, 322, 323, 324, 325, 330, 332, 334],
  ...[336, 338, 339, 340, 341, 342, 347, 512, 513, 514, 515, 517, 518, 519, 520, 521, 529, 530, 531, 532],
  34675,
]);
const [SUB_IFDS, EXIF_IFD, GPS_IFD, INTEROP_IFD] = [330, 34665, 34853, 40965];
/** Maximum number of directories of a file, and of entries of each, that are read. */
const DIRECTORIES_MAX = 100;
const ENTRIES_MAX = 4096;
const ASCII = 2;
/** Size of one value in bytes, by its type (TIFF 6.0 §2). */
const TYPE_BYTES = [1, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4];

/**
 * Blanks the values of all tags of a TIFF file that its image does not need, including the Exif and GPS directories.
 */
export async function blankTiff(file: Ranges, list: OverwriteList): Promise<void> {
  const readView = async (offset: number, length: number) => {
    const bytes = await file.read(offset, length);
    return bytes.byteLength < length ? null : new DataView(bytes.buffer, bytes.byteOffset, length);
  };
  const head = await readView(0, 8);
  if (!head) return;
  const isLittleEndian = head.getUint16(0) === 0x4949;
  const visitedOffsets = new Set<number>();
  const queue: { offset: number; isImage: boolean }[] = [
    { offset: head.getUint32(4, isLittleEndian), isImage: true },
  ];
  for (
    let directory = queue.shift();
    directory && visitedOffsets.size < DIRECTORIES_MAX;
    directory = queue.shift()
  ) {
    const { offset, isImage } = directory;
    if (offset < 8 || visitedOffsets.has(offset)) continue;
    visitedOffsets.add(offset);
    const count = Math.min((await readView(offset, 2))?.getUint16(0, isLittleEndian) ?? 0, ENTRIES_MAX);
    const entries = await readView(offset + 2, count * 12);
    if (!entries) continue;
    for (let i = 0; i < count; i++) {
      const [tag, type] = [
        entries.getUint16(i * 12, isLittleEndian),
        entries.getUint16(i * 12 + 2, isLittleEndian),
      ];
      const value = entries.getUint32(i * 12 + 8, isLittleEndian);
      const bytes = (TYPE_BYTES[type] ?? 1) * entries.getUint32(i * 12 + 4, isLittleEndian);
      const entry = offset + 2 + i * 12;
      const isDirectory = tag === EXIF_IFD || tag === GPS_IFD || tag === INTEROP_IFD;
      if (isDirectory) queue.push({ offset: value, isImage: false });
      if (isImage && tag === SUB_IFDS && bytes === 4) queue.push({ offset: value, isImage: true });
      if (isImage && KEPT_TAGS.has(tag)) continue;
      // In a directory of an image, the entry is kept so that the entries stay in order; only its value is blanked.
      const [from, to] = bytes > 4 ? [value, value + bytes] : [entry + 8, entry + 12];
      // Some readers fail on text that ends early, so text is replaced by spaces.
      if (type === ASCII && isImage && bytes > 0) {
        list.fill(from, from + bytes - 1, 0x20);
        list.fill(from + bytes - 1, to);
      } else list.fill(from, to);
    }
    if (!isImage) list.fill(offset, offset + 2 + count * 12);
    const nextDirectory = isImage ? await readView(offset + 2 + count * 12, 4) : null;
    if (nextDirectory) queue.push({ offset: nextDirectory.getUint32(0, isLittleEndian), isImage: true });
  }
}
