import { decodeLatin1 } from "~/domain/library/formats/decode-text";
import type { OverwriteList } from "../overwrites";
import { type Ranges, ReadBudgetError } from "../range-reader";
import { fourCc, listBoxes, type MediaBox, readTable, readView } from "./boxes";
import { exifPrefix, reduceTiff, reduceXmp, XMP_MAX } from "./exif";

const ITEMS_MAX = 20_000;
/**
 * Maximum number of extents of all items. An extent may take no bytes in the table, so the table's size does not limit
 * them.
 */
const EXTENTS_MAX = 100_000;
const XMP_TYPE = "application/rdf+xml";

interface Extent {
  readonly start: number;
  readonly end: number;
}

/** Reads numbers one after the other. Throws RangeError after the end. */
class NumberReader {
  offset = 0;
  constructor(readonly view: DataView) {}
  take(bytes: number): number {
    let value = 0;
    for (let i = 0; i < bytes; i++) value = value * 256 + this.view.getUint8(this.offset++);
    return value;
  }
}

/** Blanks the Exif, XMP and other data items of a HEIF or AVIF image (ISO 23008-12, ISO 14496-12 §8.11). */
export async function blankMetaItems(file: Ranges, list: OverwriteList, meta: MediaBox): Promise<void> {
  const innerBoxes = await listBoxes(file, meta.start + 4, meta.end);
  const findBox = (type: string) => innerBoxes.find((box) => box.type === type);
  const [infos, locations, idat] = [findBox("iinf"), findBox("iloc"), findBox("idat")];
  for (const box of innerBoxes) if (box.type === "uuid" || box.type === "udta") freeBox(list, box);
  if (!infos || !locations) return;
  const types = await readDataItemTypes(file, infos);
  if (types.size === 0) return;
  const table = await readTable(file, locations);
  if (!table) return;
  const extents = readLocations(table, idat?.start ?? 0, file.size);
  for (const [id, type] of types) await blankItem(file, list, type, extents.get(id) ?? []);
}

/** Turns a box into a `free` box, which every reader skips (ISO 14496-12, §8.1.2), and blanks its content. */
export function freeBox(list: OverwriteList, { offset, start, end }: MediaBox): void {
  list.fill(start, end);
  list.put(offset + 4, new TextEncoder().encode("free"));
}

/** Returns the types of items that are not images, by id: the item's type, or the content type of `mime` items. */
async function readDataItemTypes(file: Ranges, infos: MediaBox): Promise<ReadonlyMap<number, string>> {
  const types = new Map<number, string>();
  const version = (await readView(file, infos.start, 1))?.getUint8(0) ?? 0;
  const entries = await listBoxes(file, infos.start + 4 + (version === 0 ? 2 : 4), infos.end);
  for (const entry of entries) {
    if (entry.type !== "infe") continue;
    const view = await readView(file, entry.start, Math.min(entry.end - entry.start, 512));
    if (!view || view.byteLength < 12) continue;
    const idBytes = view.getUint8(0) >= 3 ? 4 : 2;
    if (view.getUint8(0) < 2 || view.byteLength < 10 + idBytes) continue;
    const id = idBytes === 4 ? view.getUint32(4) : view.getUint16(4);
    const type = fourCc(view, 6 + idBytes);
    if (!["Exif", "mime", "uri ", "jumb"].includes(type)) continue;
    const bytes = new Uint8Array(view.buffer, view.byteOffset + 10 + idBytes, view.byteLength - 10 - idBytes);
    const [, contentType = ""] = decodeLatin1(bytes).split("\0");
    types.set(id, type === "mime" ? contentType : type);
  }
  return types;
}

/**
 * Returns the locations of each item's bytes, in order (ISO 14496-12, §8.11.3). The location of an item whose bytes are inside another item is
 * the whole file.
 */
function readLocations(
  view: DataView,
  idatStart: number,
  size: number,
): ReadonlyMap<number, readonly Extent[]> {
  const extentsByItem = new Map<number, Extent[]>();
  const reader = new NumberReader(view);
  try {
    const version = reader.take(1);
    reader.offset = 4;
    const sizes = reader.take(2);
    const [offsetBytes, lengthBytes] = [sizes >> 12, (sizes >> 8) & 15];
    const [baseBytes, indexBytes] = [(sizes >> 4) & 15, version === 0 ? 0 : sizes & 15];
    const count = reader.take(version < 2 ? 2 : 4);
    if (count > ITEMS_MAX) throw new ReadBudgetError();
    let total = 0;
    for (let i = 0; i < count; i++) {
      const id = reader.take(version < 2 ? 2 : 4);
      const method = version === 0 ? 0 : reader.take(2) & 15;
      reader.take(2);
      const base = reader.take(baseBytes) + (method === 1 ? idatStart : 0);
      const extentCount = reader.take(2);
      total += extentCount;
      if (total > EXTENTS_MAX) throw new ReadBudgetError();
      const extents: Extent[] = [];
      for (let k = 0; k < extentCount; k++) {
        reader.take(indexBytes);
        const start = base + reader.take(offsetBytes);
        const length = reader.take(lengthBytes);
        extents.push({ start, end: length === 0 ? size : Math.min(start + length, size) });
      }
      extentsByItem.set(id, method < 2 ? extents : [{ start: 0, end: size }]);
    }
  } catch (error) {
    // The table is truncated. The entries before the cut are used.
    if (!(error instanceof RangeError)) throw error;
  }
  return extentsByItem;
}

async function blankItem(file: Ranges, list: OverwriteList, type: string, extents: readonly Extent[]) {
  const size = extents.reduce((sum, { start, end }) => sum + Math.max(0, end - start), 0);
  const data = new Uint8Array(size <= XMP_MAX ? size : 0);
  let position = 0;
  if (data.byteLength > 0)
    for (const { start, end } of extents) {
      const part = await file.read(start, end - start);
      data.set(part, position);
      position += part.byteLength;
    }
  let replacement = new Uint8Array(data.byteLength);
  if (type === "Exif" && data.byteLength > 4) {
    // The first four bytes give the number of bytes between them and the TIFF structure (ISO 23008-12 §A.2.1).
    const offset = 4 + new DataView(data.buffer).getUint32(0);
    const start = offset + exifPrefix(data.subarray(offset));
    if (start <= data.byteLength) {
      replacement.set(data.subarray(0, 4));
      const hasExifPrefix = exifPrefix(data.subarray(start - 6, start)) === 6 && start >= 10;
      if (hasExifPrefix) replacement.set(data.subarray(start - 6, start), start - 6);
      replacement.set(reduceTiff(data.subarray(start)), start);
    }
  } else if (type === XMP_TYPE) {
    replacement = replacement.fill(0x20);
    replacement.set(reduceXmp(data));
  }
  let writtenBytes = 0;
  for (const { start, end } of extents) {
    const part = replacement.subarray(writtenBytes, writtenBytes + Math.max(0, end - start));
    const usedLength = part.findLastIndex((byte) => byte !== 0 && byte !== 0x20) + 1;
    list.replace(start, end, part.subarray(0, usedLength), type === XMP_TYPE ? 0x20 : 0);
    writtenBytes += part.byteLength;
  }
}
