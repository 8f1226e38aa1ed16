import { LRUCache } from "lru-cache";
import { lazyModule } from "#functions/load-module";
import type { FileBody, FileStore, StoredFileMetadata } from "#functions/services/library/stored-file-ports";

import { type Overwrite, OverwritePlan, readOverwrites } from "./overwrites";
import { createRanges, wholeFileBudget } from "./range-reader";

/**
 * Version of the rules in metadata/. Raise it when the rules change: files that an older version inspected are then
 * inspected again.
 */
const METADATA_EDITION = 2;

const metadata = lazyModule("metadata", () => import("./metadata"));

/**
 * Maximum number of files, and of their overwritten parts, that one isolate caches. Most files have a few parts; crafted files
 * have tens of thousands.
 */
const PLANS_MAX = 500;
const PLAN_PARTS_MAX = 100_000;
/** Maximum number of files that one run of the cron trigger inspects. */
const FILES_PER_RUN = 20;
/** Time after which a run starts no other file, in milliseconds. */
const RUN_MS = 20_000;

/** Dependencies of the inspection of stored files. */
export interface FileMetadataDeps {
  readonly records: StoredFileMetadata;
  readonly bucket: Pick<R2Bucket, "get" | "head">;
  readonly now: () => number;
}

/** Finds metadata about people in stored files. */
export type FileMetadata = ReturnType<typeof fileMetadata>;

