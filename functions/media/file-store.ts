import type { FileBody, FileQuery, FileStore } from "#functions/services/library/stored-file-ports";

/** Files in R2. @param forget forgets what is recorded of files that are deleted */
export function r2FileStore(
  bucket: R2Bucket,
  forget: (keys: readonly string[]) => Promise<void> = async () => {},
): FileStore {
  const head = (object: R2Object): FileBody => ({
    size: object.size,
    etag: object.httpEtag,
    uploadedAt: object.uploaded,
    body: null,
  });
  async function look(key: string): Promise<FileBody | null> {
    const object = await bucket.head(key);
    return object && head(object);
  }
  return {
    head: look,
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
        // A condition that does not hold leaves no body.
        return object && { ...head(object), body: "body" in object ? object.body : null };
      } catch (error) {
        // R2 throws if a range begins after the end of the object. Any other problem would also affect a read of the head.
        if (!range) throw error;
        return look(key);
      }
    },
    async delete(keys) {
      if (keys.length === 0) return;
      await bucket.delete([...keys]);
      await forget(keys);
    },
  };
}
