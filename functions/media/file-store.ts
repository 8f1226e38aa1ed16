import type { FileBody, FileQuery, FileStore } from "#functions/services/library/stored-file-ports";

/**
 * File store in R2.
 * @param forget deletes the metadata records of deleted files
 */
export function r2FileStore(
  bucket: R2Bucket,
  forget: (keys: readonly string[]) => Promise<void> = async () => {},
): FileStore {
  const toHead = (object: R2Object): FileBody => ({
    size: object.size,
    etag: object.httpEtag,
    uploadedAt: object.uploaded,
    body: null,
  });
  async function readHead(key: string): Promise<FileBody | null> {
    const object = await bucket.head(key);
    return object && toHead(object);
  }
  return {
    head: readHead,
    async get(key, { range, unless }: FileQuery = {}) {
      try {
        const object = await bucket.get(key, {
          range: range && { offset: range.first, length: range.last - range.first + 1 },
          onlyIf:
            unless &&
            ("etag" in unless
              ? { etagDoesNotMatch: unless.etag }
              : { uploadedAfter: unless.since, secondsGranularity: true }),
        });
        // R2 returns an object without a body if the condition does not hold.
        return object && { ...toHead(object), body: "body" in object ? object.body : null };
      } catch (error) {
        // R2 throws if a range begins behind the end of the object. After any other problem, reading the head would
        // fail too.
        if (!range) throw error;
        return readHead(key);
      }
    },
    async delete(keys) {
      if (keys.length === 0) return;
      await bucket.delete([...keys]);
      await forget(keys);
    },
  };
}
