/** Creates ZIP archives byte by byte, so that they can have faults. */
import { crc32 } from "node:zlib";
import { concatBytes, u16le, u32le } from "./media-files";

export interface ZipPart {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Checksum in the archive, when it differs from the real one. */
  readonly crc?: number;
  /** Uncompressed size in the archive, when the bytes are compressed or the size is wrong. */
  readonly size?: number;
  readonly flags?: number;
  readonly method?: number;
  readonly attributes?: number;
}

/** A ZIP archive. Its files are stored unless `method` states another method. */
export function zipFile(parts: readonly ZipPart[]): Uint8Array {
  const localEntries: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const { name, bytes, crc = crc32(bytes), size, flags = 0, method = 0, attributes = 0 } of parts) {
    const nameBytes = new TextEncoder().encode(name);
    // Version 2.0, a name in UTF-8 (flag 0x800), and 1 January 1980 (33) as the date.
    const header = concatBytes(
      ...[u16le(20), u16le(flags | 0x800), u16le(method), u16le(0), u16le(33), u32le(crc)],
      ...[u32le(bytes.length), u32le(size ?? bytes.length), u16le(nameBytes.length), u16le(0)],
    );
    const entry = concatBytes("PK\x03\x04", header, nameBytes, bytes);
    localEntries.push(entry);
    directory.push(
      concatBytes(
        "PK\x01\x02",
        // Created on Unix (3) with version 2.0, so the attributes are those of Unix.
        u16le(0x314),
        header,
        u16le(0),
        u16le(0),
        u16le(0),
        u32le(attributes),
        u32le(offset),
        nameBytes,
      ),
    );
    offset += entry.length;
  }
  const directoryBytes = concatBytes(...directory);
  const count = u16le(parts.length);
  return concatBytes(
    ...localEntries,
    directoryBytes,
    "PK\x05\x06",
    u32le(0),
    count,
    count,
    u32le(directoryBytes.length),
    u32le(offset),
    u16le(0),
  );
}
