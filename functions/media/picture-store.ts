import type { PictureStore } from "#functions/services/library/web-media-ports";

/** Still pictures in R2. */
export const r2PictureStore = (bucket: R2Bucket): PictureStore => ({
  async put(key, { bytes, mimeType }) {
    await bucket.put(key, bytes, { httpMetadata: { contentType: mimeType } });
  },
  delete: (key) => bucket.delete(key),
});