/** Inspects each stored file once and caches the parts that visitors receive with other bytes (decision 047). */
export function fileMetadata({ records, bucket, now }: FileMetadataDeps) {
  /** Overwrites of files that may be sent. The bytes of a key never change, so entries never expire. */
  const plans = new LRUCache<string, OverwritePlan>({
    max: PLANS_MAX,
    maxSize: PLAN_PARTS_MAX,
    sizeCalculation: ({ partCount }) => Math.max(1, partCount),
  });

  const cachePlan = (fileKey: string, overwrites: readonly Overwrite[]): OverwritePlan => {
    const plan = new OverwritePlan(overwrites);
    plans.set(fileKey, plan);
    return plan;
  };

  async function inspect(fileKey: string, byteSize: number): Promise<readonly Overwrite[]> {
    const file = createRanges(
      byteSize,
      async (first, length) => {
        const object = await bucket.get(fileKey, { range: { offset: first, length } });
        if (!object) throw new Error("a stored file is missing");
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
   * Returns the parts of a file to be overwritten. Inspects the file first if it has no readable record by the current rules.
   * @returns null for a file that waits for the verdict of the operator's file check, a rejected file, and a missing file without such a record
   */
  async function readOverwritePlan(fileKey: string): Promise<OverwritePlan | null> {
    const cachedPlan = plans.get(fileKey);
    if (cachedPlan) return cachedPlan;
    const record = await records.find(fileKey);
    if (record?.checkState) return null;
    const recordedOverwrites =
      record && record.edition >= METADATA_EDITION ? readOverwrites(record.overwrites) : null;
    if (recordedOverwrites) return cachePlan(fileKey, recordedOverwrites);
    const object = await bucket.head(fileKey);
    if (!object) return null;
    const overwrites = await inspect(fileKey, object.size);
    await save(fileKey, overwrites, null);
    return cachePlan(fileKey, overwrites);
  }

  return {
    readOverwritePlan,

    /**
     * Inspects a file that has just been stored, and records its overwrites.
     * @param checkAt time of the first verdict request; null if the file needs no verdict
     */
    async record(fileKey: string, byteSize: number, checkAt: string | null): Promise<void> {
      await save(fileKey, await inspect(fileKey, byteSize), checkAt);
    },

    async forget(fileKeys: readonly string[]): Promise<void> {
      for (const fileKey of fileKeys) plans.delete(fileKey);
      await records.forget(fileKeys);
    },

    /**
     * Inspects files that were inspected by older rules or not at all; called by the cron trigger. Deletes the records of missing files.
     * @returns the number of inspected and missing files
     * @throws the first failure of a file, after the other files were inspected
     */
    async inspectOlder(): Promise<number> {
      const deadline = now() + RUN_MS;
      let inspectedCount = 0;
      const failures: unknown[] = [];
      for (const fileKey of await records.listOlder(METADATA_EDITION, FILES_PER_RUN)) {
        if (now() > deadline) break;
        try {
          const object = await bucket.head(fileKey);
          if (object) await save(fileKey, await inspect(fileKey, object.size), null);
          else await records.forget([fileKey]);
          inspectedCount++;
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
      return inspectedCount;
    },
  };
}

/** Marks the etag of an overwritten file, because browsers may have cached the original under the stored etag. */
const ETAG_SUFFIX = `-v${METADATA_EDITION}`;
const withSuffix = (etag: string) => etag.replace(/"$/, `${ETAG_SUFFIX}"`);

/** File store for readers who may change the files: it returns them as they were uploaded, after their verdict. */
export function originalFileStore(
  store: FileStore,
  readOverwritePlan: FileMetadata["readOverwritePlan"],
): FileStore {
  return {
    head: async (key) => (await readOverwritePlan(key)) && store.head(key),
    get: async (key, query) => (await readOverwritePlan(key)) && store.get(key, query),
    delete: (keys) => store.delete(keys),
  };
}

/**
 * File store for all other readers: it returns files without metadata. Lengths and offsets are those of the stored
 * files.
 */
export function visitorFileStore(
  store: FileStore,
  readOverwritePlan: FileMetadata["readOverwritePlan"],
): FileStore {
  return {
    async head(key) {
      const overwrites = await readOverwritePlan(key);
      const head = overwrites && (await store.head(key));
      return head && overwrites.partCount > 0 ? { ...head, etag: withSuffix(head.etag) } : head;
    },

    async get(key, query = {}) {
      const overwrites = await readOverwritePlan(key);
      if (!overwrites || overwrites.partCount === 0) return overwrites && store.get(key, query);
      const { range, unless } = query;
      const file = await store.get(key, { range, unless: unless && withoutSuffix(unless) });
      if (!file) return null;
      const etag = withSuffix(file.etag);
      const first = range?.first ?? 0;
      const end = Math.min(range ? range.last + 1 : file.size, file.size);
      if (!file.body || !overwrites.touches(first, end)) return { ...file, etag };
      return { ...file, etag, body: applyOverwrites(file.body, overwrites, first, end) };
    },

    delete: (keys) => store.delete(keys),
  };
}

/** Converts the etag of a condition to that of the stored file. Returns undefined for an etag without the suffix, so that the file is always sent. */
const withoutSuffix = (unless: NonNullable<Parameters<FileStore["get"]>[1]>["unless"]) => {
  if (!unless || !("etag" in unless)) return unless;
  return unless.etag.endsWith(ETAG_SUFFIX) ? { etag: unless.etag.slice(0, -ETAG_SUFFIX.length) } : undefined;
};

function applyOverwrites(
  body: NonNullable<FileBody["body"]>,
  overwrites: OverwritePlan,
  first: number,
  end: number,
): ReadableStream<Uint8Array> {
  const overwrite = overwrites.overwriter(first);
  // workerd sends a content-length only for a FixedLengthStream. Node, which runs most tests, has no such class.
  const lengthStream =
    typeof FixedLengthStream === "undefined"
      ? new TransformStream<Uint8Array, Uint8Array>()
      : new FixedLengthStream(end - first);
  const overwriteStream = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => controller.enqueue(overwrite(chunk)),
  });
  // The stream itself reports a failure to the reader. A disconnected reader does not need the error.
  body
    .pipeThrough(overwriteStream)
    .pipeTo(lengthStream.writable)
    .catch(() => undefined);
  return lengthStream.readable;
}
