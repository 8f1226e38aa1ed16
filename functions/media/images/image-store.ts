import type { ImageStore } from "#functions/services/library/web-media-ports";

/** Store of the thumbnails of web media items in R2. */
export const r2ImageStore = (bucket: R2Bucket): ImageStore => ({
  async put(key, { bytes, mimeType }) {
    await bucket.put(key, bytes, { httpMetadata: { contentType: mimeType } });
  },
  delete: (key) => bucket.delete(key),
});
