/** Size of the parts of an upload to R2, which must be equal except for the last one. */
const UPLOAD_PART_BYTES = 8 * 1024 * 1024;

/** Stores a stream of any length in R2, with 8 MiB of it in memory at a time. An upload that fails leaves nothing. */
export async function putStream(
  bucket: R2Bucket,
  key: string,
  stream: ReadableStream<Uint8Array>,
): Promise<void> {
  let upload: R2MultipartUpload | null = null;
  const uploadedParts: R2UploadedPart[] = [];
  const buffer = new Uint8Array(UPLOAD_PART_BYTES);
  let length = 0;
  try {
    const reader = stream.getReader();
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read())
      for (let offset = 0; offset < chunk.value.length; ) {
        const piece = chunk.value.subarray(offset, offset + UPLOAD_PART_BYTES - length);
        buffer.set(piece, length);
        length += piece.length;
        offset += piece.length;
        if (length < UPLOAD_PART_BYTES) continue;
        upload ??= await bucket.createMultipartUpload(key);
        uploadedParts.push(await upload.uploadPart(uploadedParts.length + 1, buffer));
        length = 0;
      }
    const part = buffer.subarray(0, length);
    if (!upload) {
      await bucket.put(key, part);
      return;
    }
    if (length > 0) uploadedParts.push(await upload.uploadPart(uploadedParts.length + 1, part));
    await upload.complete(uploadedParts);
  } catch (error) {
    await upload?.abort().catch(() => {});
    throw error;
  }
}
