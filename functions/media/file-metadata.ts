import { LRUCache } from "lru-cache";
import { lazyModule } from "#functions/load-module";
import type { FileBody, FileStore, StoredFileMetadata } from "#functions/services/library/stored-file-ports";

import { type Overwrite, OverwritePlan, readOverwrites } from "./overwrites";
import { rangesOf, wholeFileBudget } from "./range-reader";

/** Version of the rules in metadata/. Raise it when they find more: files that an older version inspected are inspected again. */
const METADATA_EDITION = 1;

const metadata = lazyModule("metadata", () => import("./metadata"));

/** Files whose overwrites an isolate remembers, and their parts: most files have a few, crafted ones tens of thousands. */
const REMEMBERED_MAX = 500;
const REMEMBERED_PARTS_MAX = 100_000;
/** Files that one run of the job looks at. */
const FILES_PER_RUN = 20;
/** Time after which a run of the job begins with no other file, in milliseconds. */
const RUN_MS = 20_000;

/** Dependencies of looking at stored files. */
export interface FileMetadataDeps {
  readonly records: StoredFileMetadata;
  readonly bucket: Pick<R2Bucket, "get" | "head">;
  readonly now: () => number;
}

/** Metadata about people in stored files, and the files without it. */
export type FileMetadata = ReturnType<typeof fileMetadata>;

/** Looks at stored files once each, and remembers the parts that visitors receive with other bytes (decision 047). */
export function fileMetadata({ records, bucket, now }: FileMetadataDeps) {
  /** Overwrites of files that may be used. The bytes of a key never change. */
  const remembered = new LRUCache<string, OverwritePlan>({
    max: REMEMBERED_MAX,
    maxSize: REMEMBERED_PARTS_MAX,
    sizeCalculation: ({ partCount }) => Math.max(1, partCount),
  });

  const remember = (fileKey: string, overwrites: readonly Overwrite[]): OverwritePlan => {
    const plan = new OverwritePlan(overwrites);
    remembered.set(fileKey, plan);
    return plan;
  };

  async function look(fileKey: string, byteSize: number): Promise<readonly Overwrite[]> {
    const file = rangesOf(
      byteSize,
      async (first, length) => {
        const object = await bucket.get(fileKey, { range: { offset: first, length } });
        if (!object) throw new Error("a stored file is not there");
        return new Uint8Array(await object.arrayBuffer());
      },
      wholeFileBudget(byteSize),
    );
    return byteSize === 0 ? [] : (await metadata()).findMetadata(file);
  }

  const save = (fileKey: string, overwrites: readonly Overwrite[], checkAt: string | null) =>
    records.saveOverwrites(fileKey, {
      edition: METADATA_EDITION,
      overwrites: JSON.stringify(overwrites),
      checkAt,
    });

  /**
   * The parts of a file to be overwritten. A file that was not looked at before is looked at now.
   * @returns null for a missing file, one that waits for its check, and one that was rejected
   */
  async function overwritesOf(fileKey: string): Promise<OverwritePlan | null> {
    const known = remembered.get(fileKey);
    if (known) return known;
    const record = await records.find(fileKey);
    if (record?.checkState) return null;
    const recorded = record && record.edition >= METADATA_EDITION ? readOverwrites(record.overwrites) : null;
    if (recorded) return remember(fileKey, recorded);
    const object = await bucket.head(fileKey);
    if (!object) return null;
    const metadata = await look(fileKey, object.size);
    await save(fileKey, metadata, null);
    return remember(fileKey, metadata);
  }

  return {
    overwritesOf,

    /**
     * Looks at a file that has just been stored, and records what was found.
     * @param checkAt from when on a verdict on it is asked for; null for none
     */
    async record(fileKey: string, byteSize: number, checkAt: string | null): Promise<void> {
      await save(fileKey, await look(fileKey, byteSize), checkAt);
    },

    async forget(fileKeys: readonly string[]): Promise<void> {
      for (const fileKey of fileKeys) remembered.delete(fileKey);
      await records.forget(fileKeys);
    },

    /**
     * Looks at files that were stored before, or by older rules; for the cron trigger.
     * @returns how many files were looked at
     * @throws the first failure of a file, after the other files were looked at
     */
    async inspectOlder(): Promise<number> {
      const end = now() + RUN_MS;
      let inspected = 0;
      const failures: unknown[] = [];
      for (const fileKey of await records.listOlder(METADATA_EDITION, FILES_PER_RUN)) {
        if (now() > end) break;
        try {
          const object = await bucket.head(fileKey);
          if (object) await save(fileKey, await look(fileKey, object.size), null);
          else await records.forget([fileKey]);
          inspected++;
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
      return inspected;
    },
  };
}

/** Marks the etag of an overwritten file, because browsers may have cached the original under the stored etag. */
const MARK = `-v${METADATA_EDITION}`;
const marked = (etag: string) => etag.replace(/"$/, `${MARK}"`);

/** Files for readers who may change them: as they were uploaded, once they may be used. */
export function originalFileStore(store: FileStore, overwritesOf: FileMetadata["overwritesOf"]): FileStore {
  return {
    head: async (key) => (await overwritesOf(key)) && store.head(key),
    get: async (key, query) => (await overwritesOf(key)) && store.get(key, query),
    delete: (keys) => store.delete(keys),
  };
}

/** Files for all other readers: without metadata. Lengths and places are those of the stored files. */
export function visitorFileStore(store: FileStore, overwritesOf: FileMetadata["overwritesOf"]): FileStore {
  return {
    async head(key) {
      const overwrites = await overwritesOf(key);
      const head = overwrites && (await store.head(key));
      return head && overwrites.partCount > 0 ? { ...head, etag: marked(head.etag) } : head;
    },

    async get(key, query = {}) {
      const overwrites = await overwritesOf(key);
      if (!overwrites || overwrites.partCount === 0) return overwrites && store.get(key, query);
      const { range, unless } = query;
      const file = await store.get(key, { range, unless: unless && unmarked(unless) });
      if (!file) return null;
      const etag = marked(file.etag);
      const first = range?.first ?? 0;
      const end = Math.min(range ? range.last + 1 : file.size, file.size);
      if (!file.body || !overwrites.touches(first, end)) return { ...file, etag };
      return { ...file, etag, body: overwritten(file.body, overwrites, first, end) };
    },

    delete: (keys) => store.delete(keys),
  };
}

/** A condition in terms of the stored file; undefined for an etag without the mark, after which the file is always sent. */
const unmarked = (unless: NonNullable<Parameters<FileStore["get"]>[1]>["unless"]) => {
  if (!unless || !("etag" in unless)) return unless;
  return unless.etag.endsWith(MARK) ? { etag: unless.etag.slice(0, -MARK.length) } : undefined;
};

function overwritten(
  body: NonNullable<FileBody["body"]>,
  overwrites: OverwritePlan,
  first: number,
  end: number,
): ReadableStream<Uint8Array> {
  const overwrite = overwrites.overwriter(first);
  // The platform sends a length only with a stream that promises one. Node, in which tests run, has none.
  const sized =
    typeof FixedLengthStream === "undefined"
      ? new TransformStream<Uint8Array, Uint8Array>()
      : new FixedLengthStream(end - first);
  const changing = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => controller.enqueue(overwrite(chunk)),
  });
  // A reader learns of a failure through the stream; a reader who has left does not need to.
  body
    .pipeThrough(changing)
    .pipeTo(sized.writable)
    .catch(() => undefined);
  return sized.readable;
}
