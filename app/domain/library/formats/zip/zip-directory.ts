/** Reads the directory of a ZIP archive (APPNOTE.TXT 6.3), and unpacks single files. */

/** A file in an archive. */
export interface ZipEntry {
  readonly name: string;
  /** 0: stored; 8: deflated. */
  readonly method: number;
  /** Size in the archive, in bytes. */
  readonly packed: number;
  /** Unpacked size according to the directory, in bytes. */
  readonly bytes: number;
  readonly crc: number;
  /** Offset of its local header. */
  readonly offset: number;
}

/** A file that is read in parts. */
export interface Readable {
  readonly size: number;
  read(first: number, length: number): Promise<Uint8Array>;
}

// Signatures of the records of an archive, and their sizes without names, extra fields and comments (APPNOTE §4.3.7, §4.3.12 and §4.3.16).
const END_SIGNATURE = 0x06054b50;
const ENTRY_SIGNATURE = 0x02014b50;
const LOCAL_HEADER_SIGNATURE = 0x04034b50;
const END_BYTES = 22;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
/** Maximum length of the comment at an archive's end, in bytes. */
const COMMENT_MAX = 0xffff;

/** Maximum sizes of a directory. */
export interface ZipBounds {
  readonly entries: number;
  /** Maximum size of the directory in bytes. */
  readonly directory: number;
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const ZIP64_FIELD_ID = 0x0001;
/** Value of a plain field whose real value is in the extra field. */
const IN_EXTRA_FIELD = 0xffffffff;

/**
 * Returns the sizes and the offset of a directory entry. Some writers store them as 64-bit numbers in an extra field (APPNOTE §4.5.3).
 * @param offset offset of the entry
 * @throws RangeError when the entry ends outside the directory
 */
export function zipEntrySizes(view: DataView, offset: number): Pick<ZipEntry, "packed" | "bytes" | "offset"> {
  const fields = { bytes: offset + 24, packed: offset + 20, offset: offset + 42 };
  const sizes = { bytes: 0, packed: 0, offset: 0 };
  let extra = offset + ENTRY_BYTES + view.getUint16(offset + 28, true);
  const end = extra + view.getUint16(offset + 30, true);
  while (extra + 4 <= end && view.getUint16(extra, true) !== ZIP64_FIELD_ID)
    extra += 4 + view.getUint16(extra + 2, true);
  extra += 4;
  for (const name of ["bytes", "packed", "offset"] as const) {
    sizes[name] = view.getUint32(fields[name], true);
    if (sizes[name] !== IN_EXTRA_FIELD || extra + 8 > end) continue;
    sizes[name] = Number(view.getBigUint64(extra, true));
    extra += 8;
  }
  return sizes;
}

/** Decodes a name from UTF-8 or from the encoding of Japanese Windows. */
function decodeName(bytes: Uint8Array): string {
  for (const encoding of ["utf-8", "shift_jis"])
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes);
    } catch {
      // The bytes may have another encoding, or the server's decoder may not support this one.
    }
  return new TextDecoder().decode(bytes);
}

/**
 * Returns the files of an archive. Archives that are over 4 GB (ZIP64), split or encrypted are not supported.
 * @returns null when the directory is missing, damaged or out of bounds, and when a file is encrypted
 */
export async function readZip(file: Readable, bounds: ZipBounds): Promise<readonly ZipEntry[] | null> {
  const first = Math.max(0, file.size - END_BYTES - COMMENT_MAX);
  const tail = await file.read(first, file.size - first);
  const tailView = viewOf(tail);
  let position = tail.length - END_BYTES;
  while (
    position >= 0 &&
    !(
      tailView.getUint32(position, true) === END_SIGNATURE &&
      tailView.getUint16(position + 20, true) === tail.length - position - END_BYTES
    )
  )
    position--;
  if (position < 0) return null;
  const [count, length, offset] = [
    tailView.getUint16(position + 10, true),
    tailView.getUint32(position + 12, true),
    tailView.getUint32(position + 16, true),
  ];
  if (count > bounds.entries || length > bounds.directory || offset + length > file.size) return null;
  const directory = await file.read(offset, length);
  const view = viewOf(directory);
  const entries: ZipEntry[] = [];
  for (let entryOffset = 0; entries.length < count; ) {
    if (entryOffset + ENTRY_BYTES > directory.length || view.getUint32(entryOffset, true) !== ENTRY_SIGNATURE)
      return null;
    const nameLength = view.getUint16(entryOffset + 28, true);
    if (entryOffset + ENTRY_BYTES + nameLength + view.getUint16(entryOffset + 30, true) > directory.length)
      return null;
    const name = decodeName(
      directory.subarray(entryOffset + ENTRY_BYTES, entryOffset + ENTRY_BYTES + nameLength),
    );
    const isEncrypted = (view.getUint16(entryOffset + 8, true) & 1) === 1;
    const entry: ZipEntry = {
      name,
      method: view.getUint16(entryOffset + 10, true),
      crc: view.getUint32(entryOffset + 16, true),
      ...zipEntrySizes(view, entryOffset),
    };
    if (isEncrypted || entry.offset + entry.packed > file.size) return null;
    entries.push(entry);
    entryOffset +=
      ENTRY_BYTES +
      nameLength +
      view.getUint16(entryOffset + 30, true) +
      view.getUint16(entryOffset + 32, true);
  }
  return entries;
}

/** Returns the offset of an entry's data in the archive, in bytes; null if its local header is invalid. */
export async function zipDataOffset(file: Readable, entry: ZipEntry): Promise<number | null> {
  const localHeader = await file.read(entry.offset, LOCAL_BYTES);
  if (localHeader.length < LOCAL_BYTES) return null;
  const view = viewOf(localHeader);
  if (view.getUint32(0, true) !== LOCAL_HEADER_SIGNATURE) return null;
  const offset = entry.offset + LOCAL_BYTES + view.getUint16(26, true) + view.getUint16(28, true);
  return offset + entry.packed <= file.size ? offset : null;
}

/** Unpacks deflated bytes. Rejects when they are damaged, when the result is too short, or as soon as it exceeds the expected size. */
export async function inflateRaw(packed: Uint8Array, bytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const unpacked = new Uint8Array(bytes);
  const source = new Blob([packed as Uint8Array<ArrayBuffer>]).stream();
  const reader = source.pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  let offset = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (offset + value.length > bytes) {
      reader.cancel().catch(() => {});
      throw new RangeError("A file of the archive is longer than it says.");
    }
    unpacked.set(value, offset);
    offset += value.length;
  }
  if (offset !== bytes) throw new RangeError("A file of the archive is shorter than it says.");
  return unpacked;
}
