import { UPLOAD_PART_BYTES } from "~/domain/shared/limits";

/**
 * Divides a stream into slices of UPLOAD_PART_BYTES; the last one may be shorter. An empty stream has no slice. All slices share one buffer, so the
 * caller must use each slice before it requests the next.
 * @param slice the buffer, of UPLOAD_PART_BYTES
 */
export async function* uploadSlices(
  chunks: AsyncIterable<Uint8Array>,
  slice = new Uint8Array(UPLOAD_PART_BYTES),
): AsyncGenerator<Uint8Array> {
  let filledBytes = 0;
  for await (const chunk of chunks)
    for (let offset = 0; offset < chunk.byteLength; ) {
      const part = chunk.subarray(offset, offset + slice.byteLength - filledBytes);
      slice.set(part, filledBytes);
      filledBytes += part.byteLength;
      offset += part.byteLength;
      if (filledBytes < slice.byteLength) continue;
      yield slice;
      filledBytes = 0;
    }
  if (filledBytes > 0) yield slice.subarray(0, filledBytes);
}
