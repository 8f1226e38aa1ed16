/**
 * ZIP archives of files in R2, using zip.js. They are written while they are sent, and read in parts of some megabytes.
 * An imported archive is untrusted: the names, sizes and methods in its directory are checked before use.
 */
import { createHash } from "node:crypto";
import {
  configure,
  type Entry,
  ERR_UNSAFE_FILENAME,
  type FileEntry,
  Reader,
  ZipReader,
  ZipWriter,
} from "@zip.js/zip.js/lib/zip-core-custom.js";
import type { Archives, NewEntry } from "#functions/services/transfer/transfer-ports";
import { PACKAGE_ENTRIES_MAX, PACKAGE_MAX_BYTES } from "~/domain/shared/limits";
import { ArchiveError } from "~/domain/transfer/archive-error";

/** Size of one read from R2 in bytes. */
const CHUNK_BYTES = 4 * 1024 * 1024;
/**
 * Number of bytes by which a read may exceed CHUNK_BYTES, for the archive's directory. The names and sizes of PACKAGE_ENTRIES_MAX entries take far less.
 */
const DIRECTORY_BYTES_MAX = 4 * 1024 * 1024;

// workerd has no web workers.
configure({ useWebWorkers: false, chunkSize: CHUNK_BYTES });

/** Reads a file of R2 for zip.js. */
class StoredFile extends Reader<void> {
  /** Error of the store, which is not a defect of the archive. */
  failure: unknown = null;

  constructor(
    private readonly bucket: Pick<R2Bucket, "get">,
    private readonly key: string,
    byteSize: number,
  ) {
    super();
    this.size = byteSize;
  }

  override async readUint8Array(offset: number, length: number): Promise<Uint8Array> {
    if (offset < 0 || length > CHUNK_BYTES + DIRECTORY_BYTES_MAX) throw new ArchiveError("damaged");
    const readLength = Math.min(length, this.size - offset);
    if (readLength <= 0) return new Uint8Array();
    try {
      const object = await this.bucket.get(this.key, { range: { offset, length: readLength } });
      if (!object) throw new Error("a stored file is missing");
      return new Uint8Array(await object.arrayBuffer());
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }
}

/** STORE and DEFLATE. Other compression methods are not needed. */
const METHODS = new Set([0, 8]);

/** Returns whether a name stays inside the archive. */
const isSafe = (name: string) =>
  name.length > 0 &&
  name.length <= 500 &&
  !name.startsWith("/") &&
  !/[\\\0:]/.test(name) &&
  !name.split("/").some((part) => part === ".." || part === ".");

const isFile = (entry: Entry): entry is FileEntry => !entry.directory;
/** Returns whether an entry is a Unix symbolic link (S_IFLNK), which may point anywhere. */
const isLink = ({ externalFileAttributes = 0 }: Entry) =>
  ((externalFileAttributes >>> 16) & 0xf000) === 0xa000;

/**
 * Returns the files of an archive by name.
 * @throws ArchiveError
 */
async function readDirectory(reader: ZipReader<void>): Promise<ReadonlyMap<string, FileEntry>> {
  const entries = new Map<string, FileEntry>();
  const names = new Set<string>();
  let totalSize = 0;
  for await (const entry of reader.getEntriesGenerator()) {
    if (names.size >= PACKAGE_ENTRIES_MAX) throw new ArchiveError("tooMany");
    const name = entry.filename;
    // Compares names like a file system that ignores case.
    const key = name.normalize("NFC").toLowerCase();
    if (!isSafe(name) || isLink(entry) || names.has(key)) throw new ArchiveError("paths");
    names.add(key);
    if (!isFile(entry)) continue;
    if (entry.encrypted) throw new ArchiveError("encrypted");
    if (!METHODS.has(entry.compressionMethod)) throw new ArchiveError("method");
    totalSize += entry.uncompressedSize;
    if (totalSize > PACKAGE_MAX_BYTES) throw new ArchiveError("tooLarge");
    entries.set(name, entry);
  }
  return entries;
}

/** Maps an error of zip.js to an archive error. Returns an error of the store as it is. */
function asArchiveError(error: unknown, file: StoredFile, problem: "notZip" | "damaged"): unknown {
  if (file.failure !== null || error instanceof ArchiveError) return file.failure ?? error;
  const isName = error instanceof Error && error.message === ERR_UNSAFE_FILENAME;
  return new ArchiveError(isName ? "paths" : problem, error);
}

async function* readEntry(entry: FileEntry, file: StoredFile, sha256?: string): AsyncIterable<Uint8Array> {
  const hash = sha256 === undefined ? null : createHash("sha256");
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const copying = entry
    .getData(writable, { checkSignature: true, checkOverlappingEntry: true })
    .then(() => null)
    .catch(async (error: unknown) => {
      await writable.abort(error).catch(() => undefined);
      return asArchiveError(error, file, "damaged");
    });
  const reader = readable.getReader();
  let remaining = entry.uncompressedSize;
  try {
    for (;;) {
      const { done: isOver, value } = await reader.read();
      if (isOver) break;
      remaining -= value.byteLength;
      // A ZIP bomb unpacks to more than its entry states.
      if (remaining < 0) throw new ArchiveError("damaged");
      hash?.update(value);
      yield value;
    }
  } catch (error) {
    throw (await Promise.race([copying, Promise.resolve(null)])) ?? asArchiveError(error, file, "damaged");
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  const copyError = await copying;
  if (copyError) throw copyError;
  if (remaining !== 0 || (hash && hash.digest("hex") !== sha256)) throw new ArchiveError("damaged");
}

/** Creates and reads archives of files in a bucket. */
export function packageArchives(bucket: Pick<R2Bucket, "get">): Archives {
  async function* readBytes(key: string): AsyncGenerator<Uint8Array> {
    const object = await bucket.get(key);
    if (!object) throw new Error("a stored file is missing");
    const reader = (object.body as ReadableStream<Uint8Array>).getReader();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        yield value;
      }
    } finally {
      await reader.cancel().catch(() => undefined);
    }
  }

