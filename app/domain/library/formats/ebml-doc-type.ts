/** Reads EBML, the container of WebM and Matroska (RFC 8794). */

/** Id of the element that states the document type (RFC 8794 §11.2.6). */
const DOC_TYPE = 0x4282;

/**
 * Reads a number whose leading bits state its length in bytes.
 * @param keepsMark true for ids, which include these bits
 */
function readVint(
  bytes: Uint8Array,
  offset: number,
  keepsMark: boolean,
): { value: number; next: number } | null {
  const first = bytes[offset] ?? 0;
  const length = Math.clz32(first) - 23;
  if (first === 0 || length > 8 || offset + length > bytes.length) return null;
  let value = keepsMark ? first : first & (0xff >> length);
  for (let i = 1; i < length; i++) value = value * 256 + (bytes[offset + i] ?? 0);
  return { value, next: offset + length };
}

/**
 * Returns the document type in a file's EBML header, such as "webm" or "matroska". Writers may pad it with zero bytes, and may put other
 * elements before it.
 * @param head the file's first bytes
 * @returns null if the head contains none
 */
export function ebmlDocType(head: Uint8Array): string | null {
  if (head[0] !== 0x1a || head[1] !== 0x45 || head[2] !== 0xdf || head[3] !== 0xa3) return null;
  const size = readVint(head, 4, false);
  if (!size) return null;
  const end = Math.min(head.length, size.next + size.value);
  for (let offset = size.next; offset < end; ) {
    const id = readVint(head, offset, true);
    const length = id && readVint(head, id.next, false);
    if (!id || !length) return null;
    if (id.value === DOC_TYPE)
      return new TextDecoder("latin1")
        .decode(head.subarray(length.next, Math.min(end, length.next + length.value)))
        .replace(/\0.*$/s, "");
    offset = length.next + length.value;
  }
  return null;
}
