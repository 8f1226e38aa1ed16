/** Handles small archives that use ZIP64 fields. Some programs write ZIP64 for archives of every size (APPNOTE §4.5.3). */

/** Bytes of a directory entry before its name. */
const ENTRY_BYTES = 46;
/** Value of a plain field whose real value is in the extra field. */
const IN_ZIP64_FIELD = 0xffffffff;
/** Offsets of the fields that the extra field may replace, in its order: unpacked size, compressed size, offset of the local header. */
const FIELDS = [24, 20, 42] as const;

/**
 * Copies sizes and offsets from the ZIP64 extra fields into the plain fields of a directory, for readers that support only these.
 * Values above 4 GB stay in the extra fields.
 * @param bytes the archive's bytes, which are changed in place
 * @param start offset of the directory
 * @param count number of its entries
 */
export function fillZip64Fields(bytes: Uint8Array, start: number, count: number): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let offset = start, i = 0; i < count && offset + ENTRY_BYTES <= bytes.length; i++) {
    const extra = offset + ENTRY_BYTES + view.getUint16(offset + 28, true);
    const end = Math.min(bytes.length, extra + view.getUint16(offset + 30, true));
    for (let field = extra; field + 4 <= end; field += 4 + view.getUint16(field + 2, true))
      if (view.getUint16(field, true) === 1) copyFields(view, offset, field + 4, end);
    offset = extra + view.getUint16(offset + 30, true) + view.getUint16(offset + 32, true);
  }
}

function copyFields(view: DataView, entry: number, from: number, end: number): void {
  let offset = from;
  for (const field of FIELDS) {
    if (view.getUint32(entry + field, true) !== IN_ZIP64_FIELD) continue;
    if (offset + 8 > end) return;
    if (view.getUint32(offset + 4, true) === 0)
      view.setUint32(entry + field, view.getUint32(offset, true), true);
    offset += 8;
  }
}
