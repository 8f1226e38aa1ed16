/** Returns the encoding that a byte order mark names (Encoding Standard, "BOM sniff"); UTF-8 without a mark. */
export function markedEncoding(bytes: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : "utf-8";
}

/** Decodes a text by its byte order mark, which is not part of the result. */
export const decodeText = (bytes: Uint8Array): string => new TextDecoder(markedEncoding(bytes)).decode(bytes);

/** Decodes one character for each byte, for comparisons with ASCII text. */
export const decodeLatin1 = (bytes: Uint8Array): string => new TextDecoder("latin1").decode(bytes);

/** Returns a text with one byte for each ASCII character: UTF-16 loses its mark and its zero bytes. */
export const asciiBytes = (bytes: Uint8Array): Uint8Array =>
  markedEncoding(bytes) === "utf-8" ? bytes : bytes.subarray(2).filter((byte) => byte !== 0);
