/**
 * The first bytes that packed bytes unpack to, from their head alone. A head that is cut off or damaged yields the bytes before the fault.
 * @param format "gzip" (RFC 1952) or "deflate-raw" (RFC 1951)
 * @param count how many bytes are wanted; fewer are returned when the head holds no more
 */
export async function inflateHead(
  head: Uint8Array,
  count: number,
  format: CompressionFormat,
): Promise<Uint8Array> {
  const { writable, readable } = new DecompressionStream(format);
  const writer = writable.getWriter();
  // The reader below reports the fault of a head that is not whole.
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
