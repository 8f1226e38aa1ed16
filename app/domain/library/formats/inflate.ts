/**
 * Decompresses the beginning of compressed data. A truncated or damaged head yields the bytes before the fault.
 * @param format "gzip" (RFC 1952) or "deflate-raw" (RFC 1951)
 * @param count number of bytes to return; fewer are returned if the head contains fewer
 */
export async function inflateHead(
  head: Uint8Array,
  count: number,
  format: CompressionFormat,
): Promise<Uint8Array> {
  const { writable, readable } = new DecompressionStream(format);
  const writer = writable.getWriter();
  // The reader below reports the fault of a truncated head.
  Promise.allSettled([writer.write(head as Uint8Array<ArrayBuffer>), writer.close()]);
  const reader = readable.getReader();
  const unpacked = new Uint8Array(count);
  let length = 0;
  try {
    while (length < count) {
      const { done, value } = await reader.read();
      if (done) break;
      unpacked.set(value.subarray(0, count - length), length);
      length = Math.min(count, length + value.length);
    }
  } catch {
    // The bytes before the fault are enough to recognise a format.
  }
  reader.cancel().catch(() => {});
  return unpacked.subarray(0, length);
}
