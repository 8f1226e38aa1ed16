/** Size of the parts of an upload to R2, which must be equal except for the last one. */
const UPLOAD_PART_BYTES = 8 * 1024 * 1024;

/** Stores a stream of any length in R2, with 8 MiB of it in memory at a time. An upload that fails leaves nothing. */
export async function putStream(
  bucket: R2Bucket,
  key: string,
  stream: ReadableStream<Uint8Array>,
): Promise<void> {
  let started: R2MultipartUpload | null = null;
  const uploaded: R2UploadedPart[] = [];
  const waiting = new Uint8Array(UPLOAD_PART_BYTES);
  let length = 0;
  try {
    const reader = stream.getReader();
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read())
      for (let read = 0; read < chunk.value.length; ) {
        const piece = chunk.value.subarray(read, read + UPLOAD_PART_BYTES - length);
        waiting.set(piece, length);
        length += piece.length;
        read += piece.length;
        if (length < UPLOAD_PART_BYTES) continue;
        started ??= await bucket.createMultipartUpload(key);
        uploaded.push(await started.uploadPart(uploaded.length + 1, waiting));
        length = 0;
      }
    const part = waiting.subarray(0, length);
    if (!started) {
      await bucket.put(key, part);
      return;
    }
    if (length > 0) uploaded.push(await started.uploadPart(uploaded.length + 1, part));
    await started.complete(uploaded);
  } catch (error) {
    await started?.abort().catch(() => {});
    throw error;
  }
}