  /** Streams a file's bytes and reports their size and hash when all of them are read. */
  function streamWithDigest({
    fileKey,
    onRead,
  }: Extract<NewEntry, { fileKey: string }>): ReadableStream<Uint8Array> {
    const hash = createHash("sha256");
    let byteSize = 0;
    const chunks = readBytes(fileKey);
    return new ReadableStream<Uint8Array>({
      async pull(controller) {
        const { value, done } = await chunks.next();
        if (done) {
          onRead({ sha256: hash.digest("hex"), byteSize });
          controller.close();
          return;
        }
        hash.update(value);
        byteSize += value.byteLength;
        controller.enqueue(value);
      },
      async cancel() {
        await chunks.return(undefined);
      },
    });
  }

  return {
    write(entries) {
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      const writer = new ZipWriter(writable, { level: 0, bufferedWrite: false, keepOrder: true });
      const work = async () => {
        for (const entry of entries) {
          const body =
            "text" in entry
              ? (new Response(entry.text()).body as ReadableStream<Uint8Array>)
              : streamWithDigest(entry);
          await writer.add(entry.path, body, { level: 0 });
        }
        await writer.close();
      };
      // A connected reader receives the error through the stream.
      work().catch((error) => writable.abort(error).catch(() => undefined));
      return readable;
    },

    async open(fileKey, byteSize) {
      const file = new StoredFile(bucket, fileKey, byteSize);
      const reader = new ZipReader(file);
      const entries = await readDirectory(reader).catch((error) => {
        throw asArchiveError(error, file, "notZip");
      });
      return {
        sizeOf: (path) => entries.get(path)?.uncompressedSize ?? null,
        read(path, sha256) {
          const entry = entries.get(path);
          if (!entry) throw new ArchiveError("damaged");
          return readEntry(entry, file, sha256);
        },
      };
    },

    async digest(fileKey) {
      const object = await bucket.get(fileKey);
      if (!object) return null;
      const hash = createHash("sha256");
      let byteSize = 0;
      const reader = (object.body as ReadableStream<Uint8Array>).getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return { sha256: hash.digest("hex"), byteSize };
        hash.update(value);
        byteSize += value.byteLength;
      }
    },
  };
}
