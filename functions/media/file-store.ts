import type { ByteRange, FileBody, FileStore } from "#functions/services/ports";

/** Files in R2. */
export function r2FileStore(bucket: R2Bucket): FileStore {
  const head = (object: R2Object): FileBody => ({
    size: object.size,
    etag: object.httpEtag,
    uploadedAt: object.uploaded,
    body: null,
  });
  return {
    async head(key) {
      const object = await bucket.head(key);
      return object && head(object);
    },
    async get(key, range?: ByteRange) {
      const object = await bucket.get(
        key,
        range && { range: { offset: range.first, length: range.last - range.first + 1 } },
      );
      return object && { ...head(object), body: object.body };
    },
    async delete(keys) {
      if (keys.length > 0) await bucket.delete([...keys]);
    },
  };
}
