import { fillZip64Fields } from "~/domain/library/formats/zip/zip64";
import { MODEL_UNPACKED_MAX_BYTES } from "~/domain/shared/limits";
import { ConversionError } from "../conversion";

/** Maximum number of entries in an archive. */
const ENTRIES_MAX = 10_000;

/**
 * Checks the directory of a zip archive before it is unpacked, so that an archive whose declared size is too large is rejected (PKWARE APPNOTE §4.3).
 * Sizes in ZIP64 fields are copied to the fields that the unpacker reads. The unpacker allocates exactly the declared size for each entry.
 * @throws ConversionError damaged, too_large
 */
export function checkZip(bytes: Uint8Array, name: string): void {
  // Signatures: 0x06054b50 for the end record of the directory, 0x02014b50 for an entry.
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let endRecord = bytes.length - 22;
  while (endRecord >= 0 && view.getUint32(endRecord, true) !== 0x06054b50) endRecord--;
  if (endRecord < 0) throw new ConversionError("damaged", `${name}: no zip directory`);
  const count = view.getUint16(endRecord + 10, true);
  if (count > ENTRIES_MAX) throw new ConversionError("too_large", `${name}: ${count} entries`);
  fillZip64Fields(bytes, view.getUint32(endRecord + 16, true), count);
  let unpackedBytes = 0;
  for (let offset = view.getUint32(endRecord + 16, true), i = 0; i < count; i++) {
    if (offset + 46 > bytes.length || view.getUint32(offset, true) !== 0x02014b50)
      throw new ConversionError("damaged", `${name}: damaged zip directory`);
    unpackedBytes += view.getUint32(offset + 24, true);
    if (unpackedBytes > MODEL_UNPACKED_MAX_BYTES)
      throw new ConversionError(
        "too_large",
        `${name}: unpacks to more than ${MODEL_UNPACKED_MAX_BYTES} bytes`,
      );
    offset +=
      46 +
      view.getUint16(offset + 28, true) +
      view.getUint16(offset + 30, true) +
      view.getUint16(offset + 32, true);
  }
}
