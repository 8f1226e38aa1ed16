import {
  inflateRaw,
  type Readable,
  readZip,
  type ZipEntry,
  zipDataOffset,
} from "~/domain/library/formats/zip/zip-directory";
import { MODEL_UNPACKED_MAX_BYTES } from "~/domain/shared/limits";

/** Maximum number of entries in a model's ZIP file, and maximum size of its directory in bytes. Archives of real models are smaller. */
const ZIP_LIMITS = { entries: 2000, directory: 1024 * 1024 } as const;

/** Directory of a ZIP file, without its folders. */
export interface OpenZip {
  readonly names: readonly string[];
  /**
   * Unpacks one file, up to the size in the directory.
   * @throws RangeError or TypeError for damaged data
   */
  unpack(name: string): Promise<Blob>;
}

/**
 * Opens the ZIP file of a model. Its directory is checked before anything is unpacked.
 * @returns "damaged" for files that are not ZIP files, encrypted, over 4 GB or over ZIP_LIMITS; "tooLarge" for those that declare more than
 * MODEL_UNPACKED_MAX_BYTES
 */
export async function openZip(file: Blob): Promise<OpenZip | "damaged" | "tooLarge"> {
  const source: Readable = {
    size: file.size,
    read: async (first, length) =>
      new Uint8Array(await file.slice(first, Math.max(first, first + length)).arrayBuffer()),
  };
  const directory = await readZip(source, ZIP_LIMITS).catch(() => null);
  if (!directory) return "damaged";
  const entries = directory.filter(({ name }) => !name.endsWith("/"));
  if (entries.reduce((sum, { bytes }) => sum + bytes, 0) > MODEL_UNPACKED_MAX_BYTES) return "tooLarge";
  const byName = new Map(entries.map((entry) => [entry.name.replaceAll("\\", "/"), entry]));
  return {
    names: [...byName.keys()],
    async unpack(name) {
      const entry = byName.get(name);
      if (!entry) throw new RangeError("No such file in the archive.");
      return unpackEntry(source, file, entry);
    },
  };
}

async function unpackEntry(source: Readable, file: Blob, entry: ZipEntry): Promise<Blob> {
  const { method, packed, bytes } = entry;
  const offset = await zipDataOffset(source, entry);
  if (offset === null || (method !== 0 && method !== 8) || (method === 0 && packed !== bytes))
    throw new RangeError("A file of the archive cannot be unpacked.");
  if (method === 0) return file.slice(offset, offset + packed);
  return new Blob([await inflateRaw(await source.read(offset, packed), bytes)]);
}
