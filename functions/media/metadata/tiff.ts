import type { OverwriteList } from "../overwrites";
import type { Ranges } from "../range-reader";

/** Tags without which the pixels or their colours cannot be read (TIFF 6.0, TIFF/EP, ICC); the orientation is 274. */
const KEPT = new Set([
  ...[254, 255, 256, 257, 258, 259, 262, 263, 264, 265, 266, 273, 274, 277, 278, 279, 280, 281, 282, 283],
  ...[284, 290, 291, 292, 293, 296, 297, 301, 317, 318, 319, 320, 321, 322, 323, 324, 325, 330, 332, 334],
  ...[336, 338, 339, 340, 341, 342, 347, 512, 513, 514, 515, 517, 518, 519, 520, 521, 529, 530, 531, 532],
  34675,
]);
const [SUB_IFDS, EXIF_IFD, GPS_IFD, INTEROP_IFD] = [330, 34665, 34853, 40965];
/** Directories and entries that are read. */
const DIRECTORIES_MAX = 100;
const ENTRIES_MAX = 4096;
const ASCII = 2;
/** Bytes of one value by its type (TIFF 6.0 §2). */
const TYPE_BYTES = [1, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4];

/** Blanks the values of every tag of a TIFF file that is not needed to show its picture, the Exif and GPS directories included. */
export async function blankTiff(file: Ranges, list: OverwriteList): Promise<void> {
  const view = async (at: number, length: number) => {
    const bytes = await file.read(at, length);
    return bytes.byteLength < length ? null : new DataView(bytes.buffer, bytes.byteOffset, length);
  };
  const head = await view(0, 8);
  if (!head) return;
  const little = head.getUint16(0) === 0x4949;
  const seen = new Set<number>();
  const waiting: { at: number; isPicture: boolean }[] = [{ at: head.getUint32(4, little), isPicture: true }];
  for (let next = waiting.shift(); next && seen.size < DIRECTORIES_MAX; next = waiting.shift()) {
    const { at, isPicture } = next;
    if (at < 8 || seen.has(at)) continue;
    seen.add(at);
    const count = Math.min((await view(at, 2))?.getUint16(0, little) ?? 0, ENTRIES_MAX);
    const entries = await view(at + 2, count * 12);
    if (!entries) continue;
    for (let i = 0; i < count; i++) {
      const [tag, type] = [entries.getUint16(i * 12, little), entries.getUint16(i * 12 + 2, little)];
      const value = entries.getUint32(i * 12 + 8, little);
      const bytes = (TYPE_BYTES[type] ?? 1) * entries.getUint32(i * 12 + 4, little);
      const entry = at + 2 + i * 12;
      const isDirectory = tag === EXIF_IFD || tag === GPS_IFD || tag === INTEROP_IFD;
      if (isDirectory) waiting.push({ at: value, isPicture: false });
      if (isPicture && tag === SUB_IFDS && bytes === 4) waiting.push({ at: value, isPicture: true });
      if (isPicture && KEPT.has(tag)) continue;
      // The entry stays, so that the entries stay in order; its value is blanked.
      const [from, to] = bytes > 4 ? [value, value + bytes] : [entry + 8, entry + 12];
      if (bytes > 4 && !isPicture) list.fill(entry + 8, entry + 12);
      // Some readers fail on texts that end early, so texts become spaces.
      if (type === ASCII && isPicture && bytes > 0) {
        list.fill(from, from + bytes - 1, 0x20);
        list.fill(from + bytes - 1, to);
      } else list.fill(from, to);
    }
    if (!isPicture) list.fill(at, at + 2 + count * 12);
    const following = isPicture ? await view(at + 2 + count * 12, 4) : null;
    if (following) waiting.push({ at: following.getUint32(0, little), isPicture: true });
  }
}
